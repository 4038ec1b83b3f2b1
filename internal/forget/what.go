package forget

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/text"
)

// What is what is to go: every text that holds a phrase, or that is one of some texts, and what was made from those.
type What struct {
	phrase  string          // folded, "" for none
	exact   map[string]bool // folded
	mission string          // folded: the mission with these words, and all that is kept with it
	raw     string          // the line of history that goes
	entry   string          // folded: the thing done that goes
	refs    map[string]bool // ids of the prompts and calls it came from
	whole   []string        // folded texts that hold it, for what was cut from them
	acts    []string        // what was done, as a summary begins it
	slug    string          // the phrase as names have it, "" when that would tell too little
	names   []string        // folded ids of records that go
	all     bool            // everything
	marked  func(ref string) bool
}

// telling is how many characters tell words of one entry from what else is said so: "yes" was said more than once.
const telling = 12

// minPhrase is how short a phrase may be, in characters, once spaces, case and quote marks are made even.
const minPhrase = 2

// Phrase is every text that holds words, whatever the spacing, case and quote marks. It reports whether there is enough of
// them.
func Phrase(words string) (*What, bool) {
	w := &What{phrase: text.Fold(words), exact: map[string]bool{}, refs: map[string]bool{}, slug: slugOf(words)}
	return w, text.Runes(w.phrase) >= minPhrase
}

// Entry is what a line of history, raw, was about.
func Entry(raw string) *What {
	w := &What{raw: raw, exact: map[string]bool{}, refs: map[string]bool{}}
	l := gjson.Parse(raw)
	id := l.Get("ref").String()
	if id != "" {
		w.refs[id] = true
	}
	switch words := l.Get("text").String(); {
	case l.Get("kind").String() == "mission":
		return Mission(raw)
	case l.Get("kind").String() == "done":
		w.entry = done(l)
	case words != "" && (id == "" || text.Runes(words) >= telling):
		w.add(words)
		w.exact[text.Fold(words)] = true
	}
	return w
}

// done tells a thing done from others.
func done(e gjson.Result) string {
	return text.Fold(e.Get("act").String()) + "\n" + text.Fold(e.Get("result").String()) + "\n" + text.Fold(e.Get("ctx").String())
}

// Mission is the mission of a line of history, raw, with what was done and said in it as far as that was kept with it.
func Mission(raw string) *What {
	w := &What{exact: map[string]bool{}, refs: map[string]bool{}}
	l := gjson.Parse(raw)
	for _, key := range [...]string{"text", "journal.mission"} {
		if words := l.Get(key).String(); words != "" {
			w.mission = text.Fold(words)
			w.exact[w.mission] = true
			w.add(words)
		}
	}
	if id := l.Get("journal.mission_ref").String(); id != "" {
		w.refs[id] = true
	}
	return w
}

// hit is one thing that holds it.
type hit struct{ kind, ts, words string }

func (w *What) add(words string) {
	if f := text.Fold(words); f != "" && !slices.Contains(w.whole, f) {
		w.whole = append(w.whole, f)
	}
}

// has reports whether s is to go: it holds the words, or what is left of them where it was cut.
func (w *What) has(s string) bool {
	f := text.Fold(s)
	if f == "" || stamp(s) {
		return false
	}
	if w.phrase != "" && strings.Contains(f, w.phrase) || w.exact[f] || w.names != nil && w.named(f) || w.slug != "" && strings.Contains(f, "--") && asWord(f, w.slug) {
		return true
	}
	const least = 24 // characters that tell what was cut from what else may begin so
	stem, _, cut := strings.Cut(f, text.Ellipsis)
	if stem = strings.TrimSpace(stem); !cut || text.Runes(stem) < least {
		return false
	}
	return slices.ContainsFunc(w.whole, func(all string) bool { return strings.HasPrefix(all, stem) })
}

