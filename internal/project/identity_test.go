package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// set changes a setting of the repository; "" removes it.
func set(t *testing.T, repo, key, value string) {
	t.Helper()
	if value == "" {
		fixture.Git(t, repo, "config", "--unset", key)
		return
	}
	fixture.Git(t, repo, "config", key, value)
}

// TestOtherRemotes: files that a configuration includes are not read, and only the remote origin names a project.
func TestOtherRemotes(t *testing.T) {
	home := place(t)
	repo := fixture.Repository(t, filepath.Join(home, "app"), "")
	fixture.Git(t, repo, "remote", "add", "upstream", "https://github.com/team/app")
	fixture.Write(t, filepath.Join(home, "more"), "[remote \"origin\"]\n\turl = https://github.com/other/app\n")
	set(t, repo, "include.path", filepath.Join(home, "more"))
	set(t, repo, "includeIf.gitdir:"+home+"/.path", filepath.Join(home, "more"))
	if got := Find(repo, home).ID; got != "dir:"+repo {
		t.Errorf("without an origin of its own it is %s", got)
	}
	set(t, repo, "remote.origin.url", "https://github.com/alice/app")
	if got := Find(repo, home).ID; got != "git:github.com/alice/app" {
		t.Errorf("a fork is %s", got)
	}
}

// TestForeignConfig: memento reads a configuration that is a link, as some tools make it, or another user's, as in a
// container. It does not wait for a pipe.
func TestForeignConfig(t *testing.T) {
	home := place(t)
	repo := fixture.Repository(t, filepath.Join(home, "app"), "https://github.com/alice/app")
	config := filepath.Join(repo, ".git", "config")
	if os.Geteuid() == 0 {
		if err := os.Chown(config, 12345, -1); err != nil {
			t.Fatal(err)
		}
	}
	if got := Find(repo, home).ID; got != "git:github.com/alice/app" {
		t.Errorf("of another user it is %s", got)
	}
	if err := os.Rename(config, filepath.Join(home, "shared")); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, filepath.Join(home, "shared"), config)
	if got := Find(repo, home).ID; got != "git:github.com/alice/app" {
		t.Errorf("with a link it is %s", got)
	}
	pipe(t, filepath.Join(home, "pipe"))
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "pipe"), config); err != nil {
		t.Fatal(err)
	}
	if got := Find(repo, home).ID; got != "dir:"+repo {
		t.Errorf("with a pipe it is %s", got)
	}
}

// seen records the folder as a session that starts in it does, and returns its slug.
func seen(t *testing.T, dir, folder, home string) string {
	t.Helper()
	return record(t, dir, OpenWorkspace(dir).Locate(folder, home), day)
}

// slugs records each folder and compares its slug.
func slugs(t *testing.T, dir, home string, want ...string) {
	t.Helper()
	for i := 0; i < len(want); i += 2 {
		for range 2 { // recording changes nothing
			if got := seen(t, dir, want[i], home); got != want[i+1] {
				t.Errorf("%s is %q, want %q", want[i], got, want[i+1])
			}
		}
	}
}

func TestMoved(t *testing.T) {
	home, dir := place(t), t.TempDir()
	at := func(name ...string) string { return filepath.Join(append([]string{home}, name...)...) }
	move := func(from, to string) {
		t.Helper()
		folder(t, filepath.Dir(to))
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}

	app := fixture.Repository(t, at("app"), "")
	slugs(t, dir, home, app, "app")
	move(app, at("work", "shop"))
	slugs(t, dir, home, at("work", "shop"), "app") // found again, under its first name

	move(fixture.Repository(t, at("other"), ""), app) // another one in the old place is another project
	slugs(t, dir, home, app, "app-2", at("work", "shop"), "app")

	fixture.Git(t, home, "clone", "-q", at("work", "shop"), at("clone"))
	set(t, at("clone"), "remote.origin.url", "https://github.com/alice/shop")
	slugs(t, dir, home, at("clone"), "shop")
	move(at("clone"), at("elsewhere"))
	slugs(t, dir, home, at("elsewhere"), "shop")

	if out, err := copyAll(at("work", "shop"), at("copy")); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	slugs(t, dir, home, at("copy"), "copy", at("work", "shop"), "app") // both stand: a copy is a project of its own

	plain := folder(t, at("notes"))
	slugs(t, dir, home, plain, "notes")
	move(plain, at("papers"))
	slugs(t, dir, home, at("papers"), "papers") // nothing shows that it moved
}

// TestOriginChanges: a folder keeps its project when its origin is set, changed or removed.
func TestOriginChanges(t *testing.T) {
	home, dir := place(t), t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }

	folder(t, at("app"))
	slugs(t, dir, home, at("app"), "app") // a plain folder
	fixture.Git(t, at("app"), "init", "-q")
	slugs(t, dir, home, at("app"), "app") // a repository without a commit
	fixture.Git(t, at("app"), "remote", "add", "origin", "https://github.com/alice/app")
	slugs(t, dir, home, at("app"), "app") // published
	fixture.Git(t, at("app"), "commit", "-q", "--allow-empty", "-m", "first")
	slugs(t, dir, home, at("app"), "app")
	linked := at("hotfix")
	fixture.Git(t, at("app"), "worktree", "add", "-q", linked)
	slugs(t, dir, home, linked, "app")

	fixture.Git(t, home, "clone", "-q", at("app"), at("second"))
	set(t, at("second"), "remote.origin.url", "git@github.com:alice/app.git")
	slugs(t, dir, home, at("second"), "app") // it has a commit of the project
	// The repository moved to another host. The second clone does not know it yet.
	set(t, at("app"), "remote.origin.url", "https://gitlab.com/alice/app-ng")
	slugs(t, dir, home, linked, "app", at("app"), "app", at("second"), "app")
	record(t, dir, OpenWorkspace(dir).Locate(at("second"), home), day.AddDate(0, 0, 2))
	if got := OpenWorkspace(dir).Known[0].ID; got != "git:gitlab.com/alice/app-ng" {
		t.Errorf("after the clone that does not know was used, the project is %s", got)
	}
	set(t, at("second"), "remote.origin.url", "https://gitlab.com/alice/app-ng")
	slugs(t, dir, home, at("second"), "app")
	if k := OpenWorkspace(dir).Known; len(k) != 1 || k[0].ID != "git:gitlab.com/alice/app-ng" {
		t.Errorf("known are %+v", k)
	}
	fixture.Git(t, at("second"), "remote", "remove", "origin")
	slugs(t, dir, home, at("second"), "app")

	// Two clones of one template become two projects.
	template := fixture.Repository(t, at("template"), "")
	for i, name := range []string{"blog", "docs"} {
		fixture.Git(t, home, "clone", "-q", template, at(name))
		want := []string{"template", "template-2"}[i]
		slugs(t, dir, home, at(name), want)
		set(t, at(name), "remote.origin.url", "https://github.com/alice/"+name)
		slugs(t, dir, home, at(name), want)
	}

	// A fork is another project, though its name is the same. So is a repository that replaces another one in the
	// same folder.
	fixture.Git(t, home, "clone", "-q", template, at("fork"))
	set(t, at("fork"), "remote.origin.url", "https://github.com/bob/blog")
	slugs(t, dir, home, at("fork"), "blog")
	if err := os.RemoveAll(at("fork")); err != nil {
		t.Fatal(err)
	}
	fixture.Repository(t, at("fork"), "https://github.com/bob/other")
	slugs(t, dir, home, at("fork"), "other")
}
