package exchange

import (
	"cmp"
	"errors"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/schema"
)

var errEmpty = errors.New("it is empty")

// readPage reads a Markdown file of a memory. folder is its folder, or its role beside the folders. index is the
// index's line about the file, "" for none. Most files become one record; a list may become several.
func readPage(d Draft, folder, s, index string) ([]Draft, error) {
	p := parsePage(s)
	if strings.TrimSpace(p.lead+p.body) == "" && len(p.head.keys) == 0 {
		return nil, errEmpty
	}
	if p.title == "" && index != "" {
		p.title = index
		d.addNote("its title is the index's line about it")
	}
	c, _ := shapeOf(Folders, "", folder)
	switch folder {
	case asUser:
		return readUserPage(d, c, p), nil
	case asWorkspace:
		return readWorkspacePage(d, c, p, s), nil
	}
	d.fillFromPage(c, p)
	return []Draft{d}, nil
}

// fillFromPage makes d the record of a page of this shape.
func (d *Draft) fillFromPage(c shape, p page) {
	r := &d.Record
	r.Kind = c.kind
	if c.tag != "" {
		r.Tags = []string{c.tag}
	}
	name := stem(d.From)
	plain := name
	if c.dated && !fileTime(name).IsZero() {
		plain = strings.TrimLeft(name[10:], "_0123456789")
	}
	plain = strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return r == '_' || r == '-' }), " ")
	switch c.folder {
	case inAnalysis:
		p.title = strings.TrimSpace(strings.TrimPrefix(p.title, "Analysis:"))
	case inContext, inProgress:
		r.Updated = p.extractUpdated("last updated", "updated", "date", "started", "created")
	case asProject:
		plain = "Project: " + r.Project
	case asWorkspace:
		plain = "Workspace"
	}
	switch c.folder + "/" + name {
	case "progress/active":
		plain = "Work in progress"
	case "progress/completed":
		plain, r.Status = "Completed work", schema.Completed
	case "user/profile":
		c.main = "About"
	case "user/preferences":
		c.main = "Preferences"
	}
	if c.folder == inContext || c.folder == asUser {
		plain = capital(plain)
	}
	d.setTitle(cmp.Or(p.title, plain))
	d.setFields(p.head, c.fields)
	if r.Created.IsZero() && c.dated {
		r.Created = fileTime(name)
	}
	if of, _ := markdown.Text(r.Body, "Path"); c.folder == inAnalysis {
		if of = strings.Trim(of, "` "); of != "" && !strings.ContainsAny(of, " \t") {
			r.Files = []string{of}
		}
	}
	d.addBody(c, p)
}

// addBody adds the rest of a page: the text before its sections under the shape's main heading, then the sections, some
// of them renamed.
func (d *Draft) addBody(c shape, p page) {
	body := p.body
	for _, n := range c.renamed {
		body = renameSection(body, n.theirs, n.ours)
	}
	lead := p.headAndLead()
	if _, there := markdown.Text(body, c.main); there && lead != "" {
		c.main = "Notes" // a heading stands only once
	}
	d.addText(c.main, lead)
	if body = strings.TrimRight(body, "\n"); body != "" {
		if d.Record.Body != "" {
			d.Record.Body = strings.TrimRight(d.Record.Body, "\n") + "\n\n"
		}
		d.Record.Body += body + "\n"
	}
}

// capital returns s with a capital first letter.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// page is a Markdown file: its first heading, the lines "**Key**: value" below, and the rest.
type page struct {
	title string
	head  *fields           // by lower-case key
	names map[string]string // keys as they are written, by lower-case key
	lead  string            // the other text before the first section
	body  string            // from the first section on
}

