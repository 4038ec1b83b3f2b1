package project

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gitconfig "github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
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

// TestInsteadOf: insteadOf of the repository or the user expands shorthand. It does not rewrite a full address.
func TestInsteadOf(t *testing.T) {
	home := place(t)
	repo := fixture.Repository(t, filepath.Join(home, "app"), "https://github.com/alice/app")
	for _, tt := range []struct{ origin, own, user, xdg, want string }{
		{"gh:alice/app", "", "", "", "git:gh/alice/app"},
		{"gh:alice/app", "", "[url \"git@github.com:\"]\n\tinsteadOf = gh:\n", "", "git:github.com/alice/app"},
		{"gh:alice/app", "", "", "[url \"https://github.com/\"]\n\tinsteadOf = \"gh:\"\n", "git:github.com/alice/app"},
		{"gh://alice/app", "[url \"https://github.com/\"]\n\tinsteadOf = gh://\n", "", "", "git:github.com/alice/app"},
		// the longest prefix
		{"gh:alice/app", "[url \"https://a.example/\"]\n\tinsteadOf = gh:\n",
			"[url \"https://b.example/\"]\n\tinsteadOf = gh:alice/\n", "", "git:b.example/app"},
		{"gh:alice/app", "", "[url \"https://c.example/\"]\n\tpushInsteadOf = gh:\n", "", "git:gh/alice/app"},
		{"https://github.com/alice/app", "", "[url \"https://mirror.example/\"]\n\tinsteadOf = https://github.com/\n",
			"", "git:github.com/alice/app"},
		{"git@github.com:alice/app", "", "[url \"https://github.com/\"]\n\tinsteadOf = git@github.com:\n", "",
			"git:github.com/alice/app"},
		{"https://alice:s3cret@github.com/alice/app", "", "[url \"https://mirror.example/\"]\n\tinsteadOf = https://\n",
			"", "git:github.com/alice/app"},
	} {
		set(t, repo, "remote.origin.url", tt.origin)
		config := filepath.Join(repo, ".git", "config")
		plain, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, config, string(plain)+tt.own)
		fixture.Write(t, filepath.Join(home, ".gitconfig"), tt.user)
		fixture.Write(t, filepath.Join(home, ".config", "git", "config"), tt.xdg)
		if got := Find(repo, home).ID; got != tt.want {
			t.Errorf("origin %s with %q %q %q is %s, want %s", tt.origin, tt.own, tt.user, tt.xdg, got, tt.want)
		}
		fixture.Write(t, config, string(plain))
	}
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

// numbered skips the test where folders have no number in the file system. A moved folder becomes another project
// there, as a copy does.
func numbered(t *testing.T, dir string) {
	t.Helper()
	if safefile.Number(dir) == 0 {
		t.Skip("folders have no number here")
	}
}

