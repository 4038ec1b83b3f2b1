package exchange

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// readPage reads a page of a memory: Markdown with a title, lines "**Key**: value" and sections.
func readPage(d Draft, row layout, content string) ([]Draft, error) {
	p := parsePage(strings.ReplaceAll(content, "\r\n", "\n"))
	r, name := &d.Record, stem(d.From)
	if row.name == "_index.md" { // the rest of an index was made from the other files
		state, _ := markdown.Text(p.body, "Current State")
		p = page{title: "Current state", lead: state}
	}
	if strings.TrimSpace(p.lead+p.body) == "" && p.head == nil {
		return nil, errEmpty
	}
	if row.name == "user" && name == "preferences" {
		if out := splitPreferences(d, p); out != nil {
			return out, nil
		}
	}
	if r.Kind = row.kind; row.tag != "" {
		r.Tags = []string{row.tag}
	}
	if row.name == "progress" && name == "completed" {
		r.Status = schema.Completed
	}
	d.setTitle(cmp.Or(p.title, strings.NewReplacer("-", " ", "_", " ").Replace(name)))
	d.fill(p.head)
	if of, _ := markdown.Text(r.Body, "Path"); row.name == "analysis" && of != "" && !strings.ContainsAny(of, " \n") {
		r.Files = []string{of}
	}
	if _, twice := markdown.Text(p.body, row.main); twice { // a heading stands only once
		row.main = "Notes"
	}
	d.addText(row.main, p.lead)
	if r.Body != "" && p.body != "" {
		r.Body += "\n"
	}
	r.Body += renameSections(d.kind(), p.body)
	return []Draft{d}, nil
}

// renameSections gives the sections of a page the headings of the kind. All other text stays byte for byte.
func renameSections(k schema.Kind, body string) string {
	for _, s := range slices.Backward(markdown.Sections(body)) {
		part, ok := k.Part(nameOf(s.Heading))
		if _, taken := markdown.Text(body, part.Heading); ok && !taken {
			body = body[:s.Start] + "## " + part.Heading + "\n" + body[s.Text:]
		}
	}
	return body
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

// maxTopic is the greatest length of a preference's topic, in characters.
const maxTopic = 60

// splitPreferences makes a preference of each point of the lists on a page, so that a session is told them one by one.
// It returns nil for a page with other text.
func splitPreferences(d Draft, p page) (out []Draft) {
	lists := [][2]string{{"", p.lead}}
	for _, s := range markdown.Sections(p.body) {
		lists = append(lists, [2]string{s.Heading, p.body[s.Text:s.End]})
	}
	for _, l := range lists {
		heading, list := l[0], l[1]
		for line := range strings.Lines(list) {
			if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "  ") {
				return nil
			}
		}
		for _, it := range markdown.Items(list) {
			one := d
			one.Record.Kind = "preference"
			one.fill(p.head)
			it = strings.ReplaceAll(it, "**", "")
			one.setTitle(it)
			if heading != "" {
				topic, _ := text.Cut(heading+": "+text.OneLine(it), maxTopic)
				one.addText("Topic", topic)
			}
			one.addText("Value", it)
			out = append(out, one)
		}
	}
	return out
}
