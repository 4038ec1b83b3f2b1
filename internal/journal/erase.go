package journal

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// Erase erases words in data, a journal. It returns what is left, nil when the whole file goes, and what it took out:
// each field, and each item of a list, that holds the words or comes from an erased prompt. When it takes out nothing
// it returns data. A journal that cannot be read goes whole when it holds the words.
func Erase(words log.Forgotten, data []byte) (left []byte, gone []log.Gone) {
	data = bytes.TrimPrefix(data, byteOrder)
	if !jsonx.Valid(data, maxDepth) || !gjson.ParseBytes(data).IsObject() {
		if words.Loose(data) {
			return nil, []log.Gone{{Kind: "damaged journal"}}
		}
		return data, nil
	}
	out, gone := eraseBody(words, string(data))
	if len(gone) == 0 {
		return data, nil
	}
	return jsonx.Layout([]byte(out)), gone
}

// EraseEntry erases words in e, an entry of a journal, and returns what went. It takes the ID of an entry that goes
// whole. A mission whose own words go stays for its other facts.
func EraseEntry(words log.Forgotten, e *log.Entry) (gone []log.Gone) {
	switch e.Kind {
	case log.Carried, log.Changed, log.ByHand:
		e.Body, gone = eraseBody(words, e.Body)
		return gone
	case log.Mission:
		e.Body, gone = eraseBody(words, e.Body)
		isGone := len(gone) > 0 && gjson.Get(e.Body, "mission").String() == ""
		if isGone || words.Has(e.Text) {
			if len(gone) == 0 {
				gone = []log.Gone{{Kind: e.Kind, Words: e.Text}}
			}
			o := jsonx.ObjectOf(e.Body)
			o.Set("mission", quoted(text.Ellipsis))
			e.Text, e.Body, e.Reason = text.Ellipsis, o.String(), "closed" // nobody goes on with it
		}
	default:
		body := gjson.Parse(e.Body)
		found, isFound := wordless().Find(gjson.ParseBytes(e.JSON()), words.Has)
		if isFound || words.HasID(e.Of) || words.HasID(body.Get("ref").String()) {
			gone, e.ID = []log.Gone{{Kind: e.Kind, Words: found}}, ""
		}
	}
	for i := range gone {
		gone[i].TS = cmp.Or(gone[i].TS, e.Stamp())
	}
	return gone
}

// wordless returns the fields of a journal and of an entry of the log that hold nobody's words.
func wordless() jsonx.Wordless {
	all := log.Wordless()
	maps.Copy(all, jsonx.WordlessOf(&stored{Journal: new(Journal)}, (*stored).fields))
	return all
}

// eraseBody erases in the journal raw. A mission goes with its time, its source, and the work in hand that quotes it.
func eraseBody(words log.Forgotten, raw string) (string, []log.Gone) {
	var gone []log.Gone
	was, o, all := gjson.Parse(raw), jsonx.ObjectOf(raw), wordless()
	mission, summary := was.Get("mission").String(), was.Get("summary").String()
	if mission != "" && (words.Has(mission) || words.HasID(was.Get("mission_ref").String())) {
		gone = append(gone, log.Gone{Kind: "mission", Words: mission})
		for _, key := range [...]string{"mission", "mission_opened", "mission_closed"} {
			o.Set(key, "null")
		}
		o.Drop("mission_ref", "mission_by")
		if was.Get("wip_by").String() == ByAuto {
			o.Drop("wip")
		}
	}
	if left := eraseSummary(words, summary); left != summary {
		gone = append(gone, log.Gone{Kind: "summary", Words: summary})
		o.Set("summary", cmp.Or(quoted(left), "null"))
	}
	out := all.Erase(o.String(), func(field string, v gjson.Result) bool {
		found, goes := all.Find(v, words.Has)
		if goes || words.HasID(v.Get("ref").String()) {
			gone = append(gone, log.Gone{Kind: field, TS: v.Get("ts").String(), Words: found})
			return true
		}
		return false
	})
	if len(gone) == 0 {
		return raw, nil
	}
	o = jsonx.ObjectOf(out)
	for _, key := range [...]string{"wip", "plan"} {
		if v := gjson.Get(out, key); v.String() == "" || v.Raw == "[]" {
			o.Drop(key + "_by")
		}
	}
	return o.String(), gone
}

// eraseSummary returns the summary without the entries that hold the words.
func eraseSummary(words log.Forgotten, summary string) string {
	parts := slices.DeleteFunc(strings.Split(summary, foldMark), words.Has)
	if left := strings.Join(parts, foldMark); !words.Has(left) { // they may stretch over two entries
		return left
	}
	return ""
}
