package past

import (
	"errors"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
)

// Erasure says what Erase erases.
type Erasure struct {
	Chosen func(project string) bool // selects projects by their slug
	Has    func(words string) bool   // reports whether a text is to be erased
	Source func(id string) bool      // reports whether the prompt with this id was erased, nil for none
	// Whole reports whether a turn of this session and time was erased with its session, nil for none.
	Whole func(session string, at time.Time) bool
	Loose func(data []byte) bool // reports whether bytes that are no turn hold the words
	Dry   bool                   // change nothing
}

// Gone is one erased text.
type Gone struct {
	Kind  string // said, answer, turn; "damaged turn" for a line that cannot be read
	Path  string // of the session's file
	TS    string // RFC 3339, "" for none
	ID    string // of the turn's prompt
	Words string
}

// Erase erases words from the turns of the chosen projects and returns what went. A turn whose prompt holds them goes
// whole: the answer may repeat them. Else only the texts that hold them go. It writes a session's file anew, so that no
// earlier version of a turn stays. Errors: safefile.ErrBusy, safefile.ErrRefused, the disk's; the same call again does
// the rest.
func (s Store) Erase(e Erasure) (gone []Gone, err error) {
	projects, err := s.Projects()
	if err != nil {
		return nil, err
	}
	for _, project := range projects {
		if !e.Chosen(project) {
			continue
		}
		sessions, err := s.Sessions(project)
		if err != nil {
			return gone, err
		}
		for _, one := range sessions {
			found, err := s.eraseFrom(one, e)
			if gone = append(gone, found...); err != nil {
				return gone, err
			}
		}
	}
	return gone, nil
}

// eraseFrom erases from one session.
func (s Store) eraseFrom(one Session, e Erasure) (gone []Gone, err error) {
	unlock, err := s.lock(one.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	path := one.path + closedEnd
	if !one.Closed {
		path = one.path + openEnd
	}
	j, whole := newJoiner(), map[string]bool{}
	err = eachLine(one.path, func(line []byte, t Turn, ok bool) {
		if !ok {
			if e.Loose(line) {
				gone = append(gone, Gone{Kind: "damaged turn", Path: path})
			}
			return
		}
		at := Gone{Path: path, ID: t.PromptID}
		if !t.Time.IsZero() {
			at.TS = t.Time.UTC().Format(time.RFC3339)
		}
		goes, found := e.from(&t)
		if goes {
			whole[t.PromptID] = true
		}
		for _, at.Words = range found {
			if at.Kind = "answer"; goes {
				at.Kind = "said"
			}
			gone = append(gone, at)
		}
		j.add(t)
	})
	if err != nil && !errors.Is(err, ErrDamaged) || len(gone) == 0 || e.Dry {
		return gone, err
	}
	left := slices.DeleteFunc(j.kept(""), func(t Turn) bool { return whole[t.PromptID] })
	return gone, s.replace(one.path, left)
}

// from erases from a line of a turn. It returns the texts that went, and whether the whole turn goes.
func (e Erasure) from(t *Turn) (whole bool, found []string) {
	if e.Source != nil && e.Source(t.PromptID) || e.Whole != nil && !t.Time.IsZero() && e.Whole(t.Session, t.Time) {
		return true, []string{t.Prompt}
	}
	whole = t.Prompt != "" && e.Has(t.Prompt) || t.Asked != "" && e.Has(t.Asked)
	t.others, found, _ = jsonx.Erase(encode(t), maxLevels, t, (*Turn).fields, e.Has)
	if e.Source != nil && t.Answer != "" && e.Source(AnswerOf(t.PromptID)) {
		found, t.Answer = append(found, t.Answer), ""
	}
	return whole, found
}

// AnswerOf returns the id by which machines tell each other that the answer to a prompt is erased, and not the prompt.
func AnswerOf(prompt string) string { return "answer of " + prompt }

// Rest returns the id under which package withheld remembers that something in the turn of this prompt was erased, and
// not the prompt: only the prompt may be taken in again.
func Rest(prompt string) string { return "rest of " + prompt }
