package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/settings"
)

// A Scope says whose sessions a settings file is for, in the client's own words.
type Scope string

// The scopes memento can be wired in. Measured on client 2.1.329: a session reads .claude/settings.json of the folder
// it was started in and of no folder above, not even of the repository's top; .claude/settings.local.json it reads of
// that folder and of the top of the repository's main working tree, also in a folder below or in a linked worktree. All
// that are read count; of hooks with one and the same command it runs one.
const (
	User    Scope = "user"    // <config>/settings.json: every session of this user
	Project Scope = "project" // <project>/.claude/settings.json: committed, so every session of everybody in it
	Local   Scope = "local"   // <project>/.claude/settings.local.json: this user's sessions in this project
)

// Scopes lists them all.
func Scopes() []Scope { return []Scope{User, Project, Local} }

// errNoProject is the reason when a scope needs a project and there is none.
var errNoProject = errors.New("there is no project here")

// shared is the command of the scope project, a line for the shell. The file is committed, and read by people who have
// memento elsewhere or not at all: it names no path, is silent where there is no memento, and never ends with 2,
// whatever runs under that name (measured on client 2.1.329, where the same in exec form is an error at each event). Of
// dash, bash, busybox and PowerShell each takes it; where PowerShell is the shell there is no /dev/null, and memento
// does not run there.
const shared = "memento hook" + quietEnd

// quietEnd hides the output and the exit code of a shell line that fails.
const quietEnd = " 2>/dev/null; exit 0"

// wiring is the plugin's hooks as they stand in settings of this scope, so that both wire the same. Exe is not looked
// at for the scope project.
func wiring(scope Scope, hooksJSON []byte, exe string) (settings.Wiring, error) {
	w, err := settings.Find(hooksJSON, func(settings.Hook) bool { return true })
	if err == nil && len(w) == 0 {
		err = errors.New("there are none")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the plugin's hooks: %w", err)
	}
	for i := range w {
		if w[i].Command = exe; scope == Project {
			w[i].Command, w[i].Args = shared, nil
		}
	}
	return w, nil
}

// rootOf returns the folder whose .claude holds the settings of this scope for work in dir; "" for User. For Project
// that is dir itself where it has a .claude, as the client does not look further up, else the top of the working tree;
// for Local the top of the repository's main working tree. Outside a repository it is dir. The error is errNoProject,
// of which the home folder is one case: its project's settings would be the user's.
func rootOf(scope Scope, dir, home, configDir string) (string, error) {
	if scope == User || scope == "" {
		return "", nil
	}
	root, err := topOf(scope, dir, home)
	if err != nil {
		return "", err
	}
	if sameFile(filepath.Join(root, ".claude"), configDir) {
		return "", fmt.Errorf("%s: %w: its .claude is your own configuration", root, errNoProject)
	}
	return root, nil
}

func topOf(scope Scope, dir, home string) (string, error) {
	p := project.Find(dir, home)
	if p.None() {
		return "", fmt.Errorf("%s: %w: it is neither in a repository nor a folder of its own", dir, errNoProject)
	}
	if isFolder(filepath.Join(dir, ".claude")) && scope == Project {
		return filepath.Clean(dir), nil
	}
	if main := p.Main; scope == Local && isFolder(filepath.Join(main, ".git")) {
		return main, nil
	}
	return p.Root, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameFile reports whether two paths are the same file, or, where there is none, the same path.
func sameFile(a, b string) bool {
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	if aerr == nil && berr == nil {
		return os.SameFile(ai, bi)
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

// file is the settings file of the scope.
func (o Options) file() string {
	switch o.Scope {
	case Project:
		return filepath.Join(o.Root, ".claude", "settings.json")
	case Local:
		return filepath.Join(o.Root, ".claude", "settings.local.json")
	}
	return filepath.Join(o.ConfigDir, "settings.json")
}

func (o Options) check() error {
	if !filepath.IsAbs(o.ConfigDir) {
		return fmt.Errorf("the client's folder %q is not an absolute path", o.ConfigDir)
	}
	if !slices.Contains(Scopes(), o.Scope) {
		return fmt.Errorf("no scope %q: there are user, project and local", o.Scope)
	}
	if o.Scope != User && !filepath.IsAbs(o.Root) {
		return fmt.Errorf("the project's folder %q is not an absolute path", o.Root)
	}
	return nil
}
