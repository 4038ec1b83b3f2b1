package session

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// OfLanes returns the ids of the sessions in dir whose lane is chosen, and the files of those that cannot be read, of
// whatever lane. Errors: safefile.ErrRefused for a folder that is not memento's, or what the disk said.
func OfLanes(dir string, chosen func(lane string) bool) (ids, damaged []string, err error) {
	folder := filepath.Join(dir, "state")
	entries, err := safefile.ListFolder(folder)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range entries {
		stem, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok || Reserved(stem) || safefile.Temporary(f.Name()) {
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

// Erase returns what is left of a state's file, nil when it goes whole, and the words that went; see eraseState. Of
// several versions only the newest stays: those before it may hold what this one does not. What is no state goes
// whole, which whole says, when loose reports that it holds the words.
func Erase(data []byte, has func(words string) bool, loose func(data []byte) bool,
	elsewhere bool) (left []byte, found []string, whole bool) {
	data = safefile.Newest(data)
	left, found, ok := eraseState(data, has, elsewhere)
	switch {
	case ok:
		return left, found, false
	case loose(data):
		return nil, nil, true
	}
	return data, nil, false
}
