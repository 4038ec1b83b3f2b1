package log

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func turn(n int) []Entry {
	id, at := fmt.Sprintf("u%d", n), noon.Add(time.Duration(n)*time.Minute)
	return []Entry{{ID: id, Kind: Typed, Time: at, Text: fmt.Sprintf("prompt %d", n)},
		{Kind: Answered, Of: id, Time: at.Add(time.Second), Text: fmt.Sprintf("answer %d", n)}}
}

func turns(all ...int) (out []Entry) {
	for _, n := range all {
		out = append(out, turn(n)...)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// words lists the texts of a session's entries.
func words(t *testing.T, s Store, project, session string) string {
	t.Helper()
	all, err := s.Read(project, session)
	must(t, err)
	var out []string
	for _, e := range all {
		out = append(out, e.Text)
	}
	return strings.Join(out, ", ")
}

func newStore(t *testing.T) Store { return Store{Dir: t.TempDir(), Wait: 5 * time.Second} }

// TestOnce: what is added twice, in any order, counts once, and what is new alone is written.
func TestOnce(t *testing.T) {
	s := newStore(t)
	must(t, s.Append("shop", "s1", turns(1)))
	must(t, s.Append("shop", "s1", turns(2, 1)))
	path := filepath.Join(s.Dir, "log/shop/2026-03/s1.jsonl")
	size := func() int64 {
		info, err := os.Stat(path)
		must(t, err)
		return info.Size()
	}
	before := size()
	must(t, s.Add("shop", "s1", turns(2, 1)))
	if got := words(t, s, "shop", "s1"); got != "prompt 1, answer 1, prompt 2, answer 2" || size() != before {
		t.Error(got, size() == before)
	}
	must(t, s.Add("shop", "s1", []Entry{{Kind: Rewound, Of: "u1", Time: noon}}))
	must(t, s.Add("shop", "s1", turns(1)))
	if got := words(t, s, "shop", "s1"); got != "prompt 2, answer 2" {
		t.Error("rewound:", got)
	}
	must(t, s.Add("shop", "s1", []Entry{{Kind: Restored, Of: "u1", Time: noon.Add(time.Second)}}))
	if got := words(t, s, "shop", "s1"); !strings.HasPrefix(got, "prompt 1, answer 1") {
		t.Error("restored:", got)
	}
}

// TestTorn: half a line, as a killed process leaves it, takes no other entry along.
func TestTorn(t *testing.T) {
	s := newStore(t)
	must(t, s.Append("shop", "s1", turns(1)))
	path := filepath.Join(s.Dir, "log/shop/2026-03/s1.jsonl")
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, data[:len(data)-5], 0o600))
	must(t, s.Append("shop", "s1", turns(2)))
	if got := words(t, s, "shop", "s1"); got != "prompt 1, prompt 2, answer 2" {
		t.Error(got)
	}
	must(t, s.Add("shop", "s1", turns(1))) // the transcript is read again
	if got := words(t, s, "shop", "s1"); got != "prompt 1, prompt 2, answer 2, answer 1" {
		t.Error(got)
	}
}

// TestCut: an answer that is too long keeps both ends, and no secret is stored.
func TestCut(t *testing.T) {
	s := newStore(t)
	must(t, s.Add("", "a/b", []Entry{{ID: "u1", Kind: Typed, Text: "the key is AKIAIOSFODNN7EXAMPLD, use it"},
		{Kind: Answered, Of: "u1", Text: "begin " + strings.Repeat("ä", maxAnswer) + " end"}}))
	all, err := s.Read("", "a/b")
	if err != nil || len(all) != 2 || all[0].Session != "a/b" {
		t.Fatal(all, err)
	}
	got := all[1].Text
	if len(got) > maxAnswer || !strings.HasPrefix(got, "begin ä") || !strings.HasSuffix(got, "ä end") {
		t.Errorf("%d bytes: %.40s", len(got), got)
	}
	if strings.Contains(all[0].Text, "AKIAIOSFODNN7EXAMPLD") {
		t.Error("a secret was stored")
	}
}

// except also forgets the entry with an id.
type except struct {
	fixture.Forgotten
	id string
}

func (e except) HasID(id string) bool { return id == e.id }

