package journal

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

// Erasure takes words out of journals and histories, or one entry, or a mission with all that is kept with it. It
// learns meanwhile: of an entry that goes, what was cut from its words goes too, wherever it stands.
type Erasure struct {
	Has    func(words string) bool // reports a text that is to go
	Loose  func(data []byte) bool  // reports bytes, which need be no JSON, that hold it
	Went   func(words string)      // is told each text that goes
	Marked func(id string) bool    // reports the id of a prompt or a call that was erased before; nil for none

	line    string          // the line of history that goes
	entry   string          // the thing done that goes; see done
	mission string          // folded: the mission that goes with all that is kept with it
	ids     map[string]bool // of the prompts and calls that what goes came from
	acts    []string        // what was done, folded, as a summary begins it
	marks   jsonx.Marks     // see mark
}

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
	e.came(l.Ref)
	if l.Kind == "done" {
		e.entry = done(v)
		return e, ""
	}
	return e, v.Get("text").String()
}

// EraseMission returns the erasure of the mission of a line of kind "mission", with what was done and said in it as
// far as that was kept with it, and its words.
func (l Line) EraseMission() (e *Erasure, words []string) {
	v := gjson.Parse(l.Raw)
	e = &Erasure{}
	for _, key := range [...]string{"text", "journal.mission"} {
		if s := v.Get(key).String(); s != "" {
			e.mission = text.Fold(s)
			words = append(words, s)
		}
	}
	e.came(v.Get("journal.mission_ref").String())
	return e, words
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

// Journal returns what is left of a journal's file, nil when it goes whole, and what went. Without that it is data.
func (e *Erasure) Journal(data []byte) ([]byte, []Gone) {
	if !whole(data) {
		return e.damaged(data, "damaged journal")
	}
	out, gone := e.journal(string(data))
	if len(gone) == 0 {
		return data, nil
	}
	return jsonx.Layout([]byte(out)), gone
}

// Note is Journal for what an earlier version noted of a journal before Claude wrote the file.
func (e *Erasure) Note(data []byte) ([]byte, []Gone) {
	if !e.Loose(data) {
		return data, nil
	}
	inner := gjson.GetBytes(data, "journal").String()
	if !whole(data) || !whole([]byte(inner)) {
		return nil, []Gone{{Kind: "note of the journal"}}
	}
	out, gone := e.journal(inner)
	return []byte(with(string(data), "journal", jsonx.Quote(out))), gone
}

// Debug is Journal for a shadow journal, whose events quote each other: it goes whole, also when words went elsewhere.
func (e *Erasure) Debug(data []byte, elsewhere bool) ([]byte, []Gone) {
	if elsewhere {
		return nil, []Gone{{Kind: "shadow journal"}}
	}
	return e.damaged(data, "shadow journal")
}

// Line returns what is left of a line of history, nil when it goes whole, and what went. Of a mission several lines
// may be left. Without that it is line.
func (e *Erasure) Line(line []byte) ([]byte, []Gone) {
	if !whole(line) {
		return e.damaged(line, "damaged line")
	}
	out, gone := e.historyLine(string(line))
	if len(gone) == 0 {
		return line, nil
	}
	return []byte(out), gone
}

// History is Line for each line of a history; each is called after every one.
func (e *Erasure) History(data []byte, each func()) (out []byte, gone []Gone) {
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
		if whole(line) {
			if id := gjson.GetBytes(line, "session").String(); id != last {
				last = id
				f(id)
			}
		}
		return true
	})
}

// damaged gives up what cannot be read when the words are in it.
func (e *Erasure) damaged(data []byte, kind string) ([]byte, []Gone) {
	if !e.Loose(data) {
		return data, nil
	}
	return nil, []Gone{{Kind: kind}}
}

// whole reports whether data is one JSON object that can be read: in a line of history a mission stands two levels
// down.
func whole(data []byte) bool {
	_, ok := jsonx.Parse(data, maxDepth+2)
	return ok
}

// came notes what goes came from the prompt or call with this id.
func (e *Erasure) came(id string) {
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

// within reports whether any text in v is to go: a key that is somebody's own too.
func (e *Erasure) within(v gjson.Result) (found bool) {
	switch {
	case e.entry != "" && v.IsObject() && v.Get("act").Exists() && done(v) == e.entry:
		return true
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, v gjson.Result) bool {
			found = k.Type == gjson.String && !text.Name(k.Str) && e.Has(k.Str) || !e.mark(k.Str, v) && e.within(v)
			return !found
		})
		return found
	case v.Type == gjson.String:
		return e.Has(v.Str)
	}
	return false
}