// parsePage splits a Markdown file. Front matter stays in the lead.
func parsePage(s string) page {
	p := page{head: fieldsOf(gjson.Result{}), names: map[string]string{}}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	at := len(s)
	if sections := markdown.Sections(s); len(sections) > 0 {
		at = sections[0].Start
	}
	p.title, p.body = firstHeading(s[:at]), s[at:]
	var lead strings.Builder
	titled := false
	for l := range markdown.Lines(s[:at]) {
		key, value, ok := metaLine(l.Text)
		low := strings.ToLower(key)
		switch _, twice := p.names[low]; {
		case l.Level == 1 && !titled && l.Heading == p.title:
			titled = true
		case ok && !l.Code && !twice:
			p.names[low] = key
			p.head.add(low, gjson.Result{Type: gjson.String, Str: value, Raw: value})
		default:
			lead.WriteString(l.Text)
		}
	}
	p.lead = strings.Trim(lead.String(), "\n")
	if p.title == "" { // the title may stand behind a section
		p.title = firstHeading(s)
	}
	return p
}

// firstHeading returns the first heading of level 1, or "".
func firstHeading(body string) string {
	for l := range markdown.Lines(body) {
		if l.Level == 1 && l.Heading != "" {
			return l.Heading
		}
	}
	return ""
}

// metaLine reads "**Key**: value" or "**Key:** value", with or without a hyphen before.
func metaLine(line string) (key, value string, ok bool) {
	s, bold := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "- "), "**")
	key, value, ends := strings.Cut(s, "**")
	if before, colon := strings.CutSuffix(key, ":"); colon {
		key = before
	} else if value, colon = strings.CutPrefix(value, ":"); !colon {
		return "", "", false
	}
	key = strings.TrimSpace(key)
	return key, strings.TrimSpace(value), bold && ends && key != "" && len(key) <= 40
}

// extractUpdated extracts the first of these head lines that is a time.
func (p page) extractUpdated(keys ...string) time.Time {
	for _, key := range keys {
		if t := parseTime(textOf(p.head.values[key])); !t.IsZero() {
			p.head.drop(key)
			return t
		}
	}
	return time.Time{}
}

// headAndLead returns the head lines that are left, and the lead.
func (p page) headAndLead() string {
	var lines []string
	for key, s := range p.head.rest() {
		lines = append(lines, "**"+p.names[key]+"**: "+s)
	}
	return joinNonEmpty("\n\n", strings.Join(lines, "\n"), p.lead)
}

// renameSection gives a section another heading. All other text stays byte for byte.
func renameSection(body, from, to string) string {
	for _, s := range markdown.Sections(body) {
		if strings.EqualFold(s.Heading, from) {
			return body[:s.Start] + "## " + to + "\n" + body[s.Text:]
		}
	}
	return body
}

// fileTime reads the time at the start of a file's name: 2026-01-19_223000, or only the day.
func fileTime(name string) time.Time {
	if len(name) >= 17 {
		if t, err := time.Parse("2006-01-02_150405", name[:17]); err == nil {
			return t
		}
	}
	if len(name) >= 10 {
		return parseTime(name[:10])
	}
	return time.Time{}
}

// indexRow is a row of an index: a file and its summary.
type indexRow struct{ file, summary string }

// readIndex returns the rows of an index and its current state, which no other file may hold.
func readIndex(s string) (rows []indexRow, state []string) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, row := range tableRows(s) {
		if len(row) >= 4 && path.Ext(row[1]) == ".md" {
			rows = append(rows, indexRow{row[1], row[3]})
		}
	}
	now, _ := markdown.Text(s, "Current State")
	for line := range strings.SplitSeq(now, "\n") {
		key, value, ok := metaLine(line)
		if ok && !isNothing(value) && value != "" && value != "-" && !strings.EqualFold(value, "n/a") {
			state = append(state, key+": "+value)
		}
	}
	return rows, state
}

// isNothing reports whether a template's value stands for no value: "none", or a word in brackets.
func isNothing(s string) bool { return strings.EqualFold(s, "none") || strings.HasPrefix(s, "[") }
