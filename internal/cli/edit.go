package cli

import (
	"flag"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

type editFlags struct {
	set, more            pairs
	body, match, summary string
}

func editCommand() command {
	f := &editFlags{}
	return command{
		name: "edit", args: "RECORD", most: 1, short: "change a record: its sections, title, tags, files or stage",
		long: `The file of a record may also be changed in any editor; memento show RECORD prints its path. --set replaces one section
or field; everything else stays as it is. A --body with headings replaces the whole body, one without headings the main
section. --if-match refuses every change of a record that has another hash by now; memento show prints the hash.

  memento edit use-paseto --set decision="PASETO v4, public" --append tags=security
  memento edit use-paseto --body p.md --if-match 0123456789abcdef
`,
		flags: func(fs *flag.FlagSet) {
			fs.Var(&f.set, "set", "`KEY=TEXT` of a section, title, tags, files, stage, confidence; may be repeated; empty clears")
			fs.Var(&f.more, "append", "`KEY=TEXT` to add at the end of a section; may be repeated")
			fs.StringVar(&f.body, "body", "", "the `FILE` with the text in Markdown, - for standard input")
			nameFlag(fs, &f.match, "if-match", "the `HASH` it had when you read it")
			fs.StringVar(&f.summary, "summary", "", "`TEXT` for the record's history: what changed")
		},
		run: func(c *call) error { return runEdit(c, f) },
	}
}

func runEdit(c *call, f *editFlags) error {
	if len(f.set)+len(f.more) == 0 && f.body == "" {
		hint := "memento edit " + quoted(c.args) + " --set KEY=TEXT, or --body FILE"
		return usage(hint, "there is nothing to change")
	}
	body := ""
	if f.body != "" {
		var err error
		if body, err = readText(c, f.body); err != nil {
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
	made, err := s.store.Update(old.ID, f.match, f.summary, func(r *record.Record) error {
		return changeRecord(c, s, r, f, body)
	})
	if err != nil {
		return err
	}
	noteWrite(c, made)
	what := "edited " + made.ID
	if made.Hash() == old.Hash() {
		what = made.ID + " is as it was"
	}
	return c.say("%s, hash %s", what, made.Hash())
}

// changeRecord makes the changes that the flags ask for. body is the text of --body.
func changeRecord(c *call, s *shelf, r *record.Record, f *editFlags, body string) (err error) {
	k, ok := schema.Named(r.Kind)
	if !ok {
		return hinted("mend the line of its kind by hand: memento show "+r.ID+" says where the file is",
			"%w: its kind %q is none: %s", record.ErrInvalid, r.Kind, strings.Join(schema.Names(), ", "))
	}
	if body != "" {
		if r.Body, err = newBody(k, r.Body, body); err != nil {
			return err
		}
	}
	if k.Name == "preference" {
		noteOldTexts(k, r, f.set)
	}
	if err := f.set.apply(c, s, k, r, false); err != nil {
		return err
	}
	return f.more.apply(c, s, k, r, true)
}

// noteOldTexts puts the texts of sections, which set replaces, into r's history.
func noteOldTexts(k schema.Kind, r *record.Record, set pairs) {
	for _, one := range set {
		p, ok := k.Part(one.key)
		old, _ := markdown.Text(r.Body, p.Heading)
		if ok && !p.List && old != strings.TrimSpace(one.text) {
			r.Changes = append(slices.Clone(r.Changes),
				record.Change{Summary: "set " + p.Key(), Field: p.Key(), Old: old, New: one.text})
		}
	}
}
