package safefile

import (
	"os"
	"path/filepath"
)

// Append adds data to the end of the file at path. It creates a missing file (0600). When a crash left half a last
// line, Append first ends that line. With force it forces the data to the disk; else a power cut may take them. On
// error the file is unchanged. The caller holds the lock that guards path.
func Append(path string, data []byte, force bool) error {
	if err := Check(path); err != nil {
		return err
	}
	if err := fault("append", path); err != nil {
		return writing(path, err)
	}
	f, info, err := openChecked(path, checkFile, func() (*os.File, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow|nonBlock, 0o600)
	})
	if err != nil {
		return err
	}
	defer f.Close()
	end := info.Size()
	if end > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], end-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			data = append([]byte{'\n'}, data...)
		}
	}
	if err = fault("write", path); err == nil {
		_, err = f.WriteAt(data, end)
	}
	if err == nil && force {
		err = forceFile(f, path)
	}
	if err != nil {
		_ = f.Truncate(end) // as far as the disk allows
		return writing(path, err)
	}
	if force && end == 0 { // a new file: its name must survive too
		syncDir(filepath.Dir(path))
	}
	return f.Close()
}

// forceFile forces what was written to a file to the disk.
func forceFile(f *os.File, path string) error {
	if err := fault("sync", path); err != nil {
		return err
	}
	return f.Sync()
}
