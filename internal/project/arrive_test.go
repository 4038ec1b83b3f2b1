package project

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestArrive: a project of another machine gets a slug that no other project has, and no folder. A folder that says it
// is that project is not shown its memory before somebody joins it.
func TestArrive(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".memento")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	arrive := func(id, name string) string {
		t.Helper()
		slug, err := Arrive(dir, id, name, time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return slug
	}
	shop := arrive("git:github.com/alice/shop", "shop")
	if shop != "shop" {
		t.Errorf("its slug is %q", shop)
	}
	if again := arrive("git:github.com/alice/shop", "store"); again != shop {
		t.Errorf("the second time it is %q", again)
	}
	if other := arrive("git:github.com/bob/shop", "shop"); other == shop || other == "" {
		t.Errorf("another project of that name is %q", other)
	}
	w := OpenWorkspace(dir)
	if len(w.Known) != 2 || len(w.Known[0].Roots) != 0 || w.Known[0].ID != "git:github.com/alice/shop" {
		t.Errorf("known are %+v", w.Known)
	}
	clone := fixture.Repository(t, filepath.Join(t.TempDir(), "shop"), "https://github.com/alice/shop.git")
	p := w.Locate(clone, t.TempDir())
	if claimed := w.Claimed(p); w.Slug(p) == shop || len(claimed) != 1 || claimed[0].Slug != shop {
		t.Errorf("a clone is %q, and says it is %+v", w.Slug(p), claimed)
	}
}

// TestArriveDamaged: a damaged list is set aside, as by a session.
func TestArriveDamaged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".memento")
	path := filepath.Join(dir, "workspace.json")
	fixture.Write(t, path, "{")
	slug, err := Arrive(dir, "git:github.com/alice/shop", "shop", time.Now(), time.Second)
	if aside, _ := filepath.Glob(path + ".corrupt-*"); err != nil || slug != "shop" || len(aside) != 1 ||
		fixture.Read(t, aside[0]) != "{" {
		t.Errorf("%q, %v; aside is %q", slug, err, aside)
	}
}

// TestSharedID: a repository with an origin is the same on all machines, a folder is another one on each. What arrived
// keeps its identity, and no path travels.
func TestSharedID(t *testing.T) {
	t.Parallel()
	const desk, laptop = "0123456789ab", "ba9876543210"
	shop, folder := Known{ID: "git:github.com/alice/shop"}, Known{ID: "dir:/home/alice/notes"}
	if shop.SharedID(desk) != shop.ID || shop.SharedID(desk) != shop.SharedID(laptop) {
		t.Errorf("a repository is %q and %q", shop.SharedID(desk), shop.SharedID(laptop))
	}
	here := folder.SharedID(desk)
	if here == folder.SharedID(laptop) || here != folder.SharedID(desk) || len(here) != len(folderOf)+16 {
		t.Errorf("a folder is %q and %q", here, folder.SharedID(laptop))
	}
	if arrived := (Known{ID: here}); arrived.SharedID(laptop) != here {
		t.Errorf("what arrived is %q there, and was %q", arrived.SharedID(laptop), here)
	}
	if a, b := SharedName(shop.ID), SharedName(here); len(a) != 16 || a == b || a != SharedName(shop.ID) {
		t.Errorf("the names are %q and %q", a, b)
	}
}
