package session

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// Find returns the ids of the sessions in dir whose lane is chosen, and the paths of damaged memories of any lane.
// Errors: safefile.ErrRefused for a folder that is not memento's, or the disk's.
func Find(dir string, chosen func(lane string) bool) (ids, damaged []string, err error) {
	folder := filepath.Join(dir, safefile.Cache)
	entries, err := safefile.ListFolder(folder)
	if err != nil {
		return nil, nil, err
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
			return nil, nil, err
		case err != nil, s.ID == "":
			damaged = append(damaged, path)
		case chosen(s.Lane):
			ids = append(ids, s.ID)
		}
	}
	return ids, damaged, nil
}

// Words returns the texts in data, the file of a memory with its older versions, that has reports. ok is false when a
// version is damaged.
func Words(data []byte, has func(words string) bool) (found []string, ok bool) {
	ok = true
	for version := range bytes.Lines(data) {
		var s Memory
		_, words, whole := jsonx.Erase(bytes.TrimSpace(version), maxDepth, &s, (*Memory).fields, has)
		found, ok = append(found, words...), ok && whole && s.ID != ""
	}
	return found, ok
}
