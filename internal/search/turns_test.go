package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// pastOf is a made-up store of turns: a list of turns for each session, each turn a prompt and an answer.
type pastOf map[[2]string][][2]string

func (p pastOf) source() (from Source) {
	from.Turns, from.Files = true, map[string]safefile.Stamp{}
	for s, turns := range p {
		size := 0
		for _, t := range turns {
			size += len(t[0]) + len(t[1]) + 1
		}
		from.Files[SessionID(s[0], s[1])] = safefile.Stamp{Size: int64(size), Time: 1}
	}
	from.Get = func(name string) (docs []Doc, err error) {
		project, id, _ := strings.Cut(name, "/")
		for i, t := range p[[2]string{project, id}] {
			m := Meta{Type: Said, Project: project, Turn: i + 1, Updated: int64(1000*len(id) + i)}
			docs = append(docs, Doc{Meta: m, Body: t[0]})
			if m.Type = Answer; t[1] != "" {
				docs = append(docs, Doc{Meta: m, Body: t[1]})
			}
		}
		return docs, nil
	}
	return from
}

// follow brings the index in dir up to date.
func (p pastOf) follow(t *testing.T, dir string, change func(*Source)) (x *Index, more bool) {
	t.Helper()
	from := p.source()
	if change != nil {
		change(&from)
	}
	x, more, err := Follow(dir, time.Second, from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x, more
}

// turnsFound returns the turns that answer q.
func turnsFound(t *testing.T, x *Index, q string, keep Keep) (out []string) {
	t.Helper()
	hits, err := x.Query(q, keep, 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s/%s %s %d", h.Project, h.Session, h.Type, h.Turn))
	}
	return out
}

func first(found []string) string {
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

func aPast() pastOf {
	return pastOf{
		{"shop", "monday"}: {
			{"why do the invoices round down", "Half cents are cut in money.go: use banker's rounding."},
			{"then mend it", "Done; the ledger test passes."},
		},
		{"shop", "tuesday"}: {{"draw the logo larger", "The header holds 64 pixels now."}},
		{"blog", "monday"}:  {{"publish the ledger post", ""}},
	}
}

func TestFollow(t *testing.T) {
	dir, p := t.TempDir(), aPast()
	x, _ := p.follow(t, dir, nil)
	for q, want := range map[string]string{
		"invoices":       "shop/monday said 1",
		"banker's":       "shop/monday answer 1",
		"pixels header":  "shop/tuesday answer 1",
		"publish ledger": "blog/monday said 1",
		"zebra":          "",
	} {
		if got := first(turnsFound(t, x, q, Keep{})); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}

	monday := [2]string{"shop", "monday"}
	p[monday] = append(p[monday], [2]string{"and the zebra crossing", ""})
	x, _ = p.follow(t, dir, nil)
	if got := turnsFound(t, x, "zebra invoices", Keep{}); len(got) != 2 || got[0] != "shop/monday said 3" {
		t.Errorf("after a turn more: %q", got)
	}

	p[monday] = p[monday][1:] // the first turn was rewound or erased, and the numbers changed
	x, _ = p.follow(t, dir, nil)
	if got := turnsFound(t, x, "zebra invoices rounding", Keep{}); len(got) != 1 || got[0] != "shop/monday said 2" {
		t.Errorf("after a turn less: %q", got)
	}

	p[[2]string{"store", "monday"}] = p[monday] // the project was renamed
	delete(p, monday)
	x, _ = p.follow(t, dir, nil)
	if got := turnsFound(t, x, "zebra", Keep{}); len(got) != 1 || got[0] != "store/monday said 2" {
		t.Errorf("after a rename: %q", got)
	}
	if changed, gone := x.diff(p.source()); len(changed)+len(gone) > 0 {
		t.Errorf("still to do: %v %v", changed, gone)
	}
}

// Follow asks only for sessions that changed, takes out only those that Files would name, and stops at Most.
func TestFollowLittle(t *testing.T) {
	dir, p := t.TempDir(), aPast()
	asked := 0
	count := func(from *Source) {
		get := from.Get
		from.Get = func(id string) ([]Doc, error) { asked++; return get(id) }
	}
	if _, more := p.follow(t, dir, func(from *Source) { count(from); from.Most = 1 }); asked != 1 || !more {
		t.Errorf("asked for %d sessions, more: %v", asked, more)
	}
	for range 2 {
		p.follow(t, dir, count)
	}
	if asked != 3 {
		t.Errorf("asked for %d sessions together", asked)
	}
	x, _ := p.follow(t, dir, func(from *Source) {
		from.Files = nil
		from.Whole = func(id string) bool { return strings.HasPrefix(id, "blog/") }
	})
	if got := turnsFound(t, x, "ledger", Keep{}); len(got) != 1 || got[0] != "shop/monday answer 2" {
		t.Errorf("of a project without sessions stays %q", got)
	}
	bad := p.source()
	bad.Files["shop/torn"] = safefile.Stamp{}
	get := bad.Get
	bad.Get = func(id string) ([]Doc, error) {
		if id == "shop/torn" {
			return nil, errors.New("torn")
		}
		return get(id)
	}
	if x, _, err := Follow(dir, time.Second, bad); err != nil || first(turnsFound(t, x, "invoices", Keep{})) == "" {
		t.Error("an unreadable session stops the others")
	}
}

// Records and turns are one ranking. Turns change no score among the records.
func TestTypes(t *testing.T) {
	dir := t.TempDir()
	if err := Update(dir, time.Second, shop, nil); err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	alone, err := x.Query("staging tests deploy", Keep{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	p := aPast()
	for i := range 50 {
		p[[2]string{"shop", fmt.Sprint("more", i)}] = [][2]string{
			{"deploy to staging", "Deployed the tests."}}
	}
	y, _ := p.follow(t, dir, nil)
	x.Join(y)
	all, err := x.Query("staging tests deploy", Keep{}, 200)
	if err != nil {
		t.Fatal(err)
	}
	var among []Hit
	for _, h := range all {
		if h.Type == Record {
			among = append(among, h)
		}
	}
	if len(all) < 60 || len(among) != len(alone) {
		t.Fatalf("%d hits, %d records of %d", len(all), len(among), len(alone))
	}
	for i := range alone {
		if among[i].ID != alone[i].ID || among[i].Score != alone[i].Score || among[i].Share != alone[i].Share {
			t.Errorf("%s has %v beside turns, %v without", among[i].ID, among[i].Score, alone[i].Score)
		}
	}
	only := func(typ string) Keep { return Keep{Among: func(m Meta) bool { return m.Type == typ }} }
	for _, typ := range []string{Record, Said, Answer} {
		hits, err := x.Query("staging tests deploy", only(typ), 10)
		if err != nil || len(hits) == 0 || slices.ContainsFunc(hits, func(h Hit) bool { return h.Type != typ }) {
			t.Errorf("%q: %v %v", typ, hits, err)
		}
	}
}

// TestOwnStatistics checks that a project's turns rank the same whatever other projects are indexed beside it.
func TestOwnStatistics(t *testing.T) {
	answer := func(p pastOf, keep Keep) []string {
		x, _ := p.follow(t, t.TempDir(), nil)
		hits, err := x.Query("does the ledger round invoices", keep, 20)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, h := range hits {
			out = append(out, fmt.Sprint(h.Session, h.Turn, h.Type, " ", h.Score))
		}
		return out
	}
	p := pastOf{}
	for i, said := range []string{"round the invoices", "print the ledger", "the ledger has invoices", "ledger",
		"round it"} {
		p[[2]string{"shop", fmt.Sprint("s", i)}] = [][2]string{{said, "The ledger is done."}}
	}
	alone := answer(p, Keep{})
	for i := range 40 {
		p[[2]string{"blog", fmt.Sprint("b", i)}] = [][2]string{
			{strings.Repeat("a long prompt of round words ", 9), "It is round."}}
	}
	beside := answer(p, Keep{Among: func(m Meta) bool { return m.Project == "shop" }})
	if len(alone) < 6 || !slices.Equal(alone, beside) {
		t.Errorf("alone  %q\nbeside %q", alone, beside)
	}
	said := answer(p, Keep{Among: func(m Meta) bool { return m.Project == "shop" && m.Type == Said }})
	alone = slices.DeleteFunc(alone, func(one string) bool { return !strings.Contains(one, Said) })
	if len(said) < 3 || !slices.Equal(alone, said) {
		t.Errorf("of both types     %q\nof prompts alone %q", alone, said)
	}
}

func TestKeepTime(t *testing.T) {
	x, _ := aPast().follow(t, t.TempDir(), nil)
	for _, c := range []struct {
		keep Keep
		want int
	}{
		{Keep{}, 2},
		{Keep{Since: 6001}, 1},
		{Keep{Since: 6002}, 0},
	} {
		if got := turnsFound(t, x, "ledger", c.keep); len(got) != c.want {
			t.Errorf("%+v: %q", c.keep, got)
		}
	}
}

func TestPhrases(t *testing.T) {
	for q, want := range map[string][]string{
		"why PASETO": nil, `an "unclosed one`: nil, "": nil, `"" " "`: nil, "\"on\nboot\"": nil,
		`the "smoke tests" ran "twice"`: {"smoke tests", "twice"},
	} {
		if got := Phrases(q); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
}

func TestHasPhrase(t *testing.T) {
	for _, c := range []struct {
		text, phrase string
		want         bool
	}{
		{"Run the smoke tests first", "smoke tests", true},
		{"Run the smoke-tests first", "Smoke Test", true},
		{"tests of smoke", "smoke tests", false},
		{"smoke and tests", "smoke tests", false},
		{"Le CAFÉ est fermé", "cafe est", true},
		{"先在测试环境运行", "测试环境", true},
		{"anything", "", true},
	} {
		if got := HasPhrase(c.text, c.phrase); got != c.want {
			t.Errorf("%q in %q: %v", c.phrase, c.text, got)
		}
	}
}

// A session's file is replaced by another version while processes search and update: each answer is of one version.
func TestFollowTogether(t *testing.T) {
	dir := t.TempDir()
	done := make(chan error, 4)
	for n := range 4 {
		go func() {
			for i := range 20 {
				p := pastOf{{"shop", "s"}: {{"ledger", strings.Repeat("x", n*20+i)}}}
				x, _, err := Follow(dir, 5*time.Second, p.source())
				var hits []Hit
				if err == nil {
					if hits, err = x.Query("ledger", Keep{}, 10); err == nil && len(hits) != 1 {
						err = fmt.Errorf("%d hits", len(hits))
					}
				}
				x.Close()
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A query with Share finds what one without finds, as far as that has this Share, with the same figures.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(7, 7))
	zipf := rand.NewZipf(r, 1.2, 4, 5000)
	var docs []Doc
	for i := range 600 {
		var b strings.Builder
		fmt.Fprintf(&b, "w1 name%d w2 other%d\n", i%500, i)
		for k := range 40 {
			fmt.Fprintf(&b, "w%d", zipf.Uint64())
			b.WriteByte(" \n"[k%14/13])
		}
		docs = append(docs, doc(fmt.Sprint("shop--", i), "t", b.String()))
	}
	if err := errors.Join(Update(dir, time.Second, docs, nil), Update(dir, time.Second, docs[:20], nil),
		Update(dir, time.Second, nil, []string{"shop--21"})); err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if len(x.segments) != 3 || x.segments[0].ndead != 21 || x.Len() != len(docs)-1 {
		t.Fatal("the index has no tail, or the base no dead documents")
	}
	found := 0
	for i := range 50 {
		q := fmt.Sprintf("w1 name%d w2", i)
		if i >= 30 {
			q = fmt.Sprintf("w%d w%d w%d unknown", i, 3*i, i/2+20)
		}
		for _, share := range []float64{0.6, 0.75, 1} {
			all, err := x.Query(q, Keep{}, 2000)
			if err != nil {
				t.Fatal(err)
			}
			some, err := x.Query(q, Keep{Share: share}, 2000)
			if err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(h Hit) bool { return h.Share < share })
			if fmt.Sprintf("%.9v", some) != fmt.Sprintf("%.9v", all) {
				t.Fatalf("%q with %v:\n%v\nwant\n%v", q, share, some, all)
			}
			found += len(some)
		}
	}
	if found < 75 {
		t.Errorf("only %d documents found: the test tests little", found)
	}
}