func TestMoved(t *testing.T) {
	home, dir := place(t), t.TempDir()
	numbered(t, home)
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

	other := fixture.Repository(t, app, "") // another one in the old place is another project
	slugs(t, dir, home, other, "app-2", at("work", "shop"), "app")

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

// TestListLost: the list is deleted, or damaged and set aside. The sessions' memories still keep two projects of one
// name apart.
func TestListLost(t *testing.T) {
	home, dir := place(t), t.TempDir()
	at := func(name string) string { return filepath.Join(home, name, "shop") }
	for name, origin := range map[string]string{"a": "https://github.com/alice/shop",
		"a2": "git@github.com:alice/shop.git", "b": "https://github.com/bob/shop",
		"c": "https://github.com/carol/shop"} {
		fixture.Repository(t, at(name), origin)
	}
	slugs(t, dir, home, at("a"), "shop", at("b"), "shop-2")
	worked := func(session, lane, root string) {
		fixture.Write(t, filepath.Join(dir, "cache", session+".json"),
			fmt.Sprintf("{\"id\":%q,\"lane\":%q,\"root\":%q}", session, lane, root))
	}
	worked("s1", "shop--alice", at("a"))
	worked("s2", "shop-2--alice~s2", at("b"))
	worked("s3", "alice", "")
	fixture.Write(t, filepath.Join(dir, "cache", "s4.json"), "no json")
	for _, lose := range []func() error{
		func() error { return os.Remove(filepath.Join(dir, "workspace.json")) },
		func() error { return os.WriteFile(filepath.Join(dir, "workspace.json"), []byte("{"), 0o600) },
	} {
		for _, order := range [][]string{{at("b"), "shop-2", at("a"), "shop"},
			{at("c"), "shop-3", at("b"), "shop-2", at("a2"), "shop-4", at("a"), "shop"}} {
			if err := lose(); err != nil {
				t.Fatal(err)
			}
			slugs(t, dir, home, order...)
		}
	}
	// The folder where the session worked is gone. Nobody can tell whose slug it was, and no other folder gets it.
	if err := os.Remove(filepath.Join(dir, "workspace.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(at("a")); err != nil {
		t.Fatal(err)
	}
	slugs(t, dir, home, at("c"), "shop-3")
}

// TestCopyWithSameMark: where files have no number, a copy has the fingerprint of its original. While the original
// stands, it did not move.
func TestCopyWithSameMark(t *testing.T) {
	home := place(t)
	numbered(t, home)
	app := Find(fixture.Repository(t, filepath.Join(home, "app"), ""), home)
	k := Known{Slug: "app", ID: app.ID, Roots: []string{app.Root}, Fingerprints: []string{app.Fingerprint}}
	twin := app
	twin.ID, twin.Root, twin.Main = "dir:/copy", "/copy", "/copy"
	if k.moved(twin) {
		t.Error("a copy is taken for the original")
	}
	if err := os.Rename(app.Root, filepath.Join(home, "copy")); err != nil {
		t.Fatal(err)
	}
	twin.common = filepath.Join(home, "copy", ".git")
	if !k.moved(twin) {
		t.Error("the only one left is not taken for it")
	}
	for what, change := range map[string]func(*Project){
		"without a mark":                     func(p *Project) { p.Fingerprint = "" },
		"that only points to the repository": func(p *Project) { p.common = "" },
		"without a number":                   func(p *Project) { p.common = filepath.Join(home, "gone") },
	} {
		other := twin
		if change(&other); k.moved(other) {
			t.Errorf("a folder %s is taken for it", what)
		}
	}
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

// TestConfigAsLibrary: generated configurations give the same origin and insteadOf as in go-git. (Values over two
// lines are left out: go-git keeps the end of the line in them, and git does not.)
func TestConfigAsLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 3000 {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			fmt.Fprintf(&b, "%s[%s]%s\n", pick("", " ", "\t"),
				pick(`remote "origin"`, `Remote "origin"`, `remote "Origin"`, `remote "up stream"`,
					`url "git@github.com:"`, `url "C:\\repos\\"`, `url "a]b"`, `url "say \"hi\""`, "core", `branch "main"`),
				pick("", " ; note", "   "))
			for range r.IntN(4) {
				value := pick("https://github.com/alice/app.git", "git@github.com:alice/app", "gh:", "true",
					`"quoted # value"`, `C:\\repos\\app`, `two  words`, `"a;b" c`, `tab\tand\nline`, "ünïcode",
					`say \"hi\"`)
				fmt.Fprintf(&b, "%s%s%s%s%s%s", pick("", "\t", "    "),
					pick("url", "URL", "insteadOf", "fetch", "pushurl", "bare"), pick("=", " = ", "= "), value,
					pick("", "  ", " ; why", " # why"), pick("\n", "\r\n", "\n\n", "\n# a comment\n"))
			}
		}
		text := b.String()
		c := gitconfig.New()
		if err := gitconfig.NewDecoder(strings.NewReader(text)).Decode(c); err != nil {
			t.Fatalf("go-git does not read\n%s\n%v", text, err)
		}
		var got, want []string
		entries(text, func(section, sub, key, value string) {
			if section == "remote" && sub == "origin" && key == "url" || section == "url" && key == "insteadof" {
				got = append(got, section+"|"+sub+"|"+value)
			}
		})
		for _, u := range c.Section("remote").Subsection("origin").OptionAll("url") {
			want = append(want, "remote|origin|"+u)
		}
		for _, s := range c.Section("url").Subsections {
			for _, u := range s.OptionAll("insteadOf") {
				want = append(want, "url|"+s.Name+"|"+u)
			}
		}
		if !sameSet(got, want) {
			t.Fatalf("%s\nreads %q, go-git %q", text, got, want)
		}
	}
}

func sameSet(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
