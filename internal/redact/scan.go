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
}

func buildIndex() {
	index.formats.build()
	index.names.build()
	index.programs.build()
}

// matcher searches one text.
type matcher struct {
	s     string
	flags string // of the last program in the command line that take a password; "" before one was read
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
			if c == '\n' && (i == 0 || s[i-1] != '\\') || c == ';' || c == '|' {
				m.flags = ""
			}
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
				i += close // the name in a mark announces nothing
				continue
			}
		}
		f, ok := m.judgeWord(i, end, of)
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
func (m *matcher) judgeWord(i, end int, of uint8) (f span, ok bool) {
	steps(end - i)
	s, next := m.s, byteAt(m.s, end)
	if f, ok = readPhrase(s, i, end); ok || s[i] >= 0x80 {
		return f, ok
	}
	if f, ok = keyBlock(s, i, end); ok {
		return f, true
	}
	if f, ok = tokenAt(s, i, end, of); ok {
		return f, true
	}
	if f, ok = m.readProgram(i, end); ok {
		return f, true
	}
	if i > 1 && s[i-1] == '-' && m.flags != "" {
		if f, ok = m.readFlag(i, end); ok {
			return f, true
		}
	}
	if next == ':' && strings.HasPrefix(s[end:], "://") {
		return url(s, end+3)
	}
	if next == ':' || next == '/' {
		if f, ok = readConnection(s, i, end); ok {
			return f, true
		}
	}
	if n := nameOf(s, i, end); n.rank != none {
		if f, ok = readAnnounced(s, i, end, n); ok {
			known, is := knownToken(s, f.start, run(s, f.start, word))
			if is && known.kind != "" && known.end == f.end {
				return known, true // the format names the kind better
			}
			return f, true
		}
	}
	return random(s, i, end)
}

// readPhrase looks for the secret that a phrase announces, which begins at i or behind a hyphen (das Admin-Passwort).
func readPhrase(s string, i, end int) (span, bool) {
	for at := i + strings.LastIndexByte(s[i:end], '-') + 1; ; at = i {
		if at == 0 || s[at-1] == '-' || s[i] >= 0xe0 || class[s[at-1]]&alnum == 0 && s[at-1] < 0x80 {
			if n, last := phraseAt(s, at); last > 0 {
				return readAnnounced(s, at, last, n)
			}
		}
		if at == i {
			return span{}, false
		}
	}
}

// tokenAt recognises a token of formats, also at the end of a word (deploy-ghp_…). of holds the classes of the word.
func tokenAt(s string, i, end int, of uint8) (span, bool) {
	next := byteAt(s, end)
	cut := next >= 0x80 || next != 0 && strings.IndexByte(".:~+!", next) >= 0
	if end-i >= 12 || cut || next == '/' && end-i == 1 && of&digit != 0 { // none is shorter, unless it was cut
		if f, ok := knownToken(s, i, end); ok {
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
	return span{}, false
}

// A random string is a secret by its look alone when it has minRandom to maxRandom bytes. A longer string is data.
const (
	minRandom = 32
	maxRandom = 320
)

// random recognises a random string that begins with the word s[i:end]. Hexadecimal digits alone are no secret: hashes,
// UUIDs and checksums look the same. A public string is passed over as a whole.
func random(s string, i, end int) (span, bool) {
	if i > 0 && class[s[i-1]]&base != 0 && s[i-1] != '=' && end-i < minRandom || len(s)-i < minRandom {
		return span{}, false // looked at from its beginning
	}
	last := i
	for limit := min(len(s), i+maxRandom); last < limit && class[s[last]]&(alnum|base) != 0 &&
		(s[last] != '=' || last-i >= minRandom && class[byteAt(s, last+1)]&alnum == 0); { // padding
		last++
	}
	v := s[i:last]
	if steps(len(v)); len(v) < minRandom {
		return span{}, false
	}
	f := measure(v)
	switch {
	case f.digits < 3, f.uppers*10 < f.length, f.lowers*10 < f.length,
		f.changes*20 < f.length*9, // letters and digits drawn at random change class more often than not
		inAddress(s, i), wordy(v):
		return span{}, false
	case public(s, i, v), last-i == maxRandom:
		return span{i, run(s, last, alnum|base), ""}, true
	}
	return span{i, last, "high-entropy"}, true
}

// testOnlySteps counts the bytes that the matcher looks at, when a test sets it.
var testOnlySteps *int

func steps(n int) {
	if testOnlySteps != nil {
		*testOnlySteps += n
	}
}
