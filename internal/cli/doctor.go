package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

func doctorCommand() command {
	return command{
		name: "doctor", short: "check that memento can do its work here, and show that it does",
		long: `Ends with a rehearsal in a scratch folder: a session that is compacted, and the block it
gets back. Nothing outside that folder is changed.

With --fix it first mends what it may: hooks that are stale, missing or there twice, the skill,
who may enter memento's folder and read its records, what a killed process left, a damaged
search index or record of installation, a config.json that is not JSON (set aside). It says each
thing. A settings file that is not valid JSON, a journal, what is wrong in a record, and what
stands in memento's place it leaves to you, and says what to do.

  memento doctor
  memento doctor --fix --dry-run
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.BoolVar(&c.fix.on, "fix", false, "mend what can be mended")
			fs.BoolVar(&c.fix.dryRun, "dry-run", false, "with --fix: say what would be done, and do nothing")
		},
		run: runDoctor,
	}
}

// finding is one thing the doctor looked at.
type finding struct {
	state string // "ok", "note" or "bad"
	what  string
	hint  string
}

func runDoctor(c *call) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	unread := c.load()
	if c.config.Dir == "" {
		return unread
	}
	if c.fix.dryRun && !c.fix.on {
		return &usageError{what: "doctor: --dry-run is for --fix; without it nothing is changed anyway", hint: "memento doctor --fix --dry-run"}
	}
	var found []finding
	if c.fix.on {
		found = c.mend()
		unread = c.reload() // with a config.json that can be read now
	}
	if unread != nil {
		found = append(found, finding{"bad", "memento's settings cannot be read, so hooks keep nothing: " + worded(unread), stepFor(unread)})
	}
	found = append(found, c.examine()...)
	in := c.config.Dir // where sessions are kept: another disk may have room
	if safefile.CheckDir(in) != nil || safefile.Probe(in) != nil {
		in = "" // which was said, or there is none yet
	}
	r, err := rehearse(c.Streams, in)
	if err != nil {
		found = append(found, finding{"bad", "the rehearsal failed: " + err.Error(), cmp.Or(stepFor(err), "a bug report with this output helps")})
	} else {
		found = append(found, finding{state: "ok", what: "rehearsal: a session was compacted and got its block back"})
	}
	bad := 0
	for _, f := range found {
		if f.state == "bad" {
			bad++
		}
	}
	if c.json {
		var out []string
		for _, f := range found {
			out = append(out, `{"state":`+quote(f.state)+`,"what":`+quote(f.what)+`,"hint":`+quote(f.hint)+`}`)
		}
		fmt.Fprintf(c.Out, `{"version":1,"ok":%t,"findings":[%s],"rehearsal":%s}`+"\n", bad == 0, strings.Join(out, ","), quote(r))
	} else {
		for _, f := range found {
			fmt.Fprintf(c.Out, "%-4s %s\n", f.state, text.Line(f.what))
			if f.hint != "" {
				fmt.Fprintf(c.Out, "     hint: %s\n", text.Line(f.hint))
			}
		}
		if r != "" {
			fmt.Fprintf(c.Out, "\nThe rehearsal, in a scratch folder. After the compaction Claude reads:\n\n%s\n", r)
		}
	}
	if bad > 0 {
		return errSilent
	}
	return nil
}

// examine looks at everything that has to be right for memento to work in this folder.
func (c *call) examine() []finding {
	var out []finding
	add := func(state, hint, format string, args ...any) {
		out = append(out, finding{state, fmt.Sprintf(format, args...), hint})
	}
	add("ok", "", "memento %s at %s", Version, cmp.Or(c.Exe, "an unknown place"))
	if !c.config.Enabled {
		add("note", c.switchOn(), "memento is switched off: hooks do nothing")
	}
	if p := config.Problem(c.config.Dir, record.KindNames()...); p != "" {
		add("note", configHint(c.config.Dir), "%s", p)
	}
	settings, _ := config.Settings(c.Getenv)
	kinds, _ := config.KindSettings(c.Getenv, record.KindNames())
	for _, s := range append(settings, kinds...) {
		if s.Problem != "" {
			add("note", settingHint(s), "%s", s.Problem)
		}
	}
	out = append(out, c.wiring()...)
	if _, err := os.Lstat(c.config.Dir); errors.Is(err, fs.ErrNotExist) {
		add("ok", "", "%s will be made by the first session", c.config.Dir)
		return out
	}
	if err := safefile.Dir(c.config.Dir); err != nil {
		add("bad", folderHint(c.config.Dir, err), "memento's folder cannot be used: %v", err)
		return out
	}
	for _, dir := range [...]string{c.config.Dir, filepath.Join(c.config.Dir, "state"), filepath.Join(c.config.Dir, "history"), filepath.Join(c.config.Dir, record.Archive)} {
		if info, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() && filepath.Base(dir) == record.Archive { // seen to below
			continue
		}
		if err := safefile.Probe(dir); err != nil {
			add("bad", cmp.Or(stepFor(err), "chmod 700 "+safefile.ShellWord(dir)), "nothing can be written: %v", err)
			return out
		}
	}
	add("ok", "", "%s is yours alone, and can be written", c.config.Dir)
	lane, err := c.ownLane(false)
	if err != nil {
		add("bad", stepFor(err), "the session's state cannot be read: %s", worded(err))
		return out
	}
	if what, end := c.paused(lane); what != "" {
		state := "note"
		if withheld.LoadPauses(c.config.Dir).Err() != nil {
			state = "bad"
		}
		add(state, end, "%s", what)
	}
	if _, err := withheld.Marked(c.config.Dir); err != nil {
		path := withheld.ErasedPath(c.config.Dir)
		add("bad", "rm "+safefile.ShellWord(path)+": what was erased may then be captured again from a transcript that still has it", "nothing is captured: %v", err)
	}
	out = append(out, c.examineWorkspace()...)
	if apart := c.apart(); apart != "" {
		add("note", "memento workspace join, if it is", "%s", apart)
	}
	store := journal.Store{Lane: lane, Config: c.config, Now: c.Now(), Wait: wait}
	path := lane.Journal()
	j, err := store.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		add("ok", "", "no journal here yet: %s", path)
	case errors.Is(err, journal.ErrCorrupt):
		add("bad", "the next session sets it aside as it is, and makes a new one of the transcript; mend it by hand before, to go on with this one", "%v", err)
	case errors.Is(err, safefile.ErrRefused):
		add("bad", safefile.InPlace(path), "the journal is not used: %v", err)
	case err != nil:
		add("bad", stepFor(err), "the journal cannot be read: %s", worded(err))
	default:
		what := "no mission open"
		if j.Open() {
			what = "a mission is open"
		}
		add("ok", "", "journal %s: %s, %d done, %d of your sentences quoted", path, what, len(j.Done), len(j.Said))
	}
	if err := safefile.Check(lane.History()); err != nil {
		add("bad", safefile.InPlace(lane.History()), "the history is not used: %v", err)
	}
	entries, _ := safefile.List(c.config.Dir) // what cannot be listed was said above
	for _, e := range entries {
		if !strings.Contains(e.Name(), ".corrupt-") {
			continue
		}
		what := "journal"
		switch name, _, _ := strings.Cut(e.Name(), ".corrupt-"); name {
		case "inbox.json":
			what = "inbox"
		case "config.json", "workspace.json", "paused.json", "erased.json":
			what = name
		}
		add("note", "read it, take what you need, then delete it", "a damaged %s was set aside: %s", what, filepath.Join(c.config.Dir, e.Name()))
	}
	out = append(out, c.examineRecords(lane)...)
	st := c.remembered(c.sessionID(), j)
	if st.Trouble != "" {
		add("note", "", "this session: %s", st.Trouble)
	}
	if what, hint := delivery(st); hint != "" {
		add("note", hint, "the block of the last session here %s", what)
	} else if what != "" {
		add("ok", "", "the block of the last session here %s", what)
	}
	return out
}

func folderHint(dir string, err error) string {
	if errors.As(err, new(*safefile.SharedError)) || errors.As(err, new(*safefile.ForeignError)) {
		return safefile.Hint(err)
	}
	return safefile.InPlace(dir)
}

// settingHint is what to do about a setting that makes no sense.
func settingHint(s config.Setting) string {
	if strings.HasPrefix(s.Problem, s.Env+"=") && s.Env != "" {
		return "unset " + s.Env + ", or give it what is expected"
	}
	return "memento config --unset " + s.Name + ", or memento config " + s.Name + " with what is expected"
}

// switchOn is what turns memento on again, depending on what turned it off.
func (c *call) switchOn() string {
	if c.Getenv("MEMENTO_ENABLED") != "" {
		return "unset MEMENTO_ENABLED"
	}
	return "memento config enabled true"
}
