package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

type syncFlags struct {
	pace.Choice
	dry, status, off, auto, purge bool
}

func syncCommand() command {
	var f syncFlags
	return command{
		name: "sync", args: "[REMOTE]", most: 1, apart: "all project", alone: "status off",
		short:     "bring your machines to the same state, over a git repository",
		companion: true,
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
		flags: func(fs *flag.FlagSet, _ *call) {
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
			fs.BoolVar(&f.auto, "auto", false, "")   // only a hook sets it
			fs.BoolVar(&f.purge, "purge", false, "") // only memento forget sets it
		},
		run: func(c *call) error { return runSync(c, f) },
	}
}

func runSync(c *call, f syncFlags) error {
	if err := f.check(c.args); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	companion, err := companionOf(c)
	if err != nil {
		return err
	}
	o := SyncOptions{Config: c.config, Home: c.home(), Dir: c.Dir, Now: c.Now, Wait: wait, Choice: f.Choice,
		DryRun: f.dry, Auto: f.auto, Doing: c.doing()}
	o.Remote = strings.Join(c.args, "")
	p, on := pace.Load(c.config.Dir)
	switch {
	case f.status:
		s, err := companion.Status(o)
		if err != nil {
			return err
		}
		printSyncStatus(c, s, p)
		return nil
	case f.purge:
		return companion.Purge(o)
	case f.auto && (!on || p.IsHeld(c.Now())): // another one failed meanwhile
		return nil
	case f.off:
		err := companion.Off(o)
		if err == nil {
			err = pace.Clear(c.config.Dir)
		}
		if err == nil {
			fmt.Fprintln(c.Out, "sync is off; what the remote has stays there")
		}
		return err
	}
	if o.Remote != "" {
		sayWhatTravels(c.Err, o)
	}
	ctx, stop := c.Context, func() {}
	if ctx == nil {
		ctx = context.Background()
	}
	if o.Auto {
		ctx, stop = context.WithTimeout(ctx, autoLimit)
	}
	defer stop()
	r, err := companion.Sync(ctx, o, func(line string) {
		fmt.Fprintf(c.Err, "memento: %s\n", text.Line(line))
	})
	if o.Auto && errors.Is(err, context.DeadlineExceeded) {
		err = hinted("memento sync shows what the remote waits for", "the remote did not answer in %v", autoLimit)
	}
	if noted := notePace(o, err); err == nil {
		err = noted
	}
	if err == nil && !o.Auto {
		printSync(c.output, r, f.dry)
	}
	return err
}

// autoLimit is how long a sync may take that a hook started. A remote that never answers would keep the lock else.
const autoLimit = 5 * time.Minute

// notePace notes how a sync ended. A sync that found another one at work, or that a person stopped, says nothing about
// the remote.
func notePace(o SyncOptions, err error) error {
	switch {
	case o.DryRun || errors.Is(err, safefile.ErrBusy) || errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return pace.Fail(o.Config.Dir, o.Now(), worded(err), hintOf(err))
	}
	return pace.Succeed(o.Config.Dir, o.Now())
}

// check refuses calls that make no sense, before any program is started.
func (f syncFlags) check(args []string) error {
	chosen := f.All || len(f.Projects) > 0
	remote := strings.Join(args, "")
	dashed := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") })
	switch {
	case dashed >= 0:
		return usage("for a folder: ./"+text.Line(args[dashed]), "a remote does not begin with \"-\"")
	case (f.status || f.off) && len(args) > 0:
		return usage("memento help sync", "--status and --off take no remote")
	case len(args) == 1 && remote == "":
		return usage("memento help sync", "the remote is empty")
	case !clean(remote):
		return usage("memento help sync", "a remote has no control characters")
	case remote != "" && !chosen:
		hint := "memento sync " + safefile.ShellWord(remote) + " --all, or --project NAME; memento workspace lists them"
		return usage(hint, "which projects go there?")
	}
	return nil
}

// clean reports whether s has no control characters.
func clean(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// sayWhatTravels says before the first sync what the remote will hold.
func sayWhatTravels(w io.Writer, o SyncOptions) {
	which, verb := "of every project", "will hold"
	if !o.All {
		which = "of " + strings.Join(o.Projects, ", ")
	}
	if o.DryRun {
		verb = "would hold"
	}
	answers := map[bool]string{false: "Claude's answers stay here (--answers).", true: "Claude's answers go, too."}
	fmt.Fprintf(w, "memento: the remote %s, %s: records, what you said, rules, decisions, journals, "+
		"the ids of what you forgot.\nmemento: %s The repository should be private: whoever reads it reads your "+
		"words, and whoever writes to it speaks as you.\n", verb, text.Line(which), answers[o.Answers])
}

// printSync prints what a sync did.
func printSync(c *output, r pace.Result, dry bool) {
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
		from := ""
		if len(r.From) > 0 {
			from = " from " + text.Line(strings.Join(r.From, ", "))
		}
		if received != "" {
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
func printSyncStatus(c *call, s pace.Status, p pace.Pace) {
	auto := c.config.Sync == config.SyncAuto
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
	last := "never"
	if !p.Last.IsZero() {
		last = c.when(p.Last)
	}
	how, both := "by hand: memento sync", ""
	if auto {
		how = "at the start and the end of each session"
	}
	if n := len(s.Conflicts); n > 0 {
		both = count(n, "other version") + " of records that two machines changed: " +
			text.Line(strings.Join(s.Conflicts, ", "))
	}
	rows := [][2]string{
		{"remote", text.Line(s.Remote)},
		{"projects", text.Line(which)},
		{"machine", text.Line(cmp.Or(s.Machine, "unnamed"))},
		{"others", text.Line(strings.Join(s.Machines, ", "))},
		{"last", last + "; " + how},
	}
	if p.Error != "" {
		rows = append(rows, [2]string{"failed", "since " + c.when(p.Failed) + ": " + text.Line(p.Error)},
			[2]string{"hint", text.Line(cmp.Or(p.Hint, "memento sync"))})
	}
	c.rows(append(rows, [2]string{"both", both}))
}
