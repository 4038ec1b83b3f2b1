package doctor

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// ErrDamaged is the reason when a file does not hold what memento writes there.
var ErrDamaged = errors.New("not a JSON object")

// Damaged returns why a file of memento's that holds a JSON object cannot be used: ErrDamaged, or safefile's errors. It
// returns nil for one that is in order or missing.
func Damaged(path string) error {
	_, err := object(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func object(path string) (gjson.Result, error) {
	data, err := safefile.Read(path, 4<<20)
	if err == nil && (!gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject()) {
		err = fmt.Errorf("%s is %w", path, ErrDamaged)
	}
	return gjson.ParseBytes(data), err
}
