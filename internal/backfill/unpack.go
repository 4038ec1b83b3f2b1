package backfill

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/safefile"
)

// stemOf returns the name of a transcript's file without its endings.
func stemOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), packedEnd), ".jsonl")
}

// sizeOf returns the size of a transcript, of a compressed one that of its content modulo 4 GB. size is the file's.
func sizeOf(path string, size int64) (int64, error) {
	if !strings.HasSuffix(path, packedEnd) {
		return size, nil
	}
	f, err := safefile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	size, ok := unpackedSize(f, size)
	if !ok {
		return 0, past.ErrDamaged
	}
	return size, nil
}

// unpack returns the path of a transcript to read, and a function that removes what unpack made. A transcript that is
// not compressed is read where it is. Another one it writes into a folder of its own, and no more than the file says it
// holds. Errors: past.ErrDamaged, the disk's.
func (b *Backfill) unpack(path string, size int64) (at string, remove func(), err error) {
	if !strings.HasSuffix(path, packedEnd) {
		return path, func() {}, nil
	}
	f, err := safefile.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", nil, fmt.Errorf("%w: %v", past.ErrDamaged, err)
	}
	dir := b.Config.Dir // a hook sweeps it when this process is killed
	if _, err := os.Stat(dir); err != nil {
		dir = ""
	}
	folder, remove, err := safefile.Scratch(dir)
	if err != nil {
		return "", nil, err
	}
	at = filepath.Join(folder, stemOf(path)+".jsonl")
	err = safefile.ReplaceBy(at, 0o600, false, func(w io.Writer) error {
		n, err := io.Copy(w, io.LimitReader(z, size))
		if err == nil && n == size {
			var more int
			if more, err = z.Read(make([]byte, 1)); more > 0 {
				err = errors.New("it holds more than it says")
			} else if err == io.EOF { // and the checksum is right
				err = nil
			}
		}
		if errors.As(err, new(*fs.PathError)) || err == nil {
			return err // the disk's
		}
		return fmt.Errorf("%w: %v", past.ErrDamaged, err)
	})
	if err != nil {
		remove()
		return "", nil, err
	}
	return at, remove, nil
}
