package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// readMarkdown reads PROJECT--SLUG.md: one of ours as it is, and the named snapshot of another layout, whose front matter may
// say slug, description and anything else. archived says that it stands among the completed ones. name is Options.Name.
//
// Of front matter that memento reads, what it does not know stays as it is; front matter outside what it reads goes, whole,
// to the end of the body, and the simple lines of it are used.
func readMarkdown(d *Draft, data []byte, archived bool, name func(key, root string) string) error {
	project, slug, ok := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(path.Base(d.From), ".gz"), ".md"), "--")
	if !ok {
		return errors.New(`its name lacks the "--" between project and name`)
	}
	if s := record.Slug(slug); s != slug {
		note(d, "its name %q is none here: it becomes %q", slug, s)
		slug = s
	}
	ours := record.Project(project)
	if project == record.User {
		ours = record.User
	}
	id, err := record.ID(ours, slug)
	if err != nil {
		return err
	}
	r, err := record.Decode(id, data)
	var front *markdown.FrontError
	if errors.As(err, &front) {
		if data, err = d.lenient(id, data, front); err == nil {
			r, err = record.Decode(id, data)
		}
	}
	if err != nil {
		return err
	}
	d.Record = *r
	doc, err := markdown.Parse(data)
	d.own = err == nil && front == nil && has(doc, "id") && has(doc, "kind")
	d.Record.Exact = d.own && record.Sound(data)
	if doc == nil || err != nil {
		doc = markdown.New()
	}
	r = &d.Record
	if archived && r.Status == record.Active {
		r.Status = record.Completed
	}
	if given, _ := doc.Get("id"); d.own && given != id {
		d.Record.Exact = false
		note(d, "its id %q is not its name: the name counts", text.Line(given))
	}
	if !d.own && r.Project != record.User {
		if name != nil {
			r.Project = record.Project(name(project, ""))
		}
		if r.Project != project {
			note(d, "project %q is called %q here", project, r.Project)
		}
	}
	if r.Exact {
		return nil
	}
	d.plainStatus()
	if _, ok := record.KindNamed(r.Kind); !ok {
		note(d, "%q is no kind: it is taken for a memento", text.Line(r.Kind))
		r.Tags = append(r.Tags, r.Kind)
		r.Kind = "memento"
	}
	if kind, _ := record.KindNamed(r.Kind); kind.States != nil && r.State != "" && !slices.Contains(kind.States, r.State) {
		state := r.State
		r.State = ""
		d.state(state)
	}
	d.shorten(doc)
	if !d.own {
		d.theirs(doc)
	}
	return nil
}

// shorten takes a description for the title where there is none, and cuts a title to what fits.
func (d *Draft) shorten(doc *markdown.Doc) {
	r := &d.Record
	if given, ok := doc.Get("description"); ok && !d.own && !has(doc, "title") && given != "" {
		short, cut := text.Cut(text.Line(given), record.MaxTitle)
		if r.Title = short; cut {
			note(d, "the title was cut to %d characters; description has it whole", record.MaxTitle)
		}
	} else if short, cut := text.Cut(text.Line(r.Title), record.MaxTitle); cut {
		whole := r.Title
		r.Title = short
		note(d, "the title was cut to %d characters; it stands whole in the body", record.MaxTitle)
		d.put("Title", whole)
	}
}

// theirs takes over the times and tags of front matter that is not memento's, as they are written there.
func (d *Draft) theirs(doc *markdown.Doc) {
	r := &d.Record
	if v, ok := doc.Get("created"); ok {
		r.Created = when(v)
	}
	if v, ok := doc.Get("updated"); ok {
		r.Updated = when(v)
	}
	tags := r.Tags
	r.Tags = nil
	for _, t := range tags {
		d.tag(t)
	}
	if given, ok := doc.Get("project"); ok && given != "" && given != r.Project {
		note(d, "its front matter says project %q", text.Line(given))
	}
}

func has(doc *markdown.Doc, key string) bool { return doc != nil && slices.Contains(doc.Keys(), key) }

// plainStatus keeps a status that is none of ours as the record's state.
func (d *Draft) plainStatus() {
	r := &d.Record
	s := strings.ToLower(strings.TrimSpace(r.Status))
	switch {
	case slices.Contains(record.Statuses(), s):
		r.Status = s
	case s == "done", s == "complete":
		r.Status = record.Completed
	default:
		note(d, "status %q is kept as its state", text.Line(r.Status))
		if r.State == "" {
			r.State = r.Status
		}
		r.Status = record.Active
	}
}

