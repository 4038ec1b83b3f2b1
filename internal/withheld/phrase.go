package withheld

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

const (
	maxPhrase = 1 << 20 // bytes of a folded phrase
	minPhrase = 2
)

// phrase is the fingerprint of a forgotten phrase: an HMAC-SHA-256 of its folded words (text.Fold) under the key of the
// file. Whoever holds the file can test a guess, and nobody can read the words in it.
type phrase struct {
	MAC  string   `json:"mac"`          // hex
	Len  int      `json:"len"`          // bytes of the folded words
	Roll string   `json:"roll"`         // 16 bits of a rolling hash of the folded words, hex
	In   []string `json:"in,omitempty"` // the places where it is forgotten, none for all
}

func (p phrase) equal(other phrase) bool {
	return p.MAC == other.MAC && slices.Equal(p.In, other.In)
}

// macOf returns the HMAC-SHA-256 of words under a key in hex, in hex.
func macOf(key, words string) string {
	k, _ := hex.DecodeString(key)
	h := hmac.New(sha256.New, k)
	h.Write([]byte(words))
	return hex.EncodeToString(h.Sum(nil))
}

// Fold is text.Fold for which a phrase that was quoted with ">" and broken over lines is the same phrase, also where
// the lines were joined.
func Fold(s string) string {
	if !strings.Contains(s, ">") {
		return text.Fold(s)
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "> \t")
	}
	words := strings.Fields(text.Fold(strings.Join(lines, "\n")))
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.Trim(w, ">") == "" }), " ")
}

// Has reports whether words hold a forgotten phrase, in any spacing, case and quote marks, or in the form of a record's
// name.
func (l *Erased) Has(words string) bool {
	return words != "" && len(l.file.Phrases) > 0 && l.questions().find(Fold(words))
}

// Loose reports whether data, which need not be valid JSON, holds a forgotten phrase.
func (l *Erased) Loose(data []byte) bool {
	if len(l.file.Phrases) == 0 {
		return false
	}
	s := strings.ToValidUTF8(string(data), string(utf8.RuneError))
	return l.Has(s) || strings.Contains(s, `\`) && l.Has(text.Unescape(s))
}

// questions makes the finder at the first question.
func (l *Erased) questions() *finder {
	if l.finder != nil {
		return l.finder
	}
	l.finder = newFinder(l.file.Key)
	for _, p := range l.file.Phrases {
		counts := len(p.In) == 0 || len(l.scope) == 0 ||
			slices.ContainsFunc(l.scope, func(place string) bool { return slices.Contains(p.In, place) })
		roll, err := strconv.ParseUint(p.Roll, 16, 16)
		if counts && err == nil && p.Len >= minPhrase && p.Len <= maxPhrase {
			l.finder.add(p, roll)
		}
	}
	return l.finder
}

// finder looks for phrases. A rolling hash, a polynomial in base, tells in about a nanosecond that nearly no place can
// be such a phrase. The HMAC of the other places decides, so that no other words
// are ever found.
type finder struct {
	key     string
	base    uint64
	lengths []*length
}

// length knows the phrases of one length.
type length struct {
	len   int
	power uint64          // base to the power of len
	rolls [1 << 10]uint64 // as a set
	macs  map[string]bool
}

func newFinder(key string) *finder {
	k, _ := hex.DecodeString(key)
	sum := sha256.Sum256(fmt.Append(k, "base"))
	return &finder{key: key, base: binary.BigEndian.Uint64(sum[:]) | 1}
}

// add adds a phrase to those of its length.
func (f *finder) add(p phrase, roll uint64) {
	i := slices.IndexFunc(f.lengths, func(l *length) bool { return l.len == p.Len })
	if i < 0 {
		l := &length{len: p.Len, power: 1, macs: map[string]bool{}}
		for range p.Len {
			l.power *= f.base
		}
		i, f.lengths = len(f.lengths), append(f.lengths, l)
	}
	f.lengths[i].rolls[roll>>6] |= 1 << (roll & 63)
	f.lengths[i].macs[p.MAC] = true
}

// roll returns the first bits of the hash of folded words, in hex. They say next to nothing about the words.
func (f *finder) roll(folded string) string {
	sum := uint64(0)
	for i := range len(folded) {
		sum = sum*f.base + uint64(folded[i])
	}
	return fmt.Sprintf("%04x", sum>>48)
}

// find reports whether folded words hold a phrase.
func (f *finder) find(folded string) bool {
	for _, l := range f.lengths {
		sum := uint64(0)
		for end := 1; end <= len(folded); end++ {
			sum = sum*f.base + uint64(folded[end-1])
			from := end - l.len
			if from > 0 {
				sum -= uint64(folded[from-1]) * l.power
			}
			roll := sum >> 48
			if from >= 0 && l.rolls[roll>>6]&(1<<(roll&63)) != 0 && l.macs[macOf(f.key, folded[from:end])] {
				return true
			}
		}
	}
	return false
}
