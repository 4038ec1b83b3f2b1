package transcript

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Fact is a line that a session may be given.
type Fact struct {
	Words []string // its words, in parts that may stand apart
	Ref   string   // the id of the line or call that it was taken from, "" when unknown
}

// Lacks returns the facts that the session's context does not hold. By the transcript at path, the context is the
// branch of the newest prompt behind the last compaction. It holds a fact when it holds the line that the fact was
// taken from, or all its words: in a prompt, a text of Claude's, a tool's input or output, the client's summary or a
// hook's output. Lacks returns all facts when it cannot read the transcript, or not until goOn returns false.
func Lacks(path string, facts []Fact, goOn func() bool) []Fact {
	file, _, err := open(path, Position{})
	if err != nil {
		return facts
	}
	defer file.Close()
	from, err := compacted(file, goOn)
	if err != nil {
		return facts
	}
	c := held{whole: tree{spots: map[uint64]spot{}}}
	for _, f := range facts {
		s := sought{ref: f.Ref}
		for _, w := range f.Words {
			if w = comparable(w); w != "" {
				s.parts = append(s.parts, part{words: w})
			}
		}
		c.facts = append(c.facts, s)
	}
	_, _, done, err := lines(file, from, 0, size(file), goOn, func(_ int64, line []byte) bool {
		c.line(line)
		return len(c.whole.spots) <= maxNodes
	})
	if err != nil || !done {
		return facts
	}
	live := c.whole.live()
	alive := func(line uint64) bool {
		turn := c.whole.turn(line, -1)
		return turn < 0 || live[turn]
	}
	var lacking []Fact
	for i := range c.facts {
		if !c.facts[i].stands(alive) {
			lacking = append(lacking, facts[i])
		}
	}
	return lacking
}

// size returns the length of the file. Lines that are written while it is read belong to the next event.
func size(file *os.File) int64 {
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// compacted returns the offset of the last compaction's boundary in file, 0 for none.
func compacted(file *os.File, goOn func() bool) (at int64, err error) {
	var f fields
	_, _, done, err := lines(file, 0, 0, size(file), goOn, func(begins int64, line []byte) bool {
		if bytes.Contains(line, []byte(`"compact_boundary"`)) {
			f.entries(line, func(begin int, entry []byte) {
				if entry != nil && string(f.typ) == `"system"` && string(f.subtype) == `"compact_boundary"` {
					at = begins + int64(begin)
				}
			})
		}
		return true
	})
	if err == nil && !done {
		err = os.ErrDeadlineExceeded
	}
	return at, err
}

// sought is a fact that is looked for.
type sought struct {
	ref   string
	lines []uint64 // the fingerprints of the lines that are its own
	parts []part
}

// part is one part of a fact's words.
type part struct {
	words string
	lines []uint64 // the fingerprints of the lines that hold them
}

func (s *sought) stands(alive func(line uint64) bool) bool {
	return slices.ContainsFunc(s.lines, alive) ||
		!slices.ContainsFunc(s.parts, func(p part) bool { return !slices.ContainsFunc(p.lines, alive) })
}

// held searches a session's context for facts.
type held struct {
	whole tree
	facts []sought
}

// line adds the next line of the file.
func (c *held) line(line []byte) {
	c.whole.fields.entries(line, func(_ int, entry []byte) {
		if entry != nil {
			c.add(entry)
		}
	})
}

// add adds the entry that was split into the tree's fields.
func (c *held) add(entry []byte) {
	c.whole.add(entry)
	f := &c.whole.fields
	n, ok := place(f)
	if !ok {
		return
	}
	var all []string
	add := func(raw []byte) { all = stringsIn(all, parse(raw)) }
	refs := []string{str(f.uuid)}
	switch string(f.typ) {
	case `"user"`, `"human"`, `"assistant"`:
		content := f.spoken
		if content == nil {
			content = f.content
		}
		if len(content) == 0 || content[0] != '[' {
			add(content)
			break
		}
		for _, p := range f.parts(content) {
			add(p.text)
			add(p.input)
			add(p.content)
			refs = append(refs, str(p.id), str(p.call))
		}
	case `"attachment"`:
		switch string(member(f.attachment, "type")) {
		case `"queued_command"`:
			add(member(f.attachment, "prompt"))
		case `"hook_success"`, `"hook_additional_context"`:
			add(member(f.attachment, "content"))
		}
	}
	words := comparable(strings.Join(all, "\n"))
	for i := range c.facts {
		s := &c.facts[i]
		if s.ref != "" && slices.Contains(refs, s.ref) {
			s.lines = append(s.lines, n.id)
		}
		for k := range s.parts {
			if p := &s.parts[k]; strings.Contains(words, p.words) {
				p.lines = append(p.lines, n.id)
			}
		}
	}
}

// stringsIn appends all strings in v, at any depth.
func stringsIn(all []string, v gjson.Result) []string {
	switch {
	case v.Type == gjson.String:
		return append(all, v.Str)
	case v.IsObject(), v.IsArray():
		v.ForEach(func(_, inner gjson.Result) bool {
			all = stringsIn(all, inner)
			return true
		})
	}
	return all
}

// comparable returns words in the form in which they are compared: folded, and without a shell's backslashes.
func comparable(words string) string { return strings.ReplaceAll(text.Fold(words), `\`, "") }