// lenient returns a Markdown file whose front matter, if it has any, is outside of what memento reads, as one that it reads: with the keys
// that it can read, the texts of those that only it cannot read in full, and the lines of the others at the end of the body.
func (d *Draft) lenient(id string, data []byte, why *markdown.FrontError) ([]byte, error) {
	file, left, err := salvage(id, data)
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
		case first == "" || has(doc, key):
		case key == "title" && text.Runes(first) > record.MaxTitle:
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
	note(d, "what of its front matter cannot be read (%v) stands at the end of the body", why)
	if doc.Body != "" {
		doc.Body = strings.TrimRight(doc.Body, "\n") + "\n\n"
	}
	doc.Body += "## Front Matter\n\n" + fenced("yaml", strings.Join(left, "")) + "\n"
	return doc.Bytes(), nil
}

// firstHeading returns the first heading of the first level, "" when there is none.
func firstHeading(body string) string {
	fence := ""
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimRight(line, "\r")
		mark := strings.TrimLeft(line, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```"), strings.HasPrefix(mark, "~~~"):
			fence = mark[:3]
		case strings.HasPrefix(line, "# "):
			return strings.Trim(line[2:], " #\t")
		}
	}
	return ""
}

// page is a Markdown file without front matter: its first heading, the lines "**Key**: value" below it, and the rest.
type page struct {
	title string
	keys  []string          // as they are written
	meta  map[string]string // by lower-case key
	lead  string            // what else stands before the first section
	body  string            // from the first section on
}

// readPage takes a Markdown file apart. Front matter, should it have any, stays in the lead.
func readPage(s string) page {
	p := page{meta: map[string]string{}}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	at := len(s)
	if sections := markdown.Sections(s); len(sections) > 0 {
		at = sections[0].Start
	}
	p.title = firstHeading(s[:at])
	p.body = s[at:]
	var lead []string
	titled, fence := false, false
	for line := range strings.SplitSeq(s[:at], "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		if !fence && !titled && strings.HasPrefix(line, "# ") && strings.Trim(line[2:], " #\t") == p.title {
			titled = true
			continue
		}
		if key, value, ok := metaLine(line); ok && !fence {
			if _, twice := p.meta[strings.ToLower(key)]; !twice {
				p.keys = append(p.keys, key)
				p.meta[strings.ToLower(key)] = value
				continue
			}
		}
		lead = append(lead, line)
	}
	p.lead = strings.Trim(strings.Join(lead, "\n"), "\n")
	if p.title == "" { // a file that begins with sections, its title among them
		p.title = strings.TrimSpace(firstHeading(s))
	}
	return p
}

// metaLine reads "**Key**: value" or "**Key:** value", a hyphen before it or not.
func metaLine(line string) (key, value string, ok bool) {
	s := strings.TrimPrefix(strings.TrimSpace(line), "- ")
	rest, ok := strings.CutPrefix(s, "**")
	if !ok {
		return "", "", false
	}
	key, value, ok = strings.Cut(rest, "**")
	if !ok {
		return "", "", false
	}
	if k, colon := strings.CutSuffix(key, ":"); colon {
		key = k
	} else if value, ok = strings.CutPrefix(value, ":"); !ok {
		return "", "", false
	}
	key = strings.TrimSpace(key)
	return key, strings.TrimSpace(value), key != "" && len(key) <= 40
}

// take returns a line of a page's head, which then is used.
func (p *page) take(key string) string {
	v := p.meta[key]
	delete(p.meta, key)
	return v
}

// rest is what of the head nobody took, as it stood.
func (p *page) rest() string {
	var lines []string
	for _, k := range p.keys {
		if v := p.meta[strings.ToLower(k)]; v != "" {
			lines = append(lines, "**"+k+"**: "+v)
		}
	}
	out := strings.Join(lines, "\n")
	if p.lead != "" {
		out = strings.TrimPrefix(out+"\n\n"+p.lead, "\n\n")
	}
	return out
}

// rename gives a section of a body another heading; the rest stays byte for byte.
func rename(body, from, to string) string {
	for _, s := range markdown.Sections(body) {
		if strings.EqualFold(s.Heading, from) {
			return body[:s.Start] + "## " + to + "\n" + body[s.Text:]
		}
	}
	return body
}

// fileTime reads the time that a file's name begins with: 2026-01-19_223000, or the day alone.
func fileTime(name string) time.Time {
	if len(name) >= 17 {
		if t, err := time.Parse("2006-01-02_150405", name[:17]); err == nil {
			return t
		}
	}
	if len(name) >= 10 {
		return when(name[:10])
	}
	return time.Time{}
}
