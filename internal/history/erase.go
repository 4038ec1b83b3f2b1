package history

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Erasure takes words out of histories and journals, or one entry, or a mission with all that is kept with it. It
// learns meanwhile: of an entry that goes, what was cut from its words goes too, wherever it stands.
type Erasure struct {
	Has    func(words string) bool // reports a text that is to go
	Loose  func(data []byte) bool  // reports bytes, which need be no JSON, that hold it
	Went   func(words string)      // is told each text that goes
	Marked func(id string) bool    // reports the id of a prompt or a call that was erased before; nil for none

	// What a journal's owner knows of it.
	Put   func(e *Erasure, l Line) (string, []Gone) // erases in a line of kind "mission", which holds a journal
	Marks func() jsonx.Marks                        // the fields of a journal that are nobody's words

	Mission string // folded: the mission that goes with all that is kept with it; "" for none

	line  string          // the line of history that goes
	entry string          // the thing done that goes; see done
	ids   map[string]bool // of the prompts and calls that what goes came from
	acts  []string        // what was done, folded, as a summary begins it
	marks jsonx.Marks     // see mark
}

// One reports whether one line or entry goes, and not what holds words.
func (e *Erasure) One() bool { return e.line != "" }

// Gone is one thing that was taken out.
type Gone struct {
	Kind  string // said, done, mission, …; "damaged line" and its like for what cannot be read
	TS    string // RFC 3339, "" where it has no time
	Words string
}

// EraseEntry returns the erasure of what the line is about, and the words that tell it from others: "" where words do
// not.
func (l Line) EraseEntry() (e *Erasure, words string) {
	v := gjson.Parse(l.Raw)
	e = &Erasure{line: l.Raw}
	e.Came(l.Ref)
	if l.Kind == "done" {
		e.entry = done(v)
		return e, ""
	}
	return e, v.Get("text").String()
}

// From reports whether id is that of a prompt or a call that held the words.
func (e *Erasure) From(id string) bool {
	return id != "" && (e.ids[id] || e.Marked != nil && e.Marked(id))
}

// IDs returns the ids of the prompts and calls that what went so far came from.
func (e *Erasure) IDs() (out []string) {
	for id := range e.ids {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// Acts returns what was done in the entries that went so far, folded.
func (e *Erasure) Acts() []string { return e.acts }

// Line returns what is left of a line of history, nil when it goes whole, and what went. Of a mission several lines
// may be left. Without that it is line.
func (e *Erasure) Line(line []byte) ([]byte, []Gone) {
	if !readable(line) {
		return e.Damaged(line, "damaged line")
	}
	out, gone := e.erase(string(line))
	if len(gone) == 0 {
		return line, nil
	}
	return []byte(out), gone
}

// File is Line for each line of a history; each is called after every one.
func (e *Erasure) File(data []byte, each func()) (out []byte, gone []Gone) {
	out = make([]byte, 0, len(data))
	for l := range bytes.Lines(data) {
		left, went := e.Line(bytes.TrimRight(l, "\r\n"))
		each()
		switch {
		case len(went) == 0:
			out = append(out, l...)
		case len(left) > 0:
			out = append(append(out, left...), '\n')
		}
		gone = append(gone, went...)
	}
	return out, gone
}

// Sessions calls f with the session of each line of the history at path, once for lines in a row. Errors: safefile's.
func Sessions(path string, f func(id string)) error {
	last := ""
	return safefile.Lines(path, maxHistoryLine, func(line []byte) bool {
		if readable(line) {
			if id := gjson.GetBytes(line, "session").String(); id != last {
				last = id
				f(id)
			}
		}
		return true
	})
}

// Damaged gives up what cannot be read when the words are in it.
func (e *Erasure) Damaged(data []byte, kind string) ([]byte, []Gone) {
	if !e.Loose(data) {
		return data, nil
	}
	return nil, []Gone{{Kind: kind}}
}

// readable reports whether data is one JSON object that can be read: in a line of history a mission stands two levels
// down.
func readable(data []byte) bool {
	_, ok := jsonx.Parse(data, maxLineDepth)
	return ok
}

// Came notes what goes came from the prompt or call with this id.
func (e *Erasure) Came(id string) {
	if id == "" {
		return
	}
	if e.ids == nil {
		e.ids = map[string]bool{}
	}
	e.ids[id] = true
}

// done tells a thing done from others.
func done(e gjson.Result) string {
	fold := func(key string) string { return text.Fold(e.Get(key).String()) }
	return fold("act") + "\n" + fold("result") + "\n" + fold("ctx")
}

// Within reports whether any text in v is to go: a key that is somebody's own too.
func (e *Erasure) Within(v gjson.Result) (found bool) {
	switch {
	case e.entry != "" && v.IsObject() && v.Get("act").Exists() && done(v) == e.entry:
		return true
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, v gjson.Result) bool {
			found = k.Type == gjson.String && !text.Name(k.Str) && e.Has(k.Str) || !e.Mark(k.Str, v) && e.Within(v)
			return !found
		})
		return found
	case v.Type == gjson.String:
		return e.Has(v.Str)
	}
	return false
}

// Mark reports whether a field of this name, in a journal or its history, is nobody's words: a time, an id, the name
// of a session. What a project is called and where it is are not erased by a phrase.
func (e *Erasure) Mark(key string, v gjson.Result) bool {
	if e.marks == nil {
		e.marks = e.Marks()
		for _, f := range lineFields {
			if _, known := e.marks[f.name]; !known && !f.words {
				e.marks[f.name] = true
			}
		}
	}
	return e.marks.Has(key, v)
}

// Words returns the text of v that is to go, for reading.
func (e *Erasure) Words(v gjson.Result) (found string) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, v gjson.Result) bool {
			if !e.Mark(k.Str, v) {
				found = e.Words(v)
			}
			return found == ""
		})
		return found
	}
	if v.Type == gjson.String && e.Has(v.Str) {
		return v.Str
	}
	return ""
}

// Left reports whether an entry that came from what goes holds what was cut from it.
func (e *Erasure) Left(v gjson.Result) bool {
	if !e.From(v.Get("ref").String()) {
		return false
	}
	return slices.ContainsFunc([]string{"text", "act", "result", "ctx"}, func(key string) bool {
		return strings.Contains(v.Get(key).String(), text.Ellipsis)
	})
}

// Learn remembers what an entry that goes was, and came from.
func (e *Erasure) Learn(v gjson.Result) {
	for _, key := range [...]string{"text", "act", "result", "ctx", "cmd", "line"} {
		if words := v.Get(key).String(); words != "" {
			e.Went(words)
		}
	}
	if act := v.Get("act").String(); act != "" {
		e.acts = append(e.acts, text.Fold(text.Line(act)))
	}
	e.Came(v.Get("ref").String())
}

// erase is a line of history as it is to stand, "" when it goes.
func (e *Erasure) erase(raw string) (string, []Gone) {
	v := gjson.Parse(raw)
	l := lineOf(v)
	switch {
	case l.Kind == "mission":
		return e.Put(e, l)
	case e.Within(v), e.line == raw, e.Left(v),
		e.From(l.Ref) && slices.Contains([]string{"said", "opened", "confirmed", "rewound", "restored"}, l.Kind):
		e.Learn(v)
		return "", []Gone{{l.Kind, l.TS, cmp.Or(e.Words(v), l.Text, v.Get("act").String())}}
	}
	return raw, nil
}
