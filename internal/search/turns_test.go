package search

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// pastOf is a made-up store of turns: a list of turns for each session, each turn a prompt and an answer.
type pastOf map[Session][][2]string

func (p pastOf) sessions() Sessions {
	from := Sessions{Whole: func(string) bool { return true }}
	for s, turns := range p {
		size := 0
		for _, t := range turns {
			size += len(t[0]) + len(t[1]) + 1
		}
		s.Stamp = Stamp{Size: int64(size), Time: 1}
		from.There = append(from.There, s)
	}
	slices.SortFunc(from.There, func(a, b Session) int {
		return strings.Compare(a.Project+"/"+a.ID, b.Project+"/"+b.ID)
	})
	from.Get = func(s Session) (docs []Doc, err error) {
		s.Stamp = Stamp{}
		for i, t := range p[s] {
			at := int64(1000*len(s.ID) + i)
			docs = append(docs, Doc{Meta: Meta{Type: Said, Turn: i + 1, Updated: at}, Body: t[0]})
			if t[1] != "" {
				docs = append(docs, Doc{Meta: Meta{Type: Answer, Turn: i + 1, Updated: at}, Body: t[1]})
			}
		}
		return docs, nil
	}
	return from
}

// follow brings the index in dir up to date.
func (p pastOf) follow(t *testing.T, dir string, change func(*Sessions)) (x *Index, left int) {
	t.Helper()
	x, err := OpenTurns(dir)
	if err != nil {
		t.Fatal(err)
	}
	from := p.sessions()
	if change != nil {
		change(&from)
	}
	if x, left, err = x.Follow(dir, time.Second, from); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x, left
}

// turnsFound returns the turns that answer q.
func turnsFound(t *testing.T, x *Index, q string, keep Keep) (out []string) {
	t.Helper()
	hits, err := x.Answer(ParseAsk(q), keep, 20)
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
		{Project: "shop", ID: "monday"}: {
			{"why do the invoices round down", "Half cents are cut in money.go: use banker's rounding."},
			{"then mend it", "Done; the ledger test passes."},
		},
		{Project: "shop", ID: "tuesday"}: {{"draw the logo larger", "The header holds 64 pixels now."}},
		{Project: "blog", ID: "monday"}:  {{"publish the ledger post", ""}},
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

	monday := Session{Project: "shop", ID: "monday"}
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

	p[Session{Project: "store", ID: "monday"}] = p[monday] // the project was renamed
	delete(p, monday)
	x, _ = p.follow(t, dir, nil)
	if got := turnsFound(t, x, "zebra", Keep{}); len(got) != 1 || got[0] != "store/monday said 2" {
		t.Errorf("after a rename: %q", got)
	}
	if changed, gone, err := x.compareSessions(p.sessions()); err != nil || len(changed)+len(gone) > 0 {
		t.Errorf("still to do: %v %v %v", changed, gone, err)
	}
}

// Follow asks only for sessions that changed, takes no others out than those it was told all about, and stops at Most.
func TestFollowLittle(t *testing.T) {
	dir, p := t.TempDir(), aPast()
	asked := 0
	count := func(from *Sessions) {
		get := from.Get
		from.Get = func(s Session) ([]Doc, error) { asked++; return get(s) }
	}
	_, left := p.follow(t, dir, func(from *Sessions) { count(from); from.Most = 2 })
	if asked != 2 || left != 1 {
		t.Errorf("asked for %d sessions, %d left", asked, left)
	}
	p.follow(t, dir, count)
	if asked != 3 {
		t.Errorf("asked for %d sessions together", asked)
	}
	p.follow(t, dir, count)
	if asked != 3 {
		t.Error("asked for a session that did not change")
	}
	x, _ := p.follow(t, dir, func(from *Sessions) {
		from.There = nil
		from.Whole = func(project string) bool { return project == "blog" }
	})
	if got := turnsFound(t, x, "ledger", Keep{}); len(got) != 1 || got[0] != "shop/monday answer 2" {
		t.Errorf("of a project without sessions stays %q", got)
	}
	bad := p.sessions()
	bad.There = append(bad.There, Session{Project: "shop", ID: "torn"})
	get := bad.Get
	bad.Get = func(s Session) ([]Doc, error) {
		if s.ID == "torn" {
			return nil, errors.New("torn")
		}
		return get(s)
	}
	if x, _, err := x.Follow(dir, time.Second, bad); err != nil || first(turnsFound(t, x, "invoices", Keep{})) == "" {
		t.Error("an unreadable session stops the others")
	}
}

// A long past is indexed in parts, which give the same index.
func TestFollowLong(t *testing.T) {
	p := pastOf{}
	for i := range 40 {
		turn := [2]string{fmt.Sprint("number", i, " please"), strings.Repeat("so and so it goes on ", 10_000)}
		p[Session{Project: "shop", ID: fmt.Sprint("s", i)}] = [][2]string{turn, turn}
	}
	dir := t.TempDir()
	x, _ := p.follow(t, dir, nil)
	for i := range 40 {
		if got := turnsFound(t, x, fmt.Sprint("number", i), Keep{}); len(got) != 2 {
			t.Errorf("%d: %q", i, got)
		}
	}
}