// mark reports whether a field of this name, in a journal or its history, is nobody's words: a time, an id, the name
// of a session. What a project is called and where it is are not erased by a phrase.
func (e *Erasure) mark(key string, v gjson.Result) bool {
	if e.marks == nil {
		e.marks = jsonx.MarksOf(&stored{Journal: new(Journal)}, (*stored).fields)
		for _, f := range lineFields {
			if _, known := e.marks[f.name]; !known && !f.words {
				e.marks[f.name] = true
			}
		}
	}
	return e.marks.Has(key, v)
}

// words returns the text of v that is to go, for reading.
func (e *Erasure) words(v gjson.Result) (found string) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, v gjson.Result) bool {
			if !e.mark(k.Str, v) {
				found = e.words(v)
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

// left reports whether an entry that came from what goes holds what was cut from it.
func (e *Erasure) left(v gjson.Result) bool {
	if !e.From(v.Get("ref").String()) {
		return false
	}
	return slices.ContainsFunc([]string{"text", "act", "result", "ctx"}, func(key string) bool {
		return strings.Contains(v.Get(key).String(), text.Ellipsis)
	})
}

// fields takes out of raw, a journal, each field and each item of a list that is to go. Without a hit it is raw.
func (e *Erasure) fields(raw string) (string, []Gone) {
	var gone []Gone
	var left []string
	gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
		value, name := v.Raw, k.Str
		switch {
		case e.mark(k.Str, v):
		case !text.Name(k.Str) && e.Has(k.Str):
			gone = append(gone, Gone{name, "", k.Str})
			value = ""
		case v.IsArray():
			items, went := e.items(v, name)
			if len(went) > 0 {
				value = items
			}
			gone = append(gone, went...)
		case k.Str == "summary" && v.Type == gjson.String:
			if rest := e.summary(v.Str); rest != v.Str {
				gone = append(gone, Gone{name, "", e.words(v)})
				value = cmp.Or(quoted(rest), "null")
			}
		case e.within(v):
			gone = append(gone, Gone{name, v.Get("ts").String(), e.words(v)})
			e.Went(e.words(v))
			value = ""
		}
		if value != "" {
			left = append(left, k.Raw+":"+value)
		}
		return true
	})
	if len(gone) == 0 {
		return raw, nil
	}
	return "{" + strings.Join(left, ",") + "}", gone
}

// items is a list without what is to go.
func (e *Erasure) items(v gjson.Result, kind string) (string, []Gone) {
	var left []string
	var gone []Gone
	for _, it := range v.Array() {
		if !e.within(it) && !e.left(it) {
			left = append(left, it.Raw)
			continue
		}
		words := cmp.Or(e.words(it), it.Get("act").String(), it.Get("text").String())
		gone = append(gone, Gone{kind, it.Get("ts").String(), words})
		e.learn(it)
	}
	return "[" + strings.Join(left, ",") + "]", gone
}

// learn remembers what an entry that goes was, and came from.
func (e *Erasure) learn(v gjson.Result) {
	for _, key := range [...]string{"text", "act", "result", "ctx", "cmd", "line"} {
		if words := v.Get(key).String(); words != "" {
			e.Went(words)
		}
	}
	if act := v.Get("act").String(); act != "" {
		e.acts = append(e.acts, text.Fold(text.Line(act)))
	}
	e.came(v.Get("ref").String())
}

// summary is s without the entries in it that go.
func (e *Erasure) summary(s string) string {
	parts := slices.DeleteFunc(strings.Split(s, foldMark), func(p string) bool {
		f := text.Fold(p)
		return e.Has(p) || slices.ContainsFunc(e.acts, func(act string) bool {
			return f == act || strings.HasPrefix(f, act+" -> ") || strings.HasPrefix(f, act+" (")
		})
	})
	left := strings.Join(parts, foldMark)
	if e.Has(left) { // across two of them
		return ""
	}
	return left
}