// stamp reports whether s is a time.
func stamp(s string) bool {
	if len(s) < 10 || s[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// from reports whether id is of a prompt or call that held the words.
func (w *What) from(id string) bool {
	return id != "" && (w.refs[id] || w.marked != nil && w.marked(id))
}

// before returns the few words that s has before those looked for.
func (w *What) before(s string) string {
	if s == "" {
		return ""
	}
	if w.phrase == "" {
		s, _ = text.Cut(text.Line(s), 60)
		return s
	}
	end := len(s)
	for i := range s {
		if strings.Contains(text.Fold(s[:i]), w.phrase) {
			end = i
			break
		}
	}
	begin := 0
	for i := range s[:end] {
		if !strings.Contains(text.Fold(s[i:end]), w.phrase) {
			break
		}
		begin = i
	}
	head := text.Line(s[:begin])
	for text.Runes(head) > 40 {
		_, size := utf8.DecodeLastRuneInString(head)
		head = head[:len(head)-size]
	}
	return strings.TrimSpace(strings.TrimSpace(head) + " " + text.Ellipsis)
}

// Loose reports whether bytes that need not be valid JSON hold the words.
func (w *What) Loose(data []byte) bool {
	s := strings.ToValidUTF8(string(data), "\ufffd")
	if w.phrase == "" {
		f := text.Fold(unescape(s))
		for e := range w.exact {
			if text.Runes(e) >= 6 && strings.Contains(f, e) {
				return true
			}
		}
		return false
	}
	return strings.Contains(text.Fold(s), w.phrase) || strings.Contains(text.Fold(unescape(s)), w.phrase)
}

// unescape reads the escapes of JSON wherever they stand, twice where JSON stands in JSON.
func unescape(s string) string {
	for range 2 {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] != '\\' || i+1 >= len(s) {
				b.WriteByte(s[i])
				continue
			}
			switch i++; s[i] {
			case 'n', 't', 'r', 'f', 'b':
				b.WriteByte(' ')
			case 'u':
				if n, err := strconv.ParseUint(s[i+1:min(len(s), i+5)], 16, 32); err == nil && i+4 < len(s) {
					b.WriteRune(rune(n))
					i += 4
				}
			default:
				b.WriteByte(s[i])
			}
		}
		s = b.String()
	}
	return s
}

// holds reports whether any text in v, as a tool was given or answered it, is to go.
func (w *What) holds(v gjson.Result) (found bool) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, v gjson.Result) bool {
			found = w.holds(v)
			return !found
		})
		return found
	}
	return v.Type == gjson.String && w.has(v.Str)
}

// within reports whether any text in v, which memento wrote, is to go: a key that is somebody's own too.
func (w *What) within(v gjson.Result) (found bool) {
	switch {
	case w.entry != "" && v.IsObject() && v.Get("act").Exists() && done(v) == w.entry:
		return true
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, v gjson.Result) bool {
			found = k.Type == gjson.String && !text.Name(k.Str) && w.has(k.Str) || !machine(k.Str, v) && w.within(v)
			return !found
		})
		return found
	case v.Type == gjson.String:
		return w.has(v.Str)
	}
	return false
}

// machine reports whether a field of this name, in a journal or its history, holds no words: times, marks, names of
// sessions. A project's name and its folder are not erased by a phrase.
func machine(key string, v gjson.Result) bool {
	switch key {
	case "ref", "mission_ref", "acted":
		return !strings.Contains(v.String(), "/") // some have words or an address behind the id
	case "ts", "at", "mission_opened", "mission_closed", "mission_by", "summary_by", "wip_by", "plan_by", "by", "kind", "reason", "session", "project", "branch",
		"since", "id", "applied", "verb", "trigger", "seen", "proof", "status", "name", "type", "field", "agent":
		return true
	}
	return false
}

// words returns the text of v that is to go, for reading.
func (w *What) words(v gjson.Result) (found string) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, v gjson.Result) bool {
			if !machine(k.Str, v) {
				found = w.words(v)
			}
			return found == ""
		})
		return found
	}
	if v.Type == gjson.String && w.has(v.Str) {
		return v.Str
	}
	return ""
}

// left reports whether an entry with this id holds what was cut from words that go.
func (w *What) left(e gjson.Result) bool {
	return w.from(e.Get("ref").String()) && (strings.Contains(e.Get("text").String()+e.Get("act").String()+e.Get("result").String()+e.Get("ctx").String(), text.Ellipsis))
}

