package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/settings"
)

// repository makes a folder that project.Find takes for a repository.
func repository(t *testing.T, dir string) string {
	t.Helper()
	fixture.Put(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n", 0o644)
	if err := os.MkdirAll(filepath.Join(dir, ".git", "objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// real returns a scratch folder by a path without links.
func real(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRoot(t *testing.T) {
	t.Parallel()
	at := real(t)
	home := filepath.Join(at, "home")
	config := filepath.Join(home, ".claude")
	repo := repository(t, filepath.Join(at, "src", "shop"))
	fixture.Put(t, filepath.Join(repo, "web", ".claude", "settings.json"), "{}", 0o644)
	fixture.Put(t, filepath.Join(repo, "web", "deep", "x"), "", 0o644)
	tree := filepath.Join(at, "hotfix")
	fixture.Put(t, filepath.Join(repo, ".git", "worktrees", "hotfix", "commondir"), "../..\n", 0o644)
	fixture.Put(t, filepath.Join(repo, ".git", "worktrees", "hotfix", "gitdir"), filepath.Join(tree, ".git")+"\n",
		0o644)
	fixture.Put(t, filepath.Join(tree, ".git"), "gitdir: "+filepath.Join(repo, ".git", "worktrees", "hotfix")+"\n",
		0o644)
	plain := filepath.Join(at, "notes")
	fixture.Put(t, filepath.Join(plain, "sub", "x"), "", 0o644)
	fixture.Put(t, filepath.Join(config, "x"), "", 0o644)
	tests := []struct {
		name  string
		scope Scope
		dir   string
		want  string // empty: errNoProject
	}{
		{"the top", Project, repo, repo},
		{"below the top", Project, filepath.Join(repo, "web", "deep"), repo},
		{"a folder with settings of its own", Project, filepath.Join(repo, "web"), filepath.Join(repo, "web")},
		{"which those of one user are not read for", Local, filepath.Join(repo, "web"), repo},
		{"a linked worktree", Project, tree, tree},
		{"a linked worktree, whose local settings are the main one's", Local, tree, repo},
		{"no repository", Project, filepath.Join(plain, "sub"), filepath.Join(plain, "sub")},
		{"no repository, local", Local, plain, plain},
		{"home", Project, home, ""},
		{"the top of everything", Local, string(filepath.Separator), ""},
		{"the user needs no project", User, home, "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rootOf(tt.scope, tt.dir, home, config)
			switch {
			case tt.want == "":
				if !errors.Is(err, errNoProject) || Hint(err) == "" {
					t.Errorf("got %q, %v", got, err)
				}
			case err != nil || got != strings.TrimPrefix(tt.want, "-"):
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
	t.Run("a home that is a repository", func(t *testing.T) {
		repository(t, home)
		for _, scope := range []Scope{Project, Local} {
			if got, err := rootOf(scope, home, home, config); !errors.Is(err, errNoProject) ||
				!strings.Contains(err.Error(), "your own configuration") {
				t.Errorf("%s: got %q, %v", scope, got, err)
			}
		}
	})
}

// world makes a home and a project, and the options of each scope.
func world(t *testing.T) (home string, all []Options) {
	t.Helper()
	home = real(t)
	repo := repository(t, filepath.Join(home, "src", "my shop"))
	config := filepath.Join(home, ".claude")
	for _, scope := range Scopes() {
		o := options(config)
		if o.Scope = scope; scope != User {
			o.Root = repo
		}
		all = append(all, o)
	}
	return home, all
}

func TestEachScopeGoesTheWayItCame(t *testing.T) {
	t.Parallel()
	const theirs = "{\n\t\"permissions\": {\"allow\": [\"Bash(make:*)\"]}\n}"
	for _, there := range []string{"", theirs, "{}\n"} {
		for _, order := range [][]int{{0, 1, 2, 0, 1, 2}, {0, 1, 2, 2, 1, 0}, {1, 2, 0, 0, 2, 1}, {1, 1, 2, 2, 0, 0}} {
			home, all := world(t)
			if there != "" {
				for _, o := range all {
					fixture.Put(t, o.file(), there, 0o644)
				}
			}
			was := fixture.Tree(t, home)
			for _, i := range order[:3] {
				if wired := all[i].isWired(); wired {
					continue
				}
				dry := all[i]
				dry.DryRun = true
				is := fixture.Tree(t, home)
				plan := install(t, dry)
				fixture.Same(t, "a dry run", is, fixture.Tree(t, home))
				r := install(t, all[i])
				if !reflect.DeepEqual(plan, r) {
					t.Errorf("the dry run said %+v, the run %+v", plan, r)
				}
			}
			for _, i := range order[3:] {
				uninstall(t, all[i])
			}
			for _, o := range all {
				uninstall(t, o)
			}
			fixture.Same(t, fmt.Sprint("installing and uninstalling in the order ", order), was, fixture.Tree(t, home))
		}
	}
}

func TestTheSkillGoesWithTheLastScope(t *testing.T) {
	t.Parallel()
	_, all := world(t)
	for _, o := range all {
		install(t, o)
	}
	for i, o := range all {
		r := uninstall(t, o)
		if last := i == len(all)-1; last != (r.SkillChange == Deleted) || last == (len(r.Stays) == 1) {
			t.Errorf("%s: %+v", o.Scope, r)
		}
	}
	if !isMissing(all[0].skill()) {
		t.Error("the skill is still there")
	}
}

func TestWhatIsSharedNamesNoPath(t *testing.T) {
	t.Parallel()
	home, all := world(t)
	o := all[1]
	o.Exe = "/tmp/whatever-0.1.0/memento" // nobody reads this path
	r := install(t, o)
	data := fixture.Read(t, o.file())
	if strings.Contains(data, home) || strings.Contains(data, "/memento") || strings.Contains(data, o.Exe) {
		t.Errorf("wrote %s", data)
	}
	w, err := settings.Find([]byte(data), isOurs)
	if err != nil || len(w) != 2 || w[0].Command != shared || w[0].Args != nil || w[1].If != "Bash(memento *)" {
		t.Errorf("wired %+v, %v", w, err)
	}
	if info, err := os.Stat(o.file()); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(all[2].file()); err == nil {
		t.Errorf("wrote %s", info.Name())
	}
	if names := list(filepath.Join(o.Root, ".claude")); len(names) != 1 {
		t.Errorf("left %v in the project", names)
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "for everybody in the project") {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestTwoProjectsAreTwoInstallations(t *testing.T) {
	t.Parallel()
	home, all := world(t)
	first := all[2]
	second := first.in(Local, repository(t, filepath.Join(home, "src", "other")))
	fixture.Put(t, first.file(), "{\"a\": 1}", 0o600)
	fixture.Put(t, second.file(), "{ \"b\":2 }\n", 0o640)
	was := fixture.Tree(t, home)
	install(t, first)
	if r := install(t, second); len(r.Notes) != 0 {
		t.Errorf("notes %q", r.Notes)
	}
	if got := first.recordedPlaces(); len(got) != 2 {
		t.Fatalf("recorded %+v", got)
	}
	uninstall(t, first)
	if fixture.Read(t, first.file()) != "{\"a\": 1}" || !second.isWired() {
		t.Error("one took the other's")
	}
	uninstall(t, second)
	fixture.Same(t, "uninstalling both", was, fixture.Tree(t, home))
}

func TestARecordThatPointsElsewhereIsNotFollowed(t *testing.T) {
	t.Parallel()
	home, all := world(t)
	o := all[2]
	install(t, o)
	var rec record
	if err := json.Unmarshal([]byte(fixture.Read(t, o.recordPath())), &rec); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(home, "other")
	fixture.Put(t, filepath.Join(other, ".claude", "settings.local.json"), "{}", 0o644)
	rec.Root = other
	data := rec.encode()
	fixture.Put(t, o.recordPath(), string(data), 0o600)
	if got := o.recordedPlaces(); len(got) != 0 {
		t.Errorf("recorded %+v", got)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, change := range map[string]func(*Options){
		"no scope": func(o *Options) { o.Scope = "team" },
		"not an absolute path": func(o *Options) {
			o.Scope, o.Root = Project, "shop"
		},
	} {
		o := options(dir)
		change(&o)
		if _, err := Install(o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("wrote %v, %v", entries, err)
		}
	}
}

func TestAFailedInstallInAProjectLeavesItAsItWas(t *testing.T) {
	fixture.Long(t, "writes to the disk hundreds of times")
	t.Parallel()
	for _, there := range []string{"", "{\"a\":1}"} {
		for n := 1; ; n++ {
			home, all := world(t)
			o := all[1]
			if there != "" {
				fixture.Put(t, o.file(), there, 0o644)
			}
			was := fixture.Tree(t, home)
			o.Disk = (&faulty{failAt: n}).disk()
			if _, err := Install(o); err == nil {
				if n < 6 {
					t.Errorf("only %d writes", n-1)
				}
				break
			}
			fixture.Same(t, "failing", was, fixture.Tree(t, home))
		}
	}
}
