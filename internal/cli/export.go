package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

type exportFlags struct {
	scope      scope
	format, to string
	claudeMd   bool
}

func exportCommand() command {
	var f exportFlags
	return command{
		name: "export", args: "['PATTERN']", most: 1, apart: "all project", alone: "claude-md",
		short: "write records as Markdown, JSON or envelopes",
		long: `Without PATTERN it writes every record that the other flags choose, by default the active ones of this project. It
overwrites nothing. memento import reads each of these again.

  memento export --to ~/notes                             the files as they are, into a folder
  memento export --all --status all --format json --to backup.json
  memento export 'auth*'                                  on standard output, for reading
  memento export --format envelope --to .claude/memory    contexts and handoffs, as JSON
  memento export --claude-md                              the project's standing rules, for CLAUDE.md or AGENTS.md
`,
		flags: func(fs *flag.FlagSet) {
			f.scope.flags(fs)
			nameFlag(fs, &f.format, "format", "as `FORMAT`: markdown (the default), json or envelope")
			nameFlag(fs, &f.to, "to", "write into `PATH`: a folder, with json a file, - for standard output")
			fs.BoolVar(&f.claudeMd, "claude-md", false, "print standing rules as a section for CLAUDE.md or AGENTS.md")
		},
		run: func(c *call) error {
			switch {
			case f.claudeMd && len(c.args) > 0:
				return usage("memento help export", "--claude-md takes no records")
			case f.claudeMd:
				return exportRules(c)
			}
			return runExport(c, f)
		},
	}
}

// exportRules prints standing rules as a section of Markdown.
func exportRules(c *call) error {
	store, slug, err := ruleStore(c)
	if err != nil {
		return err
	}
	var lines []string
	for _, r := range store.Rules(slug).Kept {
		if !r.User {
			lines = append(lines, redact.Clean(text.Line(r.Text)))
		}
	}
	if lines == nil {
		return hinted("memento rules", "this project has no standing rule yet")
	}
	fmt.Fprintf(c.asItIs(), "## Standing rules\n\n%s\n", strings.TrimSpace(markdown.List(lines)))
	return nil
}

func runExport(c *call, f exportFlags) error {
	isOut := f.to == "" || f.to == "-" // the records go to standard output
	format := cmp.Or(f.format, exchange.Markdown)
	s, err := c.shelf()
	if err != nil {
		return err
	}
	at := c.absolute(f.to)
	switch {
	case !slices.Contains(exchange.Formats(), format):
		return usage(oneOf(format, exchange.Formats()), "there is no format %q", format)
	case format == exchange.Envelope && isOut:
		return usage("memento export --format envelope --to .claude/memory",
			"envelopes are files: say where with --to")
	case !isOut && c.isOwn(at):
		return usage("name another place with --to", "%s is in memento's own folder", f.to)
	}
	filter, err := s.matching(f.scope, c.args, c.Now())
	if err != nil {
		return err
	}
	if format == exchange.Envelope && filter.Kinds == nil && len(c.args) == 0 {
		filter.Kinds = exchange.EnvelopeKinds()
	}
	records, problems, err := s.store.List(filter)
	switch {
	case err != nil:
		return err
	case len(records)+len(problems) == 0:
		return hinted("memento list --all --status all", "no %s fits that",
			joined(" ", strings.Join(filter.Kinds, " or "), "record"))
	}
	var left []exchange.Omission
	for _, p := range problems {
		left = append(left, exchange.Omission{Path: p.Path, Why: whyNot(p)})
	}
	stream, files := exchange.MarkdownStream(records), exchange.MarkdownFiles(records)
	switch format {
	case exchange.JSON:
		if stream, err = exchange.EncodeRecords(records); err != nil {
			return err
		}
		files, at = []exchange.File{{Path: filepath.Base(at), Data: stream}}, filepath.Dir(at)
	case exchange.Envelope:
		files = nil
		for _, r := range records {
			file, err := exchange.EnvelopeFile(r)
			if err != nil {
				left = append(left, exchange.Omission{Path: r.ID, Why: err.Error()})
				continue
			}
			files = append(files, file)
		}
	}
	if isOut {
		_, err := c.asItIs().Write(stream)
		return cmp.Or(err, leftOut(c.output, left))
	}
	return writeFiles(c.output, at, files, left)
}

// leftOut prints what was not exported. The last of it is the error.
func leftOut(o *output, left []exchange.Omission) error {
	for i, l := range left {
		if i == len(left)-1 {
			return hinted("name another place with --to, or another format", "%s: %s", l.Path, l.Why)
		}
		fmt.Fprintf(o.Err, "memento: export: %s: %s\n", text.Line(l.Path), text.Line(l.Why))
	}
	return nil
}

// absolute returns the absolute path of at, which a person wrote in the working folder.
func (s *Streams) absolute(at string) string {
	if filepath.IsAbs(at) {
		return filepath.Clean(at)
	}
	return filepath.Join(s.Dir, at)
}

// writeFiles writes files into dir, overwrites none, and prints the outcome for each. left are records without a file.
func writeFiles(o *output, dir string, files []exchange.File, left []exchange.Omission) error {
	wrote, there, err := exchange.Write(dir, files)
	left = append(left, there...)
	for _, at := range wrote {
		fmt.Fprintln(o.Out, text.Line(at))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return hinted("mkdir -p "+safefile.ShellWord(filepath.Dir(dir)), "%w", err)
	case err != nil && len(wrote) > 0:
		return hinted(joined("; ", safefile.Step(err), fmt.Sprintf("%d of %s stand there whole, and stay", len(wrote),
			count(len(files), "file"))), "%w", err)
	case err != nil:
		return err
	}
	return leftOut(o, left)
}
