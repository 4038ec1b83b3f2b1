package project

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// claims locates the folder and compares its slug and its claim.
func claims(t *testing.T, dir, home, folder, slug, claim string) {
	t.Helper()
	w := OpenWorkspace(dir)
	p := w.Locate(folder, home)
	if got := w.Slug(p); got != slug || p.Claim != claim {
		t.Errorf("%s is %q and says it is %q, want %q and %q", folder, got, p.Claim, slug, claim)
	}
}

// TestClaim: no identity that a folder gives itself opens the memory of a project that does not know the folder.
func TestClaim(t *testing.T) {
	const id = "git:github.com/acme/shop"
	home, dir := place(t), t.TempDir()
	at := func(name ...string) string { return filepath.Join(append([]string{home}, name...)...) }
	shop := fixture.Repository(t, at("shop"), "https://github.com/acme/shop")
	tree := at("hotfix")
	fixture.Git(t, shop, "worktree", "add", "-q", tree)
	plans := fixture.Repository(t, at("plans"), "") // known by its folder
	slugs(t, dir, home, shop, "shop", plans, "plans", folder(t, at("notes")), "notes")
	before := file(t, dir)

	config := "[remote \"origin\"]\n\turl = git@github.com:acme/shop.git\n"
	dotGit := func(name, content string) string {
		fixture.Write(t, at("evil", name, ".git"), content)
		return at("evil", name)
	}
	sub := at("super", "lib") // a submodule, whose git directory names it by a path of its own
	fixture.Git(t, fixture.Repository(t, at("super"), ""), "submodule", "add", "-q", shop, "lib")
	set(t, sub, "remote.origin.url", "https://github.com/acme/lib")
	seen(t, dir, sub, home)
	before = file(t, dir)
	linked := func(name, common, listed string) string {
		root := dotGit(name, "gitdir: own\n")
		fixture.Write(t, filepath.Join(root, "own", "commondir"), common)
		fixture.Write(t, filepath.Join(root, "own", "gitdir"), listed)
		return root
	}
	plain := at("evil", "plain")
	fixture.Write(t, filepath.Join(plain, ".git", "HEAD"), "ref: refs/heads/main\n")
	fixture.Write(t, filepath.Join(plain, ".git", "config"), config)
	folder(t, plain, ".git", "objects")
	reflog, err := os.ReadFile(filepath.Join(shop, ".git", "logs", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, filepath.Join(plain, ".git", "logs", "HEAD"), string(reflog))
	// A repository of an attacker lists the known folder as its worktree.
	fixture.Write(t, filepath.Join(plain, ".git", "worktrees", "x", "gitdir"), filepath.Join(shop, ".git"))

	link := at("evil", "link")
	folder(t, link)
	inner := at("evil", "inner")
	// The files by which these repositories name their folders hold relative paths. Read through a link, such a path
	// leads to another folder.
	near := at("evil", "x", "near")
	fixture.Write(t, filepath.Join(near, ".git"), "gitdir: ../shop/.git/worktrees/near")
	fixture.Write(t, filepath.Join(shop, ".git", "worktrees", "near", "commondir"), "../..")
	fixture.Write(t, filepath.Join(shop, ".git", "worktrees", "near", "gitdir"), "../../../../near/.git")
	lib := at("evil", "y", "lib")
	fixture.Write(t, filepath.Join(lib, ".git"), "gitdir: ../.git/modules/lib")
	folder(t, at("evil", "y"), ".git", "modules")
	for from, to := range map[string]string{filepath.Join(link, ".git"): filepath.Join(shop, ".git"),
		filepath.Join(at("evil"), "git"): filepath.Join(shop, ".git"),
		at("evil", "x", "shop"):          shop,
		at("evil", "y", ".git", "modules", "lib"): at("super", ".git", "modules",
			"lib")} {
		fixture.Link(t, to, from)
	}
	bare := at("notes.git") // beside a known plain folder, which a bare repository is called after
	fixture.Write(t, filepath.Join(bare, "HEAD"), "ref: refs/heads/main\n")
	folder(t, bare, "objects")

	for _, tt := range []struct{ root, slug, claim string }{
		{plain, "shop-2", id},
		{folder(t, plain, "src"), "shop-2", id},
		{link, "shop-2", id},
		{dotGit("file", "gitdir: "+filepath.Join(shop, ".git")), "shop-2", id},
		// listed is another folder
		{dotGit("tree", "gitdir: "+filepath.Join(shop, ".git", "worktrees", "hotfix")), "shop-2", id},
		{dotGit("through", "gitdir: "+at("evil", "git", "worktrees", "hotfix")), "shop-2", id},
		{near, "shop-2", id},
		{lib, "lib-2", "git:github.com/acme/lib"},
		{linked("own", filepath.Join(shop, ".git"), at("evil", "own", ".git")), "shop-2", id},
		{linked("plans", filepath.Join(plans, ".git"), at("evil", "plans", ".git")), "plans-2", "dir:" + plans},
		{linked("bare", at("notes.git"), at("evil", "bare", ".git")), "bare", "dir:" + at("notes")},
		{dotGit("pointed", "gitdir: "+filepath.Join(plans, ".git")), "pointed", ""},
		{bare, "notes-2", ""},
		{inner, "", ""},
	} {
		if tt.root == inner { // within the known folder, and a repository of its own
			tt.root, tt.slug, tt.claim = filepath.Join(shop, "vendor"), "shop-2", id
			fixture.Write(t, filepath.Join(tt.root, ".git"), "gitdir: "+filepath.Join(shop, ".git"))
		}
		t.Setenv("GIT_DIR", filepath.Join(shop, ".git"))
		t.Setenv("GIT_WORK_TREE", shop)
		claims(t, dir, home, tt.root, tt.slug, tt.claim)
		if got := seen(t, dir, tt.root, home); got != tt.slug { // a project of its own, at every look
			t.Errorf("seen, %s is %q", tt.root, got)
		}
		claims(t, dir, home, tt.root, tt.slug, tt.claim)
		claims(t, dir, home, shop, "shop", "")
		claims(t, dir, home, plans, "plans", "")
		claims(t, dir, home, at("notes"), "notes", "")
		claims(t, dir, home, tree, "shop", "")
		if k, _ := OpenWorkspace(dir).Named("shop"); !slices.Equal(k.Roots, []string{shop}) {
			t.Errorf("after %s the project's folders are %q", tt.root, k.Roots)
		}
		fixture.Write(t, filepath.Join(dir, "workspace.json"), before)
	}

	// A folder that was once seen as a project of its own stays one, although the repository lists it as a worktree
	// later.
	stray := dotGit("stray", "gitdir: "+filepath.Join(shop, ".git", "worktrees", "stray"))
	fixture.Write(t, filepath.Join(shop, ".git", "worktrees", "stray", "commondir"), "../..")
	slugs(t, dir, home, stray, "shop-2")
	fixture.Write(t, filepath.Join(shop, ".git", "worktrees", "stray", "gitdir"), filepath.Join(stray, ".git"))
	claims(t, dir, home, stray, "shop-2", id)

	// The known folder is gone. The other conditions for the project still apply.
	if err := os.RemoveAll(shop); err != nil {
		t.Fatal(err)
	}
	claims(t, dir, home, plain, "shop-3", id)
}

// TestClaimFirst: the first folder with an identity gets nothing of the projects that come later with the same
// identity.
func TestClaimFirst(t *testing.T) {
	home, dir := place(t), t.TempDir()
	shop := fixture.Repository(t, filepath.Join(home, "shop"), "https://github.com/acme/shop")
	evil := filepath.Join(home, "evil")
	fixture.Write(t, filepath.Join(evil, ".git"), "gitdir: "+filepath.Join(shop, ".git"))
	bare := filepath.Join(home, "notes.git")
	fixture.Write(t, filepath.Join(bare, "HEAD"), "ref: refs/heads/main\n")
	folder(t, bare, "objects")
	slugs(t, dir, home, evil, "shop", shop, "shop-2", evil, "shop", bare, "notes", folder(t, home, "notes"), "notes-2",
		bare, "notes")
	claims(t, dir, home, shop, "shop-2", "git:github.com/acme/shop")
}

// TestKnownFolders: memento knows a folder without asking when it saw the folder, when the repository lists it, or
// when it is the same folder by another path.
func TestKnownFolders(t *testing.T) {
	for _, origin := range []string{"https://github.com/acme/shop", ""} {
		home, dir := place(t), t.TempDir()
		at := func(name ...string) string { return filepath.Join(append([]string{home}, name...)...) }
		shop := fixture.Repository(t, at("shop"), origin)
		slugs(t, dir, home, shop, "shop")
		for _, tree := range []string{at("hotfix"), filepath.Join(shop, ".claude", "worktrees", "idea")} {
			fixture.Git(t, shop, "worktree", "add", "-q", tree)
			slugs(t, dir, home, tree, "shop", folder(t, tree, "src"), "shop")
			if got := OpenWorkspace(dir).Locate(tree, home); got.Worktree != filepath.Base(tree) || got.Claim != "" {
				t.Errorf("%s is %+v", tree, got)
			}
		}
		relative := at("relative") // git writes relative paths when a setting says so
		fixture.Git(t, shop, "worktree", "add", "-q", relative)
		fixture.Write(t, filepath.Join(relative, ".git"), "gitdir: ../shop/.git/worktrees/relative\n")
		fixture.Write(t, filepath.Join(shop, ".git", "worktrees", "relative", "gitdir"), "../../../../relative/.git\n")
		slugs(t, dir, home, relative, "shop")
		if err := os.Symlink(home, filepath.Join(t.TempDir(), "home")); err == nil {
			through := at("through") // git wrote a path with a link in it
			fixture.Git(t, shop, "worktree", "add", "-q", through)
			alias := filepath.Join(place(t), "home")
			if err := os.Symlink(home, alias); err != nil {
				t.Fatal(err)
			}
			fixture.Write(t, filepath.Join(shop, ".git", "worktrees", "through", "gitdir"),
				filepath.Join(alias, "through", ".git"))
			slugs(t, dir, home, through, "shop", filepath.Join(alias, "shop"), "shop",
				filepath.Join(alias, "hotfix", "src"), "shop")
		}

		// The first session was in a worktree. The repository's own folder is known through it.
		dir = t.TempDir()
		slugs(t, dir, home, at("hotfix"), "shop", shop, "shop", relative, "shop")

		// The repository was moved, and nothing stands in its old place.
		if err := os.Rename(shop, at("store")); err != nil {
			t.Fatal(err)
		}
		slugs(t, dir, home, at("store"), "shop")
	}
}

// TestClaimAtOnce: several clones are seen for the first time at once. One becomes the project, and the others are
// projects of their own.
func TestClaimAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := OpenWorkspace(dir).Record(named("git:github.com/acme/shop", fmt.Sprintf("/%d/shop", i)), day,
				time.Minute); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	ids := map[string]int{}
	for _, k := range OpenWorkspace(dir).Known {
		ids[k.ID]++
		if len(k.Roots) != 1 {
			t.Errorf("%s has the folders %q", k.Slug, k.Roots)
		}
	}
	if len(ids) != 8 || ids["git:github.com/acme/shop"] != 1 {
		t.Errorf("they are known as %v", ids)
	}
}

