package suggest

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

var morning = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

func box(t *testing.T) Box {
	t.Helper()
	return Box{Dir: t.TempDir() + "/.memento", Now: morning, Wait: 10 * time.Second}
}

func entry(project, quote string) Suggestion {
	return Suggestion{Kind: "decision", Project: project, Title: quote, Quote: quote, By: ByUser, Session: "s1",
		Ref: "u-" + quote, Time: morning, Score: 0.75}
}

func add(t *testing.T, b Box, entries ...Suggestion) int {
	t.Helper()
	n, err := b.Add(entries)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// quotes returns the quotes of the suggestions, by number.
func quotes(t *testing.T, b Box, project string) string {
	t.Helper()
	list, err := b.List(project)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, fmt.Sprintf("%d %s", e.N, e.Quote))
	}
	return strings.Join(out, "|")
}

func TestBox(t *testing.T) {
	b := box(t)
	if got := quotes(t, b, ""); got != "" || len(Waiting(b.Dir, "shop")) != 0 {
		t.Errorf("missing, it holds %s", got)
	}
	if n := add(t, b, entry("shop", "one"), entry("shop", "two"), entry("barn", "one"),
		entry("shop", " ONE ")); n != 3 {
		t.Errorf("%d came in", n)
	}
	if got := quotes(t, b, "shop"); got != "1 one|2 two" {
		t.Errorf("it holds %s", got)
	}
	if got, err := b.List("shop"); err != nil || got[0].raw == "" {
		t.Errorf("%+v, %v", got, err)
	} else if got[0].raw = ""; fmt.Sprint(got[0]) != fmt.Sprint(Suggestion{N: 1, Kind: "decision", Project: "shop",
		Title: "one", Quote: "one", By: ByUser, Session: "s1", Ref: "u-one", Time: morning, Score: 0.75}) {
		t.Errorf("read back: %+v", got[0])
	}
	if len(Waiting(b.Dir, "shop")) != 2 || len(Waiting(b.Dir, "barn")) != 1 || len(Waiting(b.Dir, "")) != 0 {
		t.Error("it counts otherwise")
	}

	refused := errors.New("refused")
	if err := b.Accept(1, func(Suggestion) error { return refused }); err != refused {
		t.Errorf("Take: %v", err)
	}
	var taken string
	if err := b.Accept(1, func(e Suggestion) error { taken = e.Quote; return nil }); err != nil || taken != "one" {
		t.Errorf("Take: %q, %v", taken, err)
	}
	if err := b.Accept(1, func(Suggestion) error { return nil }); !errors.Is(err, ErrNumber) {
		t.Errorf("taken twice: %v", err)
	}
	if err := b.Decline(2, 9); !errors.Is(err, ErrNumber) || quotes(t, b, "shop") != "2 two" {
		t.Errorf("Decline of one that is not there: %v, it holds %s", err, quotes(t, b, "shop"))
	}
	if err := b.Decline(2); err != nil {
		t.Error(err)
	}
	// A number is not used again, and no sentence comes twice.
	if n := add(t, b, entry("shop", "one"), entry("shop", "“Two”."), entry("shop", "four")); n != 1 ||
		quotes(t, b, "") != "3 one|4 four" {
		t.Errorf("%d came in, it holds %s", n, quotes(t, b, ""))
	}
	if asked := b.Asked("shop", []string{"TWO", "five"}); !asked[0] || asked[1] {
		t.Errorf("Asked: %v", asked)
	}
	if info, err := os.Stat(Path(b.Dir)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestBound(t *testing.T) {
	b := box(t)
	var all []Suggestion
	for i := range MaxWaiting + 20 {
		all = append(all, entry("shop", fmt.Sprint("number ", i)))
	}
	add(t, b, entry("barn", "first"))
	add(t, b, all...)
	if got := quotes(t, b, "shop"); strings.Count(got, "|") != MaxWaiting-1 ||
		!strings.HasPrefix(got, "22 number 20|") {
		t.Errorf("it holds %s", got)
	}
	if got := quotes(t, b, "barn"); got != "1 first" {
		t.Errorf("of the other project it holds %s", got)
	}
	if n := add(t, b, all...); n != 0 {
		t.Errorf("%d of what went was asked again", n)
	}
}

func TestOnce(t *testing.T) {
	b := box(t)
	add(t, b, entry("shop", "keep it"))
	calls := 0
	refused := errors.New("refused")
	if err := b.Once("shop", "new", "u1", true, func() error { calls++; return refused }); err != refused {
		t.Errorf("Once: %v", err)
	}
	for range 2 {
		if err := b.Once("shop", "new", "u1", true, func() error { calls++; return nil }); err != nil {
			t.Error(err)
		}
	}
	if err := b.Once("barn", "new", "u1", true, func() error { calls++; return nil }); err != nil || calls != 3 {
		t.Errorf("called %d times, %v", calls, err)
	}
	for _, c := range []struct {
		line  string
		old   bool
		calls int
	}{{"u2", true, 3}, {"u2", false, 4}, {"u2", false, 4}, {"u1", false, 4}} {
		// typed again, long ago and lately; the same line read again
		if err := b.Once("shop", "new", c.line, c.old, func() error { calls++; return nil }); err != nil ||
			calls != c.calls || !b.WouldSkip("shop", "new", c.line, c.old) {
			t.Errorf("%+v: called %d times, %v", c, calls, err)
		}
	}
}

func TestWithdraw(t *testing.T) {
	b := box(t)
	add(t, b, entry("shop", "one"), entry("shop", "two"))
	if err := b.Withdraw("s2", []string{"u-one"}); err != nil || quotes(t, b, "") != "1 one|2 two" {
		t.Errorf("another session's: %v, %s", err, quotes(t, b, ""))
	}
	if err := b.Withdraw("s1", []string{"u-one", "u-x"}); err != nil || quotes(t, b, "") != "2 two" {
		t.Errorf("%v, %s", err, quotes(t, b, ""))
	}
	if n := add(t, b, entry("shop", "one")); n != 1 { // the user said the same again after the rewind
		t.Error("it is not asked again")
	}
}

// TestForeign: fields that memento does not know stay, and a damaged inbox is set aside, not lost.
func TestForeign(t *testing.T) {
	b := box(t)
	add(t, b, entry("shop", "one"))
	data, err := os.ReadFile(Path(b.Dir))
	if err != nil {
		t.Fatal(err)
	}
	odd := strings.Replace(strings.Replace(string(data), `"version":1`, `"zeta": {"a": 1.0}, "version":1`, 1), `"kind"`,
		`"colour": [1, 2], "kind"`, 1)
	fixture.Write(t, Path(b.Dir), odd)
	add(t, b, entry("shop", "two"))
	data, err = os.ReadFile(Path(b.Dir))
	if err != nil || !strings.Contains(string(data), `"zeta": {"a": 1.0}`) ||
		!strings.Contains(string(data), `"colour": [1, 2]`) || quotes(t, b, "") != "1 one|2 two" {
		t.Errorf("%s, %v", data, err)
	}
	for _, broken := range []string{"", "[]", `{"waiting":`, strings.Repeat(" ", maxFile+1)} {
		fixture.Write(t, Path(b.Dir), broken)
		if got := quotes(t, b, ""); got != "" || len(Waiting(b.Dir, "shop")) != 0 {
			t.Errorf("%.20q holds %s", broken, got)
		}
	}
	if n := add(t, b, entry("shop", "three")); n != 1 {
		t.Error("after damage nothing comes in")
	}
	left, err := os.ReadDir(b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	aside := false
	for _, f := range left {
		aside = aside || strings.HasPrefix(f.Name(), "inbox.json.corrupt-")
	}
	if !aside {
		t.Errorf("the damaged one is gone: %v", left)
	}
	for _, odd := range []string{`{"waiting":[1,null,{"n":-3},{"n":1e300}],"next":"x","marks":[1]}`, `{"next":1e99}`} {
		fixture.Write(t, Path(b.Dir), odd)
		add(t, b, entry("shop", "after "+odd))
		if len(Waiting(b.Dir, "shop")) != 1 {
			t.Errorf("%s: %d wait", odd, len(Waiting(b.Dir, "shop")))
		}
	}
}

func TestLink(t *testing.T) {
	b := box(t)
	add(t, b, entry("shop", "one"))
	theirs := t.TempDir() + "/theirs.json"
	if err := os.Rename(Path(b.Dir), theirs); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, theirs, Path(b.Dir))
	if _, err := b.Add([]Suggestion{entry("shop", "two")}); !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("Add: %v", err)
	}
	if len(Waiting(b.Dir, "shop")) != 0 {
		t.Error("the link was followed")
	}
}

// TestCrowd: sessions that read the same words at once make one suggestion.
func TestCrowd(t *testing.T) {
	b := box(t)
	var mu sync.Mutex
	var wg sync.WaitGroup
	came, kept := 0, 0
	for range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n, err := b.Add([]Suggestion{entry("shop", "one"), entry("shop", "two")})
			err2 := b.Once("shop", "three", "u1", true, func() error { mu.Lock(); kept++; mu.Unlock(); return nil })
			mu.Lock()
			defer mu.Unlock()
			if came += n; err != nil || err2 != nil {
				t.Error(err, err2)
			}
		}()
	}
	wg.Wait()
	if came != 2 || kept != 1 || quotes(t, b, "") == "" {
		t.Errorf("%d came in, %d were kept, it holds %s", came, kept, quotes(t, b, ""))
	}
}