// TestErase: what holds the words goes, with its whole turn when the prompt does, and nothing brings it back.
func TestErase(t *testing.T) {
	s := newStore(t)
	all := append(turns(1, 2, 3), Entry{ID: "u4", Kind: Typed, Time: noon, Text: "feed the Quokka"},
		Entry{Kind: Answered, Of: "u4", Text: "fed"}, Entry{Kind: Edited, Of: "u2", Text: "quokka.go"},
		Entry{Kind: Edited, Of: "u2", Text: "a.go"})
	must(t, s.Append("shop", "s1", all))
	has := func(w string) bool { return strings.Contains(strings.ToLower(w), "quokka") }
	e := Erasure{Chosen: func(string) bool { return true }, Forgotten: except{has, "u3"}, Dry: true}
	if gone, err := s.Erase(e); err != nil || len(gone) != 3 {
		t.Fatal(gone, err)
	}
	e.Dry = false
	_, err := s.Erase(e)
	must(t, err)
	for range 2 {
		if got := words(t, s, "shop", "s1"); got != "prompt 1, answer 1, prompt 2, answer 2, a.go" {
			t.Error(got)
		}
		if gone, err := s.Erase(e); err != nil || len(gone) != 0 {
			t.Error("still there:", gone, err)
		}
		must(t, s.Append("shop", "s1", all)) // a transcript is read again
		_, err := s.Erase(e)
		must(t, err)
		must(t, s.Add("shop", "s1", all))
	}
}

func TestRename(t *testing.T) {
	s := newStore(t)
	must(t, s.Add("shop", "s1", turns(1)))
	must(t, s.Add("shop", "s2", turns(2)))
	must(t, s.Add("store", "s2", turns(3)))
	for range 2 {
		must(t, s.Rename("shop", "store"))
		if got := words(t, s, "store", "s1") + "; " + words(t, s, "store", "s2"); got !=
			"prompt 1, answer 1; prompt 2, answer 2, prompt 3, answer 3" {
			t.Error(got)
		}
		if all, err := s.Projects(); err != nil || strings.Join(all, " ") != "store" {
			t.Error(all, err)
		}
	}
	gone, err := s.Forget(false, func(project, file string) bool { return project == "store" && file != "s3" },
		func(_, lane string) bool { return true })
	if all, bad := s.Projects(); len(gone) != 2 || err != nil || len(all) != 0 || bad != nil {
		t.Error(gone, err, all, bad)
	}
}

func TestLimit(t *testing.T) {
	s := newStore(t)
	since := noon.Add(2 * time.Minute)
	must(t, s.Limit(since, noon, func() bool { return true }))
	must(t, s.Add("shop", "s1", turns(1, 2, 3)))
	for range 2 {
		must(t, s.Limit(since, noon, func() bool { return true }))
		if got := words(t, s, "shop", "s1"); got != "prompt 2, answer 2, prompt 3, answer 3" {
			t.Error(got)
		}
	}
}

// TestFaults: whatever fails while a session is changed, each entry that stays is there; the next run does the rest.
func TestFaults(t *testing.T) {
	defer safefile.TestOnlyFault(nil)
	for name, do := range map[string]func(Store) error{
		"add":     func(s Store) error { return s.Add("shop", "s1", turns(1, 2)) },
		"receive": func(s Store) error { return s.Receive("shop", map[string][]Entry{"s1": turns(1, 2)}) },
		"limit": func(s Store) error {
			return s.Limit(noon.Add(30*time.Second), noon, func() bool { return true })
		},
		"rename": func(s Store) error { return s.Rename("shop", "store") },
	} {
		for fail := 1; ; fail++ {
			s := newStore(t)
			must(t, s.Add("shop", "s1", turns(0, 1)))
			n := 0
			safefile.TestOnlyFault(func(op, path string) error {
				if n++; n >= fail {
					return errors.New("no space left")
				}
				return nil
			})
			err := do(s)
			safefile.TestOnlyFault(nil)
			for i := range 2 {
				if got := words(t, s, "shop", "s1") + words(t, s, "store", "s1"); strings.Count(got, "prompt 1") < 1 ||
					i == 1 && strings.Count(got, "prompt 1") > 1 {
					t.Errorf("%s, fault %d: %s", name, fail, got)
				}
				must(t, do(s))
			}
			if err == nil {
				break
			}
		}
	}
}

