package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

var day = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func record(t *testing.T, dir string, p Project, now time.Time) string {
	t.Helper()
	slug, err := OpenWorkspace(dir).Record(p, now, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return slug
}

func named(id, root string) Project {
	return Project{ID: id, Name: filepath.Base(id), Root: root}
}

func file(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "workspace.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	p := named("git:github.com/alice/myapp", "/srv/myapp")
	if got := (Workspace{}).Slug(p); got != "myapp" {
		t.Errorf("before it is recorded, its slug is %q", got)
	}
	if got := record(t, dir, p, day); got != "myapp" {
		t.Errorf("its slug is %q", got)
	}
	first := file(t, dir)
	fixture.Fields(t, first, map[string]string{
		"version": "1", "projects.#": "1", "projects.0.slug": `"myapp"`,
		"projects.0.id":    `"git:github.com/alice/myapp"`,
		"projects.0.roots": `["/srv/myapp"]`, "projects.0.last": `"2026-03-14T09:26:53Z"`,
	})

	record(t, dir, p, day.Add(time.Hour)) // nothing new to say
	if got := file(t, dir); got != first {
		t.Errorf("an hour later it holds %s", got)
	}
	record(t, dir, p, day.Add(25*time.Hour))
	if got := gjson.Get(file(t, dir), "projects.0.last").Str; got != "2026-03-15T10:26:53Z" {
		t.Errorf("a day later it was last used %s", got)
	}
	p.Root = "/home/alice/myapp"
	join(t, dir, record(t, dir, p, day.Add(26*time.Hour)), "myapp")
	if got := gjson.Get(file(t, dir), "projects.#.roots").Raw; got != `[["/home/alice/myapp","/srv/myapp"]]` {
		t.Errorf("its roots are %s", got)
	}
	for i := range 20 {
		p.Root += "x"
		join(t, dir, record(t, dir, p, day.AddDate(0, 1, i)), "myapp")
	}
	if k := OpenWorkspace(dir).Known; len(k) != 1 || len(k[0].Roots) != 16 || k[0].Roots[0] != p.Root {
		t.Errorf("of twenty roots it knows %+v", k)
	}
	for i := range 20 { // folders that stand
		p.Root = t.TempDir()
		join(t, dir, record(t, dir, p, day.AddDate(0, 2, i)), "myapp")
	}
	if k := OpenWorkspace(dir).Known; len(k) != 1 || len(k[0].Roots) != 20 || k[0].Roots[0] != p.Root {
		t.Errorf("of twenty roots that stand it knows %+v", k)
	}
}

func TestRecordNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	if got := record(t, dir, Project{}, day); got != "" {
		t.Errorf("no project has slug %q", got)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("for no project a folder was made")
	}
}

// TestSlugsStayApart: repositories of one name keep their first slugs, whichever of them is seen first later.
func TestSlugsStayApart(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 60)
	for _, name := range []string{"myapp", "user", long, "größe" + long} {
		a, b, c := Project{ID: "git:a/" + name, Name: name}, Project{ID: "git:b/" + name, Name: name},
			Project{ID: "dir:/c/" + name, Name: name}
		slugs := map[string]string{}
		for _, p := range []Project{a, b, c} {
			p.Root = "/" + p.ID
			slug := record(t, dir, p, day)
			if other, taken := slugs[slug]; taken {
				t.Errorf("%s and %s are both %q", other, p.ID, slug)
			}
			slugs[slug] = p.ID
			if len(slug) > naming.MaxProject || naming.Project(slug) != slug {
				t.Errorf("%q is no slug", slug)
			}
		}
		for _, p := range []Project{c, b, a} {
			p.Root = "/" + p.ID
			if slug := record(t, dir, p, day); slugs[slug] != p.ID {
				t.Errorf("%s is now %q", p.ID, slug)
			}
		}
	}
	if got := gjson.Get(file(t, dir), "projects.#").Int(); got != 12 {
		t.Errorf("workspace.json lists %d projects, want 12", got)
	}
	if got := OpenWorkspace(dir).Slug(Project{ID: "git:d/myapp", Name: "myapp"}); got != "myapp-4" {
		t.Errorf("a fourth would be %q", got)
	}
}

