package install

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// fileDiff returns the unified diff from old to new, in the form that patch reads; "" if both are the same. Nil stands
// for no file.
func fileDiff(path string, old, new []byte) string {
	from, to := path, path
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	_, shown, _ := bytes.Cut(diff.Diff(from, old, to, new), []byte("\n")) // cut off the first line, "diff FROM TO"
	return string(shown)
}
