//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A hint names the file in the way, in a command to paste.
func TestHint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "alice's")
	file := filepath.Join(dir, "file")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	quoted := filepath.Dir(dir) + `/alice'\''s`
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "open", Path: file, Err: syscall.EACCES}, "see whose it is, and who may do what: ls -ld '" +
			quoted + "/file'; nothing was changed"},
		{&fs.PathError{Op: "mkdir", Path: filepath.Join(dir, "a", "b"), Err: syscall.EACCES},
			"see whose it is, and who may do what: ls -ld '" + quoted + "'; nothing was changed"},
		{fs.ErrPermission, "see that the folder is yours to write to; nothing was changed"},
		{&fs.PathError{Op: "lstat", Path: filepath.Join(file, "a", "b"), Err: syscall.ENOTDIR},
			"a folder has to be there, and it is none: set HOME, or CLAUDE_CONFIG_DIR, to a folder of yours: ls -ld '" +
				quoted + "/file'"},
		{refuseShared(dir), "chmod go-w '" + quoted + "'"},
		{refuse(file, "it is a symbolic link"), "memento doctor"},
		{errors.New("anything else"), ""},
	} {
		if got := Hint(tt.err); got != tt.want {
			t.Errorf("%v\n%s, wanted\n%s", tt.err, got, tt.want)
		}
	}
}
