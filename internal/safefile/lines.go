package safefile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
)

// Lines calls f with each line of the file at path, without its line end, until f returns false. It holds one line in
// memory, and f may use the slice only during the call. It skips lines longer than max bytes. A missing file has no
// lines. Errors: ErrRefused, the disk's.
func Lines(path string, max int, f func(line []byte) bool) error {
	file, _, err := openOwn(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := fault("read", path); err != nil {
		return err
	}
	r := bufio.NewReaderSize(file, 64<<10)
	var line []byte
	for size := 0; ; {
		piece, err := r.ReadSlice('\n')
		if size += len(piece); size <= max {
			if cap(line)-len(line) < len(piece) {
				line = slices.Grow(line, len(line)+len(piece)) // append alone would copy a long line more often
			}
			line = append(line, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) == size && size > 0 && !f(bytes.TrimRight(line, "\r\n")) || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, size = line[:0], 0
	}
}