// TestAllBounded: many projects do not make the inbox too large to read.
func TestAllBounded(t *testing.T) {
	b := Box{Dir: t.TempDir()}
	var all []Suggestion
	for i := range maxAll + 60 {
		all = append(all, Suggestion{Kind: "decision", Project: fmt.Sprintf("p%d", i/40), Title: "t",
			Quote: fmt.Sprintf("decision %d", i), By: ByUser})
	}
	if _, err := b.Add(all); err != nil {
		t.Fatal(err)
	}
	if got, err := b.List(""); err != nil || len(got) != maxAll ||
		got[len(got)-1].Quote != fmt.Sprintf("decision %d", maxAll+59) {
		t.Errorf("%d wait, %v", len(got), err)
	}
}

// TestFormer: a declined sentence does not come again after the project was renamed.
func TestFormer(t *testing.T) {
	b := Box{Dir: t.TempDir(), Now: time.Now(), Wait: time.Second}
	e := Suggestion{Kind: "decision", Project: "shop", Title: "use it", Quote: "We decided to use it.", By: ByUser}
	if n, err := b.Add([]Suggestion{e}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if err := b.Decline(1); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(Path(b.Dir))
	if err != nil {
		t.Fatal(err)
	}
	data = append(data[:len(data)-1], `,"former":[{"project":"store","was":"shop"}]}`...)
	fixture.Write(t, Path(b.Dir), string(data))
	e.Project = "store"
	if n, err := b.Add([]Suggestion{e}); n != 0 || err != nil {
		t.Errorf("asked again: %d, %v", n, err)
	}
	if asked := b.Asked("store", []string{e.Quote}); !asked[0] {
		t.Error("it is not known any more")
	}
	e.Project = "desk"
	if n, err := b.Add([]Suggestion{e}); n != 1 || err != nil {
		t.Errorf("another project's: %d, %v", n, err)
	}
}

func TestStrongest(t *testing.T) {
	var got []string
	for _, e := range Strongest([]Suggestion{{Kind: "a", Score: .6}, {Kind: "b", Score: .9}, {Kind: "c", Score: .5},
		{Kind: "d", Score: .7}, {Kind: "e", Score: .9}}, 3) {
		got = append(got, e.Kind)
	}
	if all := strings.Join(got, ""); all != "bde" {
		t.Errorf("%s is left", all)
	}
}

func TestBody(t *testing.T) {
	for _, name := range Kinds() {
		k, _ := schema.Named(name)
		body := Body(name, "one line\nand two")
		r := record.Record{Kind: name, Body: body}
		if c := k.Content(r.Body); len(c) != 1 || !strings.Contains(body, "and two") ||
			!strings.Contains(body, "## "+k.MainPart().Heading) {
			t.Errorf("%s: %v of %q", name, c, body)
		}
	}
	for _, quote := range []string{"x\n## Rule\ny", "```\nx", "# x"} {
		if body := Body("decision", quote); !strings.Contains(body, "> ") || len(markdown.Sections(body)) != 1 {
			t.Errorf("%q: %q", quote, body)
		}
	}
}
