package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

type editFlags struct {
	set, more            pairs
	body, match, summary string
}

func editCommand() command {
	f := &editFlags{}
	return command{
		name: "edit", args: "RECORD", short: "change a record: its sections, title, tags, files or stage",
		long: `Without a flag it opens the record in $VISUAL or $EDITOR, at a terminal. A text that does not fit, or
a record that was changed meanwhile, loses nothing: your text is kept, and the error says where.

--set replaces one section, or title, tags, files, stage or confidence; everything else stays as it is. --append
adds to a section, to tags or to files; several with commas. A --body with headings replaces the
whole body, a --body without headings the main section. A --body that is a whole file with front
matter replaces the file. It is refused if the record was changed since memento show --raw printed
that file. --if-match refuses every change of a record that has another hash by now (memento show
prints the hash), and shows both versions.

  memento edit use-paseto
  memento edit use-paseto --set decision="PASETO v4, public" --append tags=security
  memento edit use-paseto --append consequences="all sessions end once" --summary "what it cost"
  memento show --raw use-paseto > p.md; vi p.md; memento edit use-paseto --body p.md --if-match 0123456789abcdef
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.Var(&f.set, "set", "`KEY=TEXT` of a section, or title, tags, files, stage, confidence; may be repeated; empty clears it")
			fs.Var(&f.more, "append", "`KEY=TEXT` to add at the end of a section; may be repeated")
			fs.StringVar(&f.body, "body", "", "the `FILE` with the text in Markdown, - for standard input")
			matchFlag(fs, &f.match)
			fs.StringVar(&f.summary, "summary", "", "`TEXT` for the record's history: what changed")
		},
		run: f.run,
	}
}

// bodyOnly reports whether no flag but --body asks for a change.
func (f *editFlags) bodyOnly() bool {
	return len(f.set)+len(f.more) == 0
}

func (f *editFlags) run(c *call) error {
	if len(c.args) > 1 {
		hint := "memento edit " + text.Line(c.args[0]) + " --set KEY=TEXT, or --body FILE"
		return usage(hint, "takes one record, got %d", len(c.args))
	}
	if len(c.args) == 0 {
		return usage("memento list", "which record?")
	}
	if f.bodyOnly() && f.body == "" {
		if editor := c.editor(); editor != "" && f.match == "" {
			return f.inEditor(c, editor)
		}
		for _, flag := range [][2]string{{"--if-match", f.match}, {"--summary", f.summary}} {
			if flag[1] != "" {
				hint := "memento edit " + c.args[0] + " --set KEY=TEXT, or another flag of memento help edit"
				return usage(hint, "%s comes with a change, and there is none", flag[0])
			}
		}
		return f.where(c)
	}
	given := ""
	if f.body != "" {
		var err error
		if given, err = c.readBody(f.body); err != nil {
			return err
		}
	}
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	old, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	var made *record.Record
	if strings.HasPrefix(given, "---\n") || strings.HasPrefix(given, "---\r\n") {
		if !f.bodyOnly() {
			return usage("change its front matter in the file, or leave that out",
				"a --body that is a whole file comes alone")
		}
		made, err = f.replace(s, old, f.match, given)
	} else {
		made, err = s.store.Update(old.ID, f.match, f.summary, func(r *record.Record) error {
			return f.apply(c, s, r, given)
		})
	}
	if err != nil {
		return c.conflict(err)
	}
	f.printEdited(c, old, made)
	return nil
}

// replace stores the text of a whole file as the new version of old. Errors: those of [record.Store.CheckTitle] and
// [record.Store.Replace].
func (f *editFlags) replace(s *shelf, old *record.Record, match, whole string) (*record.Record, error) {
	if read, err := record.Decode(old.ID, []byte(whole)); err == nil {
		if err := s.checkNewTitle(old, read.Title); err != nil {
			return nil, err
		}
	}
	return s.store.Replace(old.ID, match, f.summary, []byte(whole))
}

// printEdited says what became of old, and which secrets were left out.
func (f *editFlags) printEdited(c *call, old, made *record.Record) {
	c.noteWrite(made)
	changed := made.Hash() != old.Hash()
	if changed {
		fmt.Fprintf(c.Out, "edited %s, hash %s\n", made.ID, made.Hash())
	} else {
		fmt.Fprintf(c.Out, "%s is as it was, hash %s\n", made.ID, made.Hash())
	}
}

// editor returns the command that opens a file for the person at this terminal: $VISUAL, else $EDITOR. It returns ""
// when nobody can use an editor here.
func (c *call) editor() string {
	if !c.Terminal || c.Edit == nil || c.by == journal.ByClaude {
		return ""
	}
	return cmp.Or(strings.TrimSpace(c.Getenv("VISUAL")), strings.TrimSpace(c.Getenv("EDITOR")))
}

// inEditor has the person change a copy of the record in an editor, and stores the result. When the result cannot be
// stored, the copy stays, and the error's hint names it.
func (f *editFlags) inEditor(c *call, editor string) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	old, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	folder, remove, err := safefile.Scratch("")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, filepath.Base(old.Path))
	if err := safefile.Create(path, old.Bytes(), 0o600); err != nil {
		remove()
		return err
	}
	failed := c.Edit(editor, path)
	text, err := record.ReadFile(path)
	isChanged := err == nil && strings.TrimSpace(string(text)) != "" && string(text) != string(old.Bytes())
	made := old
	switch {
	case err != nil:
	case isChanged && failed != nil:
		err = failed
	case isChanged:
		made, err = f.replace(s, old, old.Hash(), string(text))
	case failed != nil:
		err = hinted("set VISUAL or EDITOR to a command that waits, such as vi, or code --wait", "%w", failed)
	}
	if err != nil && isChanged {
		return kept(old.ID, path, err)
	}
	remove()
	if err == nil {
		f.printEdited(c, old, made)
	}
	return err
}

// kept is err with the command that stores a text that could not be stored.
func kept(id, path string, err error) error {
	command := "memento edit " + id + " --body " + safefile.ShellWord(path)
	var conflict *record.ConflictError
	if errors.As(err, &conflict) {
		command += " --if-match " + conflict.Hash
	}
	return hinted("your text is kept: look at memento show "+id+", change "+path+", then: "+command, "%w", err)
}

// apply makes the changes to r.
func (f *editFlags) apply(c *call, s *shelf, r *record.Record, body string) (err error) {
	k, ok := schema.Named(r.Kind)
	if !ok && (len(f.set)+len(f.more) > 0 || body != "") {
		return hinted("mend the line of its kind by hand: memento show "+r.ID+" says where the file is",
			"%w: its kind %q is none: %s", record.ErrInvalid, r.Kind, strings.Join(schema.Names(), ", "))
	}
	if f.body != "" {
		if r.Body, err = newBody(k, r.Body, body); err != nil {
			return err
		}
	}
	set, more := slices.Clone(f.set), slices.Clone(f.more)
	if err := f.frontMatter(c, s, r, &set, &more); err != nil {
		return err
	}
	if err := c.front(k, r, &set); err != nil {
		return err
	}
	if k.Name == "preference" {
		noteOldTexts(k, r, set)
	}
	if r.Body, err = c.setSections(k, r.Body, set, false); err != nil {
		return err
	}
	r.Body, err = c.setSections(k, r.Body, more, true)
	return err
}

// frontMatter moves title, tags and files from set, and tags and files from more, to r.
func (f *editFlags) frontMatter(c *call, s *shelf, r *record.Record, set, more *pairs) error {
	if title, ok := set.cut("title"); ok {
		if err := c.fitsTitle(title); err != nil {
			return err
		}
		if err := s.checkNewTitle(r, title); err != nil {
			return err
		}
		r.Title = title
	}
	files := func(given []string) (out []string) {
		for _, file := range given {
			out = append(out, f.file(c, s, r, file))
		}
		return out
	}
	if given, ok := set.cutAll("tags"); ok {
		r.Tags = tags(given)
	}
	if given, ok := set.cutAll("files"); ok {
		r.Files = files(tags(given))
	}
	added, _ := more.cutAll("tags")
	r.Tags = append(slices.Clone(r.Tags), tags(added)...)
	added, _ = more.cutAll("files")
	r.Files = append(slices.Clone(r.Files), files(tags(added))...)
	return nil
}

// noteOldTexts puts the texts of sections, which set replaces, into r's history.
func noteOldTexts(k schema.Kind, r *record.Record, set pairs) {
	brief := func(s string) string {
		s, _ = text.Cut(text.Line(redact.Clean(text.Private(s))), 300)
		return s
	}
	for _, one := range set {
		p, ok := k.Part(one.key)
		old, _ := markdown.Text(r.Body, p.Heading)
		if old, new := brief(old), brief(one.text); ok && !p.List && old != new {
			r.Changes = append(slices.Clone(r.Changes),
				record.Change{Summary: "set " + p.Key(), Field: p.Key(), Old: old, New: new})
		}
	}
}

// checkNewTitle checks title as a new title of r. It returns the error of [record.Store.CheckTitle], nil for r's own
// title.
func (s *shelf) checkNewTitle(r *record.Record, title string) error {
	if naming.TitleKey(title) == naming.TitleKey(r.Title) {
		return nil
	}
	return s.store.CheckTitle(r.Project, title, r.ID)
}

// file returns the path of a file as r names it.
func (f *editFlags) file(c *call, s *shelf, r *record.Record, file string) string {
	if r.Project == s.project {
		return c.within(file)
	}
	return file
}

// where prints the path of a record and the ways to edit it.
func (f *editFlags) where(c *call) error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	r, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s\nEdit it with any editor: memento reads what the file says. the next search "+
		"finds it.\nAt a terminal, memento edit %s opens it in $VISUAL or $EDITOR.\n"+
		"Or: memento edit %s --set KEY=TEXT; memento help edit\n", r.Path, r.ID, r.ID)
	return nil
}

// matchFlag adds --if-match. It refuses an empty hash: a script whose variable is unset must not overwrite anything.
func matchFlag(fs *flag.FlagSet, hash *string) {
	fs.Func("if-match", "the `HASH` it had when you read it", func(s string) error {
		if *hash = strings.TrimSpace(s); *hash == "" {
			return errors.New("it is empty, and would match anything")
		}
		return nil
	})
}

// conflict adds a hint to the error of a change. For a *record.ConflictError it also prints both versions.
func (c *call) conflict(err error) error {
	var conflict *record.ConflictError
	if !errors.As(err, &conflict) {
		return recordError(err)
	}
	stored := readable(strings.TrimRight(string(conflict.Stored), "\n"))
	yours := readable(strings.TrimRight(string(conflict.Yours), "\n"))
	fmt.Fprintf(c.Err, "memento: %s: %v\n", c.command.name, err)
	fmt.Fprintf(c.Err, "<<<<<<< stored, %s\n%s\n=======\n%s\n", conflict.Hash, stored, yours)
	fmt.Fprintf(c.Err, ">>>>>>> yours, nothing of it was written\nmemento: hint: look at both, then again with "+
		"--if-match %s\n", conflict.Hash)
	return errSilent
}
