package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

func trustCommand() command {
	return command{
		name: "trust", short: "take in the records that the repository carries, once you have read them",
		long: `A repository may carry records in .memento/ (memento help share). At a terminal memento shows each one that is new, and
of one that differs from yours the difference, and asks. No session sees a record before you trust it. Then it is a
record of this project like your own, marked shared: edit, archive or remove it as any other.

  memento trust
`,
		run: runTrust,
	}
}

func runTrust(c *call) error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if c.by == journal.ByClaude {
		return usage("in a terminal of your own: "+safefile.ShellWord(cmp.Or(c.Exe, "memento"))+" trust",
			"only you can say yes, and not from a session")
	}
	p := c.repository(s)
	all, err := p.Review()
	if err != nil {
		return err
	}
	for _, l := range all.Left[:min(len(all.Left), 10)] {
		name, _ := text.Cut(text.Data(l.Name), 80)
		fmt.Fprintf(c.Out, "left out: %s: %s\n", name, text.Line(l.Why))
	}
	if n := len(all.Left) - 10; n > 0 {
		fmt.Fprintf(c.Out, "left out: %s more\n", count(n, "file"))
	}
	if len(all.Waiting) == 0 {
		return c.say("nothing waits; %s trusted", count(len(all.Trusted), "record"))
	}
	files, err := askTrust(c.output, all.Waiting)
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := c.openShelf(true); err != nil { // the project's name is its own from now on
			return err
		}
		if err := p.Trust(f); err != nil {
			return fmt.Errorf("%s: %w", f.Path(), err)
		}
	}
	said := "trusted: " + count(len(files), "record")
	if all, err := p.Review(); err == nil && len(all.Waiting) > 0 { // the person knows of them now
		looked(c, notice.Shared(p.Project, all.Set()))
		said += "; " + text.CountVerb(len(all.Waiting), "record", "waits", "wait")
	}
	fmt.Fprintln(c.Out, said)
	if len(files) == 0 {
		return errSilent
	}
	return nil
}

// askTrust shows each file that waits to a person at a terminal, and returns those that the person trusts.
func askTrust(o *output, waiting []shared.File) (files []shared.File, err error) {
	if !o.Terminal {
		return nil, usage("memento trust, at a terminal", "%s, and there is nobody to ask",
			text.CountVerb(len(waiting), "record", "waits", "wait"))
	}
	for i, f := range waiting {
		fmt.Fprintf(o.Out, "-- %d of %d: %s\n", i+1, len(waiting), f.Path())
		shown, err := wordsOf(f)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Out, "%s\n", readable(strings.TrimRight(shown, " \t\r\n")))
		if o.agreed("Trust this?") {
			files = append(files, f)
		}
	}
	return files, nil
}

// wordsOf returns what a record of the file would say; where the person has a record of that name, the difference.
func wordsOf(f shared.File) (string, error) {
	now, _, err := shared.Encode(*f.Record)
	if err != nil || f.Own == nil {
		return string(now), err
	}
	was, _, err := shared.Encode(*f.Own)
	if err != nil {
		return "", err
	}
	_, changed, _ := bytes.Cut(diff.Diff("your record", was, "the repository's", now), []byte("\n"))
	if len(changed) == 0 {
		return "it says the same as your record; only the form of the file differs", nil
	}
	return string(changed), nil
}
