package safefile

import (
	"os"
	"path/filepath"
)

// Append adds data to the end of the file at path. It creates a missing file (0600). When a crash left half a last
// line, Append first ends that line. With force it forces the data to the disk; else a power cut may take them. On
// error the file is unchanged. The caller holds the lock that guards path.
func Append(path string, data []byte, force bool) error {
	t, err := add(path, data)
	if err != nil {
		return err
	}
	if !force {
		return t.file.Close()
	}
	defer t.file.Close()
	if err := t.force(); err != nil {
		t.undo()
		return err
	}
	return nil
}

// tail is the data added to a file. It may not be on the disk yet.
type tail struct {
	file *os.File
	path string
	from int64 // the offset of the data
}

// add is Append that does not force the data to the disk. The caller closes the file.
func add(path string, data []byte) (*tail, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	if err := fault("append", path); err != nil {
		return nil, writing(path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow|nonBlock, 0o600)
	if err != nil {
		return nil, err
	}
	t := &tail{file: f, path: path}
	if err := t.write(data); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

func (t *tail) write(data []byte) error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	if err := checkFile(t.path, info); err != nil {
		return err
	}
	t.from = info.Size()
	if t.from > 0 {
		var last [1]byte
		if _, err := t.file.ReadAt(last[:], t.from-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			data = append([]byte{'\n'}, data...)
		}
	}
	if err = fault("write", t.path); err == nil {
		_, err = t.file.WriteAt(data, t.from)
	}
	if err != nil {
		t.undo()
		return writing(t.path, err)
	}
	return nil
}

func (t *tail) force() error {
	err := fault("sync", t.path)
	if err == nil {
		err = t.file.Sync()
	}
	if err != nil {
		return writing(t.path, err)
	}
	if t.from == 0 { // a new file: its name must survive too
		syncDir(filepath.Dir(t.path))
	}
	return nil
}

// undo cuts the tail off again, as far as the disk allows.
func (t *tail) undo() { _ = t.file.Truncate(t.from) }
