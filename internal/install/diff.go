package install

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// fileDiff returns what turns old into new as a unified diff, as diff -u and patch have it; "" when they hold the same.
// A nil side is a file that is not there.
func fileDiff(path string, old, new []byte) string {
	from, to := path, path
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	_, shown, _ := bytes.Cut(diff.Diff(from, old, to, new), []byte("\n")) // without its first line, "diff FROM TO"
	return string(shown)
}
