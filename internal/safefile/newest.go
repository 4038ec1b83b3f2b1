package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxVersions is the size, in bytes, to which a file may grow by Supersede. Beyond it Supersede writes the file anew
// with the newest version alone.
const maxVersions = 32 << 10

// Newest returns the newest version in data, the content of a file that Supersede writes. That is the last line with a
// line end, or all of data when no line has one. A killed process may have left half a line behind it.
func Newest(data []byte) []byte {
	end := bytes.LastIndexByte(data, '\n')
	if end < 0 {
		return data
	}
	return data[bytes.LastIndexByte(data[:end], '\n')+1 : end]
}

// Supersede makes data, which holds no line end, the newest version of the file at path. It appends data where there is
// room; else, and when alone is set, data replaces all versions. A link, a foreign or an irregular file at path is
// ErrRefused. Like ReplaceVolatile it is for machinery that a power cut may take; appending takes a tenth of the time
// of ReplaceVolatile. After a kill, and for a reader meanwhile, the newest version is this one or the one before; on
// any error it is the one before. The caller holds the lock that guards path.
func Supersede(path string, data []byte, alone bool) error {
	if !alone {
		if done, err := appendVersion(path, data); done || err != nil {
			return writing(path, err)
		}
	}
	return ReplaceVolatile(path, append(data[:len(data):len(data)], '\n'), 0o600)
}

// appendVersion appends data as a new version. It returns false when there is no file, or no room in it.
func appendVersion(path string, data []byte) (done bool, err error) {
	if len(data) > maxVersions/2 {
		return false, nil
	}
	err = fault("append", path)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(path, os.O_RDWR|noFollow|nonBlock, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil { // a file without write permission can still be replaced
		return false, Check(path)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if err := checkFile(path, info); err != nil {
		return false, err
	}
	size := info.Size()
	if size == 0 || size+int64(len(data)) > maxVersions {
		return false, nil
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], size-1); err != nil {
		return false, err
	}
	// half a line must not get a line end: it would be the newest version until data is written
	if last[0] != '\n' {
		return false, nil
	}
	if err = fault("write", path); err == nil {
		_, err = f.WriteAt(append(data[:len(data):len(data)], '\n'), size)
	}
	if err != nil {
		if cut := f.Truncate(size); cut != nil {
			err = fmt.Errorf("%w; %w", err, cut)
		}
		return false, err
	}
	return true, nil
}
