package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxVersions is how large a file may grow by Supersede, in bytes, before it is written anew with its newest version
// alone.
const maxVersions = 32 << 10

// Newest returns the newest version in data, which is what a file holds that Supersede writes: the last line that has
// its end, without it, or all of data where no line has one. What a killed process left behind the last end is none.
func Newest(data []byte) []byte {
	end := bytes.LastIndexByte(data, '\n')
	if end < 0 {
		return data
	}
	return data[bytes.LastIndexByte(data[:end], '\n')+1 : end]
}

// Supersede makes data, which holds no line end, the newest version of the file at path: behind the others where there
// is room, else, and with alone, in place of all of them. A link, a foreign or an irregular file at path is ErrRefused.
// It is machinery's, as ReplaceVolatile is, and costs a tenth of that where it appends. Whoever is killed in it, and
// whoever reads meanwhile, finds the version before or this one; on any error the version before stands. The caller
// holds the lock that guards path.
func Supersede(path string, data []byte, alone bool) error {
	if !alone {
		if done, err := appendVersion(path, data); done || err != nil {
			return writing(path, err)
		}
	}
	return ReplaceVolatile(path, append(data[:len(data):len(data)], '\n'), 0o600)
}

// appendVersion reports whether there was a file to append to, and room in it.
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
	if err != nil { // one that may not be written to can be replaced all the same
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
	// half a line must not get an end: it would be the newest version while the one behind it is written
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
