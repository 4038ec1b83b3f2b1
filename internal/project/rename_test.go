package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := Rename(dir, from, to, false, day, time.Minute); err != nil {
		t.Fatal(err)
	}
}

func join(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := Rename(dir, from, to, true, day, time.Minute); err != nil {
		t.Fatal(err)
	}
}

// TestRename: the name changes and nothing else. The old name leads to the project, and no other project gets it.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	const before = `{"version":1,"projects":[` +
		`{"slug":"app","id":"git:x/app","roots":["/app"],"last":"2026-03-14T09:26:53Z"},` +
		`{"slug":"lib","id":"git:x/lib","roots":["/lib"]}]}`
	fixture.Write(t, filepath.Join(dir, "workspace.json"), before)
	rename(t, dir, "app", "shop")
	want := strings.NewReplacer(`"slug":"app"`, `"slug":"shop"`, `53Z"}`, `53Z","called":["app"]}`).Replace(before)
	if got := file(t, dir); got != want {
		t.Errorf("workspace.json holds\n%s, want\n%s", got, want)
	}
	rename(t, dir, "app", "shop")    // done already
	rename(t, dir, "nothing", "new") // memento knows neither
	if got := file(t, dir); got != want {
		t.Errorf("a second time it holds\n%s", got)
	}
	w := OpenWorkspace(dir)
	if k, ok := w.Named("app"); !ok || k.Slug != "shop" {
		t.Errorf("app is %+v", k)
	}
	if got := w.Slug(named("git:y/app", "/y")); got != "app-2" {
		t.Errorf("another app is called %s", got)
	}
	if got := w.Slug(named("git:x/app", "/app")); got != "shop" {
		t.Errorf("the project is called %s", got)
	}
	rename(t, dir, "shop", "app") // and back
	if k, _ := OpenWorkspace(dir).Named("shop"); k.Slug != "app" || !slices.Equal(k.Called, []string{"shop"}) {
		t.Errorf("called back it is %+v, once %q", k, k.Called)
	}
}

// TestRenameMerges: two projects that become one keep the details of both, and the identity of the one used last.
func TestRenameMerges(t *testing.T) {
	for _, newer := range []string{"old", "new"} {
		dir := t.TempDir()
		times := map[string]string{"old": "2026-03-01T00:00:00Z", "new": "2026-03-01T00:00:00Z"}
		times[newer] = "2026-03-14T00:00:00Z"
		fixture.Write(t, filepath.Join(dir, "workspace.json"),
			`{"projects":[{"slug":"old","id":"dir:/old","roots":["/old"],"last":"`+times["old"]+`"},{"slug":"new",`+
				`"id":"dir:/new","roots":["/new"],"last":"`+times["new"]+`"}]}`)
		rename(t, dir, "old", "new")
		w := OpenWorkspace(dir)
		other := map[string]string{"old": "new", "new": "old"}[newer]
		if len(w.Known) != 1 {
			t.Fatalf("known are %+v", w.Known)
		}
		k := w.Known[0]
		if k.Slug != "new" || k.ID != "dir:/"+newer || !slices.Equal(k.Roots, []string{"/" + newer, "/" + other}) ||
			!slices.Equal(k.Was, []string{"dir:/" + other}) ||
			!slices.Equal(k.Called, []string{"old"}) {
			t.Errorf("with %s used last it is %+v", newer, k)
		}
		if k.Last.Format(time.RFC3339) != times[newer] {
			t.Errorf("used last %s", k.Last)
		}
	}
}

func TestStands(t *testing.T) {
	home, dir := place(t), t.TempDir()
	app := fixture.Repository(t, filepath.Join(home, "app"), "https://github.com/alice/app")
	slugs(t, dir, home, app, "app")
	stands := func() bool { w := OpenWorkspace(dir); return w.Stands(w.Known[0], home) }
	if !stands() {
		t.Error("it does not stand")
	}
	// app still stands: the new repository could get the number of its folder otherwise.
	other := fixture.Repository(t, filepath.Join(home, "new"), "https://github.com/bob/other")
	if err := os.RemoveAll(app); err != nil {
		t.Fatal(err)
	}
	if stands() {
		t.Error("gone, it stands")
	}
	if err := os.Rename(other, app); err != nil {
		t.Fatal(err)
	}
	slugs(t, dir, home, app, "other")
	if stands() {
		t.Error("with another project in its place it stands")
	}
}

// TestRenameToOne: a plain folder stays a project's after the project was made one with that of a folder on another
// machine, whichever name stays, and so do the folders in it.
func TestRenameToOne(t *testing.T) {
	for _, names := range [][2]string{{"shop-2", "shop"}, {"shop", "shop-2"}} {
		dir, shop := t.TempDir(), filepath.Join(place(t), "shop")
		inside := filepath.Join(shop, "cart")
		fixture.Write(t, filepath.Join(inside, "total.go"), "")
		if _, err := OpenWorkspace(dir).Record(Find(shop, ""), day, time.Minute); err != nil {
			t.Fatal(err)
		}
		far := Known{ID: "dir:/home/alice/shop"}.SharedID("desk")
		if slug, err := Arrive(dir, far, "shop", day.Add(time.Hour), time.Minute); slug != "shop-2" || err != nil {
			t.Fatalf("it arrived as %q, %v", slug, err)
		}
		rename(t, dir, names[0], names[1])
		for _, at := range []string{shop, inside} {
			if w := OpenWorkspace(dir); w.Slug(w.Locate(at, "")) != names[1] || !w.Stands(w.Known[0], "") {
				t.Errorf("%s is %s, known are %+v", at, w.Slug(w.Locate(at, "")), w.Known)
			}
		}
	}
}