// TestDamagedWorkspace: a damaged workspace.json is set aside, byte for byte, and a new one begins.
func TestDamagedWorkspace(t *testing.T) {
	for name, content := range map[string]string{
		"cut off": `{"version":1,"projects":[{"slug":"old"`, "empty": "", "a list": `[]`, "a number": `5`,
		"no list in it": `{"projects":{}}`,
		"deep":          strings.Repeat("[", 100_000), "deep and whole": `{"x":` + strings.Repeat("[", 10_000) +
			strings.Repeat("]", 10_000) + `}`, "too large": `{"projects":[],"x":"` + strings.Repeat("x", maxWorkspace) +
			`"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fixture.Write(t, filepath.Join(dir, "workspace.json"), content)
			for _, p := range []Project{named("git:a/myapp", "/a"), named("git:b/myapp", "/b")} {
				record(t, dir, p, day)
			}
			w := OpenWorkspace(dir)
			if len(w.Known) != 2 || w.Known[0].Slug != "myapp" || w.Known[1].Slug != "myapp-2" {
				t.Errorf("known are %+v", w.Known)
			}
			aside, err := filepath.Glob(filepath.Join(dir, "workspace.json.corrupt-*"))
			if err != nil || len(aside) != 1 {
				t.Fatalf("set aside: %v, %v", aside, err)
			}
			if data, err := os.ReadFile(aside[0]); err != nil || string(data) != content {
				t.Errorf("set aside: %d bytes, %v", len(data), err)
			}
		})
	}
}

// TestBareWorkspace: an object without a list is not damaged.
func TestBareWorkspace(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "workspace.json"), `{"version":1}`)
	record(t, dir, named("git:a/myapp", "/a"), day)
	if w := OpenWorkspace(dir); len(w.Known) != 1 || w.Known[0].Slug != "myapp" {
		t.Errorf("known are %+v", w.Known)
	}
	if aside, _ := filepath.Glob(filepath.Join(dir, "*corrupt*")); aside != nil {
		t.Errorf("set aside: %v", aside)
	}
}

// TestRecordFails: a slug that could not be recorded is still good.
func TestRecordFails(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "theirs")
	fixture.Write(t, elsewhere, `{"projects":[{"slug":"x","id":"git:a/myapp"}]}`)
	fixture.Link(t, elsewhere, filepath.Join(dir, "workspace.json"))
	p := named("git:a/myapp", "/a")
	slug, err := OpenWorkspace(dir).Record(p, day, time.Minute)
	if slug != "myapp" || !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("through a link: %q, %v", slug, err)
	}

	dir = t.TempDir()
	folder(t, dir, "locks")
	unlock, err := safefile.Lock(filepath.Join(dir, "locks", "workspace.lock"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if slug, err := OpenWorkspace(dir).Record(p, day, 0); slug != "" || !errors.Is(err, safefile.ErrBusy) {
		t.Errorf("while another holds the lock: %q, %v", slug, err)
	}
	fixture.Write(t, filepath.Join(dir, "workspace.json"),
		`{"projects":[{"slug":"known","id":"git:a/myapp","roots":["/a"]}]}`)
	if slug, err := OpenWorkspace(dir).Record(p, day, 0); slug != "known" || !errors.Is(err, safefile.ErrBusy) {
		t.Errorf("known, while another holds the lock: %q, %v", slug, err)
	}
}

// TestRecordAtOnce: repositories of one name that are all seen for the first time at once get different slugs.
func TestRecordAtOnce(t *testing.T) {
	dir := t.TempDir()
	const n = 32
	slugs := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		all.Add(1)
		go func() {
			defer all.Done()
			p := named(fmt.Sprintf("git:team%d/myapp", i), fmt.Sprintf("/srv/%d", i))
			slug, err := OpenWorkspace(dir).Record(p, day, time.Minute)
			if err != nil {
				t.Error(err)
			}
			slugs[i] = slug
		}()
	}
	all.Wait()
	slices.Sort(slugs)
	if got := len(slices.Compact(slugs)); got != n {
		t.Errorf("%d projects have %d names", n, got)
	}
	if known := OpenWorkspace(dir).Known; len(known) != n {
		t.Errorf("%d are known", len(known))
	}
}

// TestLocate: a sub-folder of a plain folder seen before belongs to it, unless it was seen itself.
func TestLocate(t *testing.T) {
	home, dir := place(t), t.TempDir()
	notes := folder(t, home, "notes")
	sub, twin := folder(t, notes, "2026", "march"), folder(t, home, "notes-old")
	of := func(d string) string { return strings.TrimPrefix(OpenWorkspace(dir).Locate(d, home).ID, "dir:") }
	if got := of(sub); got != sub {
		t.Errorf("before anything is recorded, %s belongs to %s", sub, got)
	}
	record(t, dir, Find(notes, home), day)
	for d, want := range map[string]string{notes: notes, sub: notes, twin: twin, home: ""} {
		if got := of(d); got != want {
			t.Errorf("%s belongs to %s, want %s", d, got, want)
		}
	}
	record(t, dir, Find(sub, home), day)
	for d, want := range map[string]string{sub: sub, folder(t, sub, "week"): sub, filepath.Dir(sub): notes} {
		if got := of(d); got != want {
			t.Errorf("with both recorded, %s belongs to %s, want %s", d, got, want)
		}
	}

	inner := folder(t, home, "talks", "rome") // recorded before its parent folder
	record(t, dir, Find(inner, home), day)
	record(t, dir, Find(filepath.Dir(inner), home), day)
	if got, want := of(folder(t, inner, "slides")), inner; got != want {
		t.Errorf("it belongs to %s, want %s", got, want)
	}

	repo := fixture.Repository(t, filepath.Join(notes, "site"), "https://github.com/alice/site")
	if got := OpenWorkspace(dir).Locate(repo, home).ID; got != "git:github.com/alice/site" {
		t.Errorf("a repository in it is %s", got)
	}
	bare := fixture.Repository(t, filepath.Join(notes, "draft"), "")
	if got := of(bare); got != bare {
		t.Errorf("a repository without origin in it is %s", got)
	}
}
