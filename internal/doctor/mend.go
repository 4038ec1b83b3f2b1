package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

// mending is one run of Mend.
type mending struct {
	Env
	findings
	sound []string // memento's folders, except a link that leads elsewhere or a file in a folder's place
}

// Mend repairs what needs no question. It returns a finding for each repair: Did, and Bad for a
// failure. Of the user's own files it changes only settings. It removes no locks, because a lock ends with its process.
func Mend(env Env) []Finding {
	m := &mending{Env: env}
	m.closeFolders()
	if slices.Contains(m.sound, m.Config.Dir) {
		m.setConfigAside()
	}
	m.sweep()
	m.renewWiring()
	return m.findings
}

// did adds a finding for a repair.
func (m *mending) did(format string, args ...any) {
	m.add(Did, "", format, args...)
}

func (m *mending) failed(err error, hint string) { m.add(Bad, hint, "%s", text.Reason(err)) }

// closeFolders makes memento's folders accessible to the user alone.
func (m *mending) closeFolders() {
	home := m.Config.Dir
	for _, dir := range append(folders(home), filepath.Join(home, view.Folder), filepath.Join(home, search.Folder)) {
		if dir != home && !slices.Contains(m.sound, filepath.Dir(dir)) {
			continue
		}
		shared, err := safefile.Shared(dir, true)
		if err == nil {
			m.sound = append(m.sound, dir)
		}
		if shared {
			err = safefile.Private(dir, true)
		}
		if err != nil {
			m.failed(fmt.Errorf("making %s yours alone: %w", dir, err), folderHint(dir, err))
		} else if shared {
			m.did("make %s yours alone: chmod 700", dir)
		}
	}
}

// setConfigAside renames a config.json that is not JSON.
func (m *mending) setConfigAside() {
	if !config.Damaged(m.Config.Dir) {
		return
	}
	path := filepath.Join(m.Config.Dir, "config.json")
	name, err := safefile.SetAside(path, "corrupt", m.Now())
	if err != nil {
		m.failed(fmt.Errorf("setting config.json aside: %w", err), safefile.Step(err))
		return
	}
	m.did("set config.json aside, as it is not JSON: %s", name)
}

// sweep removes files that a killed process left.
func (m *mending) sweep() {
	claude := m.Config.ClaudeDir
	dirs := append(slices.Clone(m.sound), claude, filepath.Join(claude, "skills", "memento"),
		filepath.Join(claude, "commands", "memento"))
	for _, dir := range dirs {
		for _, path := range safefile.Leftover(dir, time.Minute, m.Now()) {
			if err := safefile.RemoveTree(path); err != nil {
				m.failed(fmt.Errorf("removing what a killed process left: %w", err), safefile.Step(err))
				continue
			}
			m.did("remove what a killed process left: %s", path)
		}
	}
}

// renewWiring installs memento again if the settings file has hooks of memento's, which may be stale as the skill may.
// Where it has none, a person may have taken them out on purpose: memento install puts them back.
func (m *mending) renewWiring() {
	o := m.Machine.Options(false)
	failed := func(err error) { m.failed(err, cmp.Or(install.Hint(err), safefile.Step(err))) }
	switch s := install.ReadStatus(o); s.Condition {
	case install.Current:
		o.Exe = s.Command
	case install.Stale:
		exe, err := m.Machine.LastingPath()
		if err != nil {
			failed(err)
			return
		}
		o.Exe = exe
	default:
		return
	}
	r, err := install.Install(o)
	if err != nil {
		failed(err)
		return
	}
	if at := r.Place; at.Change != install.Unchanged {
		m.did("renew the hooks in %s: %d out, %d in", at.Path, len(at.Removed), len(at.Added))
	}
	for _, f := range r.Files {
		if f.Change == install.Created || f.Change == install.Edited {
			m.did("write %s", f.Path)
		}
	}
}
