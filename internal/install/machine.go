package install

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/hooks"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/skills"
)

// Machine is what wiring needs to know about the process that asks for it.
type Machine struct {
	ConfigDir string // the client's folder
	Dir       string // working folder
	Exe       string // absolute path of this binary, "" when unknown
	Version   string // of this binary
	Called    string // the word that started this binary: a name, or a path that may be a link
	Getenv    func(string) string
}

// Options returns options for the user's settings and this binary.
func (m Machine) Options(dryRun bool) Options {
	cache := cmp.Or(m.Getenv("XDG_CACHE_HOME"), filepath.Join(config.Home(m.Getenv), ".cache"))
	o := Options{Client: client.ClaudeCode, ConfigDir: m.ConfigDir, Exe: m.Exe, HooksJSON: hooks.JSON,
		Skill: []byte(skills.Memento), DryRun: dryRun, Cache: filepath.Join(cache, "memento")}
	for _, k := range skills.Commands() {
		o.Commands = append(o.Commands, Command{Name: k.Name, Data: []byte(k.Text)})
	}
	return o
}

// All returns the options for each client that is on this machine: Claude Code, Codex, or both, and for Claude Code
// where there is neither.
func (m Machine) All(dryRun bool) []Options {
	o := m.Options(dryRun)
	dir := client.Codex.Dir(m.Getenv, config.Home(m.Getenv))
	if !isFolder(dir) {
		return []Options{o}
	}
	isThere := func(dir string) bool { return !IsMissing(filepath.Join(dir, "claude")) }
	if !slices.ContainsFunc(m.path(), isThere) && !isFolder(m.ConfigDir) {
		return []Options{o.forCodex(dir)}
	}
	return []Options{o, o.forCodex(dir)}
}

// LastingPath returns the path by which hooks can run this binary for good: an upgrade keeps it. The error is errExe.
func (m Machine) LastingPath() (string, error) {
	if m.Exe == "" {
		return "", fmt.Errorf("this binary: %w: the system does not say where it is", errExe)
	}
	base := "memento"
	if strings.HasSuffix(m.Exe, ".exe") {
		base += ".exe"
	}
	// The system names the file itself; the caller may have used a link.
	var names []string
	if called := m.Called; strings.ContainsRune(called, filepath.Separator) {
		if !filepath.IsAbs(called) {
			called = filepath.Join(m.Dir, called)
		}
		names = append(names, called)
	}
	for _, dir := range m.path() {
		names = append(names, filepath.Join(dir, base))
	}
	return m.Options(true).findLasting(m.Exe, names, m.Version)
}

func (m Machine) path() []string { return filepath.SplitList(m.Getenv("PATH")) }
