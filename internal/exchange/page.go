package exchange

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// shape says what the files in one folder of a memory become, or a page beside the folders.
type shape struct {
	name     string // of the folder or the page
	category string // of JSON files
	kind     string // of the record
	main     string // the section for the text before a page's first section; "": its files are JSON
	tag      string
}

var shapes = [...]shape{
	{name: "decisions", category: "decision", kind: "decision", main: "Context"},
	{name: "context", category: "context", kind: "context", main: "Notes"},
	{name: "analysis", kind: "analysis", main: "Summary"},
	{name: "subagent", kind: "subagent", main: "Summary"},
	{name: "progress", kind: "memento", main: "Progress", tag: "progress"},
	{name: "user", kind: "profile", main: "Notes"},
	{name: "project.md", kind: "memento", main: "Context", tag: "project"},
	{name: "workspace.md", kind: "memento", main: "Context", tag: "workspace"},
	{name: "_index.md", kind: "context", main: "Notes", tag: "index"},
	{name: "sessions", category: "session_summary", kind: "session"},
	{name: "runbooks", category: "runbook", kind: "runbook"},
	{name: "constraints", category: "constraint", kind: "constraint"},
	{name: "tech-debt", category: "tech_debt", kind: "debt"},
	{name: "preferences", category: "preference", kind: "preference"},
	{name: "handoffs", category: "handoffs", kind: "handoff"},
}

// shapeOf returns the shape of the files in a folder of this name, or of a page of this name.
func shapeOf(name string) (shape, bool) {
	for _, s := range shapes {
		if s.name == name {
			return s, true
		}
	}
	return shape{}, false
}

// kindOf returns the kind of the records of a category, "" for an unknown one.
func kindOf(category string) string {
	for _, s := range shapes {
		if s.category == category && category != "" {
			return s.kind
		}
	}
	return ""
}

// readPage reads a page of a memory: Markdown with a title, lines "**Key**: value" and sections.
func readPage(d Draft, s shape, content string) ([]Draft, error) {
	p := parsePage(strings.ReplaceAll(content, "\r\n", "\n"))
	r, name := &d.Record, stem(d.From)
	if s.name == "_index.md" { // the rest of an index was made from the other files
		p.body, _ = markdown.Text(p.body, "Current State")
		p.title, p.head, p.lead, p.body = "Current state", nil, p.body, ""
	}
	if strings.TrimSpace(p.lead+p.body) == "" && p.head == nil {
		return nil, errEmpty
	}
	if s.name == "user" && name == "preferences" {
		if out := splitPreferences(d, p); out != nil {
			return out, nil
		}
	}
	if r.Kind = s.kind; s.tag != "" {
		r.Tags = []string{s.tag}
	}
	if s.name == "progress" && name == "completed" {
		r.Status = schema.Completed
	}
	d.setTitle(cmp.Or(p.title, strings.NewReplacer("-", " ", "_", " ").Replace(name)))
	d.fill(p.head)
	if of, _ := markdown.Text(r.Body, "Path"); s.name == "analysis" && of != "" && !strings.ContainsAny(of, " \n") {
		r.Files = []string{strings.Trim(of, "`")}
	}
	if _, twice := markdown.Text(p.body, s.main); twice { // a heading stands only once
		s.main = "Notes"
	}
	d.addText(s.main, p.lead)
	if r.Body != "" && p.body != "" {
		r.Body += "\n"
	}
	r.Body += renameSections(d.kind(), p.body)
	return []Draft{d}, nil
}

// renameSections gives the sections of a page the headings of the kind. All other text stays byte for byte.
func renameSections(k schema.Kind, body string) string {
	for _, s := range markdown.Sections(body) {
		part, ok := k.Part(nameOf(s.Heading))
		if _, there := markdown.Text(body, part.Heading); ok && !there {
			return renameSections(k, body[:s.Start]+"## "+part.Heading+"\n"+body[s.Text:])
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
	var lead strings.Builder
	for l := range markdown.Lines(s[:at]) {
		key, v, ok := metaLine(l.Text)
		switch {
		case l.Level == 1 && p.title == "":
			p.title = l.Heading
		case ok && !l.Code:
			p.head = append(p.head, value{key, gjson.Result{Type: gjson.String, Str: v}})
		default:
			lead.WriteString(l.Text)
		}
	}
	p.lead, p.body = strings.Trim(lead.String(), "\n"), s[at:]
	return p
}

// metaLine reads "**Key**: value" or "**Key:** value".
func metaLine(line string) (key, value string, ok bool) {
	s, bold := strings.CutPrefix(strings.TrimSpace(line), "**")
	key, value, ends := strings.Cut(strings.Replace(s, ":**", "**:", 1), "**:")
	if key == "Category" {
		key = "tags"
	}
	return key, strings.TrimSpace(value), bold && ends && key != "" && len(key) <= 40 && strings.TrimSpace(value) != ""
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
