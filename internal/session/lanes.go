package session

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Find returns the ids of the sessions in dir whose lane is chosen, and the paths of damaged memories of any lane.
// Errors: safefile.ErrRefused for a folder that is not memento's, or the disk's.
func Find(dir string, chosen func(lane string) bool) (ids, damaged []string, err error) {
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

// Erase erases in data, the file of a memory, each text that has reports. It returns what is left, nil when the whole
// file goes, and the erased texts; see eraseMemory. Only the newest version in the file stays, since older ones may
// hold other words. whole says that data is damaged and goes because loose reports the words in it.
func Erase(data []byte, has func(words string) bool, loose func(data []byte) bool,
	elsewhere bool) (left []byte, found []string, whole bool) {
	data = safefile.Newest(data)
	left, found, ok := eraseMemory(data, has, elsewhere)
	switch {
	case ok:
		return left, found, false
	case loose(data):
		return nil, nil, true
	}
	return data, nil, false
}
