package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestSecondClone: a clone of a known project shares its memory without a question, however git stores the commit. A
// folder that names the origin, and has of the commit no more than its id, does not.
func TestSecondClone(t *testing.T) {
	const origin, id = "https://github.com/acme/shop", "git:github.com/acme/shop"
	home, dir := place(t), t.TempDir()
	at := func(name ...string) string { return filepath.Join(append([]string{home}, name...)...) }
	shop := fixture.Repository(t, at("shop"), origin)
	slugs(t, dir, home, shop, "shop")
	commit := strings.TrimSpace(fixture.Git(t, shop, "rev-parse", "HEAD"))
	object := filepath.Join("objects", commit[:2], commit[2:])
	before := file(t, dir)

	clone := func(name string, args ...string) string {
		fixture.Git(t, home, append(append([]string{"clone", "-q"}, args...), shop, name)...)
		set(t, at(name), "remote.origin.url", origin)
		return at(name)
	}
	packed := clone("packed", "--no-local")
	fixture.Git(t, packed, "repack", "-adq")
	further := clone("further")
	fixture.Write(t, filepath.Join(further, "new.txt"), "new")
	fixture.Git(t, further, "add", ".")
	fixture.Git(t, further, "commit", "-qm", "More")
	fixture.Git(t, further, "pack-refs", "--all")
	for _, root := range []string{clone("again"), packed, further, folder(t, further, "src")} {
		claims(t, dir, home, root, "shop", "")
		slugs(t, dir, home, root, "shop")
	}

	forged := func(name string) string {
		return filepath.Join(fixture.Repository(t, at(name), origin), ".git")
	}
	other := fixture.Repository(t, at("other"), "")
	fixture.Write(t, filepath.Join(other, "other.txt"), "other")
	fixture.Git(t, other, "add", ".")
	fixture.Git(t, other, "commit", "-qm", "Another")
	foreign := strings.TrimSpace(fixture.Git(t, other, "rev-parse", "HEAD"))
	bytes, err := os.ReadFile(filepath.Join(other, ".git", "objects", foreign[:2], foreign[2:]))
	if err != nil {
		t.Fatal(err)
	}
	named, wrong, linked, borrowed := forged("named"), forged("wrong"), forged("linked"), forged("borrowed")
	fixture.Write(t, filepath.Join(named, object), "")
	fixture.Write(t, filepath.Join(wrong, object), string(bytes))
	folder(t, linked, "objects", commit[:2])
	fixture.Link(t, filepath.Join(shop, ".git", object), filepath.Join(linked, object))
	fixture.Write(t, filepath.Join(borrowed, "objects", "info", "alternates"),
		filepath.Join(shop, ".git", "objects")+"\n")
	whole := forged("whole")
	if err := os.RemoveAll(filepath.Join(whole, "objects")); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, filepath.Join(shop, ".git", "objects"), filepath.Join(whole, "objects"))
	for _, git := range []string{forged("plain"), named, wrong, linked, borrowed, whole} {
		fixture.Write(t, filepath.Join(dir, "workspace.json"), before)
		claims(t, dir, home, filepath.Dir(git), "shop-2", id)
	}
}

// TestPackDamaged: an index that says nonsense opens nothing, and breaks nothing.
func TestPackDamaged(t *testing.T) {
	home := place(t)
	shop := fixture.Repository(t, filepath.Join(home, "shop"), "https://github.com/acme/shop")
	fixture.Git(t, shop, "repack", "-adq")
	fixture.Git(t, shop, "prune-packed")
	p := Find(shop, home)
	ids := commits(p.common)
	if !p.holdsCommit(ids) {
		t.Fatalf("the repository holds none of its own commits %q", ids)
	}
	for _, ending := range []string{".idx", ".pack"} {
		files, err := filepath.Glob(filepath.Join(p.common, "objects", "pack", "*"+ending))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		whole := fixture.Read(t, files[0])
		if err := os.Chmod(files[0], 0o600); err != nil {
			t.Fatal(err)
		}
		step := 1
		if testing.Short() {
			step = 9
		}
		for n := 0; n < min(len(whole), 1100); n += step {
			for _, content := range []string{whole[:n], whole[:n] + "\xff" + whole[n+1:]} {
				fixture.Write(t, files[0], content)
				p.holdsCommit(ids) // must end, without a panic
			}
		}
		fixture.Write(t, files[0], whole[:12])
		if p.holdsCommit(ids) {
			t.Errorf("a cut %s proves a commit", ending)
		}
		fixture.Write(t, files[0], whole)
	}
}
