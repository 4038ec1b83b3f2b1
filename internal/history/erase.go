package history

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// Erasure erases from histories and journals the texts that hold some words. It remembers each entry it erases, and
// then also erases texts that were cut from that entry.
type Erasure struct {
	Has          func(words string) bool // reports whether a text is to be erased
	Loose        func(data []byte) bool  // reports whether bytes that may not be JSON hold the words
	Went         func(words string)      // is called with each text that is erased
	Any          func() bool             // reports whether a text was erased so far, here or elsewhere
	ErasedBefore func(id string) bool    // reports whether the prompt or call id was erased earlier; nil for none

	// Package journal sets these.
	Put      func(e *Erasure, l log.Entry) ([]log.Entry, []log.Gone) // erases in an entry that holds a journal
	Wordless func() jsonx.Wordless                                   // returns the fields of a journal that hold nobody's words

	sources  map[string]bool // ids of the prompts and calls that erased entries came from
	acts     []string        // the acts of erased entries, folded, as they begin in a summary
	wordless jsonx.Wordless  // see IsWordless
}

// IsSource reports whether an erased text came from the prompt or call id.
func (e *Erasure) IsSource(id string) bool {
	return id != "" && (e.sources[id] || e.ErasedBefore != nil && e.ErasedBefore(id))
}

// Sources returns the ids of the prompts and calls that the texts erased so far came from, sorted.
func (e *Erasure) Sources() []string { return slices.Sorted(maps.Keys(e.sources)) }

// Acts returns the acts of the entries erased so far, folded.
func (e *Erasure) Acts() []string { return e.acts }

// Entry erases in an entry of a journal. It returns the entries that are left, none when it goes whole, and the erased
// texts. Several entries may be left of a mission. When it erases nothing it returns e alone.
func (e *Erasure) Entry(one log.Entry) ([]log.Entry, []log.Gone) {
	v, body := gjson.ParseBytes(one.JSON()), gjson.Parse(one.Body)
	switch {
	case one.Kind == log.Mission, one.Kind == log.Carried, one.Kind == log.Changed, one.Kind == log.ByHand:
		return e.Put(e, one)
	case e.Within(v), e.IsCut(body),
		e.IsSource(one.Of) && (one.Kind == "opened" || strings.Contains(one.Text, text.Ellipsis)):
		e.Learn(v)
		e.Learn(body)
		e.AddSource(one.Of)
		words := cmp.Or(e.Words(v), one.Text, body.Get("act").String())
		return nil, []log.Gone{{Kind: one.Kind, TS: one.Stamp(), Words: words}}
	}
	return []log.Entry{one}, nil
}

// Damaged erases data that cannot be read: all of it when it holds the words, else nothing.
func (e *Erasure) Damaged(data []byte, kind string) ([]byte, []log.Gone) {
	if !e.Loose(data) {
		return data, nil
	}
	return nil, []log.Gone{{Kind: kind}}
}

// AddSource notes that an erased text came from the prompt or call id.
func (e *Erasure) AddSource(id string) {
	if id == "" {
		return
	}
	if e.sources == nil {
		e.sources = map[string]bool{}
	}
	e.sources[id] = true
}

// Within reports whether any text in v is to be erased. Keys that are not names of fields are texts too.
func (e *Erasure) Within(v gjson.Result) (found bool) {
	switch {
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, v gjson.Result) bool {
			found = k.Type == gjson.String && !text.Name(k.Str) && e.Has(k.Str) ||
				!e.IsWordless(k.Str, v) && e.Within(v)
			return !found
		})
		return found
	case v.Type == gjson.String:
		return e.Has(v.Str)
	}
	return false
}

// IsWordless reports whether the field key of a journal or an entry of the log holds a time, an id, or the name of a
// session or project: nobody's words.
func (e *Erasure) IsWordless(key string, v gjson.Result) bool {
	if e.wordless == nil {
		e.wordless = e.Wordless()
		for name, all := range log.Wordless() {
			if _, known := e.wordless[name]; !known {
				e.wordless[name] = all
			}
		}
	}
	return e.wordless.Has(key, v)
}

// Words returns the first text in v that is to be erased, to show it.
func (e *Erasure) Words(v gjson.Result) (found string) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, v gjson.Result) bool {
			if !e.IsWordless(k.Str, v) {
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

// IsCut reports whether the entry v came from an erased prompt or call and holds a text that was cut.
func (e *Erasure) IsCut(v gjson.Result) bool {
	if !e.IsSource(v.Get("ref").String()) {
		return false
	}
	return slices.ContainsFunc([]string{"text", "act", "result", "ctx"}, func(key string) bool {
		return strings.Contains(v.Get(key).String(), text.Ellipsis)
	})
}

// Learn remembers the texts and the source of v, an entry that is erased.
func (e *Erasure) Learn(v gjson.Result) {
	for _, key := range [...]string{"text", "act", "result", "ctx", "cmd", "line"} {
		if words := v.Get(key).String(); words != "" {
			e.Went(words)
		}
	}
	if act := v.Get("act").String(); act != "" {
		e.acts = append(e.acts, text.Fold(text.Line(act)))
	}
	e.AddSource(v.Get("ref").String())
}