// TestJoin: a joined folder belongs to the project as if a session had run in it, whichever folder was used last.
func TestJoin(t *testing.T) {
	home, dir := place(t), t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	for _, name := range []string{"shop", "clone", "third"} {
		fixture.Repository(t, at(name), "https://github.com/acme/shop")
	}
	slugs(t, dir, home, at("shop"), "shop", at("clone"), "shop-2")
	w := OpenWorkspace(dir)
	if got := w.Claimed(w.Locate(at("clone"), home)); len(got) != 1 || got[0].Slug != "shop" {
		t.Errorf("it may join %+v", got)
	}
	record(t, dir, w.Locate(at("clone"), home), day.AddDate(0, 0, 3))
	join(t, dir, "shop-2", "shop")
	slugs(t, dir, home, at("clone"), "shop", at("shop"), "shop", at("third"), "shop-3")
	w = OpenWorkspace(dir)
	if k := w.Known[0]; len(w.Known) != 2 || k.ID != "git:github.com/acme/shop" ||
		!slices.Contains(k.Roots, at("clone")) || k.Last.Format("2006-01-02") != "2026-03-17" {
		t.Errorf("known are %+v", w.Known)
	}
	if got := w.Claimed(w.Locate(at("clone"), home)); got != nil {
		t.Errorf("joined, it may join %+v", got)
	}
	set(t, at("clone"), "remote.origin.url", "") // like any other folder of the project, it keeps the name
	claims(t, dir, home, at("clone"), "shop", "")
}
