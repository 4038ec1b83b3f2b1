package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/launch"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/replica"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

type syncFlags struct {
	replica.Choice
	dry, status, off, auto bool
}

func syncCommand() command {
	var f syncFlags
	return command{
		name: "sync", args: "[REMOTE]", most: 1, apart: "all project", alone: "status off",
		short: "bring your machines to the same state, over a git repository",
		long: `REMOTE is any address or path that git takes. The first call names it and the projects that go there; a later one with
REMOTE chooses anew. What travels: records, what you said, rules, journals, the ids of what you forgot; your own records
go with each project, Claude's answers only with --answers. Secrets are redacted once more. The repository should be
private: whoever reads it reads your words, and whoever writes to it speaks as you.

  memento sync git@example.com:me/memory.git --project shop
  memento sync ~/usb/memory.git --all
  memento sync                    later: send what is new, take in what is new there
  memento sync --project blog     one more project; after --all, this one alone
  memento sync --answers=false    after --answers, send no more of them
  memento config sync auto        sync at the start and the end of each session
`,
		flags: func(fs *flag.FlagSet) {
			fs.Var((*note.List)(&f.Projects), "project", "sync the project `NAME`; may be repeated")
			fs.BoolVar(&f.All, "all", false, "sync every project, and those to come")
			fs.BoolFunc("answers", "send Claude's answers, too; --answers=false: none from now on", func(s string) error {
				on, err := strconv.ParseBool(s)
				f.Answers, f.NoAnswers = on, err == nil && !on
				return err
			})
			fs.BoolVar(&f.dry, "dry-run", false, "only say what would travel")
			fs.StringVar(&f.Name, "name", "", "call this machine `NAME` from now on")
			fs.BoolVar(&f.status, "status", false, "say what is set up, and how the last sync ended")
			fs.BoolVar(&f.off, "off", false, "stop; the remote stays")
			fs.BoolVar(&f.auto, "auto", false, "") // only a hook sets it
		},
		run: func(c *call) error { return runSync(c, f) },
	}
}

func runSync(c *call, f syncFlags) error {
	if err := f.check(c.args); err != nil {
		return err
	}
	r := &replica.Replica{Config: c.config, Store: c.records(), Now: c.Now, Wait: wait, Batch: f.auto, Doing: c.doing(),
		Say: func(line string) { fmt.Fprintf(c.Err, "memento: %s\n", text.Line(line)) }}
	p, on := pace.Load(c.config.Dir)
	switch {
	case f.status:
		s, err := r.Status()
		if err == nil {
			printSyncStatus(c, s, p)
		}
		return err
	case f.auto && (!on || p.IsHeld(c.Now())): // another one failed meanwhile
		return nil
	case f.off:
		was, _ := r.Status() // whatever fails there, sync can be switched off
		err := r.Off()
		if err == nil {
			err = pace.Clear(c.config.Dir)
		}
		if err == nil {
			fmt.Fprintln(c.Out, "sync is off"+prefixed("; this keeps what it has: ", text.Line(was.Remote)))
		}
		return err
	}
	f.Remote = strings.Join(c.args, "")
	if f.Remote != "" {
		sayWhatTravels(c.Err, f)
	}
	got, err := f.sync(r)
	err = cmp.Or(err, notePace(c, f, err))
	if err == nil && !f.auto {
		printSync(c.output, got, f.dry)
	}
	return err
}

// autoLimit is how long a sync may take that a hook started. A remote that never answers would keep the lock else.
const autoLimit = 5 * time.Minute

// sync syncs, until somebody stops it. Its error has a hint.
func (f syncFlags) sync(r *replica.Replica) (replica.Result, error) {
	ctx, done := launch.UntilStopped()
	defer done()
	if f.auto {
		var stop func()
		ctx, stop = context.WithTimeout(ctx, autoLimit)
		defer stop()
	}
	got, err := r.Sync(ctx, f.Choice, f.dry)
	if err == nil && got.Back > 0 {
		r.Say("many records were gone from the store since the last sync: they came back from the remote")
	}
	switch hint := syncHint(err); {
	case f.auto && errors.Is(err, context.DeadlineExceeded):
		return got, hinted("memento sync shows what the remote waits for", "the remote did not answer in %v",
			autoLimit)
	case hint != "":
		return got, hinted(hint, "%w", err)
	}
	return got, err
}

// syncHint returns what helps after an error of a sync, "" for what helps after any command.
func syncHint(err error) string {
	var p *gitrepo.Problem
	switch {
	case errors.As(err, &p):
		return p.Hint + " (nothing is lost)"
	case errors.Is(err, replica.ErrAgain), errors.Is(err, gitrepo.ErrRejected):
		return "wait until other sessions and syncs rest, then memento sync (nothing is lost)"
	case errors.Is(err, withheld.ErrErasedUnreadable):
		return "memento doctor says what helps here; in the remote, remove the file erased (nothing is lost)"
	case errors.Is(err, record.ErrInvalid):
		return "with what both machines wrote, it is too long: shorten it here, then memento sync"
	case errors.Is(err, gitrepo.ErrDamaged):
		return "rm -r ~/.claude/.memento/sync/repo, and memento sync makes the history anew; if the remote is damaged, " +
			"memento sync ANOTHER --all fills an empty one"
	case errors.Is(err, replica.ErrOff):
		return "memento sync REMOTE --all, with a private git repository; memento help sync"
	case errors.Is(err, gitrepo.ErrForeign):
		return "nothing was changed there: name an empty repository, kept for memento alone"
	case errors.As(err, new(*replica.UnknownProjectError)):
		return "memento workspace lists the projects of this machine"
	case errors.Is(err, safefile.ErrBusy):
		return "another sync may be running; nothing is lost, try again"
	}
	return ""
}

