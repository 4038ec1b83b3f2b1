package journal

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// Erasure erases from journals, and from what left them, the texts that hold some words. It remembers each entry it
// erases, and then also erases texts that were cut from that entry.
type Erasure struct {
	Has          func(words string) bool // reports whether a text is to be erased
	Loose        func(data []byte) bool  // reports whether bytes that may not be JSON hold the words
	Went         func(words string)      // is called with each text that is erased
	ErasedBefore func(id string) bool    // reports whether the prompt or call id was erased earlier; nil for none
	Sources      map[string]bool         // the ids of the prompts and calls that erased texts came from

	acts     []string       // the acts of erased entries, folded, as they begin in a summary
	wordless jsonx.Wordless // see wordlessFields
}

// IsSource reports whether an erased text came from the prompt or call id.
func (e *Erasure) IsSource(id string) bool {
	return id != "" && (e.Sources[id] || e.ErasedBefore != nil && e.ErasedBefore(id))
}

// Entry erases in an entry of a journal. It returns the entries that are left, none when it goes whole, and the erased
// texts. Several entries may be left of a mission. When it erases nothing it returns e alone.
func (e *Erasure) Entry(one log.Entry) ([]log.Entry, []log.Gone) {
	v, body := gjson.ParseBytes(one.JSON()), gjson.Parse(one.Body)
	switch {
	case one.Kind == log.Mission:
		return eraseMission(e, one)
	case one.Kind == log.Carried, one.Kind == log.Changed, one.Kind == log.ByHand:
		out, gone := eraseJournal(e, one.Body, "null")
		one.Body = out
		return []log.Entry{one}, gone
	case e.isWithin(v), e.isCut(body),
		e.IsSource(one.Of) && (one.Kind == "opened" || strings.Contains(one.Text, text.Ellipsis)):
		e.learn(v)
		e.learn(body)
		e.addSource(one.Of)
		words := cmp.Or(e.wordsIn(v), one.Text, body.Get("act").String())
		return nil, []log.Gone{{Kind: one.Kind, TS: one.Stamp(), Words: words}}
	}
	return []log.Entry{one}, nil
}

// addSource notes that an erased text came from the prompt or call id.
func (e *Erasure) addSource(id string) {
	if id != "" {
		e.Sources[id] = true
	}
}

// isWithin reports whether any text in v is to be erased.
func (e *Erasure) isWithin(v gjson.Result) bool {
	_, found := e.wordlessFields().Find(v, e.Has)
	return found
}

// wordsIn returns the first text in v that is to be erased, to show it.
func (e *Erasure) wordsIn(v gjson.Result) string {
	words, found := e.wordlessFields().Find(v, e.Has)
	if !found {
		return ""
	}
	return words
}

// wordlessFields returns the fields of a journal and of an entry of the log that hold nobody's words.
func (e *Erasure) wordlessFields() jsonx.Wordless {
	if e.wordless == nil {
		e.wordless = jsonx.WordlessOf(&stored{Journal: new(Journal)}, (*stored).fields)
		for name, all := range log.Wordless() {
			if _, known := e.wordless[name]; !known {
				e.wordless[name] = all
			}
		}
	}
	return e.wordless
}

// isCut reports whether the entry v came from an erased prompt or call and holds a text that was cut.
func (e *Erasure) isCut(v gjson.Result) bool {
	if !e.IsSource(v.Get("ref").String()) {
		return false
	}
	return slices.ContainsFunc([]string{"text", "act", "result", "ctx"}, func(key string) bool {
		return strings.Contains(v.Get(key).String(), text.Ellipsis)
	})
}

// learn remembers the texts and the source of v, an entry that is erased.
func (e *Erasure) learn(v gjson.Result) {
	for _, key := range [...]string{"text", "act", "result", "ctx", "cmd", "line"} {
		if words := v.Get(key).String(); words != "" {
			e.Went(words)
		}
	}
	if act := v.Get("act").String(); act != "" {
		e.acts = append(e.acts, text.Fold(text.Line(act)))
	}
	e.addSource(v.Get("ref").String())
}

// Erase erases in data, a journal. It returns what is left, nil when the whole file goes, and what it took out. When it
// takes out nothing it returns data. A journal that cannot be read goes whole when it holds the words.
func Erase(e *Erasure, data []byte) ([]byte, []log.Gone) {
	if !whole(data) {
		if e.Loose(data) {
			return nil, []log.Gone{{Kind: "damaged journal"}}
		}
		return data, nil
	}
	out, gone := eraseJournal(e, string(data), "")
	if len(gone) == 0 {
		return data, nil
	}
	return jsonx.Layout([]byte(out)), gone
}

