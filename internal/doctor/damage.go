package doctor

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// ErrDamaged means that a file is not a JSON object, although memento writes one there.
var ErrDamaged = errors.New("not a JSON object")

// Damaged returns why memento cannot use a JSON file of its own: ErrDamaged, or safefile's errors. It returns nil for a
// file that is sound or missing.
func Damaged(path string) error {
	data, err := safefile.Read(path, 4<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && (!gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject()):
		return fmt.Errorf("%s is %w", path, ErrDamaged)
	}
	return err
}