// fields takes out of raw, a journal, each field and each item of a list that is to go. Without a hit it is raw.
func (w *What) fields(raw string) (string, []hit) {
	var hits []hit
	var left []string
	gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
		value, name := v.Raw, k.Str
		switch {
		case machine(k.Str, v):
		case !text.Name(k.Str) && w.has(k.Str):
			hits = append(hits, hit{name, "", k.Str})
			value = ""
		case v.IsArray():
			items, gone := w.items(v, name)
			if len(gone) > 0 {
				value = items
			}
			hits = append(hits, gone...)
		case k.Str == "summary" && v.Type == gjson.String:
			if rest := w.summary(v.Str); rest != v.Str {
				hits = append(hits, hit{name, "", w.words(v)})
				value = "null"
				if rest != "" {
					value = str(rest)
				}
			}
		case w.within(v):
			hits = append(hits, hit{name, v.Get("ts").String(), w.words(v)})
			w.add(w.words(v))
			value = ""
		}
		if value != "" {
			left = append(left, k.Raw+":"+value)
		}
		return true
	})
	if len(hits) == 0 {
		return raw, nil
	}
	return "{" + strings.Join(left, ",") + "}", hits
}

// items is a list without what is to go.
func (w *What) items(v gjson.Result, kind string) (string, []hit) {
	var left []string
	var gone []hit
	for _, it := range v.Array() {
		if !w.within(it) && !w.left(it) {
			left = append(left, it.Raw)
			continue
		}
		gone = append(gone, hit{kind, it.Get("ts").String(), cmp.Or(w.words(it), it.Get("act").String(), it.Get("text").String())})
		w.learn(it)
	}
	return "[" + strings.Join(left, ",") + "]", gone
}

// learn remembers what an entry that goes was, and came from.
func (w *What) learn(e gjson.Result) {
	for _, key := range [...]string{"text", "act", "result", "ctx", "cmd", "line"} {
		if words := e.Get(key).String(); words != "" {
			w.add(words)
		}
	}
	if act := e.Get("act").String(); act != "" {
		w.acts = append(w.acts, text.Fold(text.Line(act)))
	}
	if id := e.Get("ref").String(); id != "" {
		w.refs[id] = true
	}
}

// summary is s without the entries in it that go.
func (w *What) summary(s string) string {
	const mark = "; " // as journal writes it
	parts := slices.DeleteFunc(strings.Split(s, mark), func(p string) bool {
		f := text.Fold(p)
		return w.has(p) || slices.ContainsFunc(w.acts, func(act string) bool {
			return f == act || strings.HasPrefix(f, act+" -> ") || strings.HasPrefix(f, act+" (")
		})
	})
	left := strings.Join(parts, mark)
	if w.has(left) { // across two of them
		return ""
	}
	return left
}

// journal takes out of raw, a journal, what is to go. A mission goes with its time and its source.
func (w *What) journal(raw string) (string, []hit) {
	root := gjson.Parse(raw)
	if m := root.Get("mission").String(); w.mission != "" && text.Fold(m) == w.mission { // with all that belongs to it
		hits := []hit{{"mission", root.Get("mission_opened").String(), m}}
		return without(nothing(raw), "done", "plan", "plan_by", "said", "wip", "wip_by", "files", "error", "subject"), hits
	}
	cut := strings.Contains(root.Get("mission").String(), text.Ellipsis) && w.from(root.Get("mission_ref").String())
	out, hits := w.fields(raw)
	if m := root.Get("mission"); cut && !w.has(m.String()) {
		hits = append(hits, hit{"mission", "", m.String()})
		out = without(out, "mission")
	}
	if root.Get("mission").String() != "" && gjson.Get(out, "mission").String() == "" {
		w.add(root.Get("mission").String())
		if id := root.Get("mission_ref").String(); id != "" {
			w.refs[id] = true
		}
		out = nothing(out)
	}
	for _, pair := range [...][2]string{{"wip", "wip_by"}, {"plan", "plan_by"}} {
		if v := gjson.Get(out, pair[0]); v.String() == "" || v.Raw == "[]" {
			out = without(out, pair[1])
		}
	}
	return out, hits
}

// nothing is a journal without its mission.
func nothing(raw string) string {
	for _, key := range [...]string{"mission", "mission_opened", "mission_closed"} {
		raw = with(raw, key, "null")
	}
	return without(raw, "mission_ref", "mission_by")
}

