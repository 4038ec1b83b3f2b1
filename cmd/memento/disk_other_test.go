//go:build unix && !linux

package main

import "testing"

// smallDisk skips the test: only Linux has a file system that goes away with its test.
func smallDisk(t *testing.T, _, _ string, _ int) { t.Skip("file systems are mounted on Linux only") }

func fill(*testing.T, string) {}