// notePace notes how a sync ended. A sync that found another one at work, or that a person stopped, says nothing about
// the remote.
func notePace(c *call, f syncFlags, err error) error {
	dir := c.config.Dir
	switch {
	case f.dry || errors.Is(err, safefile.ErrBusy) || errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return pace.Fail(dir, c.Now(), text.Reason(err), hintOf(err))
	}
	return pace.Succeed(dir, c.Now())
}

// check refuses calls that make no sense, before any program is started.
func (f syncFlags) check(args []string) error {
	if len(args) == 0 {
		return nil
	}
	var bad *gitrepo.Problem
	switch {
	case f.status || f.off:
		return usage("memento help sync", "--status and --off take no remote")
	case errors.As(gitrepo.CheckURL(args[0]), &bad):
		return usage(bad.Hint, "%s", text.Line(bad.Error()))
	case !f.All && len(f.Projects) == 0:
		hint := "memento sync " + safefile.ShellWord(args[0]) + " --all, or --project NAME; memento workspace lists them"
		return usage(hint, "which projects go there?")
	}
	return nil
}

// sayWhatTravels says before the first sync what the remote will hold.
func sayWhatTravels(w io.Writer, f syncFlags) {
	which, answers := "every project", "stay here (--answers)"
	if !f.All {
		which = strings.Join(f.Projects, ", ")
	}
	if f.Answers {
		answers = "go, too"
	}
	fmt.Fprintf(w, "memento: the remote will hold, of %s: records, what you said, rules, journals, "+
		"the ids of what you forgot.\nmemento: Claude's answers %s. The repository should be private:\n"+
		"memento: whoever reads it reads your words, and whoever writes to it speaks as you.\n", text.Line(which), answers)
}

// printSync prints what a sync did.
func printSync(c *output, r replica.Result, dry bool) {
	sent, received := r.Sent.Words(), r.Received.Words()
	verbs := []string{"sent", "received"}
	if dry {
		verbs = []string{"would send", "would receive"}
	}
	var parts []string
	switch {
	case sent == "" && received == "" && r.IsFirst && !dry:
		parts = []string{"sync is set up; there is nothing to send or to receive yet"}
	case sent == "" && received == "":
		parts = []string{"nothing new, here or there"}
	default:
		parts = append(parts, verbs[0]+" "+cmp.Or(sent, "nothing"))
		if received != "" {
			from := prefixed(" from ", text.Line(strings.Join(r.From, ", ")))
			parts = append(parts, verbs[1]+" "+received+from)
		}
	}
	fmt.Fprintln(c.Out, strings.Join(parts, ", "))
	if r.Erased > 0 {
		fmt.Fprintf(c.Out, "erased in %s here what another machine forgot\n", count(r.Erased, "place"))
	}
	if n := len(r.Conflicts); n > 0 {
		fmt.Fprintf(c.Out, "%s changed on both sides, and both versions are kept: %s\n", count(n, "record"),
			text.Line(strings.Join(r.Conflicts, ", ")))
	}
}

// prefixed returns s behind prefix, "" for an empty s.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// printSyncStatus prints what is set up.
func printSyncStatus(c *call, s replica.Status, p pace.Pace) {
	if !s.On {
		fmt.Fprintln(c.Out, "sync is off: nothing leaves this machine (memento help sync)")
		return
	}
	which := strings.Join(s.Projects, ", ")
	if s.All {
		which = "all"
	}
	if s.Answers {
		which += ", with Claude's answers"
	}
	last, how := "never", "by hand: memento sync"
	if !p.Last.IsZero() {
		last = c.when(p.Last)
	}
	if c.config.Sync == config.SyncAuto {
		how = "at the start and the end of each session"
	}
	c.row("remote", "%s", text.Line(s.Remote))
	c.row("projects", "%s", text.Line(which))
	c.row("machine", "%s", text.Line(cmp.Or(s.Machine, "unnamed")))
	c.row("others", "%s", text.Line(strings.Join(s.Machines, ", ")))
	c.row("last", "%s; %s", last, how)
	if p.Error != "" {
		c.row("failed", "since %s: %s", c.when(p.Failed), text.Line(p.Error))
		c.row("hint", "%s", text.Line(cmp.Or(p.Hint, "memento sync")))
	}
	if n := len(s.Conflicts); n > 0 {
		c.row("both", "%s of records that two machines changed: %s", count(n, "other version"),
			text.Line(strings.Join(s.Conflicts, ", ")))
	}
}
