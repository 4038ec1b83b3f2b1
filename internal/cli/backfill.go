package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/backfill"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

type backfillFlags struct {
	all, dry, yes bool
	since         string
}

func backfillCommand() command {
	var f backfillFlags
	return command{
		name: "backfill", args: "[PATH…]", short: "take in the sessions from before memento was installed",
		long: `It reads the client's own transcripts and keeps of each turn what memento keeps of a turn today: your
prompt, Claude's final message, what failed, what was committed and edited. Without PATH it takes in the
sessions of this project; --all lists every project and asks. PATH is a transcript, or a folder with some.

  memento backfill --dry-run      what it would take in
  memento backfill
  memento backfill --all --since 90d

It also takes in prompts that the client remembers for the arrow keys (history.jsonl), where no transcript
has them any more. It leaves out what was said while memento was paused, private words, forgotten words, and
branches of the conversation that you left. It changes no journal. You may stop it at any time and run it
again: it goes on, and takes in nothing twice. memento config past sets how much of a turn is kept.

Exit code 0: it took in everything. 1: a file could not be read, or memento could not write.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&f.all, "all", false, "every project, after showing the list")
			fs.BoolVar(&f.dry, "dry-run", false, "only list what it would take in")
			fs.BoolVar(&f.yes, "yes", false, "do not ask")
			fs.StringVar(&f.since, "since", "", "only sessions that went on after this `TIME`: 90d, 2w, 2026-03-14")
		},
		run: func(c *call) error { return runBackfill(c, f) },
	}
}

func runBackfill(c *call, f backfillFlags) error {
	if f.all && len(c.args) > 0 {
		return usage("leave one of them out", "backfill: --all is every project; PATH names transcripts")
	}
	if err := c.load(); err != nil {
		return err
	}
	if c.config.Past == config.PastJournal && !f.dry {
		return usage("memento config past answers", "backfill: past is journal, so no turn is kept")
	}
	b := &backfill.Backfill{Config: c.config, Home: c.home(), Here: c.Dir, Now: c.Now(), Wait: wait}
	var paths []string
	for _, a := range c.args {
		paths = append(paths, c.absolute(a))
	}
	found, problems, err := b.Find(paths)
	switch {
	case errors.Is(err, backfill.ErrNoTranscripts) && paths == nil: // a machine without a session yet
	case errors.Is(err, backfill.ErrNoTranscripts):
		return hinted("the client keeps them in "+b.Folder(), "backfill: %w", err)
	case errors.Is(err, fs.ErrNotExist):
		return hinted("memento backfill PATH, with a transcript or a folder that has some", "backfill: %w", err)
	case errors.Is(err, transcript.ErrNone):
		return hinted("memento backfill takes in this project's", "backfill: %w", err)
	case err != nil:
		return fmt.Errorf("backfill: %w", err)
	}
	if found, err = c.chosenTranscripts(f, found); err != nil {
		return err
	}
	if f.dry {
		return c.wouldBackfill(found, problems)
	}
	if f.all && !f.yes && len(found) > 0 {
		if !c.Terminal {
			return usage("memento backfill --all --dry-run; add --yes if it is meant",
				"backfill: --all takes in every project, and there is nobody to ask")
		}
		c.listProjects(found)
		if !c.agreed("Take in all of these?") {
			fmt.Fprintln(c.Err, "Nothing was taken in.")
			return errSilent
		}
	}
	if err := b.Record(found); err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	if said := c.progress("taking in the past, in MB"); said != nil {
		b.Said = func(done, all int64) { said(int(done>>20), int(all>>20)) }
	}
	r, err := b.Run(found)
	r.Problems = append(problems, r.Problems...)
	if err != nil {
		hint := safefile.Hint(err)
		if hint == "" {
			hint = "the same command goes on"
		}
		err = fmt.Errorf("backfill: %s taken in, then: %w", count(r.Sessions, "session"), err)
		return &hintError{err: err, hint: hint}
	}
	return c.backfilled(found, r)
}

// chosenTranscripts returns the transcripts that the flags choose: without PATH and --all those of this project. It
// leaves out paused projects, and says so.
func (c *call) chosenTranscripts(f backfillFlags, found []backfill.Transcript) ([]backfill.Transcript, error) {
	if f.since != "" {
		from, err := pastTime("since", f.since, c.Now())
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(t backfill.Transcript) bool { return t.Last.Before(from) })
	}
	if !f.all && len(c.args) == 0 {
		lane, err := c.ownLane(false)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(t backfill.Transcript) bool { return t.Project != lane.Slug })
	}
	pauses := withheld.LoadPauses(c.config.Dir)
	if err := pauses.Err(); err != nil {
		return nil, hinted("memento doctor", "backfill: %w", err)
	}
	away := map[string]bool{}
	found = slices.DeleteFunc(found, func(t backfill.Transcript) bool {
		_, paused := pauses.Since(withheld.Key(t.Project))
		away[t.Project] = away[t.Project] || paused
		return paused
	})
	for slug, paused := range away {
		if paused {
			fmt.Fprintf(c.Err, "memento: note: project %s is paused, so its sessions stay out (memento pause --end)\n",
				projectName(slug))
		}
	}
	return found, nil
}

// projectName returns the name of a project for a person.
func projectName(slug string) string {
	if slug == "" {
		return "(none)"
	}
	return text.Line(slug)
}

// pastOf is what is known of a project's past, for the list of projects.
type pastOf struct {
	Project  string
	Sessions int
	Taken    int
	Bytes    int64
	First    time.Time
	Last     time.Time
}

// projectsOf adds up transcripts by project, the largest first.
func projectsOf(found []backfill.Transcript) []pastOf {
	out := []pastOf{}
	for _, t := range found {
		i := slices.IndexFunc(out, func(p pastOf) bool { return p.Project == t.Project })
		if i < 0 {
			i = len(out)
			out = append(out, pastOf{Project: t.Project, First: t.First, Last: t.Last})
		}
		p := &out[i]
		p.Sessions++
		p.Bytes += t.Size
		if t.Taken {
			p.Taken++
		}
		if t.First.Before(p.First) {
			p.First = t.First
		}
		if t.Last.After(p.Last) {
			p.Last = t.Last
		}
	}
	slices.SortStableFunc(out, func(a, b pastOf) int { return int(min(max(b.Bytes-a.Bytes, -1), 1)) })
	return out
}

// listProjects prints the projects with their sessions and sizes.
func (c *call) listProjects(found []backfill.Transcript) {
	for _, p := range projectsOf(found) {
		left := ""
		if p.Taken > 0 {
			left = fmt.Sprintf(", %d of them taken in already", p.Taken)
		}
		fmt.Fprintf(c.Out, "%-24s %s, %s, %s to %s%s\n", projectName(p.Project), count(p.Sessions, "session"),
			megabytes(p.Bytes), p.First.Local().Format(time.DateOnly), p.Last.Local().Format(time.DateOnly), left)
	}
}

// megabytes puts a size into words.
func megabytes(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KB", (n+1023)>>10)
}

// wouldBackfill prints what backfill would take in.
func (c *call) wouldBackfill(found []backfill.Transcript, problems []backfill.Problem) error {
	c.listProjects(found)
	c.printProblems(problems)
	left := slices.DeleteFunc(slices.Clone(found), func(t backfill.Transcript) bool { return t.Taken })
	switch {
	case len(left) > 0:
		fmt.Fprintf(c.Out, "nothing was taken in: %s would be\n", count(len(left), "session"))
	case len(found) > 0:
		fmt.Fprintln(c.Out, "nothing is new: all of it was taken in before")
	default:
		fmt.Fprintln(c.Out, noSession)
	}
	return nil
}

func (c *call) printProblems(problems []backfill.Problem) {
	for _, p := range problems {
		fmt.Fprintf(c.Err, "memento: %s\n", text.Line(named(p.Path, p.Err)))
	}
}

// noSession says that backfill found nothing, new or known.
const noSession = "there is no session to take in"

// backfilled prints what was taken in. It returns errSilent when a file could not be read.
func (c *call) backfilled(found []backfill.Transcript, r backfill.Result) error {
	there := len(found) - r.Sessions - len(r.Problems)
	c.printProblems(r.Problems)
	what := []string{fmt.Sprintf("taken in: %s, %s that memento did not have", count(r.Sessions, "session"),
		count(r.Turns, "turn"))}
	if r.History > 0 {
		what = append(what, fmt.Sprintf("%d of them only in the client's history.jsonl", r.History))
	}
	if there > 0 {
		what = append(what, fmt.Sprintf("%s had been taken in before", count(there, "session")))
	}
	if r.Sessions+r.Turns+there+len(r.Problems) == 0 {
		what = []string{noSession}
	}
	fmt.Fprintln(c.Out, strings.Join(what, "; "))
	if len(r.Problems) > 0 {
		return errSilent
	}
	return nil
}
