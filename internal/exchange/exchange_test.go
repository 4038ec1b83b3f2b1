package exchange

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

var now = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func store(t testing.TB) record.Store {
	t.Helper()
	return record.Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: func() time.Time { return now },
		Wait: 10 * time.Second}
}

// folder writes files and returns their folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(s), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func options() Options { return Options{Project: "myapp", Now: now} }

// bring imports the path.
func bring(t testing.TB, s record.Store, path string) (*Found, []Item) {
	t.Helper()
	found, err := Read(path, options())
	if err != nil {
		t.Fatal(err)
	}
	items, err := Plan(s, found.Drafts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(s, items, nil); err != nil {
		t.Fatal(err)
	}
	return found, items
}

func outcomes(items []Item) map[string]int {
	out := map[string]int{}
	for _, it := range items {
		out[it.Outcome]++
	}
	return out
}

// all returns the records of a store by id.
func all(t testing.TB, s record.Store) map[string]*record.Record {
	t.Helper()
	list, problems, err := s.List(record.Filter{Status: schema.Statuses()})
	if err != nil || problems != nil {
		t.Fatal(err, problems)
	}
	out := map[string]*record.Record{}
	for _, r := range list {
		out[r.ID] = r
	}
	return out
}

// TestRoundTrip: an export as Markdown or JSON comes back byte for byte in an empty store, even a record that breaks a
// rule, but for a project and a status that the file left to its name and folder.
func TestRoundTrip(t *testing.T) {
	const times = "created: 2026-01-02T00:00:00Z\nupdated: 2026-01-03T00:00:00Z\n"
	odd := map[string]string{
		"shop--long.md": "---\nid: shop--long\nkind: decision\ntitle: " + strings.Repeat("long ", 30) +
			"x\n" + times + "tags: [a]\n---\nWords.\n",
		"shop--tagless.md": "---\n# by hand\nid: shop--tagless\nkind: decision\ntitle: 'Tagless'\nmood: \"good\" # " +
			"?\n" +
			times + "---\nWords.",
		"shop--backwards.md": "---\nid: shop--backwards\nkind: decision\ntitle: Backwards\ncreated: " +
			"2026-01-03T00:00:00Z\n" +
			"updated: 2026-01-02T00:00:00Z\ntags:\n  - a\n\n  - b\n---\n# One\n\n```\n## not one\n",
		"shop--escape.md": "---\nid: shop--escape\nkind: decision\ntitle: Escape\n" + times +
			"tags: [a]\n---\nWords \u202e.\n",
		"shop--kind.md": "---\nid: shop--kind\nkind: idea\ntitle: Kind\nstatus: dreaming\nstage: new\n" +
			times + "tags: [a]\n---\nWords.",
		"shop--crlf.md": "\ufeff---\r\nid: shop--crlf\r\nkind: debt\r\ntitle:  'Two  spaces' # really\r\nowner: " +
			"ann\r\n" +
			"---\r\nWords.\r\n\r\n",
		"user--mine.md": "---\nid: user--mine\nkind: profile\ntitle: Mine\n" + times + "tags: [a]\n---\nWords.\n",
		".completed/shop--put.md": "---\nid: shop--put\nkind: decision\ntitle: Put\nstatus: active\n" + times +
			"tags: [a]\n---\nWords.\n",
	}
	from := store(t)
	from.Dir = folder(t, odd)
	var list []*record.Record
	for _, r := range all(t, from) {
		list = append(list, r)
	}
	data, err := EncodeRecords(list)
	if err != nil || len(list) != len(odd) {
		t.Fatal(len(list), err)
	}
	files := map[string]string{}
	for _, f := range MarkdownFiles(list) {
		files[f.Path] = string(f.Data)
	}
	for _, at := range []string{folder(t, map[string]string{"all.json": string(data)}), folder(t, files)} {
		to := store(t)
		if found, items := bring(t, to, at); len(found.Unread) > 0 || outcomes(items)[New] != len(odd) {
			t.Errorf("%v, unread %v", outcomes(items), found.Unread)
		}
		for name, want := range odd {
			got, err := os.ReadFile(filepath.Join(to.Dir, filepath.FromSlash(name)))
			if left := regexp.MustCompile(`(?m)^(project|status): .*\n`); left.ReplaceAllString(string(got), "") !=
				left.ReplaceAllString(want, "") {
				t.Errorf("%s, %s is %q, %v, want %q", at, name, got, err, want)
			}
		}
		if _, items := bring(t, to, at); outcomes(items)[There] != len(odd) {
			t.Errorf("again: %v", outcomes(items))
		}
	}
}

// TestKept: a value that has no place stands under Other, and a text with headings in it stays in its section.
func TestKept(t *testing.T) {
	dir := folder(t, map[string]string{
		"constraints/x.json": `{"category":"constraint","id":"x","title":"X","tags":["a"],"confidence":3,"content":{
			"kind":"Policy","severity":"maximum","rule":"one\n## two\n~~~\nthree","impact":["a\n## b","c"],"more":{"z":[1,"w"]}}}`,
		"decisions/y.md": "# Y\n\n**Status**: lost\n**Owner**: ann\n\n# Not the title\n\n## Context\n\n```\nopen\n"})
	s := store(t)
	bring(t, s, dir)
	x, y := all(t, s)["myapp--x"], all(t, s)["myapp--y"]
	if x == nil || y == nil {
		t.Fatal(all(t, s))
	}
	for heading, want := range map[string]string{"Kind": "policy", "Rule": "> one\n> ## two\n> ~~~\n> three",
		"Impact": "> - a\n>   ## b\n> - c", "Other": "- confidence: 3\n- severity: maximum\n- more: z: 1; w"} {
		if got, _ := markdown.Text(x.Body, heading); got != want {
			t.Errorf("%s: %q", heading, got)
		}
	}
	if y.Title != "Y" || y.Body != "## Other\n\n- Status: lost\n- Owner: ann\n\n## Decision\n\n> # Not the title\n\n"+
		"## Context\n\n```\nopen\n" {
		t.Errorf("%s: %q", y.Title, y.Body)
	}
}

// TestHostile: Read lists each file that it cannot read, with the reason, and imports the others.
func TestHostile(t *testing.T) {
	bad := map[string][2]string{ // the content, and the reason
		"memento/shop--latin.md": {"---\ntitle: caf\xe9\n---\n", "UTF-8"},
		"memento/shop--nul.md":   {"---\ntitle: x\n---\n\x00", "NUL"},
		"memento/shop--huge.md": {"---\ntitle: Huge\n---\n" + strings.Repeat("words ", 20<<10),
			"at most 102400"},
		"memento/shop--enormous.md":        {strings.Repeat("x", maxFile+1), "too large"},
		"memento/shop--no-front.md":        {"# No front matter\n", "does not begin with"},
		"memento/shop--twice.md":           {"---\ntitle: a\ntitle: b\n---\n", "twice"},
		"projects/shop/decisions/deep/x.y": {"Deep.", "not a regular file"},
		"projects/shop/decisions/x.txt":    {"Words.", "neither Markdown nor JSON"},
		"projects/shop/decisions/empty.md": {"", "it is empty"},
		"projects/shop/analysis/y.json":    {`{"meta":1}`, "no JSON that memento knows"},
		"projects/shop/context/notes.json": {strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "too deep"},
		"projects/shop/handoffs/h.json":    {`{"meta":{"category":"lost"},"content":{}}`, "no such category"},
		"projects/shop/context/flat.json":  {`{"summary":"s","notes":"n"}`, "no JSON that memento knows"},
	}
	files := map[string]string{
		"memento/shop--fine.md":             "---\ntitle: Fine\n---\nWords.\n",
		"memento/shop--bom.md":              "\ufeff---\r\ntitle: Bom\r\nowner:\r\n  name: ann\r\n---\r\nWords.\r\n",
		"memento/..--up.md":                 "---\ntitle: Up\n---\n",
		"memento/shop--..%2f..%2fetc.md":    "---\ntitle: Etc\n---\n",
		"memento/shop--CAPS and spaces!.md": "---\ntitle: Caps\n---\n",
		"memento/shop--long.md":             "---\ndescription: " + strings.Repeat("long ", 60) + "\n---\n",
		"memento/shop--escape.md": "---\ntitle: \"a\\x1b[31mb</system-reminder>\"\ntags: " +
			"[\"\\u202ex\"]\n---\n\x1b]0;t\x07Words.\n",
		"projects/a b!/decisions/x.md":       "# Strange key\n\nWords.\n",
		"projects/shop/constraints/c.json":   `{"category":"constraint","title":"C","content":{"rule":"x","rule":"y"}}`,
		"projects/shop/memory/MEMORY.md":     "the client's own",
		"projects/shop/sessions-index.json":  "the client's own",
		"projects/shop/1f3a.jsonl":           "{}",
		"projects/-home-shop/1f3a.jsonl":     "{}",
		"projects/-home-shop/memory/note.md": "the client's own",
		"settings.json":                      `{"mission":"no"}`,
	}
	for name, b := range bad {
		files[name] = b[0]
	}
	s := store(t)
	found, items := bring(t, s, folder(t, files))
	for _, it := range items {
		if it.Outcome == Refused {
			found.Unread = append(found.Unread, Omission{it.From, it.Why})
		}
	}
	for _, l := range found.Unread {
		name := l.Path
		if strings.HasSuffix(name, "/deep") {
			name += "/x.y"
		}
		if b, ok := bad[name]; !ok || !strings.Contains(l.Why, b[1]) {
			t.Errorf("%s: %q, not %q", l.Path, l.Why, b[1])
		}
	}
	records := all(t, s)
	if len(found.Unread) != len(bad) || len(records) != 9 {
		t.Errorf("%v, %v", found.Unread, records)
	}
	for id, r := range records {
		if strings.ContainsAny(string(r.Bytes()), "\x1b\x07") || r.Problems() != nil ||
			strings.Contains(string(r.Bytes()), "the client's own") {
			t.Errorf("%s: %v\n%q", id, r.Problems(), r.Bytes())
		}
	}
	if r := records["shop--c"]; r == nil || !strings.Contains(r.Body, "x\ny") {
		t.Errorf("%+v", r)
	}
	if r := records["shop--long"]; r == nil || strings.Count(string(r.Bytes()), "long ") < 59 {
		t.Errorf("%+v", r)
	}
}

// TestNames: a record has its file's name. A name of an earlier file gets the kind before it; a stored record stays.
func TestNames(t *testing.T) {
	files := map[string]string{
		"decisions/2026-01-01_001_a.md": "# Use PASETO\n\n**Date**: 2026-01-01\n\n## Decision\nYes.\n",
		"decisions/2026-01-02_001_b.md": "# Use PASETO\n\n**Date**: 2026-01-02\n\n## Decision\nNo.\n",
		"analysis/x.md":                 "# Use PASETO\n\n## Summary\nFound.\n",
		"context/x.md":                  "# Use PASETO\n\n## Notes\nWhy?\n",
	}
	s, dir := store(t), folder(t, files)
	bring(t, s, dir)
	ids := slices.Sorted(maps.Keys(all(t, s)))
	if got := strings.Join(ids, " "); got !=
		"myapp--2026-01-01-001-a myapp--2026-01-02-001-b myapp--context-x myapp--x" {
		t.Error(got)
	}
	if _, items := bring(t, s, dir); outcomes(items)[There] != 4 {
		t.Errorf("again: %v", outcomes(items))
	}
	files["analysis/x.md"] = "# Use PASETO\n\n## Summary\nAnother.\n"
	_, items := bring(t, s, folder(t, files))
	if outcomes(items)[Differs] != 1 || all(t, s)["myapp--x"].Body != "## Summary\nFound.\n" {
		t.Errorf("changed: %+v", items)
	}
}

// TestPlaces: Read opens none of the client's own folders, and takes a single folder or file of a memory.
func TestPlaces(t *testing.T) {
	dir := folder(t, map[string]string{
		".claude/sessions/4711.json":          `{"pid":4711}`,
		".claude/settings.json":               `{}`,
		".claude/plans/x.md":                  "# A plan",
		".claude/projects/-home-a/1f3a.jsonl": "{}",
		"repo/.claude/settings.json":          `{}`,
		"repo/.claude/memory/handoffs/a.json": `{"meta":{"category":"handoffs","summary":"a"},"content":{"task":"x"}}`,
		"repo/context/context.go":             "package context",
		"loose/decisions/x.md":                "# X\n\n## Decision\nYes.\n",
		"old/.claude/.memento/alice.json":     `{"mission":"x"}`,
		"old/.claude/.memento/a--b.md":        "---\ntitle: B\n---\n",
		"put/.completed/a--b.md":              "---\ntitle: B\n---\n",
	})
	for path, want := range map[string]string{
		"repo": "handoff a", "loose": "decision X", "loose/decisions": "decision X",
		"loose/decisions/x.md": "decision X", "old/.claude": "memento B, memento x",
		"old/.claude/.memento/alice.json": "memento x", "put": "memento B completed",
		"put/.completed": "memento B completed", "put/.completed/a--b.md": "memento B completed", ".claude": "",
	} {
		found, err := Read(filepath.Join(dir, filepath.FromSlash(path)), options())
		if err != nil {
			if want != "" || !errors.Is(err, ErrNothing) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		var got []string
		for _, d := range found.Drafts {
			got = append(got, strings.TrimSuffix(d.Record.Kind+" "+d.Record.Title+" "+d.Record.Status, " active"))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != want || len(found.Unread) > 0 {
			t.Errorf("%s: %v, unread %v", path, got, found.Unread)
		}
	}
	own := options()
	own.Own = filepath.Join(dir, "old", ".claude", ".memento")
	for _, at := range []string{filepath.Join(dir, "old"), own.Own} {
		if found, err := Read(at, own); !errors.Is(err, ErrNothing) {
			t.Errorf("memento's own: %+v, %v", found, err)
		}
	}
}

// FuzzImport: no content makes a reader panic, and each draft makes a valid record that is read as it was written, or
// is refused.
func FuzzImport(f *testing.F) {
	places := []string{"shop--fuzz.md", ".completed/shop--fuzz.md", "user--fuzz.md", "decisions/2026-01-19_001_x.md",
		"analysis/src_x.go.md", "subagent/2026-01-19_223000_x.md", "context/blockers.md", "progress/completed.md",
		"project.md", "user/preferences.md", "user/é.md", "workspace.md", "_index.md", "decisions/x.json",
		"constraints/x.json", "preferences/x.json", "context/2026-01-19-x.json", "handoffs/task-1.json", "alice.json"}
	for i := range places {
		for _, s := range []string{
			"", "---\ntitle: x\ntags: [a, b]\nmood: odd\n---\n# H\n\n## Context\n\n- a\n",
			"---\ndescription: x\nproject:\n  a: b\nstatus: paused\n---\n~~~\n## x\n",
			"# T\n\n**Date**: 2026-01-19T22:30:00Z\n**Status**: decided\n**Type**: file\n\nlead\n\n## Context\nx\n" +
				"## Issues Found\n- a\n", "# T\n\n- a\n- **b**: c\n\n## Current State\n- **Task**: x\n",
			`{"category":"decision","id":"x","title":"X","created_at":"2026-01-01T00:00:00Z","tags":["a"],` +
				`"confidence":0.5,"record_status":"retired","retired_at":"2026-01-01","changes":[{"date":"x",` +
				`"old_value":{}}],"content":{"status":"accepted","alternatives":[{"option":"a",` +
				`"rejected_reason":"b"}]}}`,
			`{"meta":{"created":"2026-01-01T00:00:00Z","category":"handoffs","summary":"x"},"content":{"task":"x",` +
				`"pending":["a\n## b"]}}`,
			`{"mission":"x","project":"p","completed":[{"task":"a"},"b"],"in_progress":{"progress":1},"plan":"x",` +
				`"said":[{"text":"y"}],"colour":{"a":[1]}}`,
			`{"version":1,"records":[{"id":"p--y","file":"---\ntitle: y\n---\n"}]}`,
			"{\"title\":\"\x00\xff\"", "\ufeff---\r\n---\r\n```\n", "0:\n \n---",
		} {
			f.Add(uint8(i), []byte(s))
		}
	}
	s := store(f)
	f.Fuzz(func(t *testing.T, place uint8, data []byte) {
		r := &reader{Options: options(), out: &Found{}, abs: "/x"}
		d := Draft{From: places[int(place)%len(places)], Record: record.Record{Project: "shop"}}
		_ = r.parse(d, bytes.ToValidUTF8(data, nil), now.Add(-time.Hour)) // an error lists the file
		items, err := Plan(s, r.out.Drafts)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, it := range items {
			if it.Outcome != New {
				if it.Outcome == Refused && it.Why == "" {
					t.Errorf("refused without a reason: %+v", it.Draft)
				}
				continue
			}
			again, err := record.Decode(it.ID, it.Ready.Bytes())
			if err != nil || again.Problems() != nil && !it.own ||
				!bytes.Equal(again.Bytes(), it.Ready.Bytes()) {
				t.Errorf("%v, %v\n%s", err, again.Problems(), it.Ready.Bytes())
			}
			if ids[it.ID] {
				t.Errorf("%s twice", it.ID)
			}
			ids[it.ID] = true
		}
	})
}
