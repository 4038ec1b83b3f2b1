package retrieve

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

func open(t testing.TB) record.Store {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memento")
	if err := safefile.Dir(dir); err != nil {
		t.Fatal(err)
	}
	return record.Store{Dir: dir, Now: time.Now, Wait: 5 * time.Second}
}

func save(t testing.TB, s record.Store, kind, title, body string) *record.Record {
	t.Helper()
	project := "shop"
	if k, _ := schema.Named(kind); k.Personal || k.Shared {
		project = naming.User
	}
	r, err := s.Create(record.Record{Project: project, Kind: kind, Title: title, Body: body, Tags: []string{"test"}})
	if err != nil {
		t.Fatal(err)
	}
	Heal(s)
	return r
}

// searched is Search with the parts of its answer apart.
func searched(s record.Store, q Query) ([]Found, []record.Problem, error) {
	out, err := Search(s, q)
	return out.Found, out.Problems, err
}

// found returns the ids that a query for words finds in the project shop.
func found(t testing.TB, s record.Store, words string, filter ...func(*Query)) (ids []string) {
	t.Helper()
	q := Query{Words: words, Filter: record.Filter{Project: "shop"}, Own: true, Limit: 10}
	for _, f := range filter {
		f(&q)
	}
	out, err := Search(s, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Found {
		ids = append(ids, f.ID)
	}
	return ids
}

// After any change of the records, by memento or by hand, the next search is right.
func TestFollow(t *testing.T) {
	s := open(t)
	want := func(step, words string, ids ...string) {
		t.Helper()
		if got := found(t, s, words); !slices.Equal(got, ids) {
			t.Errorf("%s: %q finds %v, want %v", step, words, got, ids)
		}
	}
	want("nothing there", "paseto")
	r := save(t, s, "decision", "Use PASETO", "Because of the zebra.")
	if x, err := search.Open(s.Dir); err != nil || x.Len() != 1 {
		t.Errorf("what is saved is not indexed: %v", err)
	} else {
		x.Close()
	}
	want("saved", "zebra", r.ID)
	if _,
		err := s.Update(r.ID, "", "",
		func(r *record.Record) error { r.Body = "Because of the walrus."; return nil }); err != nil {
		t.Fatal(err)
	}
	want("updated", "walrus", r.ID)
	want("updated", "zebra")

	data, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, r.Path, strings.Replace(string(data), "walrus", "lizard", 1)) // the same length, in its place
	want("by hand", "lizard", r.ID)
	want("by hand", "walrus")

	other := filepath.Join(s.Dir, "shop--by-hand.md")
	fixture.Write(t, other, "# Notes\n") // no front matter
	want("no record", "notes")
	fixture.Write(t, other,
		"---\nkind: runbook\ntags: [db]\nfiles: [config/db.yaml]\n---\n# The pool is full\n\nRestart the gazelle.\n")
	want("by hand", "gazelle", "shop--by-hand")
	want("by its file", "config/db.yaml", "shop--by-hand")
	want("by its heading", "pool full", "shop--by-hand")
	if err := os.Rename(other, filepath.Join(s.Dir, "shop--renamed.md")); err != nil {
		t.Fatal(err)
	}
	want("renamed", "gazelle", "shop--renamed")

	if _, err := s.Move(r.ID, schema.Completed, ""); err != nil {
		t.Fatal(err)
	}
	want("completed", "lizard")
	all := func(q *Query) { q.Filter.Status = schema.Statuses() }
	if got := found(t, s, "lizard", all); !slices.Equal(got, []string{r.ID}) {
		t.Errorf("completed, all statuses: %v", got)
	}
	if _, err := s.Move(r.ID, schema.Active, ""); err != nil {
		t.Fatal(err)
	}
	want("reopened", "lizard", r.ID)
	if _, err := s.Move(r.ID, schema.Retired, "over"); err != nil {
		t.Fatal(err)
	}
	want("retired", "lizard")
	if err := s.Remove(r.ID); err != nil {
		t.Fatal(err)
	}
	if got := found(t, s, "lizard", all); len(got) != 0 {
		t.Errorf("removed: %v", got)
	}

	// Of two files of one record the folder's counts.
	r = save(t, s, "decision", "Two places", "The okapi.")
	if err := os.MkdirAll(naming.Folders(s.Dir)[1], 0o700); err != nil {
		t.Fatal(err)
	}
	data, err = os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	later := strings.Replace(string(data), "status: active", "status: completed", 1)
	fixture.Write(t, s.Path(r.ID, schema.Completed), later)
	want("in two places", "okapi", r.ID)
	if got := found(t, s, "okapi", all); !slices.Equal(got, []string{r.ID}) {
		t.Errorf("in two places: %v", got)
	}
	if x, err := search.Open(s.Dir); err != nil || x.Len() != 2 {
		t.Errorf("in two places, and known: %v", err)
	}
}

