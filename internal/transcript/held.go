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
	prompts, answers := Left(path, size(file), goOn)
	if prompts == nil {
		return facts
	}
	var f fields
	left := slices.Clone(facts)
	for i := range left {
		left[i].Words = slices.Clone(left[i].Words)
	}
	_, _, done, err := lines(file, from, 0, size(file), goOn, func(_ int64, line []byte) bool {
		f.entries(line, func(_ int, entry []byte) {
			id := str(f.uuid)
			if _, ok := place(&f); entry == nil || !ok || prompts[id] || slices.Contains(answers, id) {
				return
			}
			said, refs := f.said()
			for i := range left {
				holds := func(words string) bool { return strings.Contains(said, comparable(words)) }
				if left[i].Words = slices.DeleteFunc(left[i].Words, holds); slices.Contains(refs, left[i].Ref) {
					left[i].Words = nil
				}
			}
		})
		return true
	})
	if err != nil || !done {
		return facts
	}
	var lacking []Fact
	for i := range facts {
		if len(left[i].Words) > 0 {
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
				if entry != nil && f.typ == `"system"` && f.subtype == `"compact_boundary"` {
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

// said returns the words in the line that the model sees, in the form in which they are compared, and the ids of the
// line and its calls, without empty ones.
func (f *fields) said() (words string, refs []string) {
	var all []string
	add := func(raw string) { all = stringsIn(all, gjson.Parse(raw)) }
	refs = append(refs, str(f.uuid))
	switch f.typ {
	case `"user"`, `"human"`, `"assistant"`:
		content := f.spoken
		if content == "" {
			content = f.content
		}
		if !strings.HasPrefix(content, "[") {
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
		switch member(f.attachment, "type") {
		case `"queued_command"`:
			add(member(f.attachment, "prompt"))
		case `"hook_success"`, `"hook_additional_context"`:
			add(member(f.attachment, "content"))
		}
	}
	return comparable(strings.Join(all, "\n")), slices.DeleteFunc(refs, func(id string) bool { return id == "" })
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
