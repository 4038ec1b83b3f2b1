package safefile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Lines calls f with each line of the file at path, without its line end, until f returns false. It holds one line in
// memory, and f may use the slice only during the call. It skips lines longer than max bytes. A missing file has no
// lines. Errors: ErrRefused, the disk's.
func Lines(path string, max int, f func(line []byte) bool) error {
	file, err := toRead(path)
	if file == nil {
		return err
	}
	defer file.Close()
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

// toRead opens a file of memento's own for reading. For a missing file it returns nil without an error.
func toRead(path string) (*os.File, error) {
	file, _, err := openOwn(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := fault("read", path); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// LinesWith is Lines for the lines that hold one of words, and of these for the newest, of at most most bytes together.
// It searches a long file at the speed of memory, since it does not split text without any of the words into lines. It
// skips lines longer than max bytes.
func LinesWith(path string, max int, most int64, words [][]byte, f func(line []byte) bool) error {
	file, err := toRead(path)
	if file == nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	type extent struct{ at, size int64 }
	var found []extent // the newest first
	buffer := make([]byte, 256<<10)
	left, begin, full := most, int64(-1), false
	for from, end := info.Size(), info.Size(); end > 0 && !full; { // from the end of the file, a window at a time
		if from -= windowSize; from < 0 {
			from = 0
		}
		start, err := lineFrom(file, from, end)
		if err != nil {
			return err
		}
		found = found[:0]
		if err := linesWith(io.NewSectionReader(file, 0, end), start, max, words, &buffer,
			func(at int64, line []byte) bool {
				found = append(found, extent{at, int64(len(line))})
				return true
			}); err != nil {
			return err
		}
		for _, x := range slices.Backward(found) {
			if full = begin >= 0 && left < x.size; full {
				break
			}
			begin, left = x.at, left-x.size
		}
		end = start
	}
	if begin < 0 {
		return nil
	}
	return linesWith(file, begin, max, words, &buffer, func(_ int64, line []byte) bool { return f(line) })
}

// windowSize is how many bytes of a file LinesWith searches at once for the newest lines.
var windowSize int64 = 32 << 20

// lineFrom returns the offset of the first line that begins at or behind the offset from, end when none begins before
// end.
func lineFrom(file *os.File, from, end int64) (int64, error) {
	if from == 0 {
		return 0, nil
	}
	b := make([]byte, 64<<10)
	for at := from - 1; at < end; {
		n, err := file.ReadAt(b, at)
		if i := bytes.IndexByte(b[:n], '\n'); i >= 0 {
			return min(at+int64(i)+1, end), nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if n == 0 {
			break
		}
		at += int64(n)
	}
	return end, nil
}

// linesWith calls f with each line of file, from the offset at on, that holds one of words, and with the line's offset,
// until f returns false.
func linesWith(file io.ReaderAt, at int64, max int, words [][]byte, buffer *[]byte,
	f func(at int64, line []byte) bool) error {
	held, over := 0, false // the bytes in the buffer; whether they begin within a line that is too long
	for {
		b := *buffer
		n, err := file.ReadAt(b[held:], at+int64(held))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		held += n
		whole := bytes.LastIndexByte(b[:held], '\n') + 1
		last := n == 0 || err != nil
		if last {
			whole = held // a last line may have no end
		}
		switch {
		case whole > 0:
			from := 0
			if over { // skip to the end of the long line
				if from = bytes.IndexByte(b[:whole], '\n') + 1; from == 0 {
					from = whole
				}
				over = false
			}
			if !holding(b[from:whole], max, words, func(i int, line []byte) bool { return f(at+int64(from+i), line) }) {
				return nil
			}
			at += int64(whole)
			held = copy(b, b[whole:held])
		case held > max:
			over, held = true, 0
			at += int64(len(b))
		case held == len(b):
			*buffer = append(b, make([]byte, len(b))...)
		}
		if last {
			return nil
		}
	}
}

// holding calls f with each line of b, at most max bytes long, that holds one of words, and with the line's offset. It
// returns false as soon as f does.
func holding(b []byte, max int, words [][]byte, f func(at int, line []byte) bool) bool {
	next := make([]int, len(words)) // the next offset of each word, len(b) for none
	for i := range next {
		next[i] = -1
	}
	for at := 0; at < len(b); {
		first := len(b)
		for i, w := range words {
			if next[i] < at {
				if k := bytes.Index(b[at:], w); k >= 0 {
					next[i] = at + k
				} else {
					next[i] = len(b)
				}
			}
			first = min(first, next[i])
		}
		if first == len(b) {
			break
		}
		begin, end := bytes.LastIndexByte(b[at:first], '\n')+1+at, len(b)
		if i := bytes.IndexByte(b[first:], '\n'); i >= 0 {
			end = first + i
		}
		at = min(end+1, len(b))
		if at-begin <= max && !f(begin, bytes.TrimRight(b[begin:end], "\r")) {
			return false
		}
	}
	return true
}
