package session

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Find returns the ids of the sessions in dir whose lane is chosen. It skips damaged memories. Errors: safefile.ErrRefused for a folder that is not memento's, or the disk's.
func Find(dir string, chosen func(lane string) bool) (ids []string, err error) {
	folder := filepath.Join(dir, safefile.Cache)
	entries, err := safefile.ListFolder(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range entries {
		if !strings.HasSuffix(f.Name(), ".json") || safefile.Temporary(f.Name()) {
			continue
		}
		path := filepath.Join(folder, f.Name())
		s, err := saved(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil && !errors.Is(err, safefile.ErrTooLarge):
			return nil, err
		case err == nil && s.ID != "" && chosen(s.Lane):
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}
