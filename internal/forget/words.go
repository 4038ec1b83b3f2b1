package forget

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// words says which words go.
type words struct {
	log.Forgotten
	ids    map[string]bool // of prompts that were found to hold them
	said   []string        // these prompts, folded
	phrase string          // folded, "" when it is not known
}

// everything is Forgotten when all words go.
type everything struct{}

func (everything) Has(words string) bool              { return words != "" }
func (everything) HasID(id string) bool               { return id != "" }
func (everything) HasTurn(_ string, _ time.Time) bool { return true }
func (everything) Loose([]byte) bool                  { return true }

// chooseWords sets the words that go, or finds the sessions that do. Errors: withheld.ErrErasedUnreadable,
// withheld.ErrPhrase, the disk's.
func (e *Eraser) chooseWords() error {
	e.words = words{Forgotten: everything{}, ids: map[string]bool{}}
	if e.isWhole() {
		return e.findSessions()
	}
	e.words.Forgotten = e.Known
	if e.Phrase == "" {
		return nil
	}
	erased, err := withheld.LoadErased(e.Dir)
	if err == nil {
		e.words.phrase = withheld.Fold(e.Phrase)
		e.words.Forgotten, err = erased.Only(e.Phrase)
	}
	return err
}

// Has reports whether s holds the words, is a quote from a prompt that goes, or ends within the second half of the
// phrase, as a shortened copy does.
func (w words) Has(s string) bool {
	if w.Forgotten.Has(s) || w.quotes(s) {
		return true
	}
	if w.phrase == "" || !strings.Contains(s, text.Ellipsis) {
		return false
	}
	parts := strings.Split(withheld.Fold(s), text.Ellipsis)
	for _, part := range parts[:len(parts)-1] {
		part = strings.TrimSpace(part)
		for end := len(w.phrase) - 1; end >= max(telling, len(w.phrase)/2); end-- {
			if strings.HasSuffix(part, strings.TrimSpace(w.phrase[:end])) {
				return true
			}
		}
	}
	return false
}

// quotes reports whether s is nothing but words in quote marks, from a prompt that goes.
func (w words) quotes(s string) bool {
	if len(w.said) == 0 || len(s) < telling || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	quote := withheld.Fold(strings.TrimSuffix(strings.Trim(s, `"`), text.Ellipsis))
	isOf := func(said string) bool { return strings.Contains(said, quote) }
	return len(quote) >= telling && slices.ContainsFunc(w.said, isOf)
}

// telling is the length, in bytes, from which the beginning of a phrase tells it. Shorter words occur too often.
const telling = 8

// HasID reports whether the prompt with this id goes.
func (w words) HasID(id string) bool { return w.ids[id] || w.Forgotten.HasID(id) }

// before returns the few words of s before the phrase, "" when all goes.
func (w words) before(s string) string {
	if s == "" || w.Forgotten == log.Forgotten(everything{}) {
		return ""
	}
	head, _, isThere := strings.Cut(withheld.Fold(s), w.phrase)
	if w.phrase == "" || !isThere { // a part of the words may stand anywhere
		head = ""
	}
	head, _ = text.Cut(head, 40)
	return strings.TrimSpace(strings.TrimSpace(strings.TrimSuffix(head, text.Ellipsis)) + " " + text.Ellipsis)
}

// Left lists the files that still hold the words after Run: the names and folders of projects, and the settings.
// Memento does not erase from these.
func (e *Eraser) Left() (out []string) {
	if e.isWhole() {
		return nil
	}
	for _, path := range [...]string{project.WorkspacePath(e.Dir), filepath.Join(e.Dir, "config.json")} {
		if data, err := safefile.Read(path, maxOther); err == nil && e.words.Loose(data) {
			out = append(out, path)
		}
	}
	return out
}
