package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// readSnapshot reads PROJECT--SLUG.md: one of ours as it is, and the named snapshot of another layout, whose front
// matter may say slug, description and anything else. archived says that it stands among the completed ones. name is
// Options.Name.
//
// Of front matter that memento reads, what it does not know stays as it is; front matter outside what it reads goes,
// whole, to the end of the body, and the simple lines of it are used.
func readSnapshot(d *Draft, data []byte, archived bool, name func(key, root string) string) error {
	project, slug, ok := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(path.Base(d.From), ".gz"), ".md"), "--")
	if !ok {
		return errors.New(`its name lacks the "--" between project and name`)
	}
	if s := naming.Slug(slug); s != slug {
		d.addNote("its name %q is none here: it becomes %q", slug, s)
		slug = s
	}
	ours := naming.Project(project)
	if project == naming.User {
		ours = naming.User
	}
	id, err := naming.ID(ours, slug)
	if err != nil {
		return err
	}
	r, err := record.Decode(id, data)
	var front *markdown.FrontError
	if errors.As(err, &front) {
		if data, err = d.repairFront(id, data, front); err == nil {
			r, err = record.Decode(id, data)
		}
	}
	if err != nil {
		return err
	}
	d.Record = *r
	doc, err := markdown.Parse(data)
	d.own = err == nil && front == nil && hasKey(doc, "id") && hasKey(doc, "kind")
	d.Record.Exact = d.own && record.Sound(data)
	if doc == nil || err != nil {
		doc = markdown.New()
	}
	r = &d.Record
	if archived && r.Status == schema.Active {
		r.Status = schema.Completed
	}
	if given, _ := doc.Get("id"); d.own && given != id {
		d.Record.Exact = false
		d.addNote("its id %q is not its name: the name counts", text.Line(given))
	}
	if !d.own && r.Project != naming.User {
		if name != nil {
			r.Project = naming.Project(name(project, ""))
		}
		if r.Project != project {
			d.addNote("project %q is called %q here", project, r.Project)
		}
	}
	if r.Exact {
		return nil
	}
	d.setStatus()
	if _, ok := schema.Named(r.Kind); !ok {
		d.addNote("%q is no kind: it is taken for a memento", text.Line(r.Kind))
		r.Tags = append(r.Tags, r.Kind)
		r.Kind = "memento"
	}
	if kind, _ := schema.Named(r.Kind); kind.Stages != nil && r.Stage != "" &&
		!slices.Contains(kind.Stages, r.Stage) {
		state := r.Stage
		r.Stage = ""
		d.setStage(state)
	}
	d.shorten(doc)
	if !d.own {
		d.setTheirs(doc)
	}
	return nil
}

// shorten takes a description for the title where there is none, and cuts a title to what fits.
func (d *Draft) shorten(doc *markdown.Doc) {
	r := &d.Record
	if given, ok := doc.Get("description"); ok && !d.own && !hasKey(doc, "title") && given != "" {
		short, cut := text.Cut(text.Line(given), schema.MaxTitle)
		if r.Title = short; cut {
			d.addNote("the title was cut to %d characters; description has it whole", schema.MaxTitle)
		}
	} else if short, cut := text.Cut(text.Line(r.Title), schema.MaxTitle); cut {
		whole := r.Title
		r.Title = short
		d.addNote("the title was cut to %d characters; it stands whole in the body", schema.MaxTitle)
		d.addText("Title", whole)
	}
}

// setTheirs takes over the times and tags of front matter that is not memento's, as they are written there.
func (d *Draft) setTheirs(doc *markdown.Doc) {
	r := &d.Record
	if v, ok := doc.Get("created"); ok {
		r.Created = parseTime(v)
	}
	if v, ok := doc.Get("updated"); ok {
		r.Updated = parseTime(v)
	}
	tags := r.Tags
	r.Tags = nil
	for _, t := range tags {
		d.addTag(t)
	}
	if given, ok := doc.Get("project"); ok && given != "" && given != r.Project {
		d.addNote("its front matter says project %q", text.Line(given))
	}
}

func hasKey(doc *markdown.Doc, key string) bool {
	return doc != nil && slices.Contains(doc.Keys(), key)
}

