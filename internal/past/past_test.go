package past

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

var at = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func turn(session string, n int) Turn {
	return Turn{Project: "shop", Session: session, Time: at.Add(time.Duration(n) * time.Minute),
		Prompt: fmt.Sprintf("prompt %d", n), PromptID: fmt.Sprintf("u%d", n), Answer: fmt.Sprintf("answer %d", n)}
}

func read(t *testing.T, s Store, project, session string) (out []Turn) {
	t.Helper()
	for one, err := range s.Read(project, session) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

// prompts returns the prompts of a session with their answers, in order.
func prompts(t *testing.T, s Store, project, session string) string {
	var out []string
	for _, one := range read(t, s, project, session) {
		out = append(out, one.Prompt+"="+one.Answer)
	}
	return strings.Join(out, " ")
}

func always() bool { return true }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRoundTrip(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	want := Turn{Project: "shop", Session: "s1", N: 1, Time: at, Prompt: "fix the\ncart", PromptID: "u1",
		Asked: "which?", Answer: "done", Ran: []Ran{{"go test", "FAIL: x", true}, {"go vet", "", false}},
		Commits: []string{"abc1234 Fix"}, Files: []string{"cart.go"}, Compacted: true}
	must(t, s.Add([]Turn{want}))
	for range 2 {
		if got := read(t, s, "shop", "s1"); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Fatalf("%+v", got)
		}
		must(t, s.Close("shop", "s1"))
	}
}

// TestOnce: whatever is added twice, in parts, before or after the session was closed, is read once.
func TestOnce(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	one, two := turn("s1", 1), turn("s1", 2)
	begin := one
	begin.Answer, begin.Files = "", []string{"a.go"}
	rest := Turn{Project: "shop", Session: "s1", PromptID: "u1", Answer: "the end", Files: []string{"b.go", "a.go"}}
	must(t, s.Append([]Turn{two, begin}))
	must(t, s.Append([]Turn{rest}))
	must(t, s.Append([]Turn{begin, rest}))
	for range 2 {
		got := read(t, s, "shop", "s1")
		if len(got) != 2 || got[0].Answer != "the end" || strings.Join(got[0].Files, " ") != "a.go b.go" ||
			got[1].N != 2 {
			t.Fatalf("%+v", got)
		}
		must(t, s.Close("shop", "s1"))
		must(t, s.Add([]Turn{begin, two}))
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "past/shop/2026-03/s1.jsonl")); err == nil {
		t.Error("turns that are there already were written again")
	}
	must(t, s.Add([]Turn{{Project: "shop", Session: "s1", PromptID: "u1", Gone: true}}))
	if got := prompts(t, s, "shop", "s1"); got != "prompt 2=answer 2" {
		t.Error("rewound:", got)
	}
	must(t, s.Add([]Turn{one}))
	if got := read(t, s, "shop", "s1"); len(got) != 2 {
		t.Errorf("restored: %+v", got)
	}
}

// TestCut: an answer that is too long keeps both ends, and no secret is stored.
func TestCut(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	one := turn("s1", 1)
	one.Answer = "begin " + strings.Repeat("ä", MaxAnswer) + " end"
	one.Prompt = "the key is AKIAIOSFODNN7EXAMPLD, use it"
	must(t, s.Add([]Turn{one}))
	got := read(t, s, "shop", "s1")[0]
	if len(got.Answer) > MaxAnswer || !strings.HasPrefix(got.Answer, "begin ä") ||
		!strings.HasSuffix(got.Answer, "ä end") {
		t.Errorf("%d bytes: %.40s", len(got.Answer), got.Answer)
	}
	if strings.Contains(got.Prompt, "AKIAIOSFODNN7EXAMPLD") {
		t.Error("a secret was stored")
	}
}

// TestEach: a session that cannot be read keeps back no other one.
func TestEach(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	must(t, s.Add([]Turn{turn("s1", 1), turn("s1", 2), turn("s2", 3), turn("s3", 4)}))
	must(t, os.WriteFile(sessions(t, s)[1].path+closedEnd, []byte("no gzip"), 0o600))
	var out []string
	must(t, s.Each("shop", func(one Turn) { out = append(out, fmt.Sprintf("%s/%d", one.Session, one.N)) }))
	if got := strings.Join(out, " "); got != "s1/1 s1/2 s2/1 s3/1" {
		t.Error(got)
	}
}

func sessions(t *testing.T, s Store) []Session {
	t.Helper()
	all, err := s.Sessions("shop")
	must(t, err)
	return all
}

