package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read returns the content of the regular file at path. Errors: fs.ErrNotExist, ErrRefused (a link, a foreign or
// irregular file), ErrTooLarge for more than max bytes, the disk's.
func Read(path string, max int64) ([]byte, error) {
	f, info, err := openOwn(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > max {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d", path, ErrTooLarge, info.Size(), max)
	}
	if err := fault("read", path); err != nil {
		return nil, err
	}
	return atMost(f, path, info.Size(), max)
}

// openOwn opens this user's regular file at path, with its FileInfo. Errors: fs.ErrNotExist, ErrRefused, the disk's.
func openOwn(path string) (f *os.File, info fs.FileInfo, err error) {
	if noFollow == 0 { // opening would follow a link
		if err := Check(path); err != nil {
			return nil, nil, err
		}
	}
	err = patiently("open", path, func() error {
		f, info, err = openChecked(path, checkFile, func() (*os.File, error) {
			return os.OpenFile(path, os.O_RDONLY|noFollow|nonBlock, 0)
		})
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		if why := Check(path); errors.Is(why, ErrRefused) {
			err = why
		}
	}
	return f, info, err
}

// openChecked returns the file that open opens, unless check returns an error for it.
func openChecked(path string, check func(string, fs.FileInfo) error, open func() (*os.File, error)) (
	f *os.File, info fs.FileInfo, err error,
) {
	if f, err = open(); err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// atMost returns everything in r, about size bytes, or ErrTooLarge for more than max bytes.
func atMost(r io.Reader, path string, size, max int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size, max)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, max+1))
	if n > max {
		return nil, fmt.Errorf("%s: %w: at most %d bytes", path, ErrTooLarge, max)
	}
	return b.Bytes(), err
}

// ReadForeign is Read for a file that is not memento's, such as a repository's configuration. It follows links and
// accepts any owner. Anything but a regular file is still ErrRefused.
func ReadForeign(path string, max int64) ([]byte, error) {
	f, err := openForeign(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return atMost(f, path, 0, max)
}

// ReadStart is ReadForeign for the first max bytes.
func ReadStart(path string, max int64) ([]byte, error) {
	f, err := openForeign(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, max))
}

func openForeign(path string) (*os.File, error) {
	if err := fault("read", path); err != nil {
		return nil, err
	}
	f, _, err := openChecked(path, checkFileType, func() (*os.File, error) { return Open(path) })
	return f, err
}

// Open opens a file that is not memento's for reading, as os.Open does. It does not wait for the writer of a pipe.
func Open(path string) (*os.File, error) {
	return try("open", path, func(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|nonBlock, 0) })
}

// List returns the entries of the folder at path, sorted by name.
func List(path string) ([]os.DirEntry, error) { return try("list", path, os.ReadDir) }

// ListFolder is List for one of memento's folders. A missing folder is empty. Errors: also ErrRefused for anything but
// a folder, and for a link to one, whose files are somebody else's.
func ListFolder(path string) ([]os.DirEntry, error) {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: it is a link, or no folder", path, ErrRefused)
	}
	entries, err := List(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}
