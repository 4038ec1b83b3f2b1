package session

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/transcript"
)

// maxForgotten is how many forgotten sessions are remembered. The client keeps transcripts for 30 days.
const (
	maxForgotten     = 1000
	maxForgottenFile = 16 << 20
)

func forgottenPath(dir string) string { return filepath.Join(dir, "forgotten.json") }

// tombstone is the trace of a forgotten session: the end of its transcript, before which nothing is read again, and the
// time, since the client may not have written the line of the last prompt.
type tombstone struct {
	transcript.Position
	Since time.Time `json:"since"`
}

// Forget removes the memory of every session whose lane is chosen, and its waiting reports, and returns how many
// sessions it forgot. When such a session is resumed, capture skips its transcript up to now; end returns the end of a
// transcript. Only a list of ids, offsets and times stays.
func Forget(dir string, chosen func(lane string) bool, now time.Time, wait time.Duration,
	end func(path string) transcript.Position) (int, error) {
	folder := filepath.Join(dir, safefile.Cache)
	if err := safefile.Dir(dir); err != nil {
		return 0, err
	}
	if err := safefile.Dir(folder); err != nil {
		return 0, err
	}
	unlock, err := safefile.LockIn(dir, "forgotten", wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	entries, err := safefile.List(folder)
	if err != nil {
		return 0, err
	}
	list := map[string]tombstone{}
	var gone []string
	sessions := 0
	for _, e := range entries {
		ok := strings.HasSuffix(e.Name(), ".json")
		if !ok && !safefile.Temporary(e.Name()) {
			continue
		}
		s, err := saved(filepath.Join(folder, e.Name()))
		switch {
		case err != nil && !errors.Is(err, safefile.ErrTooLarge):
			continue
		case err != nil || s.ID == "":
			// A damaged or half-written memory of any lane: nobody reads it, and it may hold prompts.
		case !chosen(s.Lane):
			continue
		case ok:
			sessions++
			list[s.ID] = tombstone{end(s.Transcript), now.UTC()}
		}
		gone = append(gone, e.Name())
	}
	for _, r := range Reports(dir, "") {
		if r.Lane == "" || chosen(r.Lane) {
			if err := safefile.Remove(r.Path); err != nil {
				return 0, err
			}
		}
	}
	prompts, err := PromptFiles(dir, chosen)
	if err != nil {
		return 0, err
	}
	for _, path := range prompts {
		if err := safefile.Remove(path); err != nil {
			return 0, err
		}
	}
	if old := forgotten(dir); len(old)+len(list) <= maxForgotten {
		for id, at := range old {
			if _, again := list[id]; !again {
				list[id] = at
			}
		}
	}
	if sessions > 0 {
		data, err := json.Marshal(list)
		if err != nil {
			return 0, err
		}
		if err := safefile.Replace(forgottenPath(dir), data, 0o600); err != nil {
			return 0, err
		}
	}
	for _, g := range gone {
		if err := safefile.Remove(filepath.Join(folder, g)); err != nil {
			return 0, err
		}
		_ = safefile.Remove(safefile.LockPath(dir, strings.TrimSuffix(g, ".json")))
	}
	return sessions, nil
}

func forgotten(dir string) map[string]tombstone {
	list := map[string]tombstone{}
	if data, err := safefile.Read(forgottenPath(dir), maxForgottenFile); err == nil &&
		json.Unmarshal(data, &list) != nil {
		list = map[string]tombstone{}
	}
	return list
}
