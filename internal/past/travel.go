package past

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Send returns the turns of a session as they travel to another machine: a line each, oldest first, and a line for each
// turn that the user took back. The same turns give the same bytes on every machine. Secrets are taken out once more.
// Without answers, Claude's stay here. Errors: ErrDamaged, safefile.ErrRefused, the disk's.
func (s Store) Send(one Session, answers bool) ([]byte, error) {
	j, err := s.load(one.path)
	if err != nil {
		return nil, err
	}
	turns := j.kept("")
	for i := range turns {
		turns[i].clean()
		if !answers {
			turns[i].Answer, turns[i].Asked = "", ""
		}
	}
	return travelling(turns), nil
}

// travelling returns turns as lines in an order that depends on nothing else.
func travelling(turns []Turn) []byte {
	slices.SortFunc(turns, func(a, b Turn) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.PromptID, b.PromptID))
	})
	return encodeAll(turns)
}

// Arrived returns the turns of one session that came from another machine to a project, as far as the limits keep them,
// and their answers if they are wanted. name is the session's, see Session.ID; turns of other sessions are left out.
// Gone is set for a turn that the user took back there.
func Arrived(project, name string, lines []byte, limits Limits, answers bool) (turns []Turn) {
	session := ""
	for _, t := range arrived(lines) {
		if t.PromptID == "" || stem(t.Session) != name || session != "" && t.Session != session ||
			!t.Gone && !limits.Keeps(&t) {
			continue
		}
		t.Project, session = project, t.Session
		if !answers {
			t.Answer, t.Asked = "", ""
		}
		turns = append(turns, t)
	}
	return turns
}

// Receive adds turns of a project to what is kept of their sessions, as Arrived returns them. It takes out those that
// the user took back. Turns that another machine does not have stay. The sessions are closed, and Receive waits for the
// disk once for all of them. Errors: safefile.ErrBusy, safefile.ErrRefused, ErrDamaged, the disk's; the next Receive of
// the same turns goes on.
func (s Store) Receive(project string, sessions ...[]Turn) error {
	unlock, err := s.lock(project)
	if err != nil {
		return err
	}
	defer unlock()
	files := map[string][]byte{}
	var open []string
	for _, turns := range sessions {
		if len(turns) == 0 {
			continue
		}
		at, j, err := s.joined(project, turns)
		if err != nil {
			return err
		}
		if j == nil {
			continue
		}
		kept := j.kept("")
		if len(kept) == 0 {
			continue
		}
		if err := safefile.Dir(filepath.Dir(at)); err != nil {
			return err
		}
		files[at+closedEnd] = pack(encodeAll(kept))
		open = append(open, at+openEnd)
	}
	if err := safefile.ReplaceAll(files, 0o600); err != nil {
		return err
	}
	for _, path := range open { // until then each turn stands in both files
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// joined returns a session as it is with more turns, and its path without an ending; nil if it has all of them and is
// closed. The caller holds the project's lock.
func (s Store) joined(project string, turns []Turn) (path string, j *joiner, err error) {
	path, found, err := s.find(project, turns[0].Session, monthIn(turns))
	if err != nil {
		return "", nil, err
	}
	j, isNew := newJoiner(), false
	if found {
		if j, err = s.load(path); err != nil {
			return "", nil, err
		}
		_, err := safefile.Stat(path + openEnd)
		isNew = err == nil
	}
	for _, t := range turns {
		t.clean()
		isNew = j.add(t) || isNew
	}
	if !isNew {
		return "", nil, nil
	}
	return path, j, nil
}

// arrived decodes the lines of a session. It leaves out lines that are no turns.
func arrived(lines []byte) (out []Turn) {
	for line := range bytes.Lines(lines) {
		if t, ok := decode(bytes.TrimSuffix(line, []byte("\n"))); ok {
			out = append(out, t)
		}
	}
	return out
}

// Merge returns what follows from two versions of a session's travelling turns that come from base. Every turn of
// either version stays: a machine may have lost some, or keep turns for a shorter time. A turn that only one side took
// back, or brought back, follows that side; where both sides changed it, it stays. The result does not depend on which
// version is called local.
func Merge(base, local, remote []byte) []byte {
	b, l, r := byID(base), byID(local), byID(remote)
	var out []Turn
	for id := range maps.Keys(joined(l, r)) {
		mine, isMine := l[id]
		theirs, isTheirs := r[id]
		switch was, known := b[id]; {
		case !isTheirs:
			out = append(out, mine)
		case !isMine:
			out = append(out, theirs)
		case mine.Gone != theirs.Gone: // one side changed that, or both are new
			gone, live := mine, theirs
			if theirs.Gone {
				gone, live = theirs, mine
			}
			if known && !was.Gone {
				live = gone
			}
			out = append(out, live)
		default:
			out = append(out, either(was, mine, theirs))
		}
	}
	return travelling(out)
}

// byID returns the turns of a session by the ids of their prompts.
func byID(lines []byte) map[string]Turn {
	out := map[string]Turn{}
	for _, t := range arrived(lines) {
		out[t.PromptID] = t
	}
	return out
}

func joined(a, b map[string]Turn) map[string]Turn {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// either joins two versions of a turn. An answer that one side does not send is no change.
func either(was, mine, theirs Turn) Turn {
	switch {
	case was.equal(&mine):
		mine, theirs = theirs, mine
	case !was.equal(&theirs): // both changed it
		if bytes.Compare(encode(&mine), encode(&theirs)) > 0 {
			mine, theirs = theirs, mine
		}
		mine.join(theirs)
	}
	mine.Answer, mine.Asked = cmp.Or(mine.Answer, theirs.Answer), cmp.Or(mine.Asked, theirs.Asked)
	return mine
}

// EraseSent erases words from a session's travelling turns as Erase does from stored ones, and returns what went. Their
// Kind is said for a turn that goes whole. It returns lines itself when they hold none of the words.
func EraseSent(lines []byte, e Erasure) (left []byte, gone []Gone) {
	var out [][]byte
	for line := range bytes.Lines(lines) {
		t, ok := decode(bytes.TrimSuffix(line, []byte("\n")))
		if !ok {
			if e.Loose(line) {
				gone = append(gone, Gone{Kind: "damaged turn"})
				continue
			}
			out = append(out, line)
			continue
		}
		at := Gone{Kind: "answer", ID: t.PromptID}
		whole, found := e.from(&t)
		if whole {
			at.Kind = "said"
		}
		for _, at.Words = range found {
			gone = append(gone, at)
		}
		switch {
		case whole && len(found) > 0:
			continue
		case len(found) > 0:
			line = append(encode(&t), '\n')
		}
		out = append(out, line)
	}
	if len(gone) == 0 {
		return lines, nil
	}
	return slices.Concat(out...), gone
}
