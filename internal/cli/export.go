package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

type exportFlags struct {
	scope      scope
	format, to string
	index      bool
	claudeMd   bool
}

func exportCommand() command {
	var f exportFlags
	return command{
		name: "export", args: "[RECORD|PATTERN]…",
		short: "write records as Markdown, JSON or envelopes, or list them for the team",
		long: `Without RECORD or PATTERN it writes every record that the other flags choose, by default the active ones
of this project. It overwrites nothing except a list that memento wrote.

  memento export --to ~/notes                             the files as they are, into a folder
  memento export --all --status all --format json --to backup.json
  memento export 'auth*'                                  on standard output, for reading
  memento export --format envelope --to .claude/memory    contexts and handoffs, as JSON
  memento export --index                                  .claude/mementos.md: titles, no bodies
  memento export --claude-md                              the project's standing rules, for CLAUDE.md or AGENTS.md
  memento export --claude-md 310877 665020                only those; memento rules lists them

memento import reads each of these again; Markdown in a folder and JSON keep every byte. The list of
--index leaves out records that memento writes unasked (session, handoff, subagent), unless --kind
names them. The same records make the same list, so you can commit it.

Exit code 0: it wrote everything. 1: a file stood in the way, a record has no place in the format, or a
write failed.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false,
				"print what was done as JSON; without --to, the records themselves")
			f.scope.flags(fs)
			nameFlag(fs, &f.format, "format", "`FORMAT`: markdown (the default), json or envelope")
			nameFlag(fs, &f.to, "to", "the folder, or for json the file, to write into; - for standard output: `PATH`")
			fs.BoolVar(&f.index, "index", false, "write .claude/mementos.md in the project, a list for the team")
			fs.BoolVar(&f.claudeMd, "claude-md", false, "print standing rules as a section for CLAUDE.md or AGENTS.md")
		},
		run: func(c *call) error {
			if f.claudeMd {
				return c.exportRules(f)
			}
			return runExport(c, f)
		},
	}
}

// exportRules prints standing rules as a section of Markdown.
func (c *call) exportRules(f exportFlags) error {
	if f.scope != (scope{}) || f.format != "" || f.to != "" || f.index {
		return usage("memento export --claude-md >> CLAUDE.md",
			"export: --claude-md prints standing rules, and takes only their numbers")
	}
	if err := c.load(); err != nil {
		return err
	}
	rules, err := c.chosenRules("export", c.args)
	if err != nil {
		return err
	}
	lines := []string{}
	for _, r := range rules {
		lines = append(lines, redact.Clean(text.Line(r.Text)))
	}
	if c.json {
		c.printJSON(members{{"rules", lines}})
		return nil
	}
	fmt.Fprintf(c.asItIs(), "## Standing rules\n\n%s\n", strings.TrimSpace(markdown.List(lines)))
	return nil
}

// check returns the format to write. Errors: *usageError for flags that exclude each other.
func (f exportFlags) check(named bool) (format string, err error) {
	format = cmp.Or(f.format, exchange.Markdown)
	switch {
	case !slices.Contains(exchange.Formats(), format):
		return "", usage(oneOf(format, exchange.Formats()), "export: there is no format %q", format)
	case f.index && (f.format != "" || !f.out() || f.scope.all || f.scope.project != "" || named):
		return "", usage("memento export --index, or with --to - to see it",
			"export: --index writes one list of one project's records, .claude/mementos.md in the project")
	case format == exchange.Envelope && f.out():
		return "", usage("memento export --format envelope --to .claude/memory",
			"export: envelopes are files: say where with --to")
	}
	return format, nil
}

// out reports whether the records go to standard output.
func (f exportFlags) out() bool { return f.to == "" || f.to == "-" }

func runExport(c *call, f exportFlags) error {
	format, err := f.check(len(c.args) > 0)
	if err != nil {
		return err
	}
	if f.out() && c.json { // the answer is the records
		format = exchange.JSON
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	at := c.absolute(f.to)
	if rel, err := filepath.Rel(c.config.Dir, at); !f.out() && err == nil && filepath.IsLocal(rel) {
		return usage("name another place with --to", "export: %s is in memento's own folder", f.to)
	}
	filter, err := s.filter(f.scope, c.Now())
	if err != nil {
		return err
	}
	if f.index {
		return c.exportIndex(s, filter, f.to == "-")
	}
	if format == exchange.Envelope && filter.Kinds == nil && len(c.args) == 0 {
		filter.Kinds = exchange.EnvelopeKinds()
	}
	records, problems, err := s.chosen(filter, c.args, f.scope.status != "")
	switch {
	case err != nil:
		return err
	case len(records)+len(problems) == 0:
		kinds := strings.TrimPrefix(strings.Join(filter.Kinds, " or ")+" record", " ")
		return hinted("memento list --all --status all", "export: no %s fits that", kinds)
	}
	var left []exchange.Omission
	for _, p := range problems {
		left = append(left, exchange.Omission{Path: p.Path, Why: whyNot(p)})
	}
	var files []exchange.File
	var data []byte
	switch format {
	case exchange.JSON:
		data, err = exchange.EncodeRecords(records)
		if info, bad := os.Stat(at); bad == nil && info.IsDir() {
			at = filepath.Join(at, "memento-records.json")
		}
		files, at = []exchange.File{{Path: filepath.Base(at), Data: data}}, filepath.Dir(at)
	case exchange.Markdown:
		data, files = exchange.MarkdownStream(records), exchange.MarkdownFiles(records)
	default:
		for _, r := range records {
			file, err := exchange.EnvelopeFile(r)
			if err != nil {
				left = append(left, exchange.Omission{Path: r.ID, Why: err.Error()})
				continue
			}
			files = append(files, file)
		}
	}
	if err == nil && f.out() {
		_, err = c.asItIs().Write(data)
	}
	if err != nil || f.out() {
		return cmp.Or(err, c.leftOut(left))
	}
	return c.exported(at, files, left)
}

// leftOut prints what was not exported. The last of it is the error.
func (c *call) leftOut(left []exchange.Omission) error {
	for i, l := range left {
		if i == len(left)-1 {
			return hinted("name another place with --to, or another format", "export: %s: %s", l.Path, l.Why)
		}
		if !c.json {
			fmt.Fprintf(c.Err, "memento: export: %s: %s\n", text.Line(l.Path), text.Line(l.Why))
		}
	}
	return nil
}

// absolute returns the absolute path of at, which a person wrote in the working folder.
func (c *call) absolute(at string) string {
	if filepath.IsAbs(at) {
		return filepath.Clean(at)
	}
	return filepath.Join(c.Dir, at)
}

// chosen returns the records that names name, by id, slug or pattern; without names all that the filter chooses. A name
// finds a record of any status, unless status says that --status was given.
func (s *shelf) chosen(
	filter record.Filter, names []string, status bool,
) (out []*record.Record, problems []record.Problem, err error) {
	if len(names) == 0 {
		return s.store.List(filter)
	}
	for _, name := range names {
		var more []*record.Record
		if strings.ContainsAny(name, "*?[") {
			of := filter
			of.Match = name
			var bad []record.Problem
			if more, bad, err = s.store.List(of); err != nil {
				if errors.Is(err, path.ErrBadPattern) {
					err = noPattern("export", name)
				}
				return nil, nil, err
			}
			problems = append(problems, bad...)
		} else {
			r, err := s.find(name)
			if err != nil {
				return nil, nil, err
			}
			if !status || slices.Contains(filter.Status, r.Status) {
				more = append(more, r)
			}
		}
		for _, r := range more {
			if !slices.ContainsFunc(out, func(have *record.Record) bool { return have.ID == r.ID }) {
				out = append(out, r)
			}
		}
	}
	return out, problems, nil
}

// exported writes files into dir, overwrites none, and prints the outcome for each. left are records without a file.
func (c *call) exported(dir string, files []exchange.File, left []exchange.Omission) error {
	wrote, there, err := exchange.Write(dir, files)
	left = append(left, there...)
	if c.json {
		c.printJSON(members{{"written", array(wrote)}, {"left", array(left)}})
	} else {
		for _, at := range wrote {
			fmt.Fprintln(c.Out, text.Line(at))
		}
	}
	switch {
	case errors.Is(err, exchange.ErrNoFolder):
		return hinted("name a folder, or a file that is not there yet with --format json", "export: %w", err)
	case errors.Is(err, fs.ErrNotExist):
		return hinted("mkdir -p "+safefile.ShellWord(filepath.Dir(dir)), "export: %w", err)
	case err != nil && len(wrote) > 0:
		stand := fmt.Sprintf("%d of %s stand there whole, and stay", len(wrote), count(len(files), "file"))
		return hinted(strings.TrimPrefix(stepFor(err)+"; ", "; ")+stand, "export: %w", err)
	case err != nil:
		return fmt.Errorf("export: %w", err)
	}
	return c.leftOut(left)
}

// exportIndex writes the list for the team, or with show prints it.
func (c *call) exportIndex(s *shelf, filter record.Filter, show bool) error {
	found := c.here()
	const hint = "cd into the project first"
	if s.project == naming.User || found.None() {
		return hinted(hint, "export: --index is written into a project, and this folder is in none")
	}
	if slug := naming.Project(c.workspace().Slug(found)); slug != s.project {
		return hinted(hint, "export: this folder is project %q, and the session works in %q", slug, s.project)
	}
	list, records, err := teamIndex(s, filter)
	if err != nil {
		return err
	}
	if show {
		_, err := c.asItIs().Write(list)
		return err
	}
	at, changed, err := exchange.WriteIndex(found.Root, list)
	switch {
	case errors.Is(err, exchange.ErrForeign):
		return hinted("move it away, or see the list with memento export --index --to -", "export: %w", err)
	case err != nil:
		return fmt.Errorf("export: %w", err)
	case c.json:
		c.printJSON(members{{"path", at}, {"records", records}, {"changed", changed}})
		return nil
	}
	said := "up to date"
	if changed {
		said = "written"
	}
	fmt.Fprintf(c.Out, "%s  %s, %s\n", text.Line(at), count(records, "record"), said)
	return nil
}

// teamIndex returns the list of a project's records for the team, and their number. A record that cannot be read is
// left out.
func teamIndex(s *shelf, filter record.Filter) (list []byte, n int, err error) {
	records, _, err := s.store.List(filter)
	if filter.Kinds == nil {
		records = exchange.WithoutUnasked(records)
	}
	return exchange.RenderIndex(s.project, records), len(records), err
}

// refreshIndex brings the list for the team up to date after a command that may have changed records, where memento
// wrote one before. An error does not fail the command, which has done its work.
func (c *call) refreshIndex() {
	if c.config.Dir == "" { // the command did not come so far
		return
	}
	root := c.here().Root
	if root == "" || !exchange.HasIndex(root) {
		return
	}
	s, err := c.shelf()
	if err != nil || naming.Project(c.workspace().Slug(c.here())) != s.project {
		return
	}
	list, _, err := teamIndex(s, record.Filter{Project: s.project})
	if err == nil {
		_, _, err = exchange.WriteIndex(root, list)
	}
	if err != nil {
		fmt.Fprintf(c.Err, "memento: note: .claude/mementos.md is not up to date: %s\n", text.Line(worded(err)))
	}
}