// journal takes out of raw, a journal, what is to go. A mission goes with its time and its source.
func (e *Erasure) journal(raw string) (string, []Gone) {
	root := gjson.Parse(raw)
	mission, ref := root.Get("mission").String(), root.Get("mission_ref").String()
	if e.mission != "" && text.Fold(mission) == e.mission { // with all that belongs to it
		gone := []Gone{{"mission", root.Get("mission_opened").String(), mission}}
		return without(missionless(raw),
			"done", "plan", "plan_by", "said", "wip", "wip_by", "files", "error", "subject"), gone
	}
	cut := strings.Contains(mission, text.Ellipsis) && e.From(ref)
	out, gone := e.fields(raw)
	if cut && !e.Has(mission) {
		gone = append(gone, Gone{"mission", "", mission})
		out = without(out, "mission")
	}
	if mission != "" && gjson.Get(out, "mission").String() == "" {
		e.Went(mission)
		e.came(ref)
		out = missionless(out)
	}
	for _, pair := range [...][2]string{{"wip", "wip_by"}, {"plan", "plan_by"}} {
		if v := gjson.Get(out, pair[0]); v.String() == "" || v.Raw == "[]" {
			out = without(out, pair[1])
		}
	}
	return out, gone
}

// missionless is a journal without its mission.
func missionless(raw string) string {
	for _, key := range [...]string{"mission", "mission_opened", "mission_closed"} {
		raw = with(raw, key, "null")
	}
	return without(raw, "mission_ref", "mission_by")
}

// historyLine is a line of history as it is to stand, "" when it goes.
func (e *Erasure) historyLine(raw string) (string, []Gone) {
	v := gjson.Parse(raw)
	l := lineOf(v)
	whole := func(words string) (string, []Gone) { return "", []Gone{{l.Kind, l.TS, words}} }
	if l.Kind != "mission" {
		switch {
		case e.within(v), e.line == raw, e.left(v),
			e.From(l.Ref) && slices.Contains([]string{"said", "opened", "confirmed", "rewound", "restored"}, l.Kind):
			e.learn(v)
			return whole(cmp.Or(e.words(v), l.Text, v.Get("act").String()))
		}
		return raw, nil
	}
	kept := v.Get("journal")
	before := kept.Get("mission").String()
	if e.Has(l.Text) || e.Has(before) || e.mission != "" && text.Fold(before) == e.mission {
		if before != "" {
			e.Went(before)
		}
		e.came(kept.Get("mission_ref").String())
		if e.mission == "" && e.line == "" { // what else was kept with it stays
			return e.rest(v), []Gone{{l.Kind, l.TS, e.words(v)}}
		}
		return whole(cmp.Or(e.words(v), before))
	}
	out, gone := e.journal(kept.Raw)
	if len(gone) == 0 {
		return raw, nil
	}
	for i := range gone {
		gone[i].TS = cmp.Or(gone[i].TS, l.TS)
	}
	if gjson.Get(out, "mission").String() == "" {
		return "", gone
	}
	return with(raw, "journal", out), gone
}

// rest is what else a mission's line kept, as lines of their own.
func (e *Erasure) rest(l gjson.Result) string {
	var out Journal
	kept, ts, session := l.Get("journal"), l.Get("ts").String(), l.Get("session").String()
	stays := func(v gjson.Result) bool { return !e.within(v) && !e.left(v) }
	keep := func(kind string, v gjson.Result, by string) {
		if words := cmp.Or(v.Get("text").String(), v.String()); words != "" && stays(v) {
			out.keepAt(ts, session, kind, "text", words, "by", by)
		}
	}
	for _, v := range kept.Get("done").Array() {
		if v.IsObject() && stays(v) {
			of := func(key string) string { return v.Get(key).String() }
			out.keepAt(ts, session, "done", "act", of("act"), "result", of("result"), "ctx", of("ctx"), "by", of("by"),
				"ref", of("ref"), "done", of("ts"))
		}
	}
	keep("wip", kept.Get("wip"), kept.Get("wip_by").String())
	for _, v := range kept.Get("plan").Array() {
		keep("plan", v, kept.Get("plan_by").String())
	}
	for _, v := range kept.Get("said").Array() {
		if by := v.Get("by").String(); by != "" { // what was typed is in history since it was heard
			keep("constraint", v, by)
		}
	}
	return strings.Join(out.out, "\n")
}

// with returns an object with a member set, and without one without some.
func with(raw, key, value string) string {
	o := jsonx.ObjectOf(raw)
	o.Set(key, value)
	return o.String()
}

// without returns the object raw without these fields.
func without(raw string, keys ...string) string {
	o := jsonx.ObjectOf(raw)
	o.Drop(keys...)
	return o.String()
}
