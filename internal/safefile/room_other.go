//go:build !linux && !darwin

package safefile

func noInodes(string) bool { return false }

func lacksRoom(string) bool { return false }
