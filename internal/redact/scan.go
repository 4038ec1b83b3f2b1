package redact

import (
	"strings"
	"sync"
)

// index makes the search in the tables fast. The first text builds it, so a process without a text does not pay for it.
var index struct {
	once     sync.Once
	formats  formatIndex
	names    nameIndex
	programs programIndex
	calls    triples // the last three bytes of the names in calls
}

func buildIndex() {
	index.formats.build()
	index.names.build()
	index.programs.build()
	for i := range calls {
		for w := range strings.SplitSeq(calls[i].names, " ") {
			index.calls.add(w, len(w)-3)
		}
	}
}

// matcher searches one text.
type matcher struct {
	s    string
	clue clue
	dull int // findNear found no word with letters and digits before this place
	command
	repeats
}

// find returns the secrets in these parts of s, in order and apart from each other.
func find(s string, parts []part) (out []span) {
	index.once.Do(buildIndex)
	at := 0
	for _, p := range parts {
		m := matcher{s: s}
		at, out = m.find(max(at, p.from), p.to, out)
	}
	return out
}

// find adds the secrets whose judgement begins in s[i:to] to out, and returns where the next one begins.
func (m *matcher) find(i, to int, out []span) (int, []span) {
	s := m.s
	for i < to {
		if i >= m.check {
			if i, out = m.skip(i, out); i >= to {
				break
			}
		}
		c := s[i]
		if c < 0x80 && class[c]&alnum == 0 && c != '_' {
			if c == '<' && strings.HasPrefix(s[i:], "<<<") {
				if f, ok := m.readFed(s, i); ok {
					out = append(out, f)
					i = f.end
					continue
				}
			}
			if c == '\n' && (i == 0 || s[i-1] != '\\') || c == ';' || c == '|' {
				m.program = ""
			}
			m.entry = m.entry && c != '\n'
			i++
			continue
		}
		if c&0xc0 == 0x80 || i > 0 && s[i-1] == '\\' && (c == 'n' || c == 'r' || c == 't') {
			i++ // inside a character, or an escaped line end of a string
			continue
		}
		end, of := i, uint8(0)
		for end < len(s) && (class[s[end]]&word != 0 || end == i) {
			of |= class[s[end]]
			end++
		}
		if c == 'r' && strings.HasPrefix(s[i:], "redacted:") && i > 0 && s[i-1] == '[' {
			if close := strings.IndexByte(s[i:min(len(s), i+48)], ']'); close > 0 {
				i += close
				continue
			}
		}
		f, ok := m.judgeWord(i, end, of)
		if n := len(out); ok && n > 0 { // two keys may share their dashes
			f.start = max(f.start, out[n-1].end)
		}
		switch {
		case ok && f.kind != "" && f.start < f.end:
			out = append(out, f)
			i = max(f.end, i+1)
		case ok: // certainly no secret
			i = max(f.end, end)
		default:
			i = end
		}
	}
	return i, out
}

// judgeWord looks for a secret in the word s[i:end], or announced by it. of holds the classes of the word's bytes. The
// search continues behind a span without a kind.
func (m *matcher) judgeWord(i, end int, of uint8) (span, bool) {
	steps(end - i)
	s, next := m.s, byteAt(m.s, end)
	if of&base != 0 { // das Admin-Passwort
		if k := lastPart(s, i, end); k > i {
			if f, ok := m.abroad(k); ok {
				return f, true
			}
		}
	}
	if i == 0 || s[i] >= 0xe0 || class[s[i-1]]&alnum == 0 && s[i-1] < 0x80 {
		if f, ok := m.abroad(i); ok {
			return f, true
		}
	}
	switch {
	case s[i] >= 0x80:
		return span{}, false
	case next == ':' && s[i:end] == "Private-Lines": // a key of PuTTY
		if from := run(s, end+1, space|digit); byteAt(s, from) == '\n' || byteAt(s, from) == '\r' {
			return span{from + 1, pemBody(s, from), "private-key"}, true
		}
	case s[end-1] == 'N' && strings.HasSuffix(s[i:end], "BEGIN"):
		if f, ok := pem(s, end-5); ok {
			return f, true
		}
	case next == ',' && s[i:end] == "base64": // data: in a URL
		return span{i, run(s, end+1, alnum|base), ""}, true
	}
	if f, ok := token(s, i, end, of); ok {
		return f, true
	}
	if f, ok := m.word(s, i, end); ok {
		return f, true
	}
	if i > 1 && (s[i-1] == '-' || s[i-1] == '/') {
		if f, ok := m.option(s, i, end); ok {
			return f, true
		}
	}
	switch next {
	case ':', '/':
		if strings.HasPrefix(s[end:], "://") {
			return url(s, end+3)
		}
		if f, ok := unnamed(s, i, end); ok {
			return f, true
		}
		if f, ok := called(s, i, end); ok {
			return f, true
		}
	case '(', '=', ' ':
		if strings.HasPrefix(s[end:], " / ") && administrator(s[i:end]) {
			if f, ok := user(s, end+len(" / "), true); ok {
				return f, true
			}
		}
		if f, ok := called(s, i, end); ok {
			return f, true
		}
	}
	if n := name(s, i, end); n.rank != 0 {
		n.entry = m.entry
		if f, ok := m.findAnnounced(i, end, n); ok {
			k, ok := knownToken(s, f.start, run(s, f.start, word))
			if ok && k.kind != "" && k.start == f.start && k.end == f.end {
				return k, true // the format names the kind better
			}
			return f, true
		}
	}
	return random(s, i, end)
}

// abroad looks for the secret that a foreign name at i announces.
func (m *matcher) abroad(i int) (span, bool) {
	last := foreign(m.s, i)
	if last == 0 {
		return span{}, false
	}
	n := named{rank: strong, kind: "password", bare: true, abroad: true, short: last-i < 4, entry: m.entry,
		script: m.s[i] >= 0xcd && m.s[i] < 0xe1 || m.s[i] > 0xe1}
	return m.findAnnounced(i, last, n)
}

// token recognises a token by its form: a token of formats, also at the end of a word (deploy-ghp_…), or a token of an
// issuer that formats does not list.
func token(s string, i, end int, of uint8) (span, bool) {
	next := byteAt(s, end)
	cut := next == '.' || next == ':' || next == '~' || next == '+' || next == '!' || next >= 0x80
	if end-i >= 12 || cut || next == '/' && end-i == 1 && of&digit != 0 { // none is shorter, unless it was cut
		if f, ok := knownToken(s, i, end); ok {
			if f.kind == "" {
				f.end = run(s, f.end, alnum|base)
			}
			return f, true
		}
	}
	if of&base == 0 || end-i < 20 || end-i >= 512 {
		return span{}, false
	}
	for k, parts := i+1, 0; k+16 < end && parts < 8; k++ {
		if s[k-1] == '-' || s[k-1] == '_' {
			parts++
			if f, ok := knownToken(s, k, end); ok && f.kind != "" && f.start-k < 16 {
				return f, true
			}
		}
	}
	if of&digit == 0 || end-i < 24 {
		return span{}, false
	}
	return unlisted(s, i, end)
}

// testOnlySteps counts the bytes that the matcher looks at, when a test sets it.
var testOnlySteps *int

func steps(n int) {
	if testOnlySteps != nil {
		*testOnlySteps += n
	}
}
