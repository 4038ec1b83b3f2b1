package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

type forgetFlags struct {
	all, yes, dry  bool
	keepRecords    bool
	project        string
	entry, mission int
}

func forgetCommand() command {
	return command{
		name: "forget", args: "[PHRASE]", short: "erase a phrase, an entry, a mission or all of this project for good",
		long: `With a PHRASE, everything in the project that holds it goes, whatever the case, spacing and
quote marks: what was typed, entries, missions, the plan; of the project's records and your own
each paragraph, item and tag that holds it, and a record as a whole when its title does; what
waits in the inbox. Without one, the project's journal, history, state and records go; records
stay with --keep-records, and in a linked worktree, which shares them with the others. It asks
first; away from a terminal it needs --yes. What it lists ends where the PHRASE begins. What is
forgotten cannot be brought back, and is not captured again from a transcript that is still there.

  memento forget "the launch date" --dry-run
  memento forget --keep-records
  memento forget --entry 3
  memento forget
  memento forget --project myapp
  memento forget --all
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.forget.dry, "dry-run", false, "only list what would go")
			ordinal(fs, &c.forget.entry, "entry", "the entry with this `N` in memento history")
			ordinal(fs, &c.forget.mission, "mission", "the mission with this `N` in memento history --missions")
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.BoolVar(&c.forget.all, "all", false, "everything memento keeps, of all projects and of you")
			fs.BoolVar(&c.forget.yes, "yes", false, "do not ask")
			fs.BoolVar(&c.forget.keepRecords, "keep-records", false, "leave the records")
			nameFlag(fs, &c.forget.project, "project", "the project with this `NAME` instead of the folder's")
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
	if name := c.forget.project; name != "" {
		if err := c.hasProject(name); err != nil {
			return err
		}
	}
	if part {
		return c.forgetPart()
	}
	if c.unborn() {
		return c.forgot(nil, 0, marked{})
	}
	m, err := c.chosen()
	if err != nil {
		return err
	}
	files, err := c.kept(m)
	if err != nil {
		return err
	}
	if c.forget.dry {
		return c.forgot(files, 0, m)
	}
	if err := c.mayForget(); err != nil {
		return err
	}
	if ok, err := c.sure(fmt.Sprintf("%s (%s)", m.what, c.counted(files))); err != nil || !ok {
		return err
	}
	chosen := m.lane
	known, err := forget.Sessions(c.config.Dir, chosen)
	if err == nil {
		places := map[string]withheld.Place{}
		for _, id := range known {
			places[id] = withheld.Place{}
			if st, err := session.Load(c.config.Dir, id); err == nil && st.Transcript != "" {
				places[id] = capture.Written(st.Transcript)
			}
		}
		err = withheld.Past(c.config.Dir, places, c.Now(), wait)
	}
	if err != nil && !errors.Is(err, withheld.ErrPausesUnreadable) { // a list that cannot be read lets nothing be captured either
		return fmt.Errorf("forget: %w", err)
	}
	sessions, err := session.Forget(c.config.Dir, chosen, c.Now(), wait, transcript.End)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	forget.Unfinished(c.config.Dir)
	if files, err = c.kept(m); err != nil { // what was written since, while a person thought it over, goes too
		return err
	}
	for i, f := range files {
		if err := c.erase(f); err != nil {
			return fmt.Errorf("forget: %w; %d of %d files are left", err, len(files)-i, len(files))
		}
	}
	if err := c.forgetAround(m); err != nil {
		return fmt.Errorf("forget: %w; the same command goes on", err)
	}
	return c.forgot(files, sessions, m)
}

// marked is what is to be forgotten: everything, a project with all its worktrees and instances, or the lane of this folder or
// session with those that ran beside it.
type marked struct {
	what    string                    // in words
	lane    func(lane string) bool    // whose journals, histories, states
	records func(project string) bool // whose records and suggestions; nil for none
	shared  string                    // the project whose records stay because other worktrees have them too
}

func (c *call) chosen() (m marked, err error) {
	switch name := c.forget.project; {
	case c.forget.all:
		m = marked{what: "everything memento keeps", lane: func(string) bool { return true }, records: func(string) bool { return true }}
	case name != "":
		own := record.Project(name)
		m = marked{what: "what memento keeps of project " + name, lane: ofProject(name), records: func(p string) bool { return p == own }}
	default:
		lane, err := c.ownLane(false)
		if err != nil {
			return m, err
		}
		base, _, _ := strings.Cut(lane.Name, "~")
		m = marked{what: "what memento keeps of " + base, lane: func(name string) bool {
			return name == base || strings.HasPrefix(name, base+"~")
		}}
		switch {
		case strings.HasPrefix(base, lane.Slug+"@"):
			m.shared = lane.Slug
		case lane.Slug != "": // outside any project the records are the user's own: only --all takes those
			own := record.Project(lane.Slug)
			m.records = func(p string) bool { return p == own }
		}
	}
	if c.forget.keepRecords {
		m.records = nil
	}
	return m, nil
}

// counted says how many files these are, and how many of them records.
func (c *call) counted(files []string) string {
	n := c.recordsIn(files)
	if n == 0 {
		return count(len(files), "file")
	}
	return fmt.Sprintf("%s, %s of them", count(len(files), "file"), count(n, "record"))
}

func (c *call) recordsIn(files []string) (n int) {
	for _, f := range files {
		if _, _, ok := forget.OfRecord(filepath.Base(f)); ok {
			n++
		}
	}
	return n
}

// kept lists the files that hold what is to be forgotten, but for the settings and the record of the installation.
func (c *call) kept(m marked) ([]string, error) {
	var files []string
	for _, dir := range [...]string{"", "history", "state", record.Archive} {
		entries, err := forget.List(filepath.Join(c.config.Dir, dir))
		if err != nil {
			return nil, fmt.Errorf("forget: %w", err)
		}
		for _, e := range entries {
			name := e.Name()
			_, _, isRecord := forget.OfRecord(name)
			lane, ok := laneOf(name, dir == "state")
			switch {
			case e.IsDir(), dir == "" && (name == "config.json" || name == "paused.json" || name == "erased.json"), isRecord && (dir == "" || dir == record.Archive):
			case c.forget.keepRecords && name == "inbox.json":
			case c.forget.all && (dir != "state" || name == "removed.json" || name == "handed"), ok && m.lane(lane):
				files = append(files, filepath.Join(c.config.Dir, dir, name))
			}
		}
	}
	records, err := forget.RecordFiles(c.config.Dir, m.records, c.forget.all)
	if err != nil {
		return nil, fmt.Errorf("forget: %w", err)
	}
	return append(files, records...), nil
}

// forgetAround takes what is about records elsewhere: out of the inbox, and the index, which is made again from what is left.
func (c *call) forgetAround(m marked) error {
	if m.records == nil {
		return nil
	}
	if err := forget.Suggestions(c.config.Dir, m.records, wait); err != nil {
		return err
	}
	return forget.DropIndex(c.config.Dir, wait)
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
			return lane, !forget.Own(lane)
		}
	}
	return "", false
}

// erase removes one file, a journal under its lane's lock so that no hook writes it back at the same moment.
func (c *call) erase(path string) error {
	name, ok := strings.CutSuffix(filepath.Base(path), ".json")
	if lane, good := project.LaneNamed(c.config.Dir, name); ok && good && path == lane.Journal() && !strings.HasSuffix(name, ".debug") {
		unlock, err := safefile.LockIn(c.config.Dir, lane.Name, wait)
		if err != nil {
			return err
		}
		defer unlock()
	} else if _, _, ok := forget.OfRecord(filepath.Base(path)); ok {
		unlock, err := safefile.LockIn(c.config.Dir, "records", wait)
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

// mayForget is mayDestroy for forget.
func (c *call) mayForget() error {
	return c.mayDestroy(c.forget.yes, "add --yes if it is meant; --dry-run only lists what would go")
}

// sure asks the person, unless --yes has answered.
func (c *call) sure(what string) (bool, error) {
	if c.forget.yes {
		return true, nil
	}
	if c.agreed(bufio.NewReader(c.In), "Erase "+what+" for good?") {
		return true, nil
	}
	fmt.Fprintln(c.Err, "Nothing was erased.")
	return false, errSilent
}

func (c *call) forgot(files []string, sessions int, m marked) error {
	if c.json {
		dry := ""
		if c.forget.dry {
			dry = `,"dry_run":true`
		}
		fmt.Fprintf(c.Out, `{"version":1,"erased":%s,"records":%d,"sessions":%d%s}`+"\n", quoteList(files), c.recordsIn(files), sessions, dry)
		return nil
	}
	verb := "erased"
	if c.forget.dry {
		verb = "would erase"
	}
	for _, f := range files {
		fmt.Fprintf(c.Out, "%s %s\n", verb, f)
	}
	if c.forget.dry {
		fmt.Fprintf(c.Out, "nothing was erased: %s would be\n", c.counted(files))
	} else {
		fmt.Fprintf(c.Out, "forgotten: %s, the state of %s\n", c.counted(files), count(sessions, "session"))
	}
	if m.shared != "" {
		fmt.Fprintf(c.Out, "left: the records of project %s, which its other worktrees have too: memento forget --project %s erases all of it\n", m.shared, safefile.ShellWord(m.shared))
	}
	return nil
}
