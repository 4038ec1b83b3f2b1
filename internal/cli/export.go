package cli

import (
	"bytes"
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
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

type exportFlags struct {
	scope      scope
	format, to string
	index      bool
}

func exportCommand() command {
	var f exportFlags
	return command{
		name: "export", args: "[RECORD|PATTERN]…", short: "write records as Markdown, JSON or envelopes, or list them for the team",
		long: `Without RECORD or PATTERN, all that the other flags let through: the active ones of this project.
Nothing is ever overwritten, but for a list that memento wrote itself.

  memento export --to ~/notes                             the files as they are, into a folder
  memento export --all --status all --format json --to backup.json
  memento export 'auth*'                                  on standard output, for reading
  memento export --format envelope --to .claude/memory    contexts and handoffs, as JSON
  memento export --index                                  .claude/mementos.md: titles, no bodies

memento import reads each of these again; Markdown in a folder and JSON keep every byte. The list
of --index leaves out what is written without being asked (session, handoff, subagent), unless
--kind asks for it; the same records make the same list, so it can be committed.

Exit code 0: everything was written. 1: something was not: it stands there already, has no place
in the format, or a write failed.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON about what was done; where nothing is written, the records themselves")
			f.scope.flags(fs)
			nameFlag(fs, &f.format, "format", "`FORMAT`: markdown (what it is without), json or envelope")
			nameFlag(fs, &f.to, "to", "the folder, or for json the file, to write into; - for standard output: `PATH`")
			fs.BoolVar(&f.index, "index", false, "write .claude/mementos.md in the project, a list for the team")
		},
		run: func(c *call) error { return runExport(c, f) },
	}
}

func runExport(c *call, f exportFlags) error {
	format := f.format
	if format == "" {
		format = exchange.Markdown
	}
	switch {
	case !slices.Contains(exchange.Formats(), format):
		return &usageError{what: fmt.Sprintf("export: there is no format %q", format), hint: oneOf(format, exchange.Formats())}
	case f.index && f.format != "":
		return &usageError{what: "export: --index writes a list, which has one format", hint: "leave --format out"}
	case f.index && f.to != "" && f.to != "-":
		return &usageError{what: "export: --index writes .claude/mementos.md in the project", hint: "leave --to out, or --to - to see it"}
	case f.index && (f.scope.all || f.scope.project != "" || len(c.args) > 0):
		return &usageError{what: "export: --index lists the records of the project it is written in", hint: "leave --all, --project and names out"}
	case format == exchange.Envelope && (f.to == "" || f.to == "-"):
		return &usageError{what: "export: envelopes are files: say where with --to", hint: "memento export --format envelope --to .claude/memory"}
	}
	out := f.to == "" || f.to == "-"
	if out && c.json { // there is nothing to tell but the records themselves
		format = exchange.JSON
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(c.config.Dir, c.absolute(f.to)); f.to != "" && f.to != "-" && err == nil && filepath.IsLocal(rel) {
		return &usageError{what: "export: " + f.to + " is in memento's own folder", hint: "name another place with --to"}
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
		return &hintError{err: fmt.Errorf("export: %s", nothing(filter, f.scope, c.args)), hint: "memento list --all --status all"}
	}
	var left []exchange.Left
	hint := ""
	for _, p := range problems {
		hint = "memento doctor"
		left = append(left, exchange.Left{Path: p.Path, Why: whyNot(p)})
	}
	switch {
	case out && format == exchange.JSON:
		data, err := exchange.Records(records)
		if err != nil {
			return err
		}
		if _, err = c.Out.Write(data); err != nil {
			return err
		}
		return c.notExported(left, hint)
	case out:
		if _, err = c.Out.Write(exchange.MarkdownStream(records)); err != nil {
			return err
		}
		return c.notExported(left, hint)
	case format == exchange.JSON:
		data, err := exchange.Records(records)
		if err != nil {
			return err
		}
		at := c.absolute(f.to)
		if info, err := os.Stat(at); err == nil && info.IsDir() {
			at = filepath.Join(at, "memento-records.json")
		}
		return c.exported(filepath.Dir(at), []exchange.File{{Path: filepath.Base(at), Data: data}}, left, hint, len(records))
	case format == exchange.Markdown:
		return c.exported(c.absolute(f.to), exchange.MarkdownFiles(records), left, hint, len(records))
	}
	var files []exchange.File
	lost := map[string]bool{}
	for _, r := range records {
		file, missing, err := exchange.EnvelopeFile(r)
		if err != nil {
			left = append(left, exchange.Left{Path: r.ID, Why: err.Error()})
			hint = cmp.Or(hint, "memento export "+r.ID+" --to "+safefile.ShellWord(f.to)+" writes it as Markdown")
			continue
		}
		for _, m := range missing {
			lost[m] = true
		}
		files = append(files, file)
	}
	if len(lost) > 0 && !c.json {
		var names []string
		for name := range lost {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintf(c.Err, "memento: note: an envelope has no place for %s\n", strings.Join(names, ", "))
	}
	return c.exported(c.absolute(f.to), files, left, hint, len(files))
}

// nothing says that no record is let through.
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

// notExported tells of what could not be exported, and what helps.
func (c *call) notExported(left []exchange.Left, hint string) error {
	for _, l := range left {
		if c.json {
			c.errorJSON("export: "+l.Path+": "+l.Why, hint, exitFail)
			continue
		}
		fmt.Fprintf(c.Err, "memento: export: %s: %s\n", text.Line(l.Path), text.Line(l.Why))
	}
	if left != nil {
		if !c.json && hint != "" {
			fmt.Fprintf(c.Err, "memento: hint: %s\n", hint)
		}
		return errSilent
	}
	return nil
}

// absolute is the path that a person means by at.
func (c *call) absolute(at string) string {
	if filepath.IsAbs(at) {
		return filepath.Clean(at)
	}
	return filepath.Join(c.Dir, at)
}

// chosen returns the records that were named, by id, slug or pattern, or all that the filter lets through. A name finds a
// record whatever its status, unless one was asked for.
func (s *shelf) chosen(filter record.Filter, names []string, status bool) (out []*record.Record, problems []record.Problem, err error) {
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

// exported writes files into dir, none over another, and tells what became of each. left are records that have no file.
func (c *call) exported(dir string, files []exchange.File, left []exchange.Left, hint string, records int) error {
	var wrote []string
	var failed error
	folders := map[string]error{}
	for _, f := range files {
		at := filepath.Join(dir, filepath.FromSlash(f.Path))
		in := filepath.Dir(at)
		err, known := folders[in]
		if !known {
			err = outFolder(dir)
			if err == nil && in != dir {
				err = outFolder(in)
			}
			folders[in] = err
		}
		if err == nil {
			err = safefile.Create(at, f.Data, 0o600)
		}
		switch {
		case err == nil:
			wrote = append(wrote, at)
		case errors.Is(err, fs.ErrExist):
			why := "it is there already, and stays"
			if old, err := safefile.Read(at, int64(len(f.Data))+1); err == nil && bytes.Equal(old, f.Data) {
				why = "it is there already, the very same"
			}
			left = append(left, exchange.Left{Path: at, Why: why})
			if hint == "" {
				hint = "name another place with --to"
			}
		default:
			failed = fmt.Errorf("export: %w", err)
			if len(wrote) > 0 {
				failed = &hintError{err: failed, hint: strings.TrimPrefix(stepFor(err)+"; ", "; ") + fmt.Sprintf("%d of %s stand there whole, and stay", len(wrote), count(len(files), "file"))}
			}
		}
		if failed != nil {
			break
		}
	}
	if c.json {
		type item struct {
			Path string `json:"path"`
			Why  string `json:"why"`
		}
		not := []item{}
		for _, l := range left {
			not = append(not, item{l.Path, l.Why})
		}
		c.printJSON(struct {
			Records int      `json:"records"`
			Written []string `json:"written"`
			Left    []item   `json:"left"`
		}{records, append([]string{}, wrote...), not})
	} else {
		for _, at := range wrote {
			fmt.Fprintln(c.Out, text.Line(at))
		}
		if failed == nil {
			return c.notExported(left, hint)
		}
		_ = c.notExported(left, "")
	}
	switch {
	case failed != nil:
		return failed
	case len(left) > 0:
		return errSilent
	}
	return nil
}

var errNoFolder = errors.New("it is a file, and a folder is expected")

// outFolder makes a folder to export into, unless it is there. A link in its place is refused.
func outFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return &hintError{err: fmt.Errorf("%s: %w: it is a symbolic link", dir, safefile.ErrRefused), hint: "name what it leads to"}
	case err == nil && !info.IsDir():
		return &hintError{err: fmt.Errorf("%s: %w", dir, errNoFolder), hint: "name a folder, or a file that is not there yet with --format json"}
	}
	if err = safefile.Folder(dir); errors.Is(err, fs.ErrNotExist) {
		hint := "mkdir -p " + safefile.ShellWord(filepath.Dir(dir))
		if !filepath.IsAbs(dir) {
			hint = "cd into a folder that is there: this one was removed"
		}
		return &hintError{err: err, hint: hint}
	}
	return err
}

// exportIndex writes the list for the team, or prints it.
func (c *call) exportIndex(s *shelf, filter record.Filter, show bool) error {
	w := c.workspace()
	found := c.locate(c.Dir)
	if s.project == record.User || found.None() {
		return &hintError{err: errors.New("export: --index is written into a project, and this folder is in none"), hint: "cd into the project first"}
	}
	if slug := record.Project(w.Slug(found)); slug != s.project {
		return &hintError{err: fmt.Errorf("export: this folder is project %q, and the session works in %q", slug, s.project), hint: "cd into the project first"}
	}
	records, problems, err := s.store.List(filter)
	if err != nil {
		return err
	}
	if filter.Kinds == nil {
		records = slices.DeleteFunc(records, func(r *record.Record) bool {
			k, _ := record.KindNamed(r.Kind)
			return k.Unasked
		})
	}
	data := exchange.Index(s.project, records)
	if show {
		_, err := c.Out.Write(data)
		return err
	}
	dir := filepath.Join(found.Root, ".claude")
	if err := outFolder(dir); errors.Is(err, errNoFolder) { // the list has one place
		return &hintError{err: fmt.Errorf("export: %w", err), hint: safefile.InPlace(dir)}
	} else if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	at := filepath.Join(dir, "mementos.md")
	old, err := safefile.Read(at, 16<<20)
	said := "written"
	switch {
	case err == nil && !bytes.HasPrefix(bytes.TrimPrefix(old, []byte("\ufeff")), []byte(exchange.Mark)):
		return &hintError{err: fmt.Errorf("export: %s was not written by memento, and stays", at), hint: "move it away, or see the list with memento export --index --to -"}
	case err == nil && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), data):
		said = "up to date"
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("export: %w", err)
	default:
		if err := safefile.Replace(at, data, 0o644); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	for _, p := range problems {
		fmt.Fprintf(c.Err, "memento: export: %s: %s\n", text.Line(p.Path), text.Line(p.Err.Error()))
	}
	if c.json {
		c.printJSON(struct {
			Path    string `json:"path"`
			Records int    `json:"records"`
			Changed bool   `json:"changed"`
		}{at, len(records), said == "written"})
		return nil
	}
	fmt.Fprintf(c.Out, "%s  %s, %s\n", text.Line(at), count(len(records), "record"), said)
	return nil
}
