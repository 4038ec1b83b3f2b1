package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

type editFlags struct {
	set, more                 pairs
	title, stage, confidence  note.Text
	tags, addTags, removeTags note.List
	files, removeFiles        note.List
	body, match, summary      string
}

func editCommand() command {
	f := &editFlags{}
	return command{
		name: "edit", args: "RECORD", short: "change a record: its sections, title, tags, files or stage",
		long: `Without a flag it opens the record in $VISUAL or $EDITOR, at a terminal. A text that does not fit, or
a record that was changed meanwhile, loses nothing: your text is kept, and the error says where.

--set replaces one section; the other sections stay as they are. A --body with headings replaces the
whole body, a --body without headings the main section. A --body that is a whole file with front
matter replaces the file. It is refused if the record was changed since memento show --raw printed
that file. --if-match refuses every change of a record that has another hash by now (memento show
prints the hash), and shows both versions.

  memento edit use-paseto
  memento edit use-paseto --set decision="PASETO v4, public" --add-tag security
  memento edit use-paseto --append consequences="all sessions end once" --summary "what it cost"
  memento show --raw use-paseto > p.md; vi p.md; memento edit use-paseto --body p.md --if-match 0123456789abcdef
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.Var(&f.set, "set", "`KEY=TEXT` of a section; may be repeated; empty clears it")
			fs.Var(&f.more, "append", "`KEY=TEXT` to add at the end of a section; may be repeated")
			fs.StringVar(&f.body, "body", "", "the `FILE` with the text in Markdown, - for standard input")
			fs.Var(&f.title, "title", "another `TITLE`; the record's name stays")
			fs.Var(&f.stage, "stage", "the `STAGE` of the matter; empty for none")
			fs.Var(&f.stage, "state", "") // its old name
			fs.Var(&f.confidence, "confidence", "`N` from 0 to 1; empty for none")
			fs.Var(&f.tags, "tag", "a `TAG` that replaces all tags; may be repeated")
			fs.Var(&f.addTags, "add-tag", "add a `TAG`; may be repeated")
			fs.Var(&f.removeTags, "remove-tag", "remove a `TAG`; may be repeated")
			fs.Var(&f.files, "file", "add the `PATH` of a file; may be repeated")
			fs.Var(&f.removeFiles, "remove-file", "remove the `PATH` of a file that is gone; may be repeated")
			matchFlag(fs, &f.match)
			fs.StringVar(&f.summary, "summary", "", "`TEXT` for the record's history: what changed")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: f.run,
	}
}

// edited is a record in the answer of edit.
type edited struct {
	storedRecord
	Changed bool `json:"changed"`
}

// bodyOnly reports whether no flag but --body asks for a change.
func (f *editFlags) bodyOnly() bool {
	tags, files := len(f.tags)+len(f.addTags)+len(f.removeTags), len(f.files)+len(f.removeFiles)
	return len(f.set)+len(f.more)+tags+files == 0 && !f.title.Given && !f.stage.Given && !f.confidence.Given
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
		if made, err = f.replace(s, old, f.match, given); err == nil && f.body != "-" {
			err = s.store.RemoveDraft(old.ID, c.absolute(f.body))
		}
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
	switch {
	case c.json:
		c.printJSON(edited{storedAs(made), changed})
	case changed:
		fmt.Fprintf(c.Out, "edited %s, hash %s\n", made.ID, made.Hash())
	default:
		fmt.Fprintf(c.Out, "%s is as it was, hash %s\n", made.ID, made.Hash())
	}
}

// editor returns the command that opens a file for the person at this terminal: $VISUAL, else $EDITOR. It returns ""
// when nobody can use an editor here.
func (c *call) editor() string {
	if !c.Terminal || c.json || c.Edit == nil || c.caller() == journal.ByClaude {
		return ""
	}
	return cmp.Or(strings.TrimSpace(c.Getenv("VISUAL")), strings.TrimSpace(c.Getenv("EDITOR")))
}

// inEditor has the person change a draft of the record in an editor, and stores the result. When the result cannot be
// stored, the draft stays, and the error's hint names it.
func (f *editFlags) inEditor(c *call, editor string) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	old, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	draft, err := s.store.Draft(old)
	if err != nil {
		return err
	}
	failed := c.Edit(editor, draft)
	text, err := record.ReadFile(draft)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return hinted("memento show "+old.ID+" shows the record, which is as it was", "the text is gone: %w", err)
	case err != nil:
		return kept(old.ID, draft, "", err)
	case string(text) == string(old.Bytes()) || strings.TrimSpace(string(text)) == "":
		if err := s.store.RemoveDraft(old.ID, draft); err != nil {
			return err
		}
		if failed != nil {
			return hinted("set VISUAL or EDITOR to a command that waits, such as vi, or code --wait", "%w", failed)
		}
		f.printEdited(c, old, old)
		return nil
	case failed != nil:
		return kept(old.ID, draft, "", failed)
	}
	made, err := f.replace(s, old, old.Hash(), string(text))
	var conflict *record.ConflictError
	if errors.As(err, &conflict) {
		return kept(old.ID, draft, " --if-match "+conflict.Hash, err)
	}
	if err != nil {
		return kept(old.ID, draft, "", err)
	}
	f.printEdited(c, old, made)
	return s.store.RemoveDraft(old.ID, draft)
}

// kept is err with the commands that store a draft that could not be stored.
func kept(id, draft, flags string, err error) error {
	return hinted("your text is kept: look at memento show "+id+", change "+draft+", then: memento edit "+id+" --body "+
		safefile.ShellWord(draft)+flags, "%w", err)
}

// apply makes the changes to r.
func (f *editFlags) apply(c *call, s *shelf, r *record.Record, body string) (err error) {
	k, ok := schema.Named(r.Kind)
	if !ok && (len(f.set)+len(f.more) > 0 || body != "") {
		return hinted("mend the line of its kind by hand: memento show "+r.ID+" says where the file is",
			"%w: its kind %q is none: %s", record.ErrInvalid, r.Kind, strings.Join(schema.Names(), ", "))
	}
	if f.title.Given {
		if err := c.fitsTitle(f.title.Value); err != nil {
			return err
		}
		if err := s.checkNewTitle(r, f.title.Value); err != nil {
			return err
		}
		r.Title = f.title.Value
	}
	if f.stage.Given {
		r.Stage = f.stage.Value
	}
	if f.confidence.Given {
		r.Confidence = f.confidence.Value
	}
	if err := c.fits(k, "--stage", f.stage.Value, ""); err != nil {
		return err
	}
	if err := c.fits(k, "--confidence", "", f.confidence.Value); err != nil {
		return err
	}
	if f.tags != nil {
		r.Tags = tags(f.tags)
	}
	r.Tags = append(r.Tags, tags(f.addTags)...)
	remove := tags(f.removeTags)
	r.Tags = slices.DeleteFunc(r.Tags, func(t string) bool {
		return slices.ContainsFunc(remove, func(less string) bool { return strings.EqualFold(t, less) })
	})
	for _, file := range f.files {
		r.Files = append(r.Files, f.file(c, s, r, file))
	}
	for _, file := range f.removeFiles {
		named := f.file(c, s, r, file)
		r.Files = slices.DeleteFunc(r.Files, func(have string) bool { return have == file || have == named })
	}
	if f.body != "" {
		if r.Body, err = newBody(k, r.Body, body); err != nil {
			return err
		}
	}
	set := slices.Clone(f.set)
	if err := c.front(k, r, &set); err != nil {
		return err
	}
	if r.Body, err = c.setSections(k, r.Body, set, false); err != nil {
		return err
	}
	r.Body, err = c.setSections(k, r.Body, f.more, true)
	return err
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
	if c.json {
		c.printJSON(edited{storedAs(r), false})
		return nil
	}
	fmt.Fprintf(c.Out, "%s\nEdit it with any editor: memento reads what the file says. memento index brings the index up "+
		"to date.\nAt a terminal, memento edit %s opens it in $VISUAL or $EDITOR.\n"+
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
