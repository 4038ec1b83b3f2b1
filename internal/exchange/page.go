package exchange

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// readPage reads a page of a memory, which stands in the folder place or has that name: Markdown with a title, lines
// "**Key**: value" and sections. Where the kind has a heading of another name for a section, the section gets it. All
// other text stays byte for byte.
func readPage(d Draft, place, content string) ([]Draft, error) {
	p := parsePage(strings.ReplaceAll(content, "\r\n", "\n"))
	r, name := &d.Record, stem(d.From)
	if strings.TrimSpace(p.lead+p.body) == "" && p.head == nil {
		return nil, errEmpty
	}
	if place == "user" && name == "preferences" {
		if out := splitPreferences(d, p); out != nil {
			return out, nil
		}
	}
	if r.Kind == "memento" {
		r.Tags = []string{stem(place)}
	}
	if place == "progress" && name == "completed" {
		r.Status = schema.Completed
	}
	d.setTitle(cmp.Or(p.title, strings.NewReplacer("-", " ", "_", " ").Replace(name)))
	d.fill(p.head)
	if of, _ := markdown.Text(r.Body, "Path"); r.Kind == "analysis" && of != "" && !strings.ContainsAny(of, " \n") {
		r.Files = []string{of}
	}
	main := d.kind().MainPart().Heading
	if _, twice := markdown.Text(p.body, main); twice { // a heading stands only once
		main = "Notes"
	}
	d.addText(main, p.lead)
	if r.Body != "" && p.body != "" {
		r.Body += "\n"
	}
	for _, s := range slices.Backward(markdown.Sections(p.body)) {
		part, ok := d.kind().Part(d.nameOf(s.Heading))
		if _, taken := markdown.Text(p.body, part.Heading); ok && !taken {
			p.body = p.body[:s.Start] + "## " + part.Heading + "\n" + p.body[s.Text:]
		}
	}
	r.Body += p.body
	return []Draft{d}, nil
}

// page is a Markdown file in its parts.
type page struct {
	title string  // the first heading of level 1
	head  []value // the lines "**Key**: value" before the first section
	lead  string  // the other text there
	body  string  // from the first section on
}

func parsePage(s string) (p page) {
	at := len(s)
	if sections := markdown.Sections(s); len(sections) > 0 {
		at = sections[0].Start
	}
	for l := range markdown.Lines(s[:at]) {
		key, v, ok := strings.Cut(strings.TrimPrefix(l.Text, "**"), "**: ")
		v = strings.TrimSpace(v)
		switch {
		case l.Level == 1 && p.title == "":
			p.title = l.Heading
		case ok && strings.HasPrefix(l.Text, "**") && v != "" && !l.Code:
			p.head = append(p.head, value{key, gjson.Result{Type: gjson.String, Str: v}})
		default:
			p.lead += l.Text
		}
	}
	p.lead, p.body = strings.Trim(p.lead, "\n"), s[at:]
	return p
}

// splitPreferences makes a preference of each point of the lists on a page, so that a session is told them one by one.
// It returns nil for a page with other text.
func splitPreferences(d Draft, p page) (out []Draft) {
	topic, list := "", ""
	split := func() {
		for _, item := range markdown.Items(list) {
			one := d
			one.Record.Kind = "preference"
			item = strings.ReplaceAll(item, "**", "")
			one.setTitle(item)
			one.Record.Slug = naming.Slug(item)
			one.addText("Topic", topic)
			one.addText("Value", item)
			out = append(out, one)
		}
	}
	for l := range markdown.Lines(p.lead + "\n" + p.body) {
		switch {
		case l.Level == 2:
			split()
			topic, list = l.Heading, ""
		case strings.TrimSpace(l.Text) != "" && !strings.HasPrefix(l.Text, "- ") && !strings.HasPrefix(l.Text, "  "):
			return nil
		default:
			list += l.Text
		}
	}
	split()
	return out
}

// readSnapshot reads PROJECT--SLUG.md into d: a record of memento as it is, or another program's named snapshot with
// slug, description and other keys, which stay. archived: the folder holds completed records.
func readSnapshot(d *Draft, data []byte, archived bool) error {
	project, slug, _ := strings.Cut(stem(d.From), "--")
	if project != naming.User {
		project = naming.Project(project)
	}
	id, err := naming.ID(project, naming.Slug(slug))
	if err != nil {
		return err
	}
	doc, err := markdown.Parse(data)
	if err != nil {
		return err
	}
	got, err := record.Decode(id, data)
	if err != nil {
		return err
	}
	d.Record = *got
	r := &d.Record
	given, _ := doc.Get("id")
	d.own = given != "" && doc.Has("kind")
	if archived && r.Status == schema.Active {
		r.Status = schema.Completed
	}
	if d.own {
		return nil
	}
	if !slices.Contains(schema.Statuses(), r.Status) {
		r.Stage, r.Status = cmp.Or(r.Stage, r.Status), schema.Active
	}
	if about, _ := doc.Get("description"); !doc.Has("title") && about != "" {
		r.Title, _ = text.Cut(text.OneLine(about), schema.MaxTitle)
	}
	return nil
}
