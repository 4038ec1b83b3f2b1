package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
)

type fixFlags struct{ on, dryRun bool }

// mend does what doctor --fix does, and returns what that was: "did" for each thing done or, in a dry run, "would", and "bad"
// for what failed. Nothing of the user's is touched but settings that can be edited; what is in order stays as it is. Locks need
// no mending: one belongs to its process, and goes with it.
func (c *call) mend() []finding {
	var out []finding
	done := "did"
	if c.fix.dryRun {
		done = "would"
	}
	did := func(format string, args ...any) {
		out = append(out, finding{state: done, what: fmt.Sprintf(format, args...)})
	}
	failed := func(err error, hint string) { out = append(out, finding{"bad", worded(err), hint}) }

	home := c.config.Dir
	state, history := filepath.Join(home, "state"), filepath.Join(home, "history")
	archive, index := filepath.Join(home, record.Archive), filepath.Join(home, search.Folder)
	var sound []string // memento's folders but those in whose place something else stands, or a link that leads elsewhere
	for _, dir := range []string{home, state, history, archive, index, filepath.Join(state, "install")} {
		if dir != home && !slices.Contains(sound, filepath.Dir(dir)) {
			continue
		}
		shared, err := safefile.Shared(dir)
		if err == nil {
			sound = append(sound, dir)
		}
		if shared && !c.fix.dryRun {
			err = safefile.Private(dir)
		}
		if err != nil {
			failed(fmt.Errorf("making %s yours alone: %w", dir, err), folderHint(dir, err))
		} else if shared {
			did("make %s yours alone: chmod 700", dir)
		}
	}
	if slices.Contains(sound, home) && config.Damaged(home) {
		var err error
		path := filepath.Join(home, "config.json")
		name := path + ".corrupt-…"
		if !c.fix.dryRun {
			name, err = safefile.SetAside(path, "corrupt", c.Now())
		}
		if err != nil {
			failed(fmt.Errorf("setting config.json aside: %w", err), stepFor(err))
		} else {
			did("set config.json aside, as it is not JSON: %s", name)
		}
	}
	for _, dir := range append(sound, c.config.ClaudeDir, filepath.Join(c.config.ClaudeDir, "skills", "memento"), filepath.Join(c.config.ClaudeDir, "commands", "memento")) {
		for _, path := range safefile.Leftover(dir, time.Minute, c.Now()) {
			var err error
			if !c.fix.dryRun {
				err = safefile.RemoveTree(path)
			}
			if err != nil {
				failed(fmt.Errorf("removing what a killed process left: %w", err), stepFor(err))
			} else {
				did("remove what a killed process left: %s", path)
			}
		}
	}
	if slices.Contains(sound, home) {
		c.mendRecords(did, failed)
	}
	return append(out, c.mendWiring(done)...)
}

// mendWiring renews what is wired and stale, in each settings file for itself; where nothing is wired at all, and no plugin
// installed, it wires the user's settings. It does not choose between a plugin and settings.
func (c *call) mendWiring(done string) []finding {
	var out []finding
	did := func(format string, args ...any) {
		out = append(out, finding{state: done, what: fmt.Sprintf(format, args...)})
	}
	failed := func(err error) {
		out = append(out, finding{"bad", worded(err), cmp.Or(install.Hint(err), stepFor(err))})
	}

	o := c.options(c.fix.dryRun)
	records, err := install.MendRecords(o, c.roots())
	for _, what := range records {
		did("%s", what)
	}
	if err != nil {
		failed(err)
	}
	exe, noExe := c.lasting()
	var again []install.Options
	wired := len(install.Installed(o)) > 0 || c.bundled()
	var user install.Options
	for _, s := range install.Look(o, c.roots()) {
		p := s.Options
		p.Exe = exe
		switch s.Condition {
		case install.Stale:
			again = append(again, p)
		case install.Current: // the skill may be stale all the same
			if p.Exe = s.Command; p.Scope == install.Project {
				p.Exe = exe
			}
			again = append(again, p)
		}
		wired = wired || s.Condition != install.Absent
		if p.Scope == install.User {
			user = p
		}
	}
	if !wired {
		again = append(again, user)
	}
	skill, commands := false, map[string]bool{}
	for _, p := range again {
		if p.Exe == "" && p.Scope != install.Project {
			failed(noExe)
			continue
		}
		r, err := install.Install(p)
		if err != nil {
			failed(err)
			continue
		}
		if at := r.Places[0]; at.Change != install.Unchanged {
			did("renew the hooks in %s: %d out, %d in", at.Path, len(at.Removed), len(at.Added))
		}
		if !skill && (r.SkillChange == install.Created || r.SkillChange == install.Edited) {
			skill = true
			did("write the skill: %s", r.Skill)
		}
		for _, k := range r.Commands {
			if !commands[k.Path] && (k.Change == install.Created || k.Change == install.Edited) {
				commands[k.Path] = true
				did("write the slash command: %s", k.Path)
			}
		}
	}
	return out
}