// A damaged index of turns is built again, and one that cannot be written is there in memory.
func TestFollowDamaged(t *testing.T) {
	dir, p := t.TempDir(), aPast()
	p.follow(t, dir, nil)
	path := filepath.Join(dir, Folder, turns.base)
	if err := os.WriteFile(path, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	x, _ := p.follow(t, dir, nil)
	if first(turnsFound(t, x, "invoices", Keep{})) == "" {
		t.Error("a damaged index was not built again")
	}
	if os.Getuid() == 0 {
		return
	}
	dir = t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	x, err := OpenTurns(dir)
	if err != nil {
		t.Fatal(err)
	}
	x, _, err = x.Follow(dir, time.Second, p.sessions())
	if err == nil || first(turnsFound(t, x, "invoices", Keep{})) == "" {
		t.Errorf("in a folder without right to write: %v", err)
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
		p[Session{Project: "shop", ID: fmt.Sprint("more", i)}] = [][2]string{
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
		hits, err := x.Answer(ParseAsk("does the ledger round invoices"), keep, 20)
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
	for i, said := range []string{"round the invoices", "print the ledger", "the ledger has invoices", "ledger", "round it"} {
		p[Session{Project: "shop", ID: fmt.Sprint("s", i)}] = [][2]string{{said, "The ledger is done."}}
	}
	alone := answer(p, Keep{})
	for i := range 40 {
		p[Session{Project: "blog", ID: fmt.Sprint("b", i)}] = [][2]string{
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

func TestMarkers(t *testing.T) {
	from := Sessions{Whole: func(string) bool { return true },
		There: []Session{{Project: "shop", ID: "s"}},
		Get: func(Session) ([]Doc, error) {
			return []Doc{
				{Meta: Meta{Type: Said, Turn: 1, Updated: 5}, Body: "mend the totals", Files: []string{"src/cart.go"}},
				{Meta: Meta{Type: Said, Turn: 2, Updated: 7}, Body: "mend the header", Files: []string{"src/Head.vue"},
					Errors: []string{"ERROR: duplicate key value violates unique constraint"}},
				{Meta: Meta{Type: Said, Turn: 3, Updated: 6}, Body: "again", Files: []string{`src\cart.go`}},
			}, nil
		}}
	dir := t.TempDir()
	x, err := OpenTurns(dir)
	if err != nil {
		t.Fatal(err)
	}
	if x, _, err = x.Follow(dir, time.Second, from); err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for q, want := range map[string]string{
		"file:src/cart.go":            "3 1", // the latest first
		"file:cart.go":                "3 1",
		"file:./src/cart.go mend":     "1 3", // the words order what has edited the file
		"file:cart.go again":          "3 1",
		"file:cart.go unheard":        "3 1",
		"file:cart":                   "3 1", // without its ending
		"file:src":                    "",
		"file:art.go":                 "",
		"file:head.vue":               "2",
		`error:"duplicate key"`:       "2",
		"error:constraints":           "2",
		"error:header":                "",
		"file:cart.go error:key":      "",
		"duplicate":                   "",
		`file:"src/cart.go" "totals"`: "1 3",
	} {
		var got []string
		for _, f := range turnsFound(t, x, q, Keep{}) {
			got = append(got, f[strings.LastIndexByte(f, ' ')+1:])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}

func TestParseAsk(t *testing.T) {
	for q, want := range map[string]Ask{
		"why PASETO":                     {Words: "why PASETO"},
		`the "smoke tests" ran`:          {Words: `the "smoke tests" ran`, Phrases: []string{"smoke tests"}},
		`file:a/b.go fix`:                {Words: "fix", Files: []string{"a/b.go"}},
		`error:"no such host" "on boot"`: {Words: `"on boot"`, Phrases: []string{"on boot"}, Errors: []string{"no such host"}},
		`profile:x file: error:`:         {Words: "profile:x file: error:"},
		`Error:timeout`:                  {Errors: []string{"timeout"}},
		`an "unclosed one`:               {Words: `an "unclosed one`},
		`say "file:x" twice`:             {Words: `say "file:x" twice`, Phrases: []string{"file:x"}},
		"":                               {},
		" \t ":                           {},
		"\xff\xfe":                       {Words: "\xff\xfe"},
	} {
		if got := ParseAsk(q); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
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

// Whoever erases words learns that the index of the turns may hold them, and takes it away with the rest.
func TestTurnsErased(t *testing.T) {
	dir := t.TempDir()
	aPast().follow(t, dir, nil)
	if !MayHold(dir, "banker's rounding") || MayHold(dir, "zebra") {
		t.Error("nobody is told what the index of the turns holds")
	}
	if AnyFile(dir, func(data []byte) bool { return strings.Contains(string(data), "round") }) {
		t.Error("the index holds words of turns")
	}
	if err := Erase(dir, time.Second); err != nil || MayHold(dir, "banker's rounding") {
		t.Errorf("the index still holds them (%v)", err)
	}
}

// A session's file is replaced by another version while processes search and update: each answer is of one version.
func TestFollowTogether(t *testing.T) {
	dir := t.TempDir()
	done := make(chan error, 4)
	for n := range 4 {
		go func() {
			for i := range 20 {
				p := pastOf{{Project: "shop", ID: "s"}: {{"ledger", strings.Repeat("x", n*20+i)}}}
				x, err := OpenTurns(dir)
				if err == nil {
					if x, _, err = x.Follow(dir, 5*time.Second, p.sessions()); x != nil {
						var hits []Hit
						if hits, err = x.Query("ledger", Keep{}, 10); err == nil && len(hits) != 1 {
							err = fmt.Errorf("%d hits", len(hits))
						}
						x.Close()
					}
				}
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
