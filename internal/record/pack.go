package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// bulky is the size, in bytes, from which a collection compresses a record that it archives.
const bulky = 16 << 10

// maxStored is the size, in bytes, up to which a file is read that holds several versions. Any other file is read up to
// schema.MaxBytes.
const maxStored = 8 * schema.MaxBytes

// ErrDamaged says that a compressed file is not a whole gzip file.
var ErrDamaged = errors.New("it cannot be decompressed")

// idOf returns name without the ending of a record's file.
func idOf(name string) string {
	if id, ok := naming.Stem(name); ok {
		return id
	}
	return name
}

// ReadFile returns the text of the record in the file at path, plain or packed. Errors: ErrDamaged; safefile's,
// ErrTooLarge also for a text over schema.MaxBytes, unless a merge left several versions in it.
func ReadFile(path string) ([]byte, error) {
	data, err := safefile.Read(path, maxStored)
	if err == nil && tooLong(data) {
		return nil, fmt.Errorf("%s: %w", path, safefile.ErrTooLarge)
	}
	if err == nil {
		if data, err = Unpack(data); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	return data, err
}

// Unpack returns the text of a packed file, and data itself when the file is plain. Errors: ErrDamaged, beside the text
// up to the damage; safefile.ErrTooLarge when the text is over schema.MaxBytes, beside its beginning.
func Unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) { // no text begins so
		return data, nil
	}
	var out []byte
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		out, err = io.ReadAll(io.LimitReader(z, maxStored+1))
	}
	switch {
	case err != nil:
		return out, fmt.Errorf("%w: %v", ErrDamaged, err)
	case tooLong(out):
		return out[:schema.MaxBytes+1], fmt.Errorf("decompressed: %w", safefile.ErrTooLarge)
	}
	return out, nil
}

// tooLong reports whether a text is longer than a record may be.
func tooLong(data []byte) bool {
	return len(data) > maxStored || len(data) > schema.MaxBytes && markdown.Conflicts(data) == nil
}

// decodeFile is Decode for a file that is plain or packed. Errors: also those of Unpack.
func decodeFile(id string, file []byte) (*Record, error) {
	data, err := Unpack(file)
	if err != nil {
		return nil, err
	}
	return Decode(id, data)
}

// pack returns the bytes of the file at path for a record with the text data. The same text gives the same bytes.
func pack(path string, data []byte) []byte {
	if data == nil || !strings.HasSuffix(path, naming.Packed) {
		return data
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data) // a write to a buffer cannot fail
	_ = z.Close()
	return b.Bytes()
}

// filePath returns path with the ending of r's file: that of a packed file when a collection archived r and the text
// data is bulky.
func (r *Record) filePath(path string, data []byte) string {
	if len(data) >= bulky && r.wasCollected() {
		return idOf(path) + naming.Packed
	}
	return idOf(path) + naming.Ending
}

// readEitherFile reads the plain file of a record at path, or the packed one when there is no plain one.
func readEitherFile(path string) (at string, data []byte, err error) {
	if data, err = ReadFile(path); errors.Is(err, fs.ErrNotExist) {
		path = idOf(path) + naming.Packed
		data, err = ReadFile(path)
	}
	return path, data, err
}

// dropPackedTwin removes a packed file beside the plain file of r, or sets it aside when r lacks any of its words or it
// cannot be read. The caller holds the lock.
func (s Store) dropPackedTwin(r *Record) error {
	beside := idOf(r.Path) + naming.Packed
	if beside == r.Path {
		return nil
	}
	data, err := ReadFile(beside)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && !isFront(err) && !errors.Is(err, safefile.ErrTooLarge):
		return err
	case err == nil:
		if older, bad := Decode(r.ID, data); bad == nil && r.follows(older) {
			return safefile.Remove(beside)
		}
	}
	_, err = safefile.SetAside(beside, "older", s.Now())
	return err
}

// paths returns all paths that a record's file can have.
func (s Store) paths(id string) (out []string) {
	for _, status := range []string{schema.Active, schema.Completed} {
		path := s.Path(id, status)
		out = append(out, path, idOf(path)+naming.Packed)
	}
	return out
}
