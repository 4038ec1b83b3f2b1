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
	words, found := e.find(v)
	switch {
	case one.Kind == log.Mission:
		return eraseMission(e, one)
	case one.Kind == log.Carried, one.Kind == log.Changed, one.Kind == log.ByHand:
		out, gone := eraseJournal(e, one.Body, "null")
		one.Body = out
		return []log.Entry{one}, gone
	case found, e.isCut(body),
		e.IsSource(one.Of) && (one.Kind == "opened" || strings.Contains(one.Text, text.Ellipsis)):
		e.learn(v)
		e.learn(body)
		e.addSource(one.Of)
		if !found {
			words = cmp.Or(one.Text, body.Get("act").String())
		}
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

// find returns the first text in v that is to be erased, and whether there is one.
func (e *Erasure) find(v gjson.Result) (words string, found bool) {
	if words, found = e.wordlessFields().Find(v, e.Has); !found {
		return "", false
	}
	return words, true
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
		words, found := e.find(v)
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
				gone = append(gone, log.Gone{Kind: name, Words: words})
				value = cmp.Or(quoted(rest), "null")
			}
		case found:
			gone = append(gone, log.Gone{Kind: name, TS: v.Get("ts").String(), Words: words})
			e.Went(words)
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
		words, found := e.find(it)
		if !found && !e.isCut(it) {
			left = append(left, it.Raw)
			continue
		}
		if !found {
			words = cmp.Or(it.Get("act").String(), it.Get("text").String())
		}
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
	out, gone := eraseFields(e, raw, hole)
	left := jsonx.ObjectOf(out)
	isLeft := gjson.Get(out, "mission").String() != ""
	if isLeft && strings.Contains(mission, text.Ellipsis) && e.IsSource(ref) {
		gone, isLeft = append(gone, log.Gone{Kind: "mission", Words: mission}), false
	}
	if mission != "" && !isLeft {
		e.Went(mission)
		e.addSource(ref)
		for _, key := range [...]string{"mission", "mission_opened", "mission_closed"} {
			left.Set(key, "null")
		}
		left.Drop("mission_ref", "mission_by")
	}
	for _, pair := range [...][2]string{{"wip", "wip_by"}, {"plan", "plan_by"}} {
		if v := gjson.Get(out, pair[0]); v.String() == "" || v.Raw == "[]" {
			left.Drop(pair[1])
		}
	}
	return left.String(), gone
}

// eraseMission erases in l, an entry of kind "mission". It returns the entries that replace l: when the mission itself
// goes, each other fact of its journal as an entry of its own.
func eraseMission(e *Erasure, l log.Entry) (left []log.Entry, gone []log.Gone) {
	body, gone := eraseJournal(e, l.Body, "")
	if e.Has(l.Text) && len(gone) == 0 {
		gone = []log.Gone{{Kind: l.Kind, Words: l.Text}}
	}
	for i := range gone {
		gone[i].TS = cmp.Or(gone[i].TS, l.Stamp())
	}
	if len(gone) == 0 || !e.Has(l.Text) && gjson.Get(body, "mission").String() != "" {
		l.Body = body
		return []log.Entry{l}, gone
	}
	j, err := decode([]byte(body))
	if err != nil {
		return nil, gone
	}
	j.Session, j.now = l.Session, l.Time
	j.shed()
	for i := range j.out {
		j.out[i].Lane, j.out[i].ID = l.Lane, l.ID+"-"+strconv.Itoa(i)
	}
	return j.out, gone
}

// whole reports whether data is one JSON object. It may be nested two levels deeper than a journal, as in a line of
// history.
func whole(data []byte) bool {
	_, ok := jsonx.Parse(data, maxDepth+2)
	return ok
}
