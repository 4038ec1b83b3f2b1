// Package redact takes secrets out of text before memento stores it. It gets any text, or JSON. It returns the same
// text with [redacted:<kind>] in the place of each secret, and the kinds; all other bytes stay. It judges a text by its
// form alone: no network, no file and no setting may come in. It changes nothing in a text that it returned.
//
// One pass (scan.go) looks at every word. The word may be a token with a known form (format.go), the beginning of a key
// (pem.go), a program whose options hold a password (command.go), an address with a password in it (address.go), or
// the name of a secret (name.go). The name, the place of the value (place.go) and its look (value.go) decide together
// whether it is a secret; innocent.go has what is none. A secret without a name must look drawn at random.
package redact

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tidwall/gjson"
)

// Mark is the beginning of the text that replaces a secret.
const Mark = "[redacted:"

// These bounds keep the time for any text within a small multiple of its length.
const (
	maxValue    = 1024 // bytes in which the end of a value must stand
	maxBare     = 400  // the same without quotation marks
	maxPassword = 128  // the same for what people choose
	maxKey      = 16 << 10
	maxRepeat   = 32 // secrets whose repeats are searched in their text
)

// rounds is how often a text is searched at most. A secret may show only after the one before it is replaced.
const rounds = 8

// Text returns s with every secret in it replaced, and the kind of each secret, in order. kinds is nil when s holds no
// secret; clean is s then. Text changes nothing in its own result.
func Text(s string) (clean string, kinds []string) {
	if len(s) <= longText {
		clean, kinds, _ = judge(s)
		return clean, kinds
	}
	if last := lastJudged.Load(); last != nil && last.clean == s {
		return s, nil
	} else if last != nil && last.text == s {
		return last.clean, last.kinds
	}
	clean, kinds, done := judge(s)
	if done {
		lastJudged.Store(&judged{s, clean, slices.Clip(kinds)})
	}
	return clean, kinds
}

// judge is Text without a memory. done reports that the result holds no further secret.
func judge(s string) (clean string, kinds []string, done bool) {
	parts := []part{{0, len(s)}}
	for range rounds {
		found := find(s, parts)
		if len(found) == 0 {
			return s, kinds, true
		}
		kinds = slices.Grow(kinds, len(found))
		for _, f := range found {
			kinds = append(kinds, f.kind)
		}
		found = addRepeats(s, found)
		var changed []int
		s, changed = replace(s, found)
		parts = around(s, changed)
	}
	return s, kinds, false
}

// lastJudged holds the last long text that Text judged, with its results. A hook judges a typed text when it reads the
// text and again when it writes the text.
var lastJudged atomic.Pointer[judged]

type judged struct {
	text, clean string
	kinds       []string
}

// longText is the length in bytes from which Text remembers a text.
const longText = 64 << 10

// Clean is Text for callers that do not need the kinds.
func Clean(s string) string {
	s, _ = Text(s)
	return s
}

// JSON is Text for each string value in raw, which must be valid JSON. The result is valid JSON and has no other
// change. Keys are no secrets.
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

// Notice returns the sentence that tells a writer what was left out. It returns "" when nothing was.
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

// addRepeats adds where the found secrets stand elsewhere in s without a name. A secret of less than eight bytes, or
// without a digit, may be a word there.
func addRepeats(s string, found []span) []span {
	var values []string
	known := found
	for _, f := range known {
		v := s[f.start:f.end]
		if len(v) < 8 || measure(v).digits == 0 || len(values) == maxRepeat || slices.Contains(values, v) {
			continue
		}
		values = append(values, v)
		k := 0
		for at := strings.Index(s, v); at >= 0; {
			for k < len(known) && known[k].start < at {
				k++
			}
			if k == len(known) || known[k].start > at {
				found = append(found, span{at, at + len(v), f.kind})
			}
			next := strings.Index(s[at+len(v):], v)
			if next < 0 {
				break
			}
			at += len(v) + next
		}
	}
	slices.SortStableFunc(found, func(a, b span) int { return a.start - b.start })
	return found
}

// replace puts marks in the place of the found secrets, which are in order. changed holds where the marks begin in the
// new text.
func replace(s string, found []span) (clean string, changed []int) {
	var b strings.Builder
	long := len(s)
	for _, f := range found {
		long += len(Mark) + len(f.kind) + 1 - (f.end - f.start)
	}
	b.Grow(max(long, 0))
	changed = make([]int, 0, len(found))
	at := 0
	for _, f := range found {
		if f.start < at { // a repeat and a secret may overlap
			at = max(at, f.end)
			continue
		}
		b.WriteString(s[at:f.start])
		changed = append(changed, b.Len())
		b.WriteString(Mark + f.kind + "]")
		at = f.end
	}
	b.WriteString(s[at:])
	return b.String(), changed
}

// part is a piece of a text to search. It begins at a line, or where the part before it ends.
type part struct{ from, to int }

// around returns the parts of s where the changes may have uncovered a further secret.
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