// line is a line of history as it is to stand, "" when it goes.
func (w *What) line(raw string) (string, []hit) {
	l := gjson.Parse(raw)
	kind, ts := l.Get("kind").String(), l.Get("ts").String()
	whole := func() (string, []hit) {
		w.learn(l)
		return "", []hit{{kind, ts, cmp.Or(w.words(l), l.Get("text").String(), l.Get("act").String())}}
	}
	if kind == "mission" {
		kept := l.Get("journal")
		before := gjson.Get(kept.Raw, "mission").String()
		if w.has(l.Get("text").String()) || w.has(before) || w.mission != "" && text.Fold(before) == w.mission {
			w.learn(gjson.Parse(`{"ref":` + str(kept.Get("mission_ref").String()) + `,"text":` + str(before) + `}`))
			if w.mission == "" && w.phrase != "" { // what else was kept with it stays
				return w.rest(l), []hit{{kind, ts, w.words(l)}}
			}
			return "", []hit{{kind, ts, cmp.Or(w.words(l), before)}}
		}
		out, hits := w.journal(kept.Raw)
		if len(hits) == 0 {
			return raw, nil
		}
		for i := range hits {
			hits[i].ts = cmp.Or(hits[i].ts, ts)
		}
		if gjson.Get(out, "mission").String() == "" {
			return "", hits
		}
		return with(raw, "journal", out), hits
	}
	ref := l.Get("ref").String()
	switch {
	case w.within(l), w.raw == raw:
		return whole()
	case w.from(ref) && (kind == "said" || kind == "opened" || kind == "confirmed" || kind == "rewound" || kind == "restored"), w.left(l):
		return whole()
	}
	return raw, nil
}

// rest is what else a mission's line kept, as lines of their own.
func (w *What) rest(l gjson.Result) string {
	var out []string
	l.Get("journal.done").ForEach(func(_, e gjson.Result) bool {
		if e.IsObject() && !w.within(e) && !w.left(e) {
			line := `{"ts":` + str(l.Get("ts").String()) + `,"kind":"done","session":` + str(l.Get("session").String())
			for _, key := range [...]string{"act", "result", "ctx", "by", "ref"} {
				if s := e.Get(key).String(); s != "" {
					line += "," + str(key) + ":" + str(s)
				}
			}
			if s := e.Get("ts").String(); s != "" {
				line += `,"done":` + str(s)
			}
			out = append(out, line+"}")
		}
		return true
	})
	keep := func(kind string, v gjson.Result, by string) {
		if words := cmp.Or(v.Get("text").String(), v.String()); words != "" && !w.within(v) && !w.left(v) {
			out = append(out, `{"ts":`+str(l.Get("ts").String())+`,"kind":`+str(kind)+`,"session":`+str(l.Get("session").String())+`,"text":`+str(words)+`,"by":`+str(by)+`}`)
		}
	}
	j := l.Get("journal")
	keep("wip", j.Get("wip"), j.Get("wip_by").String())
	j.Get("plan").ForEach(func(_, p gjson.Result) bool { keep("plan", p, j.Get("plan_by").String()); return true })
	j.Get("said").ForEach(func(_, s gjson.Result) bool {
		if by := s.Get("by").String(); by != "" { // what was typed is in history since it was heard
			keep("constraint", s, by)
		}
		return true
	})
	return strings.Join(out, "\n")
}

// path makes a key safe as a path of sjson's.
func path(key string) string {
	var b strings.Builder
	for _, r := range key {
		if strings.ContainsRune(`\.*?|#@!{}[]()=<>%:"`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func with(raw, key, value string) string {
	if out, err := sjson.SetRaw(raw, path(key), value); err == nil {
		return out
	}
	return raw
}

func without(raw string, keys ...string) string {
	for _, key := range keys {
		for gjson.Get(raw, path(key)).Exists() {
			out, err := sjson.Delete(raw, path(key))
			if err != nil || out == raw {
				break
			}
			raw = out
		}
	}
	return raw
}

func str(s string) string { return string(gjson.AppendJSONString(nil, s)) }

// laidOut is a journal as journal lays it out.
func laidOut(raw string) []byte {
	return pretty.PrettyOptions([]byte(raw), &pretty.Options{Width: 100, Indent: "  "})
}
