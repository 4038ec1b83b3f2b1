package journal

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// Erasing prepares e to erase in journals, and in the journals that lines of history hold.
func Erasing(e *history.Erasure) {
	e.Put = erasePut
	e.Wordless = func() jsonx.Wordless { return jsonx.WordlessOf(&stored{Journal: new(Journal)}, (*stored).fields) }
}

// Erase erases in data, a lane's file of this kind: its journal or its shadow journal. It returns what is left, nil
// when the whole file goes, and what it took out. When it takes out nothing it returns data.
func Erase(e *history.Erasure, file project.LaneFile, data []byte) ([]byte, []log.Gone) {
	switch {
	case file == project.DebugFile && e.Any(): // its events quote the other files
		return nil, []log.Gone{{Kind: "shadow journal"}}
	case file == project.DebugFile:
		return e.Damaged(data, "shadow journal")
	case !whole(data):
		return e.Damaged(data, "damaged journal")
	}
	out, gone := eraseJournal(e, string(data), "")
	if len(gone) == 0 {
		return data, nil
	}
	return jsonx.Layout([]byte(out)), gone
}

// eraseFields takes out of the journal raw each field, and each item of a list, that holds the words. It returns raw
// when none does. hole takes the place of an item, "" for nothing.
func eraseFields(e *history.Erasure, raw, hole string) (string, []log.Gone) {
	var gone []log.Gone
	var left []string
	gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
		value, name := v.Raw, k.Str
		switch {
		case e.IsWordless(k.Str, v):
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
				gone = append(gone, log.Gone{Kind: name, Words: e.Words(v)})
				value = cmp.Or(quoted(rest), "null")
			}
		case e.Within(v):
			gone = append(gone, log.Gone{Kind: name, TS: v.Get("ts").String(), Words: e.Words(v)})
			e.Went(e.Words(v))
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
func eraseItems(e *history.Erasure, v gjson.Result, kind, hole string) (string, []log.Gone) {
	var left []string
	var gone []log.Gone
	for _, it := range v.Array() {
		if !e.Within(it) && !e.IsCut(it) {
			left = append(left, it.Raw)
			continue
		}
		words := cmp.Or(e.Words(it), it.Get("act").String(), it.Get("text").String())
		gone = append(gone, log.Gone{Kind: kind, TS: it.Get("ts").String(), Words: words})
		if e.Learn(it); hole != "" {
			left = append(left, hole)
		}
	}
	return "[" + strings.Join(left, ",") + "]", gone
}

// eraseSummary returns the summary s without the entries that hold the words or that were erased elsewhere.
func eraseSummary(e *history.Erasure, s string) string {
	parts := slices.DeleteFunc(strings.Split(s, foldMark), func(p string) bool {
		f := text.Fold(p)
		return e.Has(p) || slices.ContainsFunc(e.Acts(), func(act string) bool {
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
func eraseJournal(e *history.Erasure, raw, hole string) (string, []log.Gone) {
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
		e.AddSource(ref)
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

// erasePut erases in an entry that holds a journal, or what changed in one.
func erasePut(e *history.Erasure, l log.Entry) ([]log.Entry, []log.Gone) {
	if l.Kind == log.Mission {
		return eraseMission(e, l)
	}
	out, gone := eraseJournal(e, l.Body, "null")
	l.Body = out
	return []log.Entry{l}, gone
}

// eraseMission erases in l, an entry of kind "mission". It returns the entries that replace l.
func eraseMission(e *history.Erasure, l log.Entry) ([]log.Entry, []log.Gone) {
	kept := gjson.Parse(l.Body)
	before := kept.Get("mission").String()
	if e.Has(l.Text) || e.Has(before) {
		if before != "" {
			e.Went(before)
		}
		e.AddSource(kept.Get("mission_ref").String())
		words := cmp.Or(e.Words(kept), l.Text)
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
func remaining(e *history.Erasure, l log.Entry, kept gjson.Result) []log.Entry {
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
