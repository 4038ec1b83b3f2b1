//go:build !linux && !darwin

package safefile

func noInodes(string) bool { return false }
