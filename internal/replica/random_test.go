package replica

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
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
	whole   map[string]bool   // records that were removed, or whose title holds a forgotten word: they went whole
	away    int               // for how many steps the first machine is offline
	steps   [sorts]int        // how many of each sort
	ops     int               // how many file operations a sync takes
	took    time.Duration     // how long a sync takes
}

// The sorts of steps that a test counts.
const (
	change = iota
	forgets
	syncs
	dies // in a sync, at one of its file operations
	cuts // the same, and what was not forced to the disk is lost
	killed
	sorts
)

func newWorld(t testing.TB, seed uint64) *world {
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 7)), remote: bare(t), said: map[string]bool{},
		in: map[string]string{}, whole: map[string]bool{}, ops: 200, took: 200 * time.Millisecond}
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
	if w.away--; w.away < -30 {
		w.away = 15
	}
	sort := change
	defer func() { w.steps[sort]++ }()
	switch w.r.IntN(14) {
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
			if w.r.IntN(4) == 0 {
				w.whole[slug] = true
				if err := h.Store.Remove(h.slug + "--" + slug); err != nil {
					w.t.Fatal(err)
				}
				return
			}
			to := []string{schema.Archived, schema.Active}[w.r.IntN(2)]
			_, _ = h.Store.Move(h.slug+"--"+slug, to, "because") // it may stand there already
		}
	case 4, 5:
		word := w.word()
		h.said(fmt.Sprintf("%04x-%s", w.r.IntN(4), h.me2()), "The user says "+word+".", "Claude answers.")
		w.said[word] = true
	case 6:
		if w.r.IntN(3) == 0 {
			all := slices.Sorted(maps.Keys(w.said))
			if len(all) > 0 {
				sort = forgets
				word := all[w.r.IntN(len(all))]
				h.forget(word)
				delete(w.said, word)
				w.secret = append(w.secret, word)
				w.whole["note-"+word] = true
			}
		}
	case 7, 8, 9:
		if sort = dies; w.r.IntN(2) == 0 {
			sort = cuts
		}
		if !w.isAway(h) {
			w.die(h, sort == cuts)
		}
	case 10:
		if sort = killed; !w.isAway(h) {
			w.kill(h)
		}
	default:
		if sort = syncs; !w.isAway(h) {
			h.sync()
		}
	}
}

func (w *world) isAway(h *home) bool { return h == w.homes[0] && w.away > 0 }

// dead is what a process panics with that ends.
type dead struct{}

// die syncs a machine, and lets it end at one of its file operations: the process runs no further than to the next one.
// After a power cut the files that were not forced to the disk are as they were before, damaged or there.
func (w *world) die(h *home, isCut bool) {
	w.t.Helper()
	at, n := 1+w.r.IntN(w.ops+w.ops/8+20), 0
	lost := losses{map[string][]byte{}, map[string]bool{}, map[string][]byte{}, map[string]bool{}}
	safefile.TestOnlyFault(func(op, path string) error {
		if n++; n >= at {
			panic(dead{})
		}
		lost.note(op, path)
		return nil
	})
	defer func() {
		safefile.TestOnlyFault(nil)
		if died := recover(); died == nil {
			w.ops = n
		} else if _, ok := died.(dead); !ok {
			panic(died)
		} else if isCut {
			lost.take(w.r)
		}
		runtime.GC() // it closes the locks that the system takes from a process that ends
	}()
	if _, err := h.Sync(context.Background(), h.set, false); err != nil && n < at {
		w.t.Errorf("%s: %v", h.Config.Dir, err)
	}
}

// losses are what a power cut may take of the files that safefile wrote.
type losses struct {
	was    map[string][]byte // content of files before they are written, nil for none
	forced map[string]bool   // new content that was forced to the disk, before it is in its place
	may    map[string][]byte // files that may be as they were
	fresh  map[string]bool   // of these, those that may be damaged
}

