package cli

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

func trustCommand() command {
	var yes, undo bool
	return command{
		name: "trust", json: true, args: "[--yes HASH... | --undo RECORD...]", apart: "yes undo",
		short: "take in the records that the repository carries, once you have read them",
		long: `A repository may carry records in .memento/ (memento help share). memento reads none of them to anybody
before you said yes: it shows each one that is new, and of a changed one the difference, and asks. What you
trust is this project's records, found and shown as any other and marked shared. A version once trusted
stays so, also when you switch branches. Only the repository changes these records.

  memento trust
  memento trust --json                  ids and SHA-256 of the files that wait, no words
  memento trust --yes 9f86d081884c7d65… accept exactly these versions, by their whole SHA-256
  memento trust --undo use-paseto       take a record out again; its file waits again

It asks at a terminal and nowhere else, and Claude cannot answer.
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&yes, "yes", false, "accept the files with these hashes")
			fs.BoolVar(&undo, "undo", false, "trust these records no longer")
		},
		run: func(c *call) error { return runTrust(c, yes, undo) },
	}
}

func runTrust(c *call, yes, undo bool) error {
	const hint = "memento help trust"
	switch {
	case (yes || undo) && len(c.args) == 0:
		return usage("memento trust --json", "which? Name the whole hashes, or with --undo the records")
	case !yes && !undo && len(c.args) > 0:
		return usage(hint, "it takes hashes behind --yes, and records behind --undo")
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if c.by == journal.ByClaude && (yes || !c.json && !undo) {
		return usage("in a terminal of your own: "+safefile.ShellWord(cmp.Or(c.Exe, "memento"))+" trust",
			"only you can say yes, and not from a session")
	}
	p := c.repository(s)
	if undo {
		return distrust(c, s, p)
	}
	review, err := p.Review()
	if errors.Is(err, fs.ErrNotExist) {
		review, err = shared.Review{}, nil
	}
	var files []shared.File
	switch {
	case err != nil:
		return err
	case yes:
		files, err = filesWithHashes(review, c.args)
	case c.json:
		c.printJSON(waitingFiles(s.project, review))
		return nil
	case len(review.Waiting) == 0:
		trustLeft(c.output, review)
		fmt.Fprintf(c.Out, "nothing waits; %s trusted\n", count(review.Trusted, "record"))
		return nil
	default:
		files, err = askTrust(c.output, review)
	}
	if err != nil {
		return err
	}
	return trustFiles(c, p, files)
}

// waitingFiles is the answer that lists the files that wait. Nothing but their names and hashes is known to anybody.
func waitingFiles(project string, review shared.Review) members {
	out := []members{}
	for _, f := range review.Waiting {
		out = append(out, members{{"id", naming.Prefix(project) + naming.Shared(f.Name)}, {"file", f.Path()},
			{"hash", f.Hash}, {"changed", f.Copy != nil}})
	}
	return members{{"waiting", out}, {"trusted", review.Trusted}, {"left_out", len(review.Left)}}
}

// filesWithHashes returns the files that wait with these hashes. It fails unless all of them can be accepted.
func filesWithHashes(review shared.Review, hashes []string) (files []shared.File, err error) {
	for _, given := range hashes {
		hash := strings.ToLower(strings.TrimPrefix(given, "sha256:"))
		i := slices.IndexFunc(review.Waiting, func(f shared.File) bool { return f.Hash == hash })
		if i < 0 {
			return nil, hinted("memento trust --json", "no file with the hash %s waits; nothing was accepted",
				text.Quote(text.Line(given)))
		}
		f := review.Waiting[i]
		if text.Visible(f.Record.Body) != f.Record.Body {
			return nil, hinted("memento trust shows them", "%s has invisible characters; nothing was accepted",
				f.Path())
		}
		files = append(files, f)
	}
	return files, nil
}

// askTrust shows each file that waits to a person at a terminal, and returns those that the person trusts.
func askTrust(o *output, review shared.Review) (files []shared.File, err error) {
	if !o.Terminal {
		return nil, usage("memento trust --json lists them; memento trust --yes HASH… accepts what you have read",
			"%s, and there is nobody to ask", text.CountVerb(len(review.Waiting), "record", "waits", "wait"))
	}
	for i, f := range review.Waiting {
		fmt.Fprintf(o.Out, "-- %d of %d: %s\n", i+1, len(review.Waiting), f.Path())
		shown, err := wordsOf(f)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Out, "sha256 %s\n%s\n", f.Hash, readable(strings.TrimRight(shown, " \t\r\n")))
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
	_ = c.printAnswer(members{{"trusted", array(taken)}}, "%s", said)
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

// trustLeft names the files of the folder that are not read.
func trustLeft(o *output, review shared.Review) {
	const most = 10
	for _, l := range review.Left[:min(len(review.Left), most)] {
		name, _ := text.Cut(text.Data(l.Name), 80)
		fmt.Fprintf(o.Out, "left out: %s: %s\n", name, l.Why)
	}
	if more := len(review.Left) - most; more > 0 {
		fmt.Fprintf(o.Out, "left out: %s more\n", count(more, "file"))
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
			return "", hinted("memento share "+r.ID+" --undo takes a copy of yours out of the repository",
				"%s did not come from the repository", r.ID)
		}
		if err := p.Distrust(r); err != nil {
			return "", err
		}
		c.lookedShared(p)
		return "trusted no longer: " + r.ID, nil
	})
}
