package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// place makes an empty folder and returns its path without links.
func place(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func folder(t *testing.T, path ...string) string {
	t.Helper()
	dir := filepath.Join(path...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func check(t *testing.T, dir, home string, want Project) {
	t.Helper()
	got := Find(dir, home)
	got.Main, got.common = "", "" // see TestMoved and TestClaim
	if got != want {
		t.Errorf("Find(%s) = %+v, want %+v", dir, got, want)
	}
}

func TestFindRepository(t *testing.T) {
	home := place(t)
	myapp := fixture.Repository(t, filepath.Join(home, "src", "app"), "https://alice:s3cret@github.com/alice/myapp.git")
	want := Project{ID: "git:github.com/alice/myapp", Name: "myapp", Root: myapp}
	check(t, myapp, home, want)
	check(t, myapp+"/", home, want)
	check(t, folder(t, myapp, "internal", "auth"), home, want)
	check(t, filepath.Join(myapp, "removed", "meanwhile"), home, want)
	check(t, filepath.Join(myapp, ".git", "hooks"), home, want)

	link := filepath.Join(home, "link")
	fixture.Link(t, myapp, link)
	check(t, link, home, want)
	check(t, filepath.Join(link, "internal"), home, want)
}

func TestFindWorktree(t *testing.T) {
	home := place(t)
	for _, origin := range []string{"git@github.com:alice/myapp.git", ""} {
		name, id := "myapp", "git:github.com/alice/myapp"
		if origin == "" {
			name = "app"
		}
		main := fixture.Repository(t, filepath.Join(home, name+"-of-"+name, name), origin)
		if origin == "" {
			id = "dir:" + main
		}
		linked := filepath.Join(home, name+"-trees", "hotfix")
		fixture.Git(t, main, "worktree", "add", "-q", linked)
		check(t, main, home, Project{ID: id, Name: name, Root: main})
		check(t, linked, home, Project{ID: id, Name: name, Root: linked, Worktree: "hotfix"})
		check(t, folder(t, linked, "internal"), home, Project{ID: id, Name: name, Root: linked, Worktree: "hotfix"})
	}
}

func TestFindSubmodule(t *testing.T) {
	home := place(t)
	lib := fixture.Repository(t, filepath.Join(home, "lib"), "")
	myapp := fixture.Repository(t, filepath.Join(home, "myapp"), "https://github.com/alice/myapp")
	fixture.Git(t, myapp, "submodule", "add", "-q", lib, "vendor/lib")
	sub := filepath.Join(myapp, "vendor", "lib")
	check(t, sub, home, Project{ID: "git:" + lib, Name: "lib", Root: sub})
	check(t, filepath.Join(myapp, "vendor"), home,
		Project{ID: "git:github.com/alice/myapp", Name: "myapp", Root: myapp})
}

func TestFindBare(t *testing.T) {
	home := place(t)
	source := fixture.Repository(t, filepath.Join(home, "source"), "")
	bare := filepath.Join(home, "srv", "tool.git")
	fixture.Git(t, home, "clone", "-q", "--bare", source, bare)
	fixture.Git(t, bare, "remote", "remove", "origin")
	id := "dir:" + filepath.Join(home, "srv", "tool")
	check(t, bare, home, Project{ID: id, Name: "tool", Root: bare})
	linked := filepath.Join(home, "main")
	fixture.Git(t, bare, "worktree", "add", "-q", linked)
	check(t, linked, home, Project{ID: id, Name: "tool", Root: linked, Worktree: "main"})
	fixture.Git(t, bare, "remote", "add", "origin", "https://github.com/alice/tool")
	check(t, linked, home, Project{ID: "git:github.com/alice/tool", Name: "tool", Root: linked, Worktree: "main"})
}

func TestFindSeparateGitDir(t *testing.T) {
	home := place(t)
	tree := filepath.Join(home, "tree")
	fixture.Git(t, home, "init", "-q", "--separate-git-dir", filepath.Join(home, "elsewhere"), tree)
	check(t, tree, home, Project{ID: "dir:" + tree, Name: "tree", Root: tree})
	fixture.Git(t, tree, "remote", "add", "origin", "https://github.com/alice/myapp")
	check(t, tree, home, Project{ID: "git:github.com/alice/myapp", Name: "myapp", Root: tree})
}

// TestFindOrigin: of two URLs of one remote the first counts, since git fetches from it. A path means the same from
// every folder.
func TestFindOrigin(t *testing.T) {
	home := place(t)
	repo := fixture.Repository(t, filepath.Join(home, "work", "myapp"), "https://github.com/alice/myapp")
	fixture.Git(t, repo, "remote", "set-url", "--add", "origin", "https://mirror.example.com/x/other")
	fixture.Git(t, repo, "remote", "add", "fork", "https://github.com/bob/myapp-fork")
	check(t, repo, home, Project{ID: "git:github.com/alice/myapp", Name: "myapp", Root: repo})

	near := fixture.Repository(t, filepath.Join(home, "work", "near"), "../upstream")
	far := fixture.Repository(t, filepath.Join(home, "play", "far"), "../upstream")
	check(t, near, home, Project{ID: "git:" + filepath.Join(home, "work", "upstream"), Name: "upstream", Root: near})
	check(t, far, home, Project{ID: "git:" + filepath.Join(home, "play", "upstream"), Name: "upstream", Root: far})
}

func TestFindNone(t *testing.T) {
	home := place(t)
	file := filepath.Join(home, "notes.txt")
	fixture.Write(t, file, "")
	for _, dir := range []string{home, home + "/", "/", "", ".", "src/myapp", filepath.Join(home, "gone"), file,
		os.TempDir()} {
		check(t, dir, home, Project{})
	}
	link := filepath.Join(place(t), "home")
	fixture.Link(t, home, link)
	check(t, home, link, Project{}) // HOME often is a link
}

func TestFindPlain(t *testing.T) {
	home := place(t)
	notes := folder(t, home, "notes")
	check(t, notes, home, Project{ID: "dir:" + notes, Name: "notes", Root: notes})
	sub := folder(t, notes, "2026")
	check(t, sub, home, Project{ID: "dir:" + sub, Name: "2026", Root: sub})
}

// TestFindHomeRepository: a home folder that is a repository is a project, as in git.
func TestFindHomeRepository(t *testing.T) {
	home := fixture.Repository(t, place(t), "git@github.com:alice/dotfiles.git")
	want := Project{ID: "git:github.com/alice/dotfiles", Name: "dotfiles", Root: home}
	check(t, home, home, want)
	check(t, folder(t, home, "notes"), home, want)
}

// TestFindBroken: Find ignores a folder that only looks like a repository.
func TestFindBroken(t *testing.T) {
	home := place(t)
	outer := fixture.Repository(t, filepath.Join(home, "outer"), "https://github.com/alice/outer")
	want := Project{ID: "git:github.com/alice/outer", Name: "outer", Root: outer}
	for name, content := range map[string]string{"junk": "not a pointer", "empty": "",
		"nowhere": "gitdir: ../missing\n", "nothing": "gitdir: \n", "itself": "gitdir: .git\n", "long": "gitdir: " +
			string(make([]byte, 5000))} {
		dir := filepath.Join(outer, name)
		fixture.Write(t, filepath.Join(dir, ".git"), content)
		check(t, dir, home, want)
	}
	folder(t, outer, "hollow", ".git")
	check(t, filepath.Join(outer, "hollow"), home, want)

	config := filepath.Join(outer, ".git", "config")
	fixture.Write(t, config, "[remote \"origin\"\nurl")
	check(t, outer, home, Project{ID: "dir:" + outer, Name: "outer", Root: outer})
}
