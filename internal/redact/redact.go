// Package redact takes secrets out of text before it is stored. In comes any text, or the JSON of one; out comes the
// same text, in which each secret is [redacted:<kind>] and everything else stays byte for byte, and the kinds. Text of
// its own result changes nothing. It judges by form alone, asks nobody and keeps nothing.
//
// One pass (scan.go) asks of every word: is it a token by its form (format.go), a program whose options hold a password
// (command.go), a function that takes one (call.go), an address that holds one (address.go), or the name of a secret
// (name.go)? What a name announces may stand in structured text around it (clue.go) or in a sentence (sentence.go);
// value.go judges whether it is a secret, words.go has the words that are none. What nothing announces must look drawn
// at random (random.go).
//
// It is written by hand, without package regexp: every hook is a process of its own, and most text holds no candidate
// at all, which one pass over its words finds out. docs/redaction.md has the comparison.
package redact

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tidwall/gjson"
)

// Mark is how what stands in a secret's place begins.
const Mark = "[redacted:"

// Bounds, so that no text, however it was made, takes more than a small multiple of the time its length does.
const (
	maxValue  = 1024 // how far a value is looked for, in bytes
	maxBare   = 400  // and without quotation marks
	maxKey    = 16 << 10
	maxRepeat = 32 // secrets that are looked for elsewhere in their text
)

// rounds bounds how often text is looked at again: a secret behind another can show only once that one is gone.
const rounds = 8

// Text returns s with every secret in it replaced, and the kind of each, in order; nil when there is none and s is
// returned as it is. Text of its own result changes nothing.
func Text(s string) (clean string, kinds []string) {
	if len(s) <= longText {
		clean, kinds, _ = judge(s)
		return clean, kinds
	}
	for i := range lately {
		switch last := lately[i].Load(); {
		case last == nil:
		case last.clean == s:
			return s, nil
		case last.text == s:
			return last.clean, last.kinds
		}
	}
	clean, kinds, done := judge(s)
	if done {
		lately[turn.Add(1)%uint32(len(lately))].Store(&judged{s, clean, slices.Clip(kinds)})
	}
	return clean, kinds
}

// judge is Text that remembers nothing. done reports that nothing is left to be found.
func judge(s string) (clean string, kinds []string, done bool) {
	parts := []part{{0, len(s)}}
	for range rounds {
		found := find(s, parts)
		if len(found) == 0 {
			return s, kinds, true
		}
		kinds = slices.Grow(kinds, len(found))
		var again []repeated
		for _, f := range found {
			kinds = append(kinds, f.kind)
			if v := s[f.start:f.end]; len(v) >= 8 && measure(v).digits > 0 && len(again) < maxRepeat &&
				!slices.ContainsFunc(again, func(r repeated) bool { return r.value == v }) {
				again = append(again, repeated{v, f.kind})
			}
		}
		var changed []int
		s, changed = replace(s, found, again)
		parts = around(s, changed)
	}
	return s, kinds, false
}

// lately are the long texts that Text judged last, and what it returned: what was typed is looked at where it is read,
// and again where it is written.
var (
	lately [2]atomic.Pointer[judged]
	turn   atomic.Uint32
)

type judged struct {
	text, clean string
	kinds       []string
}

// longText is how long a text is that Text remembers, in bytes.
const longText = 64 << 10

// Clean is Text for callers that need only the words.
func Clean(s string) string {
	s, _ = Text(s)
	return s
}

// JSON is Text for each string value in raw, which is valid JSON: raw stays valid and is otherwise unchanged. Keys are
// no secrets.
func JSON(raw string) (clean string, kinds []string) {
	var b strings.Builder
	from := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(raw) && raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(raw) {
			break
		}
		token := raw[i : end+1]
		if rest := strings.TrimLeft(raw[end+1:], " \t\r\n"); !strings.HasPrefix(rest, ":") && len(token) > 5 {
			s := token[1 : len(token)-1]
			if strings.IndexByte(s, '\\') >= 0 {
				s = gjson.Parse(token).String()
			}
			if c, k := Text(s); len(k) > 0 {
				b.WriteString(raw[from:i])
				b.Write(gjson.AppendJSONString(nil, c))
				from = end + 1
				kinds = append(kinds, k...)
			}
		}
		i = end
	}
	if len(kinds) == 0 {
		return raw, nil
	}
	b.WriteString(raw[from:])
	return b.String(), kinds
}

// Notice is the sentence that tells a writer what was left out; "" when nothing was.
func Notice(kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	named := slices.Compact(slices.Sorted(slices.Values(kinds)))
	what := "1 secret was"
	if len(kinds) > 1 {
		what = strconv.Itoa(len(kinds)) + " secrets were"
	}
	return what + " not stored (" + strings.ReplaceAll(strings.Join(named, ", "), "-", " ") + ")"
}

// span is a secret in a text.
type span struct {
	start, end int
	kind       string
}

// repeated is a secret that may be said once more where nothing gives it away. It has eight bytes at least.
type repeated struct{ value, kind string }

// replace puts marks in the place of what was found, and of its repeats, and returns where they begin in the new text.
func replace(s string, found []span, again []repeated) (clean string, changed []int) {
	var b strings.Builder
	b.Grow(len(s) + 16*len(found))
	changed = make([]int, 0, len(found))
	var starts triples
	for _, r := range again {
		starts.add(r.value, 0)
	}
	mark := func(kind string) {
		changed = append(changed, b.Len())
		b.WriteString(Mark)
		b.WriteString(kind)
		b.WriteByte(']')
	}
	at := 0
	keep := func(end int) {
		for i := at; len(again) > 0 && i+8 <= end; i++ {
			if !starts.has(s, i) {
				continue
			}
			for _, r := range again {
				if strings.HasPrefix(s[i:end], r.value) {
					b.WriteString(s[at:i])
					mark(r.kind)
					at = i + len(r.value)
					i = at - 1
					break
				}
			}
		}
		b.WriteString(s[at:end])
	}
	for _, f := range found {
		keep(f.start)
		mark(f.kind)
		at = f.end
	}
	keep(len(s))
	return b.String(), changed
}

// part is a piece of a text that is to be looked at. It begins a line, or where the part before it ends.
type part struct{ from, to int }

// around returns the parts of s in which something else may be found since these places changed.
func around(s string, changed []int) (parts []part) {
	const before, behind = 4 * maxValue, lookBehind
	for _, at := range changed {
		p, done := part{to: min(len(s), at+behind)}, 0
		if n := len(parts); n > 0 {
			done = parts[n-1].to
		}
		if at-before > done {
			p.from = strings.LastIndexByte(s[done:at-before], '\n') + 1
		}
		if p.from += done; p.from == done && len(parts) > 0 {
			parts[len(parts)-1].to = max(done, p.to)
		} else {
			parts = append(parts, p)
		}
	}
	return parts
}
