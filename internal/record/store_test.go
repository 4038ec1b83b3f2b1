package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

type clock struct{ time.Time }

func (c *clock) add(d time.Duration) { c.Time = c.Time.Add(d) }

func store(t *testing.T) (Store, *clock) {
	t.Helper()
	c := &clock{time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)}
	return Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: func() time.Time { return c.Time },
		Wait: 10 * time.Second}, c
}

func decision(title string) Record {
	return Record{Kind: "decision", Project: "myapp", Title: title, Tags: []string{"auth"},
		Body: "## Context\n\nWords.\n"}
}

func must(t *testing.T) func(*Record, error) *Record {
	return func(r *Record, err error) *Record {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func create(t *testing.T, s Store, r Record) *Record {
	t.Helper()
	out, err := s.Create(r)
	return must(t)(out, err)
}

func TestCreate(t *testing.T) {
	s, _ := store(t)
	in := decision("Fix auth: use PASETO")
	in.Files = []string{"src/auth.ts"}
	r := create(t, s, in)
	want := `---
id: myapp--fix-auth-use-paseto
kind: decision
title: "Fix auth: use PASETO"
project: myapp
status: active
created: 2026-03-14T09:26:53Z
updated: 2026-03-14T09:26:53Z
tags: [auth]
files: [src/auth.ts]
changes:
  - {date: 2026-03-14T09:26:53Z, summary: created}
---
## Context

Words.
`
	path := filepath.Join(s.Dir, "myapp--fix-auth-use-paseto.md")
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want || r.Path != path {
		t.Errorf("%s holds %q, %v, want %q", r.Path, got, err, want)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	in.Body = "other"
	in.Title = "fix auth, use paseto!"
	var exists *ExistsError
	if _, err := s.Create(in); !errors.As(err, &exists) || exists.ID != r.ID || exists.Status != schema.Active {
		t.Errorf("the second one: %v", err)
	}
	if again, _ := os.ReadFile(path); string(again) != want {
		t.Errorf("the first one became %q", again)
	}
	for _, tt := range []struct {
		change func(*Record)
		why    string
	}{
		{func(r *Record) { r.Tags = nil }, "at least one"},
		{func(r *Record) { r.Title = strings.Repeat("a", 121) }, "at most 120"},
		{func(r *Record) { r.Title = "\n" }, "empty"},
		{func(r *Record) { r.Kind = "note" }, "is none"},
		{func(r *Record) { r.Stage = "open" }, "is no stage of a decision"},
		{func(r *Record) { r.Confidence = "2" }, "0 to 1"},
		{func(r *Record) { r.Confidence = "NaN" }, "0 to 1"},
		{func(r *Record) { r.Kind = "profile"; r.Stage = "" }, "the user's"},
		{func(r *Record) { r.Body = strings.Repeat("word ", 21<<10) }, "at most 102400"},
		{func(r *Record) { r.Project = "../x" }, "another folder"},
		{func(r *Record) { r.Project = "a--b" }, `try "a-b"`},
	} {
		bad := decision("Another one")
		tt.change(&bad)
		if _, err := s.Create(bad); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%v, want %q", err, tt.why)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.Dir, "*.md")); len(left) != 1 {
		t.Errorf("there are %v", left)
	}
}

// Two titles whose names are cut to the same slug are two records.
func TestCreateSameName(t *testing.T) {
	s, _ := store(t)
	long := strings.Repeat("word ", 15)
	a, b := create(t, s, decision(long+"one")), create(t, s, decision(long+"two"))
	if a.ID == b.ID || !strings.HasSuffix(b.ID, "-2") {
		t.Errorf("%s and %s", a.ID, b.ID)
	}
	if _, err := s.Create(decision(long + "two")); !errors.As(err, new(*ExistsError)) {
		t.Errorf("the second again: %v", err)
	}
}

func TestStoredClean(t *testing.T) {
	s, _ := store(t)
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	r := decision("Use " + secret)
	r.Source, r.Tags = "user:\x1b[31m said\nthis", []string{"a\nb", "a b", ""}
	r.Body = "\x1b[31mred \\1 $& <private>mine</private> token " + secret + "\n\tx\r\n"
	out := create(t, s, r)
	for _, no := range []string{secret, "\x1b", "mine"} {
		if bytes.Contains(out.Bytes(), []byte(no)) {
			t.Errorf("%q is stored in %s", no, out.Bytes())
		}
	}
	if !strings.Contains(out.Body, `red \1 $& `) || !strings.HasSuffix(out.Body, "\n\tx\r\n") ||
		!slices.Equal(out.Tags, []string{"a b"}) || out.Secrets == nil {
		t.Errorf("%q, %q, %q", out.Body, out.Tags, out.Secrets)
	}
	path := filepath.Join(s.Dir, "myapp--by-hand.md")
	fixture.Write(t, path, "---\nkind: decision # "+secret+"\ntags: [a]\n# "+secret+"\nown: "+secret+"\nlist:\n  - "+
		secret+"\n---\nx\n")
	out = must(t)(s.Update("myapp--by-hand", "", "", func(r *Record) error { r.Body = "y\n"; return nil }))
	if bytes.Contains(out.Bytes(), []byte(secret)) || out.Kind != "decision" || len(out.Secrets) < 4 {
		t.Errorf("%s, %q", out.Bytes(), out.Secrets)
	}
}

// In a file that a person wrote, unknown parts stay, and memento does not add missing fields.
func TestByHand(t *testing.T) {
	s, c := store(t)
	path := filepath.Join(s.Dir, "myapp--by-hand.md")
	const file = "---\r\n# mine\r\nowner: Alice\r\ntags: [a]\r\n---\r\n# By hand, really\r\n\r\n## Notes\r\nx\r\n"
	fixture.Write(t, path, file)
	r := must(t)(s.Read("myapp--by-hand"))
	if r.Title != "By hand, really" || r.Kind != "memento" || r.Status != schema.Active || string(r.Bytes()) != file {
		t.Errorf("%+v", r)
	}
	if got := r.Problems(); len(got) != 2 { // created, updated
		t.Errorf("%q", got)
	}
	c.add(time.Hour)
	must(t)(s.Update(r.ID, r.Hash(), "more", func(r *Record) error { r.Tags = append(r.Tags, "b"); return nil }))
	want := "---\r\n# mine\r\nowner: Alice\r\nupdated: 2026-03-14T10:26:53Z\r\ntags: [a, b]\r\nchanges:\r\n  - " +
		"{date: 2026-03-14T10:26:53Z, summary: more}\r\n---\r\n# By hand, really\r\n\r\n## Notes\r\nx\r\n"
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	fixture.Write(t, path, "---\nkind: &x b\n---\n")
	for name, do := range map[string]func() error{
		"read": func() error { _, err := s.Read(r.ID); return err },
		"update": func() error {
			_, err := s.Update(r.ID, "", "", func(r *Record) error { r.Body = "y"; return nil })
			return err
		},
		"complete": func() error { _, err := s.Move(r.ID, schema.Completed, ""); return err },
	} {
		if err := do(); !errors.As(err, new(*markdown.FrontError)) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "---\nkind: &x b\n---\n" {
		t.Errorf("it became %q", got)
	}
	if list, problems, err := s.List(Filter{}); err != nil || len(list) != 0 || len(problems) != 1 {
		t.Errorf("%v, %v, %v", list, problems, err)
	}
	if err := s.Remove(r.ID); err != nil {
		t.Errorf("removing it: %v", err)
	}
}

func TestUpdate(t *testing.T) {
	s, _ := store(t)
	in := decision("Fix auth")
	in.Files = []string{"a.go", "b.go"}
	r := create(t, s, in)
	next := must(t)(s.Update(r.ID, r.Hash(), "", func(r *Record) error { r.Stage = "accepted"; return nil }))
	if next.Stage != "accepted" || !next.Updated.After(r.Updated) || len(next.Changes) != 2 ||
		next.Changes[1].Summary != "changed stage" {
		t.Errorf("%+v", next)
	}
	_, err := s.Update(r.ID, r.Hash(), "", func(r *Record) error { r.Body = "mine"; return nil })
	var conflict *ConflictError
	if !errors.As(err, &conflict) || conflict.Hash != next.Hash() {
		t.Errorf("%v", err)
	}
	if again := must(t)(s.Update(r.ID, "", "", func(*Record) error { return nil })); again.Hash() != next.Hash() {
		t.Error("nothing changed, and it was written")
	}
	for name, edit := range map[string]func(*Record){
		"kind": func(r *Record) { r.Kind = "debt" }, "created": func(r *Record) { r.Created = r.Created.Add(1e9) },
		"status": func(r *Record) { r.Status = schema.Retired },
		"files":  func(r *Record) { r.Files = r.Files[1:] }, "changes": func(r *Record) { r.Changes = r.Changes[1:] },
		"tags": func(r *Record) { r.Tags = nil },
	} {
		if _, err := s.Update(r.ID, "", "", func(r *Record) error { edit(r); return nil }); !errors.Is(err,
			ErrInvalid) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range 60 {
		next = must(t)(s.Update(r.ID, "", fmt.Sprintf("step %d", i),
			func(r *Record) error { r.Body += "x"; return nil }))
	}
	if n := len(next.Changes); n != schema.MaxChanges || next.Changes[n-1].Summary != "step 59" ||
		next.Changes[0].Summary != "step 10" {
		t.Errorf("%d changes, %v", n, next.Changes[0])
	}
}

func TestLifecycle(t *testing.T) {
	s, c := store(t)
	r := create(t, s, decision("Fix auth"))
	at := func(r *Record, err error, status string, archived bool) {
		t.Helper()
		must(t)(r, err)
		if found := must(t)(s.Read(r.ID)); found.Status != status || r.Status != status ||
			found.Path != s.Path(r.ID, map[bool]string{true: schema.Completed, false: schema.Active}[archived]) {
			t.Errorf("%s at %s, want %s", found.Status, found.Path, status)
		}
		if found, _ := filepath.Glob(filepath.Join(s.Dir, "*.md")); len(found) == 1 == archived {
			t.Errorf("the folder holds %v", found)
		}
		if last := r.Changes[len(r.Changes)-1]; last.Field != "status" || last.New != status {
			t.Errorf("its history says %+v", last)
		}
		if r.Body != "## Context\n\nWords.\n" {
			t.Errorf("its body is %q", r.Body)
		}
		c.add(time.Minute)
	}
	for _, to := range []string{schema.Completed, schema.Active, schema.Retired, schema.Active, schema.Archived,
		schema.Active, schema.Completed, schema.Retired, schema.Archived} {
		out, err := s.Move(r.ID, to, "it is over")
		at(out, err, to, to == schema.Completed || to == schema.Archived)
	}
	for name, err := range map[string]error{
		"no reason":  second(s.Move(r.ID, schema.Retired, " ")),
		"no reason ": second(s.Move(r.ID, schema.Archived, "")),
	} {
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "a reason is needed") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := second(s.Move(r.ID, schema.Completed, "")); !errors.As(err, new(*StatusError)) {
		t.Errorf("completing what is archived: %v", err)
	}
	if err := second(s.Move(r.ID, "forgotten", "")); !errors.Is(err, ErrInvalid) {
		t.Errorf("a move that is none: %v", err)
	}
	if err := second(s.Move("myapp--none", schema.Completed, "")); !errors.Is(err, ErrNotFound) {
		t.Errorf("none: %v", err)
	}
	var exists *ExistsError
	if err := second(s.Create(decision("Fix auth"))); !errors.As(err, &exists) || exists.Status != schema.Archived {
		t.Errorf("one of the archive's title: %v", err)
	}
}

func second(_ *Record, err error) error { return err }

func TestRemove(t *testing.T) {
	s, c := store(t)
	r := create(t, s, decision("Fix auth"))
	if err := s.Remove(r.ID); err != nil {
		t.Fatal(err)
	}
	if err := second(s.Read(r.ID)); !errors.Is(err, ErrNotFound) {
		t.Errorf("it is read: %v", err)
	}
	if err := s.Remove(r.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	c.add(24*time.Hour - time.Second)
	if !s.HasRemoved("myapp", r.Slug) || s.HasRemoved("other", r.Slug) || s.HasRemoved("myapp", "another") {
		t.Error("its name is not known, or others are")
	}
	if err := second(s.Create(decision("fix AUTH"))); !errors.Is(err, ErrRemoved) ||
		!strings.Contains(err.Error(), "24 hours") {
		t.Errorf("made again: %v", err)
	}
	create(t, s, decision("Fix auth twice"))
	data, _ := os.ReadFile(filepath.Join(s.Dir, "removed.json"))
	if bytes.Contains(data, []byte("fix")) || len(data) < 30 {
		t.Errorf("the list of what was removed says %s", data)
	}
	fixture.Write(t, s.removedPath(), "{")
	if s.HasRemoved("myapp", r.Slug) {
		t.Error("a damaged list is read")
	}
	fixture.Write(t, s.removedPath(), string(data))
	c.add(time.Second)
	create(t, s, decision("Fix auth"))
}

func TestList(t *testing.T) {
	s, c := store(t)
	start := c.Time
	for _, title := range []string{"Fix auth", "Write docs", "Auth again"} {
		create(t, s, decision(title))
		c.add(time.Hour)
	}
	other := decision("Fix auth")
	other.Project, other.Kind, other.Tags = "other", "debt", []string{"Docs", "auth"}
	create(t, s, other)
	must(t)(s.Move("myapp--write-docs", schema.Completed, ""))
	fixture.Write(t, filepath.Join(s.Dir, "README.md"), "no record")
	all := schema.Statuses()
	for _, tt := range []struct {
		f    Filter
		want string
	}{
		{Filter{}, "other--fix-auth myapp--auth-again myapp--fix-auth"},
		{Filter{Status: all, Project: "myapp"}, "myapp--write-docs myapp--auth-again myapp--fix-auth"},
		{Filter{Status: []string{schema.Completed}}, "myapp--write-docs"},
		{Filter{Kinds: []string{"debt"}}, "other--fix-auth"},
		{Filter{Tags: []string{"docs", "AUTH"}}, "other--fix-auth"},
		{Filter{Since: start.Add(2 * time.Hour)}, "other--fix-auth myapp--auth-again"},
		{Filter{Match: "auth*"}, "myapp--auth-again"}, {Filter{Match: "myapp--*auth"}, "myapp--fix-auth"},
		{Filter{Project: "my"}, ""},
	} {
		list, problems, err := s.List(tt.f)
		var got []string
		for _, r := range list {
			got = append(got, r.ID)
		}
		if err != nil || problems != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: %q, %v, %v, want %q", tt.f, got, problems, err, tt.want)
		}
	}
	if _, _, err := s.List(Filter{Match: "[a"}); err == nil {
		t.Error("a pattern that is none")
	}
	empty, _ := store(t)
	if list, _, err := empty.List(Filter{}); err != nil || list != nil {
		t.Errorf("no folder: %v, %v", list, err)
	}
}

// Whichever step fails or is the last before the process dies, the record has one file, and is old or new.
func TestMoveInterrupted(t *testing.T) {
	fixture.Long(t, "lets each file operation fail")
	defer safefile.TestOnlyFault(nil)
	stop := errors.New("stopped")
	for _, to := range []string{schema.Completed, schema.Active} {
		for fail := 0; ; fail++ {
			s, c := store(t)
			r := create(t, s, decision("Fix auth"))
			from := schema.Active
			if to == schema.Active {
				r = must(t)(s.Move(r.ID, schema.Completed, ""))
				from = schema.Completed
			}
			step, hit := 0, false
			safefile.TestOnlyFault(func(string, string) error { // nothing works after it, as after a kill
				if step++; step > fail {
					hit = true
					return stop
				}
				return nil
			})
			moved, err := s.Move(r.ID, to, "")
			safefile.TestOnlyFault(nil)
			if !hit {
				must(t)(moved, err)
				break
			}
			if !errors.Is(err, stop) {
				t.Errorf("%s, step %d: %v", to, fail, err)
			}
			if a, b := fixture.Exists(s.Path(r.ID, schema.Active)), fixture.Exists(s.Path(r.ID,
				schema.Completed)); a == b {
				t.Fatalf("%s, step %d: it has not one file", to, fail)
			}
			got := must(t)(s.Read(r.ID))
			if got.Status != from && got.Status != to || got.Body != r.Body {
				t.Errorf("%s, step %d: %s", to, fail, got.Status)
			}
			c.add(time.Hour)
			must(t)(s.Update(r.ID, got.Hash(), "", func(r *Record) error { r.Tags = append(r.Tags, "b"); return nil }))
			if now := must(t)(s.Read(r.ID)); now.Status != got.Status || !slices.Contains(now.Tags, "b") {
				t.Errorf("%s, step %d: %s, %q after the next change", to, fail, now.Status, now.Tags)
			}
		}
	}
}

// TestTwice: of two files of one record, which a person made, the folder's counts, and no move overwrites the other.
func TestTwice(t *testing.T) {
	s, c := store(t)
	r := create(t, s, decision("Fix auth"))
	c.add(time.Hour)
	must(t)(s.Move(r.ID, schema.Completed, ""))
	fixture.Write(t, r.Path, string(r.Bytes()))
	before := tree(t, s)
	if got := must(t)(s.Read(r.ID)); got.Status != schema.Active {
		t.Errorf("it is %s", got.Status)
	}
	if list, _, err := s.List(Filter{Status: schema.Statuses()}); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := s.Move(r.ID, schema.Completed, ""); !errors.Is(err, fs.ErrExist) {
		t.Errorf("moved: %v", err)
	}
	if got := tree(t, s); !maps.Equal(got, before) {
		t.Errorf("there is %q", got)
	}
}

func TestCollect(t *testing.T) {
	s, c := store(t)
	start := c.Time
	kinds := map[string]Record{}
	for _, k := range []string{"context", "subagent", "decision"} {
		r := full(must2(schema.Named(k)))
		r.Title = k
		kinds[k] = *create(t, s, r)
	}
	old := create(t, s, decision("Old"))
	must(t)(s.Move(old.ID, schema.Retired, "it is over"))
	kept := create(t, s, decision("Kept"))
	must(t)(s.Move(kept.ID, schema.Archived, "for good"))
	status := func() string {
		var out []string
		list, _, err := s.List(Filter{Status: schema.Statuses()})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			out = append(out, r.Slug+" "+r.Status)
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	for _, tt := range []struct {
		after time.Duration
		gc    GC
		want  string
	}{
		{7*day - time.Second, GC{}, "context active, decision active, kept archived, old retired, subagent active"},
		{7 * day, GC{Dry: true}, "context active, decision active, kept archived, old retired, subagent active"},
		{7 * day, GC{}, "context retired, decision active, kept archived, old retired, subagent active"},
		{14 * day, GC{}, "context retired, decision active, kept archived, old retired, subagent retired"},
		{30*day - time.Second, GC{}, "context retired, decision active, kept archived, old retired, subagent retired"},
		{30 * day, GC{}, "context retired, decision active, kept archived, old archived, subagent retired"},
		{37 * day, GC{}, "context archived, decision active, kept archived, old archived, subagent retired"},
		{400 * day, GC{Purge: true}, "context archived, decision active, kept archived, old archived"},
		{400 * day, GC{Keep: map[string]time.Duration{"decision": day}},
			"context archived, decision retired, kept archived, old archived"},
	} {
		c.Time = start.Add(tt.after)
		out, err := s.Collect(tt.gc)
		if err != nil || out.Problems != nil || tt.gc.Dry && len(out.Retired) != 1 {
			t.Errorf("after %v: %+v, %v", tt.after, out, err)
		}
		if got := status(); got != tt.want {
			t.Errorf("after %v: %s, want %s", tt.after, got, tt.want)
		}
	}
}

// A wrong clock that was set right does not refuse a title for longer.
func TestRemoveWrongClock(t *testing.T) {
	s, c := store(t)
	r := create(t, s, decision("Fix auth"))
	c.add(1000 * day)
	if err := s.Remove(r.ID); err != nil {
		t.Fatal(err)
	}
	c.add(-1000 * day)
	create(t, s, decision("Fix auth"))
}

// A record of a project that was renamed meanwhile gets the new name.
func TestCreateRenamed(t *testing.T) {
	s, _ := store(t)
	fixture.Write(t, filepath.Join(s.Dir, "workspace.json"),
		`{"projects":[{"slug":"store","id":"git:x/y","roots":["/x"],"called":["myapp"]}]}`)
	if r := create(t, s, decision("Fix auth")); r.ID != "store--fix-auth" || r.Project != "store" ||
		!strings.Contains(string(r.Bytes()), "project: store\n") {
		t.Errorf("%s, %s", r.ID, r.Bytes())
	}
	r := decision("Mine")
	r.Project = naming.User
	if r := create(t, s, r); r.ID != "user--mine" {
		t.Error(r.ID)
	}
}

// Spaces in the name of a file stay.
func TestSpaces(t *testing.T) {
	s, c := store(t)
	r := decision("Two")
	r.Files = []string{"my  file.txt"}
	if made := create(t, s, r); !slices.Equal(made.Files, r.Files) {
		t.Errorf("%q", made.Files)
	}
	path := filepath.Join(s.Dir, "myapp--by-hand.md")
	fixture.Write(t, path,
		"---\ntitle: \"Two  spaces\"\ncreated: 2025-01-01T00:00:00Z\nupdated: 2025-01-02T00:00:00Z\ntags: [\"a  "+
			"b\"]\nfiles:\n  - my  file.txt\n---\nx\n")
	c.add(time.Hour)
	out := must(t)(s.Update("myapp--by-hand", "", "more",
		func(r *Record) error { r.Tags = append(r.Tags, "c"); return nil }))
	out = must(t)(s.Move(out.ID, schema.Completed, ""))
	for _, want := range []string{"title: \"Two  spaces\"\n", "tags: [a  b, c]\n", "  - my  file.txt\n"} {
		if !strings.Contains(string(out.Bytes()), want) {
			t.Errorf("%q is not in\n%s", want, out.Bytes())
		}
	}
}

// A record that a person retired in an editor stays: nothing says since when it is retired.
func TestCollectByHand(t *testing.T) {
	s, c := store(t)
	path := filepath.Join(s.Dir, "myapp--by-hand.md")
	fixture.Write(t, path,
		"---\nkind: decision\nstatus: retired\ncreated: 2025-01-01T00:00:00Z\nupdated: 2025-01-02T00:00:00Z\ntags: "+
			"[a]\n---\nx\n")
	c.add(400 * day)
	if out, err := s.Collect(GC{Purge: true}); err != nil || out.Purged != nil || !fixture.Exists(path) {
		t.Errorf("%+v, %v", out, err)
	}
}

func must2(k schema.Kind, ok bool) schema.Kind {
	if !ok {
		panic("no such kind")
	}
	return k
}

// Of a kind with a limit the newest stay active: those that became active last.
func TestWindow(t *testing.T) {
	s, c := store(t)
	var ids []string
	save := func(kind, project string) {
		r := full(must2(schema.Named(kind)))
		r.Project, r.Title = project, fmt.Sprintf("%s number %d", kind, len(ids))
		ids = append(ids, create(t, s, r).ID)
		c.add(time.Millisecond)
	}
	for range 7 {
		save("session", "myapp")
	}
	for range 3 {
		save("debt", "myapp")
	}
	save("debt", "other")
	retired := func(g GC, want ...string) {
		t.Helper()
		if out, err := s.Collect(g); err != nil || !slices.Equal(out.Retired, want) {
			t.Errorf("%+v, %v, want %v", out, err, want)
		}
	}
	retired(GC{Dry: true}, ids[0], ids[1])
	retired(GC{}, ids[0], ids[1])
	retired(GC{Max: map[string]int{"debt": 2}}, ids[7])
	if r := must(t)(s.Read(ids[7])); r.Changes[len(r.Changes)-1].Summary != "the newest 2 stay active" {
		t.Errorf("%+v", r)
	}
	c.add(time.Hour)
	must(t)(s.Move(ids[0], schema.Active, "")) // the last one to become active: an older one makes room
	retired(GC{}, ids[2])
}

// Create uses the slug that the caller chose, or returns an error.
func TestChosenSlug(t *testing.T) {
	s, _ := store(t)
	r := decision("Use PASETO for all the tokens")
	r.Slug = "tokens"
	if got := create(t, s, r); got.ID != "myapp--tokens" || got.Title != r.Title {
		t.Errorf("%+v", got)
	}
	r.Title = "Another title"
	var exists *ExistsError
	if _, err := s.Create(r); !errors.As(err, &exists) || exists.ID != "myapp--tokens" {
		t.Errorf("the second: %v", err)
	}
	if must(t)(s.Read("myapp--tokens")).Title == r.Title {
		t.Error("the first was changed")
	}
	r.Slug = "../tokens"
	if _, err := s.Create(r); !errors.As(err, new(*naming.Error)) {
		t.Errorf("%v", err)
	}
	of := full(must2(schema.Named("session")))
	of.Slug = "monday"
	if got := create(t, s, of); got.ID != "myapp--session-monday" {
		t.Errorf("%s would not be found among its kind", got.ID)
	}
}

// Outside any project records of every kind are the user's. Records of some kinds always are.
func TestOfUser(t *testing.T) {
	for _, k := range schema.Kinds {
		s, _ := store(t)
		r := full(k)
		r.Project = naming.User
		if got, err := s.Create(r); err != nil || !strings.HasPrefix(got.ID, "user--") {
			t.Errorf("%s: %v", k.Name, err)
		}
		r.Project = "myapp"
		if _, err := s.Create(r); (err != nil) != (k.Personal) {
			t.Errorf("%s in a project: %v", k.Name, err)
		}
	}
}

// Changes less than a second apart get different times, and the record has the last one.
func TestWithinOneSecond(t *testing.T) {
	s, c := store(t)
	c.add(4 * time.Millisecond)
	r := must(t)(s.Create(decision("Use PASETO")))
	for i, at := range []int{90, 7, 0} {
		c.add(time.Duration(at) * time.Millisecond)
		r = must(t)(s.Update(r.ID, "", "", func(r *Record) error {
			r.Tags, r.Changes = append(r.Tags, fmt.Sprint(i)),
				append(slices.Clone(r.Changes), Change{Summary: fmt.Sprintf("step %d", i)})
			return nil
		}))
		last := r.Changes[len(r.Changes)-1]
		if d := r.Updated.Sub(c.Time); d < 0 || d > time.Millisecond {
			t.Errorf("step %d at %s: updated %s", i, stamp(c.Time), stamp(r.Updated))
		}
		late := last.When().Sub(c.Time)
		if !last.When().After(r.Changes[len(r.Changes)-2].When()) || late < 0 || late > time.Millisecond {
			t.Errorf("step %d at %s: %+v", i, stamp(c.Time), r.Changes)
		}
	}
	if (Change{Date: "soon"}).When() != (time.Time{}) {
		t.Error("a date that is none")
	}
}

// Nobody changes a record while Alone runs, and the lock is free afterwards, also after an error.
func TestAlone(t *testing.T) {
	s, _ := store(t)
	s.Wait = 0
	if err := s.Alone(func(held Store) error {
		if _, err := s.Create(decision("Of another")); !errors.Is(err, safefile.ErrBusy) {
			t.Errorf("another wrote meanwhile: %v", err)
		}
		made, err := held.Create(decision("Mine"))
		if err != nil {
			return err
		}
		if _, err := s.Move(made.ID, schema.Completed, ""); !errors.Is(err, safefile.ErrBusy) {
			t.Errorf("another wrote meanwhile: %v", err)
		}
		_, err = held.Move(made.ID, schema.Completed, "")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	want := errors.New("mine")
	if err := s.Alone(func(Store) error { return want }); err != want {
		t.Error(err)
	}
	must(t)(s.Create(decision("Afterwards")))
}

// Decode refuses a well-formed key of the wrong shape, as it refuses unreadable front matter.
func TestDecodeShape(t *testing.T) {
	for _, in := range []string{"---\nchanges: [a]\n---\n", "---\ntitle: [a]\n---\n", "---\nkind:\n- a\n---\n"} {
		if _, err := Decode("a--b", []byte(in)); !errors.As(err, new(*markdown.FrontError)) {
			t.Errorf("%q is read: %v", in, err)
		}
	}
}
