package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/pause"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

type forgetFlags struct {
	all, yes, dry  bool
	project        string
	entry, mission int
}

func forgetCommand() command {
	return command{
		name: "forget", args: "[PHRASE]", short: "erase a phrase, an entry, a mission or all of this project for good",
		long: `With a PHRASE, everything in the project that holds it goes, whatever the case, spacing and
quote marks: what was typed, entries, missions, the plan. Without one, the project's journal,
history and state go. At a terminal it asks first, --yes answers; elsewhere it does not ask.
What it lists ends where the PHRASE begins. What is forgotten cannot be brought back, and is
not captured again from a transcript that is still there.

  memento forget "the launch date" --dry-run
  memento forget --entry 3
  memento forget
  memento forget --project myapp
  memento forget --all
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.forget.dry, "dry-run", false, "only list what would go")
			fs.IntVar(&c.forget.entry, "entry", 0, "the entry with this `N` in memento history")
			fs.IntVar(&c.forget.mission, "mission", 0, "the mission with this `N` in memento history --missions")
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.BoolVar(&c.forget.all, "all", false, "everything memento keeps, of all projects")
			fs.BoolVar(&c.forget.yes, "yes", false, "do not ask")
			fs.StringVar(&c.forget.project, "project", "", "the project with this `NAME` instead of the folder's")
		},
		run: runForget,
	}
}

func runForget(c *call) error {
	part, err := c.part()
	if err != nil {
		return err
	}
	if c.forget.all && c.forget.project != "" {
		return &usageError{what: "forget: --all and --project exclude each other", hint: "memento help forget"}
	}
	if err := c.load(); err != nil {
		return err
	}
	if _, err := os.Lstat(c.config.Dir); errors.Is(err, fs.ErrNotExist) {
		return c.forgot(nil, 0)
	}
	if part {
		return c.forgetPart()
	}
	what, chosen, err := c.chosen()
	if err != nil {
		return err
	}
	if !c.forget.dry {
		forget.Unfinished(c.config.Dir)
	}
	files, err := c.kept(chosen)
	if err != nil {
		return err
	}
	if c.forget.dry {
		return c.forgot(files, 0)
	}
	if ok, err := c.sure(fmt.Sprintf("%s (%d files)", what, len(files))); err != nil || !ok {
		return err
	}
	known, err := forget.Sessions(c.config.Dir, chosen)
	if err == nil {
		err = pause.Past(c.config.Dir, known, c.Now(), wait)
	}
	if err != nil && !errors.Is(err, pause.ErrUnreadable) { // a list that cannot be read lets nothing be captured either
		return fmt.Errorf("forget: %w", err)
	}
	sessions, err := session.Forget(c.config.Dir, chosen, c.Now(), wait, transcript.End)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	for i, f := range files {
		if err := c.erase(f); err != nil {
			return fmt.Errorf("forget: %w; %d of %d files are left", err, len(files)-i, len(files))
		}
	}
	return c.forgot(files, sessions)
}

// chosen says what is to be forgotten, in words and as a test of a lane's name: everything, a project with all its
// worktrees and instances, or the lane of this folder or session with those that ran beside it.
func (c *call) chosen() (what string, chosen func(lane string) bool, err error) {
	switch {
	case c.forget.all:
		return "everything memento keeps", func(string) bool { return true }, nil
	case c.forget.project != "":
		return "what memento keeps of project " + c.forget.project, ofProject(c.forget.project), c.knownProject(c.forget.project)
	}
	held, lane, err := c.lane(c.Getenv("CLAUDE_CODE_SESSION_ID"), false)
	if err != nil {
		return "", nil, err
	}
	if held != nil {
		held.Release()
	}
	base, _, _ := strings.Cut(lane.Name, "~")
	return "what memento keeps of " + base, func(name string) bool {
		return name == base || strings.HasPrefix(name, base+"~")
	}, nil
}

// kept lists the files that hold what is to be forgotten, but for the settings and the record of the installation.
func (c *call) kept(chosen func(lane string) bool) ([]string, error) {
	var files []string
	for _, dir := range [...]string{"", "history", "state", ".completed", "index"} {
		entries, err := safefile.List(filepath.Join(c.config.Dir, dir))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("forget: %w", err)
		}
		for _, e := range entries {
			name := e.Name()
			lane, ok := laneOf(name, dir == "state")
			switch {
			case e.IsDir(), dir == "" && (name == "config.json" || name == "paused.json" || name == "erased.json"):
			case c.forget.all && dir != "state", ok && chosen(lane):
				files = append(files, filepath.Join(c.config.Dir, dir, name))
			}
		}
	}
	return files, nil
}

// laneOf returns the lane that the file with this name belongs to: a journal, a history, a debug journal, what was set
// aside; in the state folder only locks and claims, since the sessions themselves are session.Forget's.
func laneOf(name string, state bool) (string, bool) {
	ends := []string{".debug.json", ".jsonl", ".json"}
	if state {
		ends = []string{".lock-debug", ".lock", ".holder", ".before"}
	} else if stem, _, ok := strings.Cut(name, ".json."); ok { // shop--alice.json.corrupt-20260105T100000Z
		return stem, true
	}
	for _, end := range ends {
		if lane, ok := strings.CutSuffix(name, end); ok {
			return lane, lane != "workspace" && lane != "config" && lane != "paused" && lane != "erased"
		}
	}
	return "", false
}

// erase removes one file, a journal under its lane's lock so that no hook writes it back at the same moment.
func (c *call) erase(path string) error {
	name, ok := strings.CutSuffix(filepath.Base(path), ".json")
	if lane, good := project.LaneNamed(c.config.Dir, name); ok && good && path == lane.Journal() && !strings.HasSuffix(name, ".debug") && c.isDir(filepath.Dir(lane.Lock())) {
		unlock, err := safefile.Lock(lane.Lock(), wait)
		if err != nil {
			return err
		}
		defer unlock()
	}
	return safefile.Remove(path)
}

func (c *call) isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// sure asks a person at a terminal; a script and --yes have decided already.
func (c *call) sure(what string) (bool, error) {
	if c.forget.yes || c.json || !c.Terminal {
		return true, nil
	}
	fmt.Fprintf(c.Err, "Erase %s for good? [y/N] ", what)
	answer, _ := bufio.NewReader(c.In).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); a == "y" || a == "yes" {
		return true, nil
	}
	fmt.Fprintln(c.Err, "Nothing was erased.")
	return false, errSilent
}

func (c *call) forgot(files []string, sessions int) error {
	if c.json {
		dry := ""
		if c.forget.dry {
			dry = `,"dry_run":true`
		}
		fmt.Fprintf(c.Out, `{"version":1,"erased":%s,"sessions":%d%s}`+"\n", quoteList(files), sessions, dry)
		return nil
	}
	if c.forget.dry {
		for _, f := range files {
			fmt.Fprintf(c.Out, "would erase %s\n", f)
		}
		fmt.Fprintf(c.Out, "nothing was erased: %s would be\n", several(len(files), "file"))
		return nil
	}
	for _, f := range files {
		fmt.Fprintf(c.Out, "erased %s\n", f)
	}
	fmt.Fprintf(c.Out, "forgotten: %s, the state of %s\n", several(len(files), "file"), several(sessions, "session"))
	return nil
}