func TestErase(t *testing.T) {
	for _, closed := range []bool{false, true} {
		s := Store{Dir: t.TempDir(), Wait: time.Second}
		old := turn("s1", 1)
		old.Answer = "the quokka, earlier"
		must(t, s.Append([]Turn{old, turn("s1", 1), turn("s1", 2), turn("s1", 3)}))
		four := turn("s1", 4)
		four.Prompt = "feed the Quokka"
		rest := Turn{Project: "shop", Session: "s1", PromptID: "u2", Files: []string{"quokka.go", "a.go"}}
		must(t, s.Append([]Turn{four, rest}))
		if closed {
			must(t, s.Close("shop", "s1"))
		}
		e := Erasure{Chosen: func(string) bool { return true },
			Has:   func(w string) bool { return strings.Contains(strings.ToLower(w), "quokka") },
			Loose: func(b []byte) bool { return strings.Contains(string(b), "quokka") }, Dry: true}
		if gone, err := s.Erase(e); err != nil || len(gone) < 2 {
			t.Fatal(gone, err)
		}
		e.Dry = false
		_, err := s.Erase(e)
		must(t, err)
		if got := prompts(t, s, "shop", "s1"); got != "prompt 1=answer 1 prompt 2=answer 2 prompt 3=answer 3" {
			t.Error(closed, got)
		}
		if got := read(t, s, "shop", "s1")[1].Files; strings.Join(got, " ") != "a.go" {
			t.Error(closed, got)
		}
		if gone, err := s.Erase(e); err != nil || len(gone) != 0 {
			t.Error("still there:", gone, err)
		}
	}
}

func TestRename(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	must(t, s.Add([]Turn{turn("s1", 1), turn("s2", 2)}))
	must(t, s.Close("shop", "s1"))
	other := turn("s2", 3)
	other.Project = "store"
	must(t, s.Add([]Turn{other}))
	for range 2 {
		must(t, s.Rename("shop", "store"))
		if got := prompts(t, s, "store", "s1") + "," + prompts(t, s, "store", "s2"); got !=
			"prompt 1=answer 1,prompt 2=answer 2 prompt 3=answer 3" {
			t.Error(got)
		}
		if all, err := s.Projects(); err != nil || strings.Join(all, " ") != "store" {
			t.Error(all, err)
		}
	}
	gone, err := s.Forget(func(project, file string) bool { return project == "store" && file != "s3" })
	if all, bad := s.Projects(); len(gone) != 2 || err != nil || len(all) != 0 || bad != nil {
		t.Error(gone, err, all, bad)
	}
}

func TestLimit(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	must(t, s.Add([]Turn{turn("s1", 1), turn("s1", 2), turn("s1", 3)}))
	for range 2 {
		_, err := s.Limit(Limits{Turns: at.Add(2 * time.Minute), Answers: at.Add(3 * time.Minute)}, always)
		must(t, err)
		if got := prompts(t, s, "shop", "s1"); got != "prompt 2= prompt 3=answer 3" {
			t.Error(got)
		}
	}
}

// TestFaults: whatever fails while a session is closed, erased or renamed, each turn stays there once, and the next run
// does the rest.
func TestFaults(t *testing.T) {
	defer safefile.TestOnlyFault(nil)
	for name, do := range map[string]func(Store) error{
		"close":  func(s Store) error { return s.Close("shop", "s1") },
		"limit":  func(s Store) error { _, err := s.Limit(Limits{Answers: at.Add(time.Hour)}, always); return err },
		"rename": func(s Store) error { return s.Rename("shop", "store") },
	} {
		for fail := 1; ; fail++ {
			s := Store{Dir: t.TempDir(), Wait: time.Second}
			must(t, s.Add([]Turn{turn("s1", 1), turn("s1", 2)}))
			n := 0
			safefile.TestOnlyFault(func(op, path string) error {
				if n++; n >= fail {
					return errors.New("no space left")
				}
				return nil
			})
			err := do(s)
			safefile.TestOnlyFault(nil)
			there := 0
			for _, project := range []string{"shop", "store"} {
				there = max(there, len(read(t, s, project, "s1")))
			}
			if there != 2 {
				t.Errorf("%s, fault %d: %d turns are left", name, fail, there)
			}
			must(t, do(s))
			if got := len(read(t, s, "shop", "s1")) + len(read(t, s, "store", "s1")); got != 2 {
				t.Errorf("%s again after fault %d: %d turns", name, fail, got)
			}
			if err == nil {
				break
			}
		}
	}
}