// eraseFields takes out of the journal raw each field, and each item of a list, that holds the words. It returns raw
// when none does. hole takes the place of an item, "" for nothing.
func eraseFields(e *Erasure, raw, hole string) (string, []log.Gone) {
	var gone []log.Gone
	var left []string
	gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
		value, name := v.Raw, k.Str
		switch {
		case e.wordlessFields().Has(k.Str, v):
		case !text.Name(k.Str) && e.Has(k.Str):
			gone = append(gone, log.Gone{Kind: name, Words: k.Str})
			value = ""
		case v.IsArray():
			items, went := eraseItems(e, v, name, hole)
			if len(went) > 0 {
				value = items
			}
			gone = append(gone, went...)
		case k.Str == "summary" && v.Type == gjson.String:
			if rest := eraseSummary(e, v.Str); rest != v.Str {
				gone = append(gone, log.Gone{Kind: name, Words: e.wordsIn(v)})
				value = cmp.Or(quoted(rest), "null")
			}
		case e.isWithin(v):
			gone = append(gone, log.Gone{Kind: name, TS: v.Get("ts").String(), Words: e.wordsIn(v)})
			e.Went(e.wordsIn(v))
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

// eraseItems returns the list v without the items that hold the words.
func eraseItems(e *Erasure, v gjson.Result, kind, hole string) (string, []log.Gone) {
	var left []string
	var gone []log.Gone
	for _, it := range v.Array() {
		if !e.isWithin(it) && !e.isCut(it) {
			left = append(left, it.Raw)
			continue
		}
		words := cmp.Or(e.wordsIn(it), it.Get("act").String(), it.Get("text").String())
		gone = append(gone, log.Gone{Kind: kind, TS: it.Get("ts").String(), Words: words})
		if e.learn(it); hole != "" {
			left = append(left, hole)
		}
	}
	return "[" + strings.Join(left, ",") + "]", gone
}

// eraseSummary returns the summary s without the entries that hold the words or that were erased elsewhere.
func eraseSummary(e *Erasure, s string) string {
	parts := slices.DeleteFunc(strings.Split(s, foldMark), func(p string) bool {
		f := text.Fold(p)
		return e.Has(p) || slices.ContainsFunc(e.acts, func(act string) bool {
			return f == act || strings.HasPrefix(f, act+" -> ") || strings.HasPrefix(f, act+" (")
		})
	})
	left := strings.Join(parts, foldMark)
	if e.Has(left) { // the words stretch over two entries
		return ""
	}
	return left
}

// eraseJournal erases in the journal raw. A mission goes with its time and its source.
func eraseJournal(e *Erasure, raw, hole string) (string, []log.Gone) {
	root := gjson.Parse(raw)
	mission, ref := root.Get("mission").String(), root.Get("mission_ref").String()
	cut := strings.Contains(mission, text.Ellipsis) && e.IsSource(ref)
	out, gone := eraseFields(e, raw, hole)
	if cut && !e.Has(mission) {
		gone = append(gone, log.Gone{Kind: "mission", Words: mission})
		out = without(out, "mission")
	}
	if mission != "" && gjson.Get(out, "mission").String() == "" {
		e.Went(mission)
		e.addSource(ref)
		out = missionless(out)
	}
	for _, pair := range [...][2]string{{"wip", "wip_by"}, {"plan", "plan_by"}} {
		if v := gjson.Get(out, pair[0]); v.String() == "" || v.Raw == "[]" {
			out = without(out, pair[1])
		}
	}
	return out, gone
}

// missionless returns the journal raw without its mission.
func missionless(raw string) string {
	for _, key := range [...]string{"mission", "mission_opened", "mission_closed"} {
		raw = with(raw, key, "null")
	}
	return without(raw, "mission_ref", "mission_by")
}

// eraseMission erases in l, an entry of kind "mission". It returns the entries that replace l.
func eraseMission(e *Erasure, l log.Entry) ([]log.Entry, []log.Gone) {
	kept := gjson.Parse(l.Body)
	before := kept.Get("mission").String()
	if e.Has(l.Text) || e.Has(before) {
		if before != "" {
			e.Went(before)
		}
		e.addSource(kept.Get("mission_ref").String())
		words := cmp.Or(e.wordsIn(kept), l.Text)
		return remaining(e, l, kept), []log.Gone{{Kind: l.Kind, TS: l.Stamp(), Words: words}}
	}
	out, gone := eraseJournal(e, kept.Raw, "")
	if len(gone) == 0 {
		return []log.Entry{l}, nil
	}
	for i := range gone {
		gone[i].TS = cmp.Or(gone[i].TS, l.Stamp())
	}
	if l.Body = out; gjson.Get(out, "mission").String() == "" {
		return nil, gone
	}
	return []log.Entry{l}, gone
}

// remaining returns the facts of kept, the journal in the entry l, that do not hold the words, each as an entry of its
// own.
func remaining(e *Erasure, l log.Entry, kept gjson.Result) []log.Entry {
	left, _ := eraseFields(e, kept.Raw, "")
	j, err := decode([]byte(missionless(left)))
	if err != nil {
		return nil
	}
	j.Session, j.now = l.Session, l.Time
	j.shed()
	for i := range j.out {
		j.out[i].Lane, j.out[i].ID = l.Lane, l.ID+"-"+strconv.Itoa(i)
	}
	return j.out
}

// with returns the object raw with the field key set to value, which is JSON.
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

// whole reports whether data is one JSON object. It may be nested two levels deeper than a journal, as in a line of
// history.
func whole(data []byte) bool {
	_, ok := jsonx.Parse(data, maxDepth+2)
	return ok
}
