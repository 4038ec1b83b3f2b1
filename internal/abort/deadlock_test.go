//go:build unix && !race

package abort

// The race detector has threads of its own, so that Go's runtime finds no deadlock there.
func init() { faults["deadlock"] = func() { select {} } }