// A search that asks about only some of many files still finds what was edited in place, and shows nothing old.
func TestManyFiles(t *testing.T) {
	s := open(t)
	write := func(i int, word string) {
		fixture.Write(t, filepath.Join(s.Dir, fmt.Sprintf("shop--note-%d.md", i)),
			fmt.Sprintf("---\nkind: debt\ntitle: Note\n---\nThe %s%d waits.\n", word, i))
	}
	for i := range maxCompared + 1 {
		write(i, "zebra")
	}
	if n, err := Reindex(s, false, nil); err != nil || n != maxCompared+1 {
		t.Fatal(n, err)
	}
	for i := range 6 {
		write(i, "walrus")
		first, second := fmt.Sprintf("walrus%d", i), fmt.Sprintf("zebra%d", i)
		if i%2 == 0 {
			first, second = second, first
		}
		if got := append(found(t, s, first), found(t, s, second)...); len(got) != 1 {
			t.Errorf("%s and %s: %v", first, second, got)
		}
	}
}

func TestScope(t *testing.T) {
	s := open(t)
	d := save(t, s, "decision", "Tabs for Go", "The code is indented with tabs.")
	p := save(t, s, "preference", "Tabs everywhere", "Indented with tabs, please.")
	a := save(t, s, "subagent", "Looked for tabs", "All is indented with tabs.")
	elsewhere, err := s.Create(record.Record{Project: "site", Kind: "debt", Title: "Tabs in the site",
		Body: "Not indented with tabs.", Tags: []string{"css"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		set  func(*Query)
		want []string
	}{
		"the project and the user's own": {func(q *Query) {}, []string{d.ID, p.ID}},
		"the project alone":              {func(q *Query) { q.Own = false }, []string{d.ID}},
		"all": {func(q *Query) { q.Filter.Project = "" },
			[]string{d.ID, p.ID, elsewhere.ID}},
		"the user's": {func(q *Query) { q.Filter.Project, q.Own = naming.User, false },
			[]string{p.ID}},
		"hidden, asked for": {func(q *Query) { q.Filter.Kinds = []string{"subagent"} }, []string{a.ID}},
		"a kind switched off": {func(q *Query) { q.Shown = func(k string) bool { return k != "decision" } },
			[]string{p.ID}},
		"switched off, asked for": {func(q *Query) {
			q.Shown, q.Filter.Kinds = func(string) bool { return false }, []string{"decision"}
		}, []string{d.ID}},
		"a tag":    {func(q *Query) { q.Filter.Project, q.Filter.Tags = "", []string{"CSS"} }, []string{elsewhere.ID}},
		"two tags": {func(q *Query) { q.Filter.Project, q.Filter.Tags = "", []string{"css", "test"} }, nil},
		"lately":   {func(q *Query) { q.Filter.Since = time.Now().Add(-time.Hour) }, []string{d.ID, p.ID}},
		"later":    {func(q *Query) { q.Filter.Since = time.Now().Add(time.Hour) }, nil},
	} {
		got := found(t, s, "indented with tabs", tt.set)
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// Whatever damage the index has, a search answers right.
func TestIndexLost(t *testing.T) {
	s := open(t)
	r := save(t, s, "decision", "Use PASETO", "Because of the zebra.")
	save(t, s, "decision", "Use Go", "Because of the walrus.")
	folder := filepath.Join(s.Dir, search.Folder)
	base := filepath.Join(folder, "base")
	good, err := os.ReadFile(base)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for name, tt := range map[string]struct {
		damage  func()
		refused bool
	}{
		"whole":     {func() { fixture.Write(t, base, string(good)) }, false},
		"no folder": {func() { os.RemoveAll(folder) }, false},
		"no base":   {func() { os.Remove(base) }, false},
		"empty":     {func() { fixture.Write(t, base, "") }, false},
		"garbage":   {func() { fixture.Write(t, base, strings.Repeat("garbage ", 1000)) }, false},
		"another version": {func() {
			fixture.Write(t, base, strings.Replace(string(good), "memento search 4", "memento search 1", 1))
		}, false},
		"cut":               {func() { fixture.Write(t, base, string(good[:len(good)/2])) }, false},
		"the head alone":    {func() { fixture.Write(t, base, string(good[:200])) }, false},
		"a flipped posting": {func() { fixture.Write(t, base, string(good[:len(good)-3])+"\xff\xff\xff") }, false},
		"a link": {func() {
			os.Rename(base, filepath.Join(elsewhere, "base"))
			fixture.Link(t, filepath.Join(elsewhere, "base"), base)
		}, true},
		"a folder in place":  {func() { os.Remove(base); os.MkdirAll(base, 0o700) }, true},
		"a folder's a link":  {func() { os.RemoveAll(folder); fixture.Link(t, elsewhere, folder) }, true},
		"a file in its part": {func() { os.RemoveAll(folder); fixture.Write(t, folder, "no folder") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			os.RemoveAll(folder)
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			fixture.Write(t, base, string(good))
			tt.damage()
			before, _ := os.ReadDir(elsewhere)
			out, problems, err := searched(s, Query{Words: "zebra", Limit: 5})
			if err != nil || len(out) != 1 || out[0].ID != r.ID || out[0].Snippet != "Because of the zebra." {
				t.Fatalf("%v %v", out, err)
			}
			if refused := len(problems) > 0; refused != tt.refused || refused &&
				!errors.Is(problems[0].Err, safefile.ErrRefused) {
				t.Errorf("problems: %v", problems)
			}
			if after, _ := os.ReadDir(elsewhere); len(after) != len(before) {
				t.Error("the link was followed")
			}
			if !tt.refused {
				if x, err := search.Open(s.Dir); err != nil || x.Len() != 2 {
					t.Errorf("it was not healed: %v", err)
				} else {
					x.Close()
				}
			}
		})
	}
}

// When the index cannot be written, a search and a save still answer.
func TestUnwritable(t *testing.T) {
	s := open(t)
	r := save(t, s, "decision", "Use PASETO", "Because of the zebra.")
	fixture.Write(t, filepath.Join(s.Dir, "shop--new.md"), "---\nkind: debt\ntags: [a]\n---\nThe gazelle waits.\n")
	fixture.Write(t, r.Path, strings.Replace(string(r.Bytes()), "zebra", "walrus", 1))
	safefile.TestOnlyFault(func(op, path string) error {
		if strings.Contains(path, string(filepath.Separator)+search.Folder) && op != "stat" && op != "read" {
			return syscall.ENOSPC
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	for words, id := range map[string]string{"gazelle": "shop--new", "walrus": r.ID, "zebra": ""} {
		out, problems, err := searched(s, Query{Words: words, Limit: 5})
		if err != nil || len(problems) != 1 || !errors.Is(problems[0].Err, syscall.ENOSPC) {
			t.Errorf("%s: %v %v", words, problems, err)
		}
		if id == "" && len(out) == 0 || len(out) == 1 && out[0].ID == id {
			continue
		}
		t.Errorf("%s: %v", words, out)
	}
	if _, err := s.Create(record.Record{Project: "shop", Kind: "debt", Title: "Saved all the same",
		Tags: []string{"a"}}); err != nil {
		t.Errorf("an index that cannot be written failed a save: %v", err)
	}
}

// Each search names an unreadable file, and finds it once it is mended.
func TestBroken(t *testing.T) {
	s := open(t)
	save(t, s, "decision", "Use PASETO", "Because of the zebra.")
	path := filepath.Join(s.Dir, "shop--broken.md")
	fixture.Write(t, path, "---\nkind: &anchor debt\n---\nThe gazelle.\n")
	fixture.Write(t, filepath.Join(s.Dir, "site--broken.md"), "no front matter")
	fixture.Write(t, filepath.Join(s.Dir, "README--Not a Record.md"), "nobody's")
	for range 2 {
		out, problems, err := searched(s, Query{Words: "gazelle", Filter: record.Filter{Project: "shop"}, Limit: 5})
		if err != nil || len(out) != 0 || len(problems) != 1 || problems[0].Path != path {
			t.Fatalf("%v %v %v", out, problems, err)
		}
	}
	if _, problems, _ := searched(s, Query{Words: "gazelle", Limit: 5}); len(problems) != 2 {
		t.Errorf("in all projects: %v", problems)
	}
	before, err := os.Stat(filepath.Join(s.Dir, search.Folder, "base"))
	if err != nil {
		t.Fatal(err)
	}
	found(t, s, "zebra")
	if after, err := os.Stat(filepath.Join(s.Dir, search.Folder, "base")); err != nil || !os.SameFile(before, after) {
		t.Error("the index is written again at each search")
	}
	fixture.Write(t, path, "---\nkind: debt\n---\nThe gazelle.\n")
	if out, problems, _ := searched(s, Query{Words: "gazelle", Filter: record.Filter{Project: "shop"},
		Limit: 5}); len(out) != 1 || len(problems) != 0 {
		t.Errorf("mended: %v %v", out, problems)
	}
}

// A file without read permission is indexed once it has the permission, although its stamp stays.
func TestShut(t *testing.T) {
	s := open(t)
	path := filepath.Join(s.Dir, "shop--shut.md")
	fixture.Write(t, path, "---\nkind: debt\n---\nThe gazelle.\n")
	safefile.TestOnlyFault(func(op, at string) error {
		if at == path && op == "read" {
			return syscall.EACCES
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	if out, problems, err := searched(s, Query{Words: "gazelle", Limit: 5}); err != nil || len(out) != 0 ||
		len(problems) != 1 || !errors.Is(problems[0].Err, syscall.EACCES) {
		t.Fatalf("%v %v %v", out, problems, err)
	}
	safefile.TestOnlyFault(nil)
	if out, problems, err := searched(s, Query{Words: "gazelle", Limit: 5}); err != nil || len(out) != 1 ||
		len(problems) != 0 {
		t.Fatalf("opened: %v %v %v", out, problems, err)
	}
}

func TestConcerning(t *testing.T) {
	s := open(t)
	r := save(t, s, "decision", "Tokens are PASETO, not JWT",
		"We chose PASETO v4.local for the session tokens, because JWT lets the header name the algorithm.")
	save(t, s, "subagent", "Session tokens", "PASETO or JWT for session tokens: the algorithm in the header.")
	old := save(t, s, "decision", "Session tokens are JWT",
		"JWT for session tokens, the algorithm in the header, before PASETO.")
	for range 5 {
		save(t, s, "runbook", fmt.Sprint("Pool ", time.Now().UnixNano()), "Raise the connections of the pool.")
	}
	if _,
		err := s.Update(old.ID, "", "",
		func(r *record.Record) error { r.Stage = "superseded"; return nil }); err != nil {
		t.Fatal(err)
	}
	const asked = "Which algorithm do PASETO session tokens name in the header?"
	ask := func(words string, limit int) (ids []string) {
		for _, f := range Concerning(s, "shop", []string{words}, limit, nil,
			func(*record.Record) bool { return false }) {
			ids = append(ids, f.ID)
		}
		return ids
	}
	for words, want := range map[string][]string{
		asked:                                  {r.ID},
		"hi":                                   nil,
		"tokens":                               nil,
		"deploy the pool tomorrow":             nil,
		"What is the weather in Lisbon today?": nil,
	} {
		if got := ask(words, 3); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
	if got := Concerning(s, "site", []string{asked}, 3, nil,
		func(*record.Record) bool { return false }); len(got) != 0 {
		t.Errorf("in another project: %v", got)
	}
	if got := Concerning(s, "shop", []string{asked}, 3, func(string) bool { return false },
		func(*record.Record) bool { return false }); len(got) != 0 {
		t.Errorf("a kind that is switched off: %v", got)
	}
	if got := ask("raise the connections of the pool", 3); len(got) != 3 {
		t.Errorf("five answer, three are wanted: %v", got)
	}
	// Concerning trusts the index, but shows only the content of the files.
	fixture.Write(t, r.Path, strings.Replace(string(r.Bytes()), "status: active", "status: retired", 1))
	if got := ask(asked, 3); len(got) != 0 {
		t.Errorf("retired by hand: %v", got)
	}
	if err := os.Remove(r.Path); err != nil {
		t.Fatal(err)
	}
	if got := ask(asked, 3); len(got) != 0 {
		t.Errorf("gone: %v", got)
	}
}

func TestBegin(t *testing.T) {
	s := open(t)
	if b := Begin(s, "shop", nil); b.Preferences != nil || b.Notes != nil || b.Handoff != nil {
		t.Errorf("of nothing: %+v", b)
	}
	save(t, s, "preference", "Tabs, not spaces", "")
	save(t, s, "constraint", "Staging only until May", "")
	lifted := save(t, s, "constraint", "No deploys on Friday", "")
	if _, err := s.Update(lifted.ID, "", "",
		func(r *record.Record) error { r.Stage = "lifted"; return nil }); err != nil {
		t.Fatal(err)
	}
	save(t, s, "decision", "Use PASETO", "")
	for _, r := range []record.Record{
		{Title: "The overview", Tags: []string{"Project"}, Body: "## Context\nA shop for harbours.\n"},
		{Title: "Kept by request", Tags: []string{"remembered"}, Source: "user",
			Body: "## Context\nNo pull request on a Friday.\n"},
		{Title: "A snapshot", Tags: []string{"other"}},
		{Kind: "profile", Title: "Profile", Tags: []string{"user"},
			Body: "## About\nSells boats\n\n## Works\n- short answers\n"},
	} {
		if r.Project, r.Kind = "shop", cmp.Or(r.Kind, "memento"); r.Kind == "profile" {
			r.Project = naming.User
		}
		if _, err := s.Create(r); err != nil {
			t.Fatal(err)
		}
	}
	h := save(t, s, "handoff", "Go on with the checkout", "")
	b := Begin(s, "shop", nil)
	slices.SortFunc(b.Notes, func(a, b Entry) int { return strings.Compare(a.Title, b.Title) })
	if !slices.Equal(b.Preferences, []Entry{{Title: "Tabs, not spaces"}}) ||
		!slices.Equal(b.Notes, []Entry{{Title: "Kept by request", Text: "No pull request on a Friday.", Said: true},
			{Title: "Staging only until May"}, {Title: "The overview", Text: "A shop for harbours."}}) ||
		!slices.Equal(b.Profile, []Entry{{"", "Sells boats", false}, {"works", "short answers", false}}) ||
		b.Handoff == nil || b.Handoff.ID != h.ID {
		t.Errorf("%+v", b)
	}
	if _, err := s.Move(h.ID, schema.Completed, ""); err != nil {
		t.Fatal(err)
	}
	if b := Begin(s, "site", nil); len(b.Preferences) != 1 || b.Notes != nil || b.Handoff != nil {
		t.Errorf("another project: %+v", b)
	}
	if b := Begin(s, "shop", nil); b.Handoff != nil {
		t.Errorf("a handoff that was completed: %+v", b.Handoff)
	}
}

// A hook indexes as many records as it has time for, and the next hook goes on.
func TestHeal(t *testing.T) {
	s := open(t)
	if Heal(s) {
		t.Error("there is nothing to do")
	}
	if _, err := os.Stat(filepath.Join(s.Dir, search.Folder)); err == nil {
		t.Error("an index was made of nothing")
	}
	for i := range 2*healed + 10 {
		fixture.Write(t, filepath.Join(s.Dir, fmt.Sprintf("shop--r%d.md", i)),
			"---\nkind: debt\ntags: [a]\n---\nIt waits.\n")
	}
	fixture.Write(t, filepath.Join(s.Dir, "NOT--A Record.md"), "nothing")
	for i, want := range []int{healed, 2 * healed, 2*healed + 10, 2*healed + 10} {
		more := Heal(s)
		x, err := search.Open(s.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if x.Len() != want || more != (i < 2) {
			t.Errorf("after %d: %d records, want %d; more: %v", i+1, x.Len(), want, more)
		}
		x.Close()
	}
}

func TestPassage(t *testing.T) {
	long := strings.Repeat("long ", 40)
	for _, tt := range []struct {
		text string
		at   string
		want string
	}{
		{"one\ntwo\nthree", "two", "one\ntwo\nthree"},
		{long + "\ntwo\nthree\n" + long, "two", "two\nthree"},
		{"zero\none\n" + long + "\n", long, strings.TrimSpace(long)},
		{"one", "one", "one"},
		{"", "", ""},
	} {
		from := strings.Index(tt.text, tt.at)
		if got := passage(tt.text, from, from+len(tt.at), wide); got != tt.want {
			t.Errorf("%.20q in %.20q: %q, want %q", tt.at, tt.text, got, tt.want)
		}
	}
	if got := passage("abc", -5, 99, wide); got != "abc" {
		t.Errorf("out of bounds: %q", got)
	}
}

// A search finds a record that a person moved into the archive or out of it.
func TestMovedByHand(t *testing.T) {
	s := open(t)
	r := save(t, s, "decision", "Use pnpm", "for the lockfile")
	done := save(t, s, "decision", "Use yarn", "for the lockfile")
	if _, err := s.Move(done.ID, schema.Completed, ""); err != nil {
		t.Fatal(err)
	}
	find := func(status ...string) string {
		t.Helper()
		found, problems, err := searched(s, Query{Words: "lockfile",
			Filter: record.Filter{Project: r.Project, Status: status}, Limit: 9})
		if err != nil || problems != nil {
			t.Fatal(problems, err)
		}
		var out []string
		for _, f := range found {
			out = append(out, f.Slug+" "+f.Status)
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	for range 2 { // the second time the index is up to date
		if got := find(schema.Statuses()...); got != "use-pnpm active, use-yarn completed" {
			t.Errorf("before: %s", got)
		}
	}
	move := func(id, from, to string) {
		t.Helper()
		if err := os.Rename(s.Path(id, from), s.Path(id, to)); err != nil {
			t.Fatal(err)
		}
	}
	move(r.ID, schema.Active, schema.Completed)
	if got := find(); got != "" {
		t.Errorf("active is %s", got)
	}
	if got := find(schema.Completed); got != "use-pnpm completed, use-yarn completed" {
		t.Errorf("in the archive are %s", got)
	}
	move(r.ID, schema.Completed, schema.Active)
	move(done.ID, schema.Completed, schema.Active)
	list, _, err := s.List(record.Filter{Project: r.Project, Status: schema.Statuses()})
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if got, want := find(schema.Statuses()...), "use-pnpm active, use-yarn active"; got != want {
		t.Errorf("moved back: %s, want %s", got, want)
	}
	if got := find(); got != "use-pnpm active, use-yarn active" {
		t.Errorf("active is %s", got)
	}
}

// Find finds a record by its name, the beginning of its name, and every name and path of its file.
func TestFind(t *testing.T) {
	s := open(t)
	r := save(t, s, "decision", "Bulky", "so")
	r, err := s.Move(r.ID, schema.Completed, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bulky", "bul", r.ID, r.Path, ".completed/" + r.ID + ".md"} {
		if id, err := Find(s, r.Project, s.Dir, name); id != r.ID {
			t.Errorf("%s is %q, %v", name, id, err)
		}
	}
	for _, name := range []string{"bul", "none", "*", ""} {
		if id, err := FindWhole(s, r.Project, s.Dir, name); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("%q is %s, %v", name, id, err)
		}
	}
	save(t, s, "decision", "Bulk", "so")
	var several *AmbiguousError
	if _, err := Find(s, r.Project, s.Dir, "bul"); !errors.As(err, &several) || len(several.IDs) != 2 {
		t.Errorf("of two: %v", err)
	}
}
