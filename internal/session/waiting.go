package session

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// WaitingFolder returns the folder of what has no copy yet: prompts that no transcript shows.
func WaitingFolder(dir string) string { return filepath.Join(dir, "waiting") }

func promptsPath(dir, id string) string {
	return filepath.Join(WaitingFolder(dir), log.FileName(id)+".prompts")
}

// waiting holds the pending prompts of a session.
type waiting struct {
	Session, Lane string
	Pending       []Pending
}

func (w *waiting) fields(t *jsonx.Table) {
	t.Wordless("session", &w.Session)
	t.Wordless("lane", &w.Lane)
	jsonx.Many(t, "pending", &w.Pending, (*Pending).fields)
}

// readWaiting reads a file of pending prompts. One that is missing, damaged or far too large has none. Errors:
// safefile's.
func readWaiting(path string) (w waiting, err error) {
	data, err := safefile.Read(path, maxMemory)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrTooLarge) {
		return waiting{}, nil
	}
	if err != nil || !jsonx.Read(data, maxDepth, &w, (*waiting).fields) {
		return waiting{}, err
	}
	return w, nil
}

// keepPending writes the pending prompts, if they changed. A prompt that another hook may have blocked stays nowhere.
// Errors: safefile's; the file is then unchanged.
func (s *Session) keepPending(dir string) error {
	if slices.Equal(s.Pending, s.stored.pending) && (s.Lane == s.stored.lane || len(s.Pending) == 0) {
		return nil
	}
	path := promptsPath(dir, s.ID)
	if len(s.Pending) == 0 {
		return safefile.Remove(path)
	}
	if err := safefile.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	w := waiting{Session: s.ID, Lane: s.Lane, Pending: s.Pending}
	return safefile.ReplaceVolatile(path, jsonx.Write(&w, (*waiting).fields), 0o600)
}

// Left is a session whose client is gone, and the lane that its pending prompts belong to.
type Left struct {
	ID   string
	Lane project.Lane
}

// Waiting returns the sessions with pending prompts of a chosen lane whose client is gone. Of a session without a
// memory it is gone when the prompts have waited for longer than c.LaneTTL.
func Waiting(c config.Config, chosen func(project.Lane) bool, now time.Time) (all []Left) {
	entries, _ := safefile.ListFolder(WaitingFolder(c.Dir))
	for _, e := range entries {
		w, err := readWaiting(filepath.Join(WaitingFolder(c.Dir), e.Name()))
		lane, known := project.LaneNamed(c.Dir, w.Lane)
		if err != nil || !known || !chosen(lane) || len(w.Pending) == 0 {
			continue
		}
		s, err := Load(c.Dir, w.Session)
		if err == nil && !s.Runs(c, now) || err != nil && now.Sub(w.Pending[len(w.Pending)-1].At) > c.LaneTTL {
			all = append(all, Left{w.Session, lane})
		}
	}
	return all
}

// EraseWaiting erases words from data, a file of WaitingFolder, where the file is of no known lane or of a chosen one.
// It returns what is left, nil when the whole file goes, and the erased prompts. A file that cannot be read goes when
// it holds the words.
func EraseWaiting(data []byte, chosen func(lane string) bool, words log.Forgotten) (left []byte, gone []log.Gone) {
	var w waiting
	switch isRead := jsonx.Read(data, maxDepth, &w, (*waiting).fields); {
	case !isRead && words.Loose(data):
		return nil, []log.Gone{{Kind: "said"}}
	case !isRead, w.Lane != "" && !chosen(w.Lane):
		return data, nil
	}
	w.Pending = slices.DeleteFunc(w.Pending, func(p Pending) bool {
		if !words.Has(p.Text) {
			return false
		}
		gone = append(gone, log.Gone{Kind: "said", Words: p.Text})
		return true
	})
	switch {
	case len(gone) == 0:
		return data, nil
	case len(w.Pending) == 0:
		return nil, gone
	}
	return jsonx.Write(&w, (*waiting).fields), gone
}

// RenameWaiting gives what waits in the lanes that owns reports the lane that renamed returns. Errors: safefile's; the
// same call again goes on.
func RenameWaiting(dir string, wait time.Duration, owns func(lane string) bool, renamed func(string) string) error {
	entries, err := safefile.ListFolder(WaitingFolder(dir))
	if err != nil {
		return err
	}
	rename := func(name string) error {
		path := filepath.Join(WaitingFolder(dir), name)
		id, _, _ := strings.Cut(name, ".")
		unlock, err := safefile.LockIn(dir, id, wait)
		if err != nil {
			return err
		}
		defer unlock()
		w, err := readWaiting(path)
		if err != nil || !owns(w.Lane) {
			return nil
		}
		w.Lane = renamed(w.Lane)
		return safefile.Replace(path, jsonx.Write(&w, (*waiting).fields), 0o600)
	}
	for _, e := range entries {
		if err := rename(e.Name()); err != nil {
			return err
		}
	}
	return nil
}
