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
	phrases, names lengths
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

// lengths looks for all phrases of one length under one key in each element.
type lengths []*length

func lengthsOf(byKey map[string]map[int]*length) (out lengths) {
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		for _, n := range slices.Sorted(maps.Keys(byKey[key])) {
			out = append(out, byKey[key][n])
		}
	}
	return out
}

// length finds the phrases of one length. A rolling hash of the last bytes tells in about a nanosecond a byte that
// nearly no place can be a phrase. The HMAC of the other places decides, so that no other words are ever found.
type length struct {
	*roller
	key  string
	len  int
	out  [256]uint64  // what a byte adds to the hash, just before it leaves the window
	bits [1024]uint64 // the rolls of the phrases, as a set
	macs map[string]bool
}

func addLength(to map[string]map[int]*length, h held) {
	if to[h.key] == nil {
		to[h.key] = map[int]*length{}
	}
	w := to[h.key][h.line.Len]
	if w == nil {
		w = &length{roller: newRoller(h.key), key: h.key, len: h.line.Len, macs: map[string]bool{}}
		power := uint64(1)
		for range w.len {
			power *= w.base
		}
		for c := range w.out {
			w.out[c] = w.in[c] * power
		}
		to[h.key][h.line.Len] = w
	}
	roll, _ := hex.DecodeString(h.line.Roll)
	bit := binary.BigEndian.Uint16(roll)
	w.bits[bit>>6] |= 1 << (bit & 63)
	w.macs[h.line.MAC] = true
}

// find reports whether folded words hold a phrase; with alone, with neither a letter nor a digit beside it.
func (all lengths) find(folded string, alone bool) bool {
	for _, w := range all {
		if w.find(folded, alone) {
			return true
		}
	}
	return false
}

func (w *length) find(folded string, alone bool) bool {
	if len(folded) < w.len {
		return false
	}
	hash := uint64(0)
	for i := range w.len {
		hash = hash*w.base + w.in[folded[i]]
	}
	for from, to := 0, w.len; ; from, to = from+1, to+1 {
		roll := hash >> 48
		if w.bits[roll>>6]&(1<<(roll&63)) != 0 && (!alone || naming.IsAlone(folded, from, to)) &&
			w.macs[macOf(w.key, folded[from:to])] {
			return true
		}
		if to == len(folded) {
			return false
		}
		hash = hash*w.base + (w.in[folded[to]] - w.out[folded[from]])
	}
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
