package replica

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/record"
)

// world is three machines and what must hold of them.
type world struct {
	t       testing.TB
	r       *rand.Rand
	remote  string
	homes   []*home
	said    map[string]bool // every word that was said or written anywhere and not forgotten
	secret  []string        // phrases that were forgotten
	n       int
	records []string          // slugs
	in      map[string]string // word -> slug of the record that it was written into
	whole   map[string]bool   // records whose title holds a forgotten word: they went whole
}

func newWorld(t testing.TB, seed uint64) *world {
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 7)), remote: bare(t), said: map[string]bool{},
		in: map[string]string{}, whole: map[string]bool{}}
	for i, name := range []string{"desk", "laptop", "server"} {
		w.homes = append(w.homes, newHome(t, name, []string{"shop", "kiosk", "shop"}[i], w.remote))
	}
	return w
}

func (w *world) word() string {
	w.n++
	return fmt.Sprintf("word%dx%s", w.n, strings.Repeat(string(rune('a'+w.n%26)), 3))
}

// step lets one machine do one thing.
func (w *world) step() {
	h := w.homes[w.r.IntN(len(w.homes))]
	switch w.r.IntN(10) {
	case 0:
		word := w.word()
		h.save("Note "+word, "It says "+word+".\n\n## More\n\nText.")
		w.records = append(w.records, "note-"+word)
		w.said[word], w.in[word] = true, "note-"+word
	case 1, 2: // edit
		if slug, ok := w.some(h); ok {
			word := w.word()
			h.edit(slug, func(r *record.Record) error {
				if w.r.IntN(2) == 0 {
					r.Body = strings.Replace(r.Body, "\n## More", "\nAdded "+word+".\n\n## More", 1)
				} else {
					r.Body += "\n" + word + "\n"
				}
				return nil
			})
			if strings.Contains(h.body(slug), word) {
				w.said[word], w.in[word] = true, slug
			}
		}
	case 3: // archive or restore
		if slug, ok := w.some(h); ok {
			verb := []string{"archive", "restore"}[w.r.IntN(2)]
			_, _ = h.Store.Move(h.slug+"--"+slug, verb, "", "because") // it may stand there already
		}
	case 4, 5:
		word := w.word()
		h.said(fmt.Sprintf("%04x-%s", w.r.IntN(4), h.me2()), "The user says "+word+".", "Claude answers.")
		w.said[word] = true
	case 6:
		if w.r.IntN(3) == 0 {
			all := slices.Sorted(maps.Keys(w.said))
			if len(all) > 0 {
				word := all[w.r.IntN(len(all))]
				h.forget(word)
				delete(w.said, word)
				w.secret = append(w.secret, word)
				w.whole["note-"+word] = true
			}
		}
	default:
		h.sync()
	}
}

func (h *home) me2() string {
	m, err := h.me()
	if err != nil {
		h.t.Fatal(err)
	}
	return m.ID
}

// some returns a record that the machine has.
func (w *world) some(h *home) (string, bool) {
	for range 5 {
		if len(w.records) == 0 {
			return "", false
		}
		slug := w.records[w.r.IntN(len(w.records))]
		if _, err := h.Store.Read(h.slug + "--" + slug); err == nil {
			return slug, true
		}
	}
	return "", false
}

// quiet syncs until nothing moves, and checks what must hold.
func (w *world) quiet() {
	w.t.Helper()
	for range 3 {
		for _, h := range w.homes {
			h.sync()
		}
	}
	first := w.homes[0].shared()
	all := strings.Join(slices.Collect(maps.Values(first)), "\n")
	for word := range w.said {
		if !w.whole[w.in[word]] && !strings.Contains(all, word) {
			w.t.Errorf("%s is lost", word)
		}
	}
	for _, h := range w.homes {
		if got := h.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
			w.t.Errorf("it is not quiet: %+v", got)
		}
		if !maps.Equal(first, h.shared()) {
			w.t.Errorf("%s differs", h.Config.Dir)
			for path, data := range h.shared() {
				if first[path] != data {
					w.t.Logf("%s\n%s\n---\n%s", path, first[path], data)
				}
			}
		}
		for _, word := range w.secret {
			if where := holding(w.t, h.Config.Dir, word); where != nil {
				w.t.Errorf("%s is back in %v", word, where)
			}
		}
	}
	for _, word := range w.secret {
		if where := holding(w.t, w.remote, word); where != nil {
			w.t.Errorf("%s is back in %v", word, where)
		}
	}
}

// TestInterleavings: three machines save, edit, archive, say, forget and sync in any order. In the end all have the
// same, no word is lost, and no forgotten word is anywhere.
func TestInterleavings(t *testing.T) {
	seeds := uint64(6)
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			for range 40 {
				w.step()
			}
			w.quiet()
		})
	}
}
