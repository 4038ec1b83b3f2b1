package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/backfill"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

type backfillFlags struct{ all, dry, yes bool }

func backfillCommand() command {
	var f backfillFlags
	return command{
		name: "backfill", args: "[PATH…]", short: "take in the sessions from before memento was installed",
		long: `It reads the client's own transcripts and keeps of each turn what memento keeps of a turn today (memento config past).
Without PATH it takes in the sessions of this project. PATH is a transcript, or a folder with some. It leaves out what
was said while memento was paused, private and forgotten words, and branches that you left. You may stop it at any time
and run it again: it takes in nothing twice.

  memento backfill --all --dry-run
`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&f.all, "all", false, "every project, after showing the list")
			fs.BoolVar(&f.dry, "dry-run", false, "only list what it would take in")
			fs.BoolVar(&f.yes, "yes", false, "do not ask")
		},
		run: func(c *call) error { return runBackfill(c, f) },
	}
}

func runBackfill(c *call, f backfillFlags) error {
	if f.all && len(c.args) > 0 {
		return usage("leave one of them out", "--all is every project; PATH names transcripts")
	}
	if c.config.Past == config.PastJournal && !f.dry {
		return usage("memento config past answers", "past is journal, so no turn is kept")
	}
	b := &backfill.Backfill{Config: c.config, CodexDir: client.Codex.Dir(c.Getenv, c.home()), Home: c.home(),
		Here: c.Dir, Now: c.Now(), Wait: wait}
	found, problems, err := findTranscripts(c, b, f)
	if err != nil {
		return err
	}
	mayAsk := f.all && !f.yes && len(found) > 0
	switch {
	case len(found)+len(problems) == 0:
		return c.say("there is no session to take in")
	case f.dry:
		listTranscripts(c.output, found)
		printProblems(c.output, problems)
		left := slices.DeleteFunc(slices.Clone(found), func(t backfill.Transcript) bool { return t.Taken })
		if len(left) == 0 && len(found) > 0 {
			return c.say("nothing is new: all of it was taken in before")
		}
		return c.say("nothing was taken in: %s would be", count(len(left), "session"))
	case mayAsk && !c.Terminal:
		return usage("memento backfill --all --dry-run; add --yes if it is meant",
			"--all takes in every project, and there is nobody to ask")
	case mayAsk:
		listTranscripts(c.output, found)
		if err := c.confirm("Take in all of these?", "Nothing was taken in."); err != nil {
			return err
		}
	}
	if err := b.Record(found); err != nil {
		return err
	}
	show := c.progress("taking in the past, in MB")
	b.Said = func(done, all int64) { show(int(done>>20), int(all>>20)) }
	r, err := b.Run(found)
	if err != nil {
		return hinted(cmp.Or(safefile.Hint(err), "the same command goes on"), "%s taken in, then: %w",
			count(r.Sessions, "session"), err)
	}
	there := len(found) - r.Sessions - len(r.Problems)
	problems = append(problems, r.Problems...)
	printProblems(c.output, problems)
	what := fmt.Sprintf("taken in: %s, %s that memento did not have", count(r.Sessions, "session"),
		count(r.Turns, "turn"))
	if there > 0 {
		what += fmt.Sprintf("; %s had been taken in before", count(there, "session"))
	}
	fmt.Fprintln(c.Out, what)
	if len(problems) > 0 {
		return errSilent
	}
	return nil
}

// findTranscripts returns the transcripts that the arguments and flags choose: without PATH and --all those of this
// project. It leaves out paused projects, and says so.
func findTranscripts(c *call, b *backfill.Backfill, f backfillFlags) (found []backfill.Transcript,
	problems []backfill.Problem, err error) {
	var paths []string
	for _, a := range c.args {
		paths = append(paths, c.absolute(a))
	}
	found, problems, err = b.Find(paths)
	switch {
	case errors.Is(err, backfill.ErrNoTranscripts):
		return nil, nil, hinted("Claude Code keeps them in "+filepath.Join(c.config.ClaudeDir, "projects"), "%w", err)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, hinted("memento backfill PATH, with a transcript or a folder that has some", "%w", err)
	case err != nil:
		return nil, nil, err
	}
	lane, err := c.lane()
	if err != nil {
		return nil, nil, err
	}
	pauses := withheld.LoadPauses(c.config.Dir)
	if err := pauses.Err(); err != nil {
		return nil, nil, hinted("memento doctor", "%w", err)
	}
	away := map[string]bool{}
	found = slices.DeleteFunc(found, func(t backfill.Transcript) bool {
		if !f.all && paths == nil && t.Project != lane.Slug {
			return true
		}
		_, paused := pauses.Since(withheld.Key(t.Project))
		if paused && !away[t.Project] {
			away[t.Project] = true
			c.note("project %s is paused, so its sessions stay out (memento pause --end)", projectName(t.Project))
		}
		return paused
	})
	return found, problems, nil
}

// projectName returns the name of a project for a person.
func projectName(slug string) string { return cmp.Or(text.Line(slug), "(none)") }

// listTranscripts prints the projects of the transcripts with their sessions and sizes.
func listTranscripts(o *output, found []backfill.Transcript) {
	sessions, size := map[string]int{}, map[string]int64{}
	for _, t := range found {
		sessions[t.Project]++
		size[t.Project] += t.Size
	}
	for _, slug := range slices.Sorted(maps.Keys(sessions)) {
		fmt.Fprintf(o.Out, "%-24s %s, %s\n", projectName(slug), count(sessions[slug], "session"), megabytes(size[slug]))
	}
}

// megabytes puts a size into words.
func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

func printProblems(o *output, problems []backfill.Problem) {
	for _, p := range problems {
		fmt.Fprintf(o.Err, "memento: %s\n", text.Line(named(p.Path, p.Err)))
	}
}
