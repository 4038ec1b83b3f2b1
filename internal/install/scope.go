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

// Scope says for whose sessions a settings file is, in the client's own words.
type Scope string

// The scopes. Measured on client 2.1.329: a session reads .claude/settings.json of the folder in which it was started,
// and of no folder above. It reads .claude/settings.local.json of that folder and of the top of the repository's main
// working tree. All settings that it reads count. Of several hooks with the same command it runs one.
const (
	User    Scope = "user"    // <config>/settings.json: every session of this user
	Project Scope = "project" // <project>/.claude/settings.json: committed, so every session of everybody in it
	Local   Scope = "local"   // <project>/.claude/settings.local.json: this user's sessions in this project
)

// Scopes lists them all.
func Scopes() []Scope { return []Scope{User, Project, Local} }

// errNoProject: the scope needs a project, and the folder has none.
var errNoProject = errors.New("there is no project here")

// shared is the command of the scope project, a line for the shell. The project commits the file, and people without
// memento read it: so the line names no path, is silent without memento, and never exits with 2 (measured on client
// 2.1.329, which reports an error at each event for the same command in exec form). dash, bash, busybox and PowerShell
// accept the line. Under PowerShell there is no /dev/null, so memento does not run there.
const shared = "memento hook 2>/dev/null; exit 0"

// wiring returns the plugin's hooks as settings of this scope hold them, so that plugin and settings wire the same
// events. The scope project ignores exe.
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

// rootOf returns the folder whose .claude holds the settings of this scope, for work in dir; "" for User. Project means
// dir itself if it has a .claude, as the client looks no further up, or else the top of the working tree. Local means
// the top of the repository's main working tree. Outside a repository the root is dir. The error is errNoProject. The
// home folder has no project: its settings would be the user's.
func rootOf(scope Scope, dir, home, configDir string) (string, error) {
	if scope == User || scope == "" {
		return "", nil
	}
	root, err := findTop(scope, dir, home)
	if err != nil {
		return "", err
	}
	if sameFile(filepath.Join(root, ".claude"), configDir) {
		return "", fmt.Errorf("%s: %w: its .claude is your own configuration", root, errNoProject)
	}
	return root, nil
}

func findTop(scope Scope, dir, home string) (string, error) {
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

// sameFile reports whether two paths are the same file. If one does not exist, it compares the paths.
func sameFile(a, b string) bool {
	return isSame(a, b) || filepath.Clean(a) == filepath.Clean(b)
}

// file is the path of the scope's settings file.
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
