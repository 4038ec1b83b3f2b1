package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
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
	case f.index && f.format != "":
		return "", usage("leave --format out", "export: --index writes a list, which has one format")
	case f.index && !f.out():
		return "", usage("leave --to out, or --to - to see it",
			"export: --index writes .claude/mementos.md in the project")
	case f.index && (f.scope.all || f.scope.project != "" || named):
		return "", usage("leave --all, --project and names out",
			"export: --index lists the records of the project it is written in")
	case format == exchange.Envelope && f.out():
		const hint = "memento export --format envelope --to .claude/memory"
		return "", usage(hint, "export: envelopes are files: say where with --to")
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
	if rel, err := filepath.Rel(c.config.Dir, c.absolute(f.to)); !f.out() && err == nil && filepath.IsLocal(rel) {
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
	if err != nil {
		return err
	}
	if len(records) == 0 && len(problems) == 0 {
		if format == exchange.Envelope && len(c.args) == 0 && f.scope.kind == "" {
			return hinted("memento list --kind "+strings.Join(exchange.EnvelopeKinds(), ",")+" --status all",
				"export: there is no such context or handoff, and an envelope takes nothing else")
		}
		return hinted("memento list --all --status all", "export: %s", nothing(filter, f.scope, c.args))
	}
	var not unexported
	for _, p := range problems {
		not.add(p.Path, whyNot(p), "memento doctor")
	}
	if f.out() {
		data := exchange.MarkdownStream(records)
		if format == exchange.JSON {
			data, err = exchange.EncodeRecords(records)
		}
		if err == nil {
			_, err = c.asItIs().Write(data)
		}
		if err != nil {
			return err
		}
		return c.notExported(not)
	}
	return c.exportFiles(records, format, f.to, not)
}

// exportFiles writes records into files of the format, below the path to.
func (c *call) exportFiles(records []*record.Record, format, to string, not unexported) error {
	at := c.absolute(to)
	switch format {
	case exchange.JSON:
		data, err := exchange.EncodeRecords(records)
		if err != nil {
			return err
		}
		if info, err := os.Stat(at); err == nil && info.IsDir() {
			at = filepath.Join(at, "memento-records.json")
		}
		return c.exported(filepath.Dir(at), []exchange.File{{Path: filepath.Base(at), Data: data}}, not, len(records))
	case exchange.Markdown:
		return c.exported(at, exchange.MarkdownFiles(records), not, len(records))
	}
	var files []exchange.File
	var lost []string
	for _, r := range records {
		file, missing, err := exchange.EnvelopeFile(r)
		if err != nil {
			not.add(r.ID, err.Error(), "memento export "+r.ID+" --to "+safefile.ShellWord(to)+" writes it as Markdown")
			continue
		}
		lost = append(lost, missing...)
		files = append(files, file)
	}
	if len(lost) > 0 && !c.json {
		fmt.Fprintf(c.Err, "memento: note: an envelope has no place for %s\n", strings.Join(unique(lost), ", "))
	}
	return c.exported(at, files, not, len(files))
}

// nothing says that the flags choose no record.
func nothing(filter record.Filter, by scope, names []string) string {
	of := ""
	if filter.Project != "" {
		of = " of project " + filter.Project
	}
	by.all, by.project = false, ""
	if by == (scope{}) && len(names) == 0 {
		return "there is no active record" + of
	}
	return "no record" + of + " fits that"
}

// unexported are the records and files that could not be exported, and a hint for the first.
type unexported struct {
	left []exchange.Omission
	hint string
}

func (u *unexported) add(path, why, hint string) {
	u.left = append(u.left, exchange.Omission{Path: path, Why: why})
	u.hint = cmp.Or(u.hint, hint)
}

// notExported prints u, and returns errSilent unless u is empty.
func (c *call) notExported(u unexported) error {
	for _, l := range u.left {
		if c.json {
			c.errorJSON("export: "+l.Path+": "+l.Why, u.hint, exitFail)
			continue
		}
		fmt.Fprintf(c.Err, "memento: export: %s: %s\n", text.Line(l.Path), text.Line(l.Why))
	}
	if u.left == nil {
		return nil
	}
	if !c.json && u.hint != "" {
		fmt.Fprintf(c.Err, "memento: hint: %s\n", u.hint)
	}
	return errSilent
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

// exported writes files into dir, overwrites none, and prints the outcome for each. not are records that have no file.
func (c *call) exported(dir string, files []exchange.File, not unexported, records int) error {
	wrote, there, err := exchange.Write(dir, files)
	for _, l := range there {
		not.add(l.Path, l.Why, "name another place with --to")
	}
	if c.json {
		c.printJSON(members{{"records", records}, {"written", array(wrote)}, {"left", array(not.left)}})
	} else {
		for _, at := range wrote {
			fmt.Fprintln(c.Out, text.Line(at))
		}
		if err == nil {
			return c.notExported(not)
		}
		not.hint = ""
		_ = c.notExported(not)
	}
	switch {
	case err != nil && len(wrote) > 0:
		stand := fmt.Sprintf("%d of %s stand there whole, and stay", len(wrote), count(len(files), "file"))
		return hinted(strings.TrimPrefix(stepFor(err)+"; ", "; ")+stand, "export: %w", err)
	case err != nil:
		return fmt.Errorf("export: %w", err)
	case len(not.left) > 0:
		return errSilent
	}
	return nil
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
	records, problems, err := s.store.List(filter)
	if err != nil {
		return err
	}
	if filter.Kinds == nil {
		records = exchange.WithoutUnasked(records)
	}
	list := exchange.RenderIndex(s.project, records)
	if show {
		_, err := c.asItIs().Write(list)
		return err
	}
	at, changed, err := exchange.WriteIndex(found.Root, list)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for _, p := range problems {
		fmt.Fprintf(c.Err, "memento: export: %s: %s\n", text.Line(p.Path), text.Line(p.Err.Error()))
	}
	if c.json {
		c.printJSON(members{{"path", at}, {"records", len(records)}, {"changed", changed}})
		return nil
	}
	said := "up to date"
	if changed {
		said = "written"
	}
	fmt.Fprintf(c.Out, "%s  %s, %s\n", text.Line(at), count(len(records), "record"), said)
	return nil
}
