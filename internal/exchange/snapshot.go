package exchange

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// readSnapshot reads PROJECT--SLUG.md into d: a record of memento as it is, or the named snapshot of another program,
// with slug, description and other keys in its front matter. archived: the folder holds completed records.
//
// Unknown keys stay in the front matter. Keys that memento cannot read go to the end of the body.
func readSnapshot(d *Draft, data []byte, archived bool, reach *Reach) error {
	project, slug, ok := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(path.Base(d.From), ".gz"), ".md"), "--")
	if !ok {
		return errors.New(`its name lacks the "--" between project and name`)
	}
	if s := naming.Slug(slug); s != slug {
		d.addNote("the name %q is not valid here; the record is called %q", slug, s)
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
	if err != nil {
		return err
	}
	d.own = front == nil && hasKey(doc, "id") && hasKey(doc, "kind")
	d.Record.Exact = d.own && record.Sound(data)
	r = &d.Record
	if archived && r.Status == schema.Active {
		r.Status = schema.Completed
	}
	if given, _ := doc.Get("id"); d.own && given != id {
		d.Record.Exact = false
		d.addNote("its id %q differs from the file's name; the name counts", text.Line(given))
	}
	if !d.own && r.Project != naming.User {
		r.Project = naming.Project(reach.ProjectNamed(project, ""))
		if r.Project != project {
			d.addNote("project %q is called %q here", project, r.Project)
		}
	}
	if r.Exact {
		return nil
	}
	d.setStatus()
	if _, ok := schema.Named(r.Kind); !ok {
		d.addNote("%q is no kind of record; it becomes a memento", text.Line(r.Kind))
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

// shorten makes a description the title of a file without one, and cuts a title to what fits.
func (d *Draft) shorten(doc *markdown.Doc) {
	r := &d.Record
	if given, ok := doc.Get("description"); ok && !d.own && !hasKey(doc, "title") && given != "" {
		short, cut := text.Cut(text.OneLine(given), schema.MaxTitle)
		if r.Title = short; cut {
			d.addNote("the title was cut to %d characters; description has it whole", schema.MaxTitle)
		}
	} else if text.Runes(text.OneLine(r.Title)) > schema.MaxTitle {
		d.setTitle(r.Title)
	}
}

// setTheirs takes the times and tags of another program's front matter.
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

func hasKey(doc *markdown.Doc, key string) bool { return slices.Contains(doc.Keys(), key) }

// setStatus makes an unknown status the record's stage; such a record is active.
func (d *Draft) setStatus() {
	r := &d.Record
	s := strings.ToLower(strings.TrimSpace(r.Status))
	switch {
	case slices.Contains(schema.Statuses(), s):
		r.Status = s
	case s == "done", s == "complete":
		r.Status = schema.Completed
	default:
		d.addNote("status %q is kept as its stage", text.Line(r.Status))
		if r.Stage == "" {
			r.Stage = r.Status
		}
		r.Status = schema.Active
	}
}

// repairFront returns a Markdown file that memento can read, made from one with other front matter or none. Keys that
// record.Decode refuses stand at the end of the body. Of these keys title, description, status, times and tags still
// count, if their text is plain. why is Decode's error.
func (d *Draft) repairFront(id string, data []byte, why *markdown.FrontError) ([]byte, error) {
	file, refused, ok := splitFront(id, data)
	if !ok {
		return nil, fmt.Errorf("its front matter has no end: %w", why)
	}
	if refused == nil {
		return file, nil
	}
	doc, err := markdown.Parse(file)
	if err != nil {
		return nil, err
	}
	for _, lines := range refused {
		key, value, _ := strings.Cut(lines, ":")
		first, below, _ := strings.Cut(value, "\n")
		first = strings.TrimSpace(first)
		switch { // YAML's text on several lines, or a nested value
		case strings.HasPrefix(first, ">"), strings.HasPrefix(first, "|"):
			first = text.OneLine(below)
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
	doc.Body += "## Front Matter\n\n" + fenced("yaml", strings.Join(refused, "")) + "\n"
	return doc.Bytes(), nil
}

// splitFront splits front matter into its keys, each with the lines below. It returns the keys that record.Decode
// refuses, or that stand there twice, and the file without them. A file without front matter gets an empty one. ok is
// false for front matter without an end.
func splitFront(id string, data []byte) (file []byte, refused []string, ok bool) {
	const bound = "---\n"
	s := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	inside, ok := strings.CutPrefix(s, bound)
	if !ok {
		return []byte(bound + bound + s), nil, true
	}
	head, body, ok := strings.Cut("\n"+inside, "\n"+bound)
	if !ok {
		if head, ok = strings.CutSuffix("\n"+inside, "\n---"); !ok {
			return nil, nil, false
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
			refused = append(refused, key)
			continue
		}
		seen[name] = true
		good.WriteString(key)
	}
	return []byte(bound + good.String() + bound + body), refused, true
}