// setStatus keeps a status that is none of ours as the record's state.
func (d *Draft) setStatus() {
	r := &d.Record
	s := strings.ToLower(strings.TrimSpace(r.Status))
	switch {
	case slices.Contains(schema.Statuses(), s):
		r.Status = s
	case s == "done", s == "complete":
		r.Status = schema.Completed
	default:
		d.addNote("status %q is kept as its state", text.Line(r.Status))
		if r.Stage == "" {
			r.Stage = r.Status
		}
		r.Status = schema.Active
	}
}

// repairFront returns a Markdown file whose front matter, if it has any, is outside of what memento reads, as one that it
// reads: with the keys that it can read, the texts of those that only it cannot read in full, and the lines of the
// others at the end of the body.
func (d *Draft) repairFront(id string, data []byte, why *markdown.FrontError) ([]byte, error) {
	file, left, err := splitFront(id, data)
	switch {
	case err != nil && utf8.Valid(data) && !bytes.Contains(data, []byte{0}):
		return nil, fmt.Errorf("its front matter has no end: %w", err)
	case err != nil:
		return nil, err
	}
	if left == nil {
		return file, nil
	}
	doc, err := markdown.Parse(file)
	if err != nil {
		return nil, err
	}
	for _, lines := range left {
		key, v, _ := strings.Cut(lines, ":")
		first, below, _ := strings.Cut(v, "\n")
		first = strings.TrimSpace(first)
		switch { // a text on several lines, or one that YAML wants in quotes
		case strings.HasPrefix(first, ">"), strings.HasPrefix(first, "|"):
			first = text.Line(below)
		case strings.TrimSpace(below) != "":
			first = ""
		}
		first = strings.Trim(first, `"'`)
		switch {
		case first == "" || hasKey(doc, key):
		case key == "title" && text.Runes(first) > schema.MaxTitle:
		case key == "title", key == "description", key == "status", key == "created", key == "updated":
			doc.Set(key, first)
		case key == "tags":
			var tags []string
			for t := range strings.SplitSeq(strings.Trim(first, "[]"), ",") {
				if t = strings.Trim(strings.TrimSpace(t), `"'`); t != "" {
					tags = append(tags, t)
				}
			}
			doc.SetList(key, tags)
		}
	}
	d.addNote("what of its front matter cannot be read (%v) stands at the end of the body", why)
	if doc.Body != "" {
		doc.Body = strings.TrimRight(doc.Body, "\n") + "\n\n"
	}
	doc.Body += "## Front Matter\n\n" + fenced("yaml", strings.Join(left, "")) + "\n"
	return doc.Bytes(), nil
}

// splitFront takes front matter apart that record.Decode refuses: a key with the lines below it that cannot be read by
// itself goes to left, in the order of the file, and file is what is there without those. A file that has no front
// matter gets an empty one. Errors: *markdown.FrontError when the front matter has no end, or the file is no text.
func splitFront(id string, data []byte) (file []byte, left []string, err error) {
	const bound = "---\n"
	s := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
		_, err := markdown.Parse(data)
		return nil, nil, err
	}
	rest, ok := strings.CutPrefix(s, bound)
	if !ok {
		return []byte(bound + bound + s), nil, nil
	}
	head, body, ended := strings.Cut("\n"+rest, "\n"+bound)
	if !ended {
		if head, ended = strings.CutSuffix("\n"+rest, "\n---"); !ended {
			_, err := markdown.Parse(data)
			return nil, nil, err
		}
	}
	var keys []string
	for line := range strings.Lines(strings.TrimPrefix(head, "\n") + "\n") {
		if n := len(keys) - 1; n >= 0 && strings.ContainsRune(" \t\n-#}]", rune(line[0])) {
			keys[n] += line
		} else if line != "\n" {
			keys = append(keys, line)
		}
	}
	var good strings.Builder
	seen := map[string]bool{}
	for _, key := range keys {
		name, _, _ := strings.Cut(key, ":")
		if _, err := record.Decode(id, []byte(bound+key+bound)); err != nil || seen[name] {
			left = append(left, key)
			continue
		}
		seen[name] = true
		good.WriteString(key)
	}
	return []byte(bound + good.String() + bound + body), left, nil
}
