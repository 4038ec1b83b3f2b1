package cli

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

func trustCommand() command {
	var undo bool
	return command{
		name: "trust", args: "[--undo RECORD...]",
		short: "take in the records that the repository carries, once you have read them",
		long: `A repository may carry records in .memento/ (memento help share). memento shows each one that is new, and of a changed
one the difference, and asks, at a terminal alone; until then it reads none of them to anybody. What you trust is this
project's records, marked shared.

  memento trust
  memento trust --undo use-paseto
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&undo, "undo", false, "take these records out again; their files wait again")
		},
		run: func(c *call) error { return runTrust(c, undo) },
	}
}

func runTrust(c *call, undo bool) error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	p := c.repository(s)
	switch {
	case undo:
		return distrust(c, s, p)
	case len(c.args) > 0:
		return usage("memento help trust", "it takes records behind --undo alone")
	case c.by == journal.ByClaude:
		return usage("in a terminal of your own: "+safefile.ShellWord(cmp.Or(c.Exe, "memento"))+" trust",
			"only you can say yes, and not from a session")
	}
	review, err := p.Review()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(review.Waiting) == 0 {
		trustLeft(c.output, review)
		fmt.Fprintf(c.Out, "nothing waits; %s trusted\n", count(review.Trusted, "record"))
		return nil
	}
	files, err := askTrust(c.output, review)
	if err != nil {
		return err
	}
	return trustFiles(c, p, files)
}

// askTrust shows each file that waits to a person at a terminal, and returns those that the person trusts.
func askTrust(o *output, review shared.Review) (files []shared.File, err error) {
	if !o.Terminal {
		return nil, usage("memento trust, at a terminal", "%s, and there is nobody to ask",
			text.CountVerb(len(review.Waiting), "record", "waits", "wait"))
	}
	for i, f := range review.Waiting {
		fmt.Fprintf(o.Out, "-- %d of %d: %s\n", i+1, len(review.Waiting), f.Path())
		shown, err := wordsOf(f)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Out, "%s\n", readable(strings.TrimRight(shown, " \t\r\n")))
		if o.agreed("Trust this?") {
			files = append(files, f)
		}
	}
	trustLeft(o, review)
	return files, nil
}

// trustFiles takes in the files that the person trusts, and says how many records still wait.
func trustFiles(c *call, p shared.Repository, files []shared.File) error {
	if len(files) > 0 {
		if _, err := c.openShelf(true); err != nil { // the project's name is its own from now on
			return err
		}
	}
	taken, left, err := p.Trust(files)
	if err != nil {
		return err
	}
	said := "trusted: " + count(len(taken), "record")
	if n := c.lookedShared(p); n > 0 { // also without any: the person knows now what waits
		said += "; " + text.CountVerb(n, "record", "waits", "wait")
	}
	fmt.Fprintln(c.Out, said)
	for _, l := range left {
		fmt.Fprintf(c.Err, "memento: trust: %s was not taken in: %s\n", l.Name, l.Why)
	}
	if left != nil {
		return errSilent
	}
	return nil
}

// lookedShared notes that the person knows which files of the repository wait, and returns how many do.
func (c *call) lookedShared(p shared.Repository) int {
	n, set, err := p.Refresh()
	if err == nil && set != "" {
		looked(c, notice.Shared(p.Project, set))
	}
	return n
}

// wordsOf returns what a record of the file would say; where another version is trusted, the difference from it.
func wordsOf(f shared.File) (string, error) {
	now, _, err := shared.Encode(*f.Record)
	if err != nil || f.Copy == nil {
		return string(now), err
	}
	was, _, err := shared.Encode(*f.Copy)
	if err != nil {
		return "", err
	}
	_, changed, _ := bytes.Cut(diff.Diff("trusted", was, "now", now), []byte("\n"))
	if len(changed) == 0 {
		return "it says the same as the version that you trust; only the form of the file differs", nil
	}
	return string(changed), nil
}

// trustLeft names the files of the folder that are not read, and counts those beyond ten.
func trustLeft(o *output, review shared.Review) {
	for i, l := range review.Left {
		if i == 10 {
			fmt.Fprintf(o.Out, "left out: %s more\n", count(len(review.Left)-i, "file"))
			return
		}
		name, _ := text.Cut(text.Data(l.Name), 80)
		fmt.Fprintf(o.Out, "left out: %s: %s\n", name, l.Why)
	}
}

// distrust takes records out again.
func distrust(c *call, s *shelf, p shared.Repository) error {
	if s.by == journal.ByClaude {
		if err := notPaused(c); err != nil {
			return err
		}
	}
	return c.each(func(name string) (string, error) {
		r, err := s.find(name)
		if err != nil {
			return "", err
		}
		if r.Shared == "" {
			return "", hinted("memento list shows which are shared", "%s did not come from the repository", r.ID)
		}
		if err := p.Distrust(r); err != nil {
			return "", err
		}
		c.lookedShared(p)
		return "trusted no longer: " + r.ID, nil
	})
}
