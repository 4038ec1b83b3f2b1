package past

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
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

// Receive adds to a project the turns of one session that came from another machine, as far as the limits keep them,
// and their answers if they are wanted. name is the session's, see Session.ID; turns of other sessions are left out. It
// takes out a turn that the user took back there. Turns that another machine does not have stay. Errors: those of Add
// and Close.
func (s Store) Receive(project, name string, lines []byte, limits Limits, answers bool) error {
	var turns []Turn
	session := ""
	for _, t := range arrived(lines) {
		if stem(t.Session) != name || session != "" && t.Session != session || !t.Gone && !limits.Keeps(&t) {
			continue
		}
		t.Project, session = project, t.Session
		if !answers {
			t.Answer, t.Asked = "", ""
		}
		turns = append(turns, t)
	}
	if len(turns) == 0 {
		return nil
	}
	if err := s.Add(turns); err != nil {
		return err
	}
	return s.Close(project, session)
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

// EraseSent erases words from a session's travelling turns as Erase does from stored ones. It returns lines itself when
// they hold none of the words.
func EraseSent(lines []byte, e Erasure) (left []byte, erased bool) {
	var out [][]byte
	for line := range bytes.Lines(lines) {
		t, ok := decode(bytes.TrimSuffix(line, []byte("\n")))
		if !ok {
			if e.Loose(line) {
				erased = true
				continue
			}
			out = append(out, line)
			continue
		}
		whole, found := e.from(&t)
		switch {
		case whole && len(found) > 0:
			erased = true
			continue
		case len(found) > 0:
			erased = true
			line = append(encode(&t), '\n')
		}
		out = append(out, line)
	}
	if !erased {
		return lines, false
	}
	return slices.Concat(out...), true
}
