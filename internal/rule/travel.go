package rule

import (
	"bytes"
	"maps"
	"slices"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/redact"
)

// Person stands in place of a slug for what the user said about the person, whatever the project.
const Person = ownName

// Send returns the decisions about the rules of the project with this slug, or of Person, as they travel to another
// machine: a line each, without the lane. Those from lanes that are not chosen stay here. The same decisions give the
// same bytes on every machine. The candidates do not travel: the turns that they come from do. Errors: safefile's.
func (s Store) Send(slug string, chosen func(lane string) bool) ([]byte, error) {
	c, _, err := s.read(nameOf(slug))
	if err != nil {
		return nil, err
	}
	return travelling(decisions(of(chosen, c.lines))), nil
}

// of returns the lines of the chosen lanes.
func of(chosen func(lane string) bool, lines []line) []line {
	return slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return !chosen(l.lane) })
}

// decisions returns the decisions among lines by the fingerprint of their rule.
func decisions(lines []line) map[string]line {
	out := map[string]line{}
	for _, l := range lines {
		if l.decision != "" {
			l.Text, l.lane = redact.Clean(l.Text), ""
			out[l.Words] = l
		}
	}
	return out
}

func travelling(all map[string]line) []byte {
	var out bytes.Buffer
	for _, words := range slices.Sorted(maps.Keys(all)) {
		l := all[words]
		out.Write(l.encode())
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func (l *line) encode() []byte { return jsonx.Write(l, (*line).fields, l.others) }

// arrived decodes decisions that travelled. It leaves out other lines.
func arrived(data []byte) map[string]line {
	var lines []line
	for raw := range bytes.Lines(data) {
		var l line
		var ok bool
		if l.others, ok = jsonx.Read(bytes.TrimSpace(raw), maxDepth, &l, (*line).fields); ok && l.Text != "" {
			lines = append(lines, l)
		}
	}
	return decisions(lines)
}

// Merge returns what follows from two versions of travelling decisions that come from base. Where both sides decided
// differently about a rule, it is dropped: what is dropped is never proposed again. A side that has no decision at all
// any more has lost its file. The result does not depend on which version is called local.
func Merge(base, local, remote []byte) []byte {
	b, l, r := arrived(base), arrived(local), arrived(remote)
	out := map[string]line{}
	for words := range joined(l, r) {
		was, known := b[words]
		mine, isMine := l[words]
		theirs, isTheirs := r[words]
		switch {
		case isMine && isTheirs:
			out[words] = either(was, mine, theirs)
		case isMine && !(known && same(was, mine) && len(r) > 0):
			out[words] = mine
		case isTheirs && !(known && same(was, theirs) && len(l) > 0):
			out[words] = theirs
		}
	}
	return travelling(out)
}

func joined(a, b map[string]line) map[string]line {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func same(a, b line) bool { return bytes.Equal(a.encode(), b.encode()) }

// either returns the decision that counts.
func either(was, mine, theirs line) line {
	switch {
	case same(was, mine):
		return theirs
	case same(was, theirs):
		return mine
	case mine.decision != theirs.decision:
		if mine.decision == drops {
			return mine
		}
		return theirs
	case bytes.Compare(mine.encode(), theirs.encode()) > 0:
		return mine
	}
	return theirs
}

// Receive makes the decisions about a project's rules, or about Person's, those that another machine and this one came
// to, as far as Send sends them. lane is the lane that they count as said in. Errors: safefile's.
func (s Store) Receive(slug, lane string, chosen func(lane string) bool, lines []byte) error {
	c, _, err := s.read(nameOf(slug))
	if err != nil || bytes.Equal(travelling(decisions(of(chosen, c.lines))), travelling(arrived(lines))) {
		return err
	}
	return s.change(nameOf(slug), func(c *contents) bool {
		all := arrived(lines)
		c.lines = slices.DeleteFunc(c.lines, func(l line) bool {
			if l.decision == "" {
				return false
			}
			alone := decisions([]line{l})
			now, arrives := all[l.Words]
			switch {
			case !chosen(l.lane): // it does not travel, unless another machine has it too
				return arrives
			case arrives && same(now, alone[l.Words]):
				delete(all, l.Words)
				return false
			}
			return true
		})
		for _, words := range slices.Sorted(maps.Keys(all)) {
			l := all[words]
			l.lane = lane
			c.lines = append(c.lines, l)
		}
		if c.judged == 0 {
			c.judged = judged
		}
		return true
	})
}

// EraseSent removes from travelling decisions those that hold a text that has recognises or come from where from says,
// and lines that loose recognises.
func EraseSent(data []byte, has func(words string) bool, from func(Source) bool,
	loose func(data []byte) bool) (left []byte, erased bool) {
	for raw := range bytes.Lines(data) {
		var l, was line
		_, known := jsonx.Read(bytes.TrimSpace(raw), maxDepth, &was, (*line).fields)
		_, found, ok := jsonx.Erase(bytes.TrimSpace(raw), maxDepth, &l, (*line).fields, has)
		if ok && (len(found) > 0 || known && from(was.source())) || !ok && loose(raw) {
			erased = true
			continue
		}
		left = append(left, raw...)
	}
	return left, erased
}
