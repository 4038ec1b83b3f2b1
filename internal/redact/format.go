package redact

import (
	_ "embed"
	"strings"
)

// formats has the tokens that issuers document, and how they are described.
//
//go:embed formats.txt
var formats string

// eachForm calls f with each form of formats. The kind of a public one is empty.
func eachForm(f func(kind, begins, rest string)) {
	for row := range strings.Lines(formats) {
		kind, forms, _ := strings.Cut(row, " ")
		if kind == "public" {
			kind = ""
		}
		for form := range strings.FieldsSeq(forms) {
			if begins, rest, ok := strings.Cut(form, ":"); ok && row[0] != '#' {
				f(kind, begins, rest)
			}
		}
	}
}

// format is one form of formats.
type format struct {
	begins, rest, kind string
	next               int16 // one more than the place of the next with the same first byte
}

// formatIndex has the formats by their first byte, those without a beginning under 0. starts is the set of the longer
// beginnings.
type formatIndex struct {
	all    [400]format
	first  [128]int16 // one more than a place in all
	starts triples
}

func (x *formatIndex) build() {
	n := int16(0)
	eachForm(func(kind, begins, rest string) {
		b := byte(0)
		if begins != "" {
			b = begins[0]
		}
		if len(begins) > 2 {
			x.starts.add(begins, 0)
		}
		x.all[n] = format{begins, rest, kind, x.first[b]}
		n++
		x.first[b] = n
	})
}

// knownToken recognises a token of formats that begins at i, in the word that ends at end.
func knownToken(s string, i, end int) (found span, ok bool) {
	best := -1
	if len(s)-i < 3 || index.formats.starts.has(s, i) || s[i+1] == '.' || strings.IndexByte("MNOSQ2", s[i]) >= 0 {
		best, found = longest(index.formats.first[s[i]&0x7f], s, i, best, found)
	}
	if c := byteAt(s, end); c == '~' || (class[s[i]]&digit != 0 || end-i == 14 || end-i >= 32) && (end-i >= 8 ||
		c == '/') {
		best, found = longest(index.formats.first[0], s, i, best, found)
	}
	return found, best >= 0
}

// longest returns the format at i with the longest beginning; of equal ones, the longest token.
func longest(first int16, s string, i, best int, found span) (int, span) {
	for k := first; k != 0; k = index.formats.all[k-1].next {
		if f := &index.formats.all[k-1]; len(f.begins) >= best && strings.HasPrefix(s[i:], f.begins) {
			if x, ok := f.match(s, i); ok && (len(f.begins) > best || x.end > found.end) {
				best, found = len(f.begins), x
			}
		}
	}
	return best, found
}

// match reports whether the format stands at i of s, where its beginning stands.
func (f *format) match(s string, i int) (span, bool) {
	from, at := i, i+len(f.begins)
	var of uint8
	for k := 0; k < len(f.rest); {
		c := f.rest[k]
		k++
		if c == '>' {
			from = at
			continue
		}
		if c == '\'' {
			close := k + strings.IndexByte(f.rest[k:], '\'')
			if !strings.HasPrefix(s[at:], f.rest[k:close]) {
				return span{}, false
			}
			at += close - k
			k = close + 1
			continue
		}
		digits := k
		for digits < len(f.rest) && class[f.rest[digits]]&digit != 0 {
			digits++
		}
		if of = pieces[c]; of == 0 || digits == k || k > 1 && class[f.rest[k-2]]&(lower|upper) != 0 {
			if at >= len(s) || s[at] != c {
				return span{}, false
			}
			at++
			continue
		}
		least := 0
		for ; k < digits; k++ {
			least = 10*least + int(f.rest[k]-'0')
		}
		last := at
		if k < len(f.rest) && f.rest[k] == '!' {
			k++
			last = runIn(s, at, min(len(s), at+least), of)
			if last-at == least && k == len(f.rest) && last < len(s) && class[s[last]]&word != 0 {
				return span{}, false
			}
		} else {
			last = run(s, at, of)
		}
		if steps(last - at); last-at < least {
			if last-at >= 4 && cutOff(s, last) && (len(f.begins) > 3 || strings.HasSuffix(f.begins, "_")) {
				return span{from, last, f.kind}, f.kind != "" && !stands(s[at:last])
			}
			return span{}, false
		}
		if v := s[at:min(last, at+256)]; f.kind != "" && least >= 10 &&
			(stands(v) || of&lower != 0 && plain(v) && wordy(v)) { // s.TranscriptStartOfTheSession
			return span{}, false
		}
		at = last
	}
	return span{from, at, f.kind}, true
}

// pieces are the classes of a format.
var pieces = [128]uint8{'a': alnum, 'w': alnum | word, 'x': hexa | digit, 'd': digit, 'l': lower | digit,
	'u': upper | digit, 'b': alnum | base}

// cutOff reports whether the text was shortened at i, so that a token may be incomplete.
func cutOff(s string, i int) bool {
	return strings.HasPrefix(s[i:], "…") || strings.HasPrefix(s[i:], "...")
}