// TestTidy: a session that is over is compressed without waiting for the disk, and each turn is there once throughout.
func TestTidy(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	must(t, s.Add([]Turn{turn("s1", 1), turn("s1", 2)}))
	open := filepath.Join(s.Dir, "past/shop/2026-03/s1.jsonl")
	for _, step := range []struct {
		later        time.Duration
		open, closed bool
	}{{0, true, false}, {25 * time.Hour, true, true}, {25*time.Hour + 1, false, true}, {50 * time.Hour, false, true}} {
		must(t, s.Tidy(Limits{}, time.Now().Add(step.later), 24*time.Hour, always))
		_, bad := os.Stat(open)
		_, none := os.Stat(open + ".gz")
		if (bad == nil) != step.open || (none == nil) != step.closed {
			t.Errorf("after %v: %v, %v", step.later, bad, none)
		}
		if got := prompts(t, s, "shop", "s1"); got != "prompt 1=answer 1 prompt 2=answer 2" {
			t.Error(got)
		}
	}
	must(t, s.Tidy(Limits{}, time.Now(), 24*time.Hour, func() bool { return false }))
}

// TestCloseLarge: the end of a session compresses what is too large for the start of another one, and nothing that
// would take too long.
func TestCloseLarge(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	for _, tt := range []struct {
		session string
		size    int
	}{{"small", 1 << 10}, {"large", 2 << 20}, {"huge", maxEnd + 1}} {
		one := turn(tt.session, 1)
		one.Prompt = strings.Repeat("long ", tt.size/5+1)
		must(t, s.Add([]Turn{one}))
		must(t, s.CloseLarge("shop", tt.session))
		must(t, s.CloseLarge("shop", tt.session)) // nothing is left to do
		if got := read(t, s, "shop", tt.session); len(got) != 1 || got[0].Prompt != one.Prompt {
			t.Errorf("%s: %d turns", tt.session, len(got))
		}
	}
	all, err := s.Sessions("shop")
	must(t, err)
	for _, one := range all {
		if one.Closed != (one.ID == "large") {
			t.Errorf("%s: closed is %v", one.ID, one.Closed)
		}
	}
	must(t, s.CloseLarge("shop", "nobody"))
	must(t, s.Add([]Turn{turn("large", 2)}))
	if got := read(t, s, "shop", "large"); len(got) != 2 {
		t.Errorf("a session that goes on has %d turns", len(got))
	}
}

// TestCloseLargeDamaged: behind a compressed file that cannot be read to its end no line could be read again, so the
// lines of the running session stay where they are.
func TestCloseLargeDamaged(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	must(t, s.Add([]Turn{turn("s1", 1), turn("s1", 2)}))
	must(t, s.Close("shop", "s1"))
	path, _, err := s.find("shop", "s1", "")
	must(t, err)
	whole, err := os.ReadFile(path + closedEnd)
	must(t, err)
	long := turn("s1", 3)
	long.Prompt = strings.Repeat("long ", maxIdle/5+1)
	must(t, s.Add([]Turn{long}))
	for _, damaged := range [][]byte{whole[:len(whole)-9], append([]byte("x"), whole...),
		append(whole[:len(whole):len(whole)], 'x')} {
		must(t, os.WriteFile(path+closedEnd, damaged, 0o600))
		if err := s.CloseLarge("shop", "s1"); !errors.Is(err, ErrDamaged) {
			t.Errorf("closed behind a damaged file: %v", err)
		}
		got, _ := s.load(path)
		if live := got.live("shop"); len(live) == 0 || live[len(live)-1].Prompt != long.Prompt {
			t.Fatalf("of %d turns the last is lost", len(live))
		}
	}
}

// TestCloseLargeKilled: a process that is killed between the two steps leaves each turn there once.
func TestCloseLargeKilled(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	must(t, s.Add([]Turn{turn("s1", 1)}))
	must(t, s.Close("shop", "s1"))
	long := turn("s1", 2)
	long.Prompt = strings.Repeat("long ", maxIdle/5+1)
	must(t, s.Add([]Turn{long, turn("s1", 3)}))
	path, _, err := s.find("shop", "s1", "")
	must(t, err)
	open, err := os.ReadFile(path + openEnd)
	must(t, err)
	for range 3 {
		must(t, s.CloseLarge("shop", "s1"))
		must(t, os.WriteFile(path+openEnd, open, 0o600)) // killed before it was removed
		if got := read(t, s, "shop", "s1"); len(got) != 3 || got[1].Prompt != long.Prompt {
			t.Fatalf("%d turns", len(got))
		}
	}
	must(t, s.Close("shop", "s1"))
	if got := read(t, s, "shop", "s1"); len(got) != 3 {
		t.Fatalf("%d turns", len(got))
	}
}