// TestMerge: versions of a session merge to the same in any order and as often as one likes. Nothing is lost but what
// one of them erased, and that is erased in all.
func TestMerge(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		var versions [3][]byte
		erased := map[string]bool{}
		for i := range versions {
			var all []Entry
			for range r.IntN(6) {
				e := Entry{ID: fmt.Sprint(r.IntN(5)), Kind: Typed, Text: fmt.Sprint("said ", r.IntN(20)),
					Time: time.Unix(int64(r.IntN(3)), 0).UTC()}
				if r.IntN(4) == 0 {
					e = Entry{ID: e.ID, Kind: Erased}
					erased[e.ID] = true
				}
				all = append(all, e)
			}
			versions[i] = travelling(all)
		}
		a, b, c := versions[0], versions[1], versions[2]
		whole := string(Merge(Merge(a, b), c))
		for _, other := range [][]byte{Merge(a, Merge(b, c)), Merge(c, Merge(b, a)), Merge(Merge(a, b), Merge(c, b)),
			Merge([]byte(whole), a)} {
			if string(other) != whole {
				t.Fatalf("seed %d:\n%s\n%s", seed, whole, other)
			}
		}
		there := map[string]bool{}
		for _, e := range Decode([]byte(whole)) {
			if there[e.ID] = true; (e.Kind == Erased) != erased[e.ID] {
				t.Fatalf("seed %d: %s is %s", seed, e.ID, e.Kind)
			}
		}
		for _, e := range Decode(append(append(append([]byte{}, a...), b...), c...)) {
			if !there[e.ID] {
				t.Fatalf("seed %d: %s is lost", seed, e.ID)
			}
		}
	}
}

// TestTravel: a session gives the same bytes on another machine that received it, and what is forgotten on one of them
// is forgotten on both.
func TestTravel(t *testing.T) {
	desk, laptop := newStore(t), newStore(t)
	must(t, desk.Add("shop", "s1", turns(1, 2)))
	sent := func(s Store, project string, answers bool) []byte {
		t.Helper()
		all, err := s.Sessions(project)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v %v", all, err)
		}
		lines, err := s.Send(all[0], "0123456789ab", answers)
		must(t, err)
		return lines
	}
	first := sent(desk, "shop", false)
	if strings.Contains(string(first), "answer") || !strings.Contains(string(first), "prompt 2") {
		t.Errorf("it sends %s", first)
	}
	receive := func(lines []byte, since time.Time, answers bool) {
		must(t, laptop.Receive("kiosk", map[string][]Entry{"s1": Arrived("s1", lines, since, answers)}))
	}
	receive(first, noon.Add(90*time.Second), true)
	if got := words(t, laptop, "kiosk", "s1"); got != "prompt 2" {
		t.Error("within the limits are", got)
	}
	receive(sent(desk, "shop", true), time.Time{}, true)
	if got := sent(laptop, "kiosk", true); string(got) != string(sent(desk, "shop", true)) {
		t.Errorf("it has\n%s", got)
	}
	left, gone := EraseSent("s1", first, fixture.Forgotten(func(w string) bool { return w == "prompt 1" }))
	if len(gone) != 1 || gone[0].ID != "u1" || strings.Contains(string(left), "prompt 1") {
		t.Errorf("left is %s", left)
	}
	receive(Merge(left, sent(laptop, "kiosk", true)), time.Time{}, true)
	if got := words(t, laptop, "kiosk", "s1"); strings.Contains(got, "prompt 1") {
		t.Error("forgotten there, and here is", got)
	}
}

// TestWriters: several processes that append, merge and erase at once lose nothing.
func TestWriters(t *testing.T) {
	s := newStore(t)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 10 {
				if err := s.Append("shop", "s1", turns(w*10+i)); err != nil {
					t.Error(err)
				}
				if i%5 == 0 {
					if err := s.Receive("shop", map[string][]Entry{"s1": turns(100 + w)}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if got := words(t, s, "shop", "s1"); strings.Count(got, "prompt") != 44 {
		t.Error(got)
	}
}
