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
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

func trustCommand() command {
	var yes, undo bool
	return command{
		name: "trust", json: true, args: "[--yes HASH... | --undo RECORD...]",
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
		run: func(c *call) error { return c.trust(yes, undo) },
	}
}

func (c *call) trust(yes, undo bool) error {
	const hint = "memento help trust"
	switch {
	case yes && undo:
		return usage(hint, "trust: --yes and --undo exclude each other")
	case (yes || undo) && len(c.args) == 0:
		return usage("memento trust --json", "trust: which? Name the whole hashes, or with --undo the records")
	case !yes && !undo && len(c.args) > 0:
		return usage(hint, "trust: it takes hashes behind --yes, and records behind --undo")
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if s.by == journal.ByClaude && (yes || !c.json && !undo) {
		return usage("in a terminal of your own: "+safefile.ShellWord(cmp.Or(c.Exe, "memento"))+" trust",
			"trust: only you can say yes, and not from a session")
	}
	p := c.repository(s)
	if undo {
		return c.distrust(s, p)
	}
	review, err := p.Review()
	if errors.Is(err, fs.ErrNotExist) {
		review, err = shared.Review{}, nil
	}
	switch {
	case err != nil:
		return shareError(err)
	case yes:
		return c.trustHashes(p, review)
	case c.json:
		c.trustJSON(s.project, review)
		return nil
	}
	return c.trustAsking(p, review)
}

// waitingFile is a file that waits, in JSON. Nothing but its name and its hash is known to anybody.
type waitingFile struct {
	ID       string `json:"id"` // of the record that it would be
	File     string `json:"file"`
	Hash     string `json:"hash"`
	Changed  bool   `json:"changed"`  // another version is trusted
	Conflict bool   `json:"conflict"` // git left its marks in it, so that it cannot be trusted
}

func (c *call) trustJSON(project string, review shared.Review) {
	out := []waitingFile{}
	for _, f := range review.Waiting {
		out = append(out, waitingFile{naming.Prefix(project) + naming.Shared(f.Name), f.Path(), f.Hash, f.Copy != nil,
			f.Conflict})
	}
	c.printJSON(members{{"waiting", out}, {"trusted", review.Trusted}, {"left_out", len(review.Left)}})
}

// trustHashes accepts the files with the hashes in the arguments, all or none.
func (c *call) trustHashes(p shared.Repository, review shared.Review) error {
	var files []shared.File
	for _, h := range c.args {
		h := strings.ToLower(strings.TrimPrefix(h, "sha256:"))
		found := false
		for _, f := range review.Waiting {
			if f.Hash == h && !f.Conflict {
				files, found = append(files, f), true
			}
		}
		if !found {
			return hinted("memento trust --json", "trust: no file with the hash %s waits; nothing was accepted",
				text.Quote(text.Line(h)))
		}
	}
	for _, f := range files {
		if text.Visible(f.Record.Body) != f.Record.Body {
			return hinted("memento trust shows them", "trust: %s has invisible characters; nothing was accepted", f.Path())
		}
	}
	if _, err := c.openShelf(true); err != nil { // the project's name is its own from now on
		return err
	}
	taken, left, err := p.Trust(files)
	if err != nil {
		return shareError(err)
	}
	c.lookedShared(p)
	if c.json {
		c.printJSON(members{{"trusted", array(taken)}})
	} else {
		fmt.Fprintf(c.Out, "trusted: %s\n", count(len(taken), "record"))
	}
	return c.notTaken(left)
}

// notTaken says which files a yes did not bring in. It returns errSilent when there are any.
func (c *call) notTaken(left []shared.Left) error {
	for _, l := range left {
		fmt.Fprintf(c.Err, "memento: trust: %s was not taken in: %s\n", l.Name, l.Why)
	}
	if left == nil {
		return nil
	}
	return errSilent
}

// trustAsking shows each file that waits to a person at a terminal and asks.
func (c *call) trustAsking(p shared.Repository, review shared.Review) error {
	if len(review.Waiting) == 0 {
		c.trustLeft(review)
		fmt.Fprintf(c.Out, "nothing waits; %s trusted\n", count(review.Trusted, "record"))
		return nil
	}
	if !c.Terminal {
		return usage("memento trust --json lists them; memento trust --yes HASH… accepts what you have read",
			"trust: %s, and there is nobody to ask", text.CountVerb(len(review.Waiting), "record", "waits", "wait"))
	}
	var files []shared.File
	for i, f := range review.Waiting {
		fmt.Fprintf(c.Out, "-- %d of %d: %s\n", i+1, len(review.Waiting), f.Path())
		if f.Conflict {
			fmt.Fprintln(c.Out, "it has the marks of a git conflict: resolve them, then memento trust")
			continue
		}
		if err := c.showWaiting(f); err != nil {
			return err
		}
		if c.agreed("Trust this?") {
			files = append(files, f)
		}
	}
	c.trustLeft(review)
	if len(files) > 0 {
		if _, err := c.openShelf(true); err != nil { // the project's name is its own from now on
			return err
		}
	}
	taken, left, err := p.Trust(files)
	if err != nil {
		return shareError(err)
	}
	fmt.Fprintf(c.Out, "trusted: %s", count(len(taken), "record"))
	if n := c.lookedShared(p); n > 0 { // also without any: the person knows now what waits
		fmt.Fprintf(c.Out, "; %s", text.CountVerb(n, "record", "waits", "wait"))
	}
	fmt.Fprintln(c.Out)
	return c.notTaken(left)
}

// lookedShared notes that the person knows which files of the repository wait, and returns how many do.
func (c *call) lookedShared(p shared.Repository) int {
	n, set, err := p.Waiting()
	if err == nil && set != "" {
		looked(c, notice.Shared(p.Project, set))
	}
	return n
}

// showWaiting prints what a record of the file would say; where another version is trusted, the difference from it.
func (c *call) showWaiting(f shared.File) error {
	now, _, err := shared.Encode(*f.Record)
	if err != nil {
		return err
	}
	shown := string(now)
	if f.Copy != nil {
		was, _, err := shared.Encode(*f.Copy)
		if err != nil {
			return err
		}
		_, changed, _ := bytes.Cut(diff.Diff("trusted", was, "now", now), []byte("\n"))
		if shown = string(changed); shown == "" {
			shown = "it says the same as the version that you trust; only the form of the file differs\n"
		}
	}
	fmt.Fprintf(c.Out, "sha256 %s\n%s\n", f.Hash, readable(strings.TrimRight(shown, " \t\r\n")))
	return nil
}

// trustLeft names the files of the folder that are not read.
func (c *call) trustLeft(review shared.Review) {
	const most = 10
	for _, l := range review.Left[:min(len(review.Left), most)] {
		name, _ := text.Cut(text.Data(l.Name), 80)
		fmt.Fprintf(c.Out, "left out: %s: %s\n", name, l.Why)
	}
	if more := len(review.Left) - most; more > 0 {
		fmt.Fprintf(c.Out, "left out: %s more\n", count(more, "file"))
	}
}

// distrust takes records out again.
func (c *call) distrust(s *shelf, p shared.Repository) error {
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
			return "", shareError(err)
		}
		c.lookedShared(p)
		return "trusted no longer: " + r.ID, nil
	})
}