func (l losses) note(op, path string) {
	switch op {
	case "create", "append":
		l.was[path], _ = os.ReadFile(path)
		delete(l.forced, path)
	case "write":
		if strings.HasSuffix(path, ".jsonl") { // lines are added to it
			l.keep(path, true)
		}
	case "sync": // the journal of the file system goes with it
		l.forced[path] = true
		delete(l.fresh, path)
		for path := range l.may {
			if !l.fresh[path] {
				delete(l.may, path)
			}
		}
	case "rename":
		if _, isOurs := l.was[path]; isOurs && !l.forced[path] {
			l.keep(path, true)
		}
	case "remove":
		if data, err := os.ReadFile(path); err == nil {
			l.was[path] = data
			l.keep(path, false)
		}
	}
}

func (l losses) keep(path string, isFresh bool) {
	if _, known := l.may[path]; !known {
		l.may[path] = l.was[path]
	}
	if isFresh {
		l.fresh[path] = true
	}
}

// take lets files be as they were, or damaged.
func (l losses) take(r *rand.Rand) {
	for _, path := range slices.Sorted(maps.Keys(l.may)) {
		now, err := os.ReadFile(path)
		switch how := r.IntN(4); {
		case how > 1:
		case how == 1 && l.fresh[path] && err == nil:
			_ = os.WriteFile(path, now[:len(now)/2], 0o600)
		case l.may[path] == nil:
			_ = os.Remove(path)
		default:
			_ = os.WriteFile(path, l.may[path], 0o600)
		}
	}
}

// kill syncs a machine in a process of its own, and kills that.
func (w *world) kill(h *home) {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestSyncAlone$")
	cmd.Env = append(os.Environ(), "SYNC_HOME="+filepath.Dir(filepath.Dir(h.Config.Dir)), "SYNC_SLUG="+h.slug,
		"SYNC_REMOTE="+w.remote)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	select {
	case err := <-end:
		if w.took = time.Since(began); err != nil {
			w.t.Errorf("a sync in a process of its own: %v", err)
		}
		return
	case <-time.After(time.Duration(w.r.Int64N(int64(w.took + 20*time.Millisecond)))):
	}
	_ = cmd.Process.Kill()
	if err := <-end; err == nil {
		w.took = time.Since(began)
	} else {
		w.took += w.took / 8
	}
}

// TestSyncAlone is the process that kill kills.
func TestSyncAlone(t *testing.T) {
	at := os.Getenv("SYNC_HOME")
	if at == "" {
		t.Skip("TestInterleavings runs it")
	}
	openHome(t, at, os.Getenv("SYNC_SLUG"), os.Getenv("SYNC_REMOTE")).sync()
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
	all := fmt.Sprint(w.homes[0].shared())
	for word := range w.said {
		if !w.whole[w.in[word]] && !strings.Contains(all, word) {
			w.t.Errorf("%s is lost", word)
		}
	}
	for _, h := range w.homes {
		if got := h.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
			w.t.Errorf("it is not quiet: %+v", got)
		}
		if h.settings().Merged != w.homes[0].settings().Merged {
			w.t.Errorf("%s differs", h.Config.Dir)
		}
		if where := holding(w.t, h.Config.Dir, w.secret...); where != nil {
			w.t.Errorf("forgotten words are back: %v", where)
		}
	}
	if where := holding(w.t, w.remote, w.secret...); where != nil {
		w.t.Errorf("forgotten words are back: %v", where)
	}
}

// TestInterleavings: three machines save, edit, archive, remove, say, forget and sync in any order. One is offline for
// a while, and syncs end at any file operation, by a power cut too, and by kill -9. In the end all have the same, no
// word is lost, and no forgotten word is anywhere. MEMENTO_SEEDS is how many interleavings there are, and the first.
func TestInterleavings(t *testing.T) {
	fixture.Long(t, "syncs 200 times, and kills processes")
	seeds, from := uint64(2), uint64(0)
	_, _ = fmt.Sscan(os.Getenv("MEMENTO_SEEDS"), &seeds, &from)
	var steps [sorts]int
	for seed := from; seed < from+seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			for range 40 {
				w.step()
			}
			w.quiet()
			for i, n := range w.steps {
				steps[i] += n
			}
		})
	}
	t.Logf("%d interleavings: %d changes, %d forgets, %d syncs, %d ended, %d by a power cut, %d by kill -9", seeds,
		steps[change], steps[forgets], steps[syncs], steps[dies], steps[cuts], steps[killed])
}
