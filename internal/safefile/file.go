package safefile

import (
	"errors"
	"io/fs"
	"os"
)

// SharedFile reports whether anybody but the owner of the regular file at path has a right to it. A missing one is
// nobody's; a link, something irregular or another user's is ErrRefused.
func SharedFile(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := checkFile(path, info); err != nil {
		return false, err
	}
	return modes && info.Mode().Perm()&0o077 != 0, nil
}

// PrivateFile takes from everybody but its owner every right to the file at path. Errors as for SharedFile.
func PrivateFile(path string) error {
	if shared, err := SharedFile(path); err != nil || !shared {
		return err
	}
	if err := fault("chmod", path); err != nil {
		return err
	}
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Chmod(0o600)
}
