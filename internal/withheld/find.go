package withheld

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/naming"
)

// finder answers questions about what was forgotten.
type finder struct {
	phrases, names []*lengths
	texts          map[int]map[string]bool // keys, by the length of the text
	macs           map[string]bool         // of texts
	ids            map[string]bool
	sessions       map[string]time.Time
	records        map[string]bool // macs
	keys           []string
}

// questions makes the finder at the first question.
func (f *Forgotten) questions() *finder {
	if f.finder != nil {
		return f.finder
	}
	q := &finder{texts: map[int]map[string]bool{}, macs: map[string]bool{}, ids: map[string]bool{},
		sessions: map[string]time.Time{}, records: map[string]bool{}, keys: slices.Sorted(maps.Keys(f.keys))}
	f.finder = q
	phrases, names := map[string]map[int]*length{}, map[string]map[int]*length{}
	for h := range f.live() {
		l := h.line
		if !f.covers(l) {
			continue
		}
		switch {
		case l.MAC != "" && l.Of == kindText:
			if q.texts[l.Len] == nil {
				q.texts[l.Len] = map[string]bool{}
			}
			q.texts[l.Len][h.key] = true
			q.macs[l.MAC] = true
		case l.MAC != "" && l.Of == kindName:
			addLength(names, h)
		case l.MAC != "":
			addLength(phrases, h)
		case l.ID != "":
			q.ids[l.ID] = true
		case l.Session != "":
			if q.sessions[l.Session].Before(*l.Until) {
				q.sessions[l.Session] = *l.Until
			}
		case l.Record != "":
			q.records[l.Record] = true
		}
	}
	q.phrases, q.names = lengthsOf(phrases), lengthsOf(names)
	return q
}

// lengths looks for the phrases under one key, those of one length in each element. A rolling hash of as many bytes
// tells in about a nanosecond that nearly no place can be such a phrase. The HMAC of the other places decides, so that
// no other words are ever found.
type lengths struct {
	*roller
	key     string
	all     []*length // the shortest first
	longest int
	sums    []uint64 // room for the hashes of the beginnings of a text
}

// length knows the phrases of one length.
type length struct {
	len   int
	power uint64          // base to the power of len
	bits  [1 << 10]uint64 // the rolls of the phrases, as a set
	macs  map[string]bool
}

func lengthsOf(byKey map[string]map[int]*length) (out []*lengths) {
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		l := &lengths{roller: newRoller(key), key: key}
		for _, n := range slices.Sorted(maps.Keys(byKey[key])) {
			at := byKey[key][n]
			for at.power = 1; n > 0; n-- {
				at.power *= l.base
			}
			l.all, l.longest = append(l.all, at), at.len
		}
		out = append(out, l)
	}
	return out
}

func addLength(to map[string]map[int]*length, h held) {
	if to[h.key] == nil {
		to[h.key] = map[int]*length{}
	}
	at := to[h.key][h.line.Len]
	if at == nil {
		at = &length{len: h.line.Len, macs: map[string]bool{}}
		to[h.key][h.line.Len] = at
	}
	roll, _ := hex.DecodeString(h.line.Roll)
	bit := binary.BigEndian.Uint16(roll)
	at.bits[bit>>6] |= 1 << (bit & 63)
	at.macs[h.line.MAC] = true
}

// findAny reports whether folded words hold a phrase; with alone, with neither a letter nor a digit beside it.
func findAny(all []*lengths, folded string, alone bool) bool {
	return slices.ContainsFunc(all, func(l *lengths) bool { return l.find(folded, alone) })
}

// find goes through folded in parts, since the hashes of a short part stay in the processor.
func (l *lengths) find(folded string, alone bool) bool {
	part := max(4<<10, l.longest)
	for from := 0; from < len(folded); from += part {
		words := folded[from:min(len(folded), from+part+l.longest-1)]
		if l.sums = append(l.sums[:0], 0); len(words) < l.all[0].len {
			break
		}
		sum := uint64(0)
		for i := range len(words) {
			sum = sum*l.base + l.in[words[i]]
			l.sums = append(l.sums, sum)
		}
		for _, at := range l.all {
			begins := l.sums[:max(0, min(part, len(words)-at.len+1))]
			ends := l.sums[min(at.len, len(words)):]
			for i, begin := range begins {
				roll := (ends[i] - begin*at.power) >> 48
				if at.bits[roll>>6]&(1<<(roll&63)) != 0 && l.is(at, folded, from+i, alone) {
					return true
				}
			}
		}
	}
	return false
}

// is reports whether a phrase begins at a place.
func (l *lengths) is(at *length, folded string, from int, alone bool) bool {
	to := from + at.len
	return (!alone || naming.IsAlone(folded, from, to)) && at.macs[macOf(l.key, folded[from:to])]
}

// rollBytes is the length of a roll. Two bytes leave one place in 65,536 for the HMAC to decide, and say next to
// nothing about the words.
const rollBytes = 2

// roller makes the rolling hash of one key: a polynomial in base, of a random number for each byte.
type roller struct {
	base uint64
	in   [256]uint64
}

func newRoller(key string) *roller {
	r := &roller{}
	k, _ := hex.DecodeString(key)
	for i := range 65 {
		sum := sha256.Sum256(fmt.Appendf(k, "roll %d", i))
		if i == 64 {
			r.base = binary.BigEndian.Uint64(sum[:]) | 1
			break
		}
		for n := range 4 {
			r.in[4*i+n] = binary.BigEndian.Uint64(sum[8*n:])
		}
	}
	return r
}

// roll returns the first bits of the hash of folded words, in hex.
func (r *roller) roll(folded string) string {
	hash := uint64(0)
	for i := range len(folded) {
		hash = hash*r.base + r.in[folded[i]]
	}
	return fmt.Sprintf("%04x", hash>>48)
}
