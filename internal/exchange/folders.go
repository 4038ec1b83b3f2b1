package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// The roles of a Markdown file, by where it stands.
const (
	roleDecision  = "decisions"
	roleAnalysis  = "analysis"
	roleContext   = "context"
	roleProgress  = "progress"
	roleSubagent  = "subagent"
	roleProject   = "project"
	roleUser      = "user"
	roleWorkspace = "workspace"
)

// readFolders reads a Markdown file of this role. index says in one line what the index has on it, "" for nothing. Most files
// become one record; those of lists may become several, all of which are returned.
func readFolders(d Draft, role, s, index string) ([]Draft, error) {
	p := readPage(s)
	if strings.TrimSpace(p.lead+p.body) == "" && len(p.keys) == 0 {
		return nil, errEmpty
	}
	name := strings.TrimSuffix(path.Base(d.From), ".md")
	if p.title == "" && index != "" {
		p.title = index
		note(&d, "its title is the index's line on it")
	}
	switch role {
	case roleDecision:
		decision(&d, p, name)
	case roleAnalysis:
		analysis(&d, p, name)
	case roleSubagent:
		subagent(&d, p, name)
	case roleContext, roleProgress:
		current(&d, p, role, name)
	case roleProject:
		d.Record.Kind = "memento"
		d.titled(p.title, "Project: "+d.Record.Project)
		d.Record.Tags = []string{"project"}
		d.Record.Updated = when(p.take("last updated"))
		d.rest(p, "Context", "Overview", "Context")
	case roleUser:
		return user(d, p, name), nil
	case roleWorkspace:
		return workspace(d, p, s), nil
	default:
		return nil, fmt.Errorf("no %s is known", role)
	}
	return []Draft{d}, nil
}

var errEmpty = errors.New("nothing stands in it")

func (d *Draft) titled(title, otherwise string) {
	d.title(cmp.Or(title, otherwise))
}

// rest adds what of a page has no place of its own: what stands before its sections under the heading main, and its sections,
// some under another heading.
func (d *Draft) rest(p page, main string, renames ...string) {
	body := p.body
	for i := 0; i+1 < len(renames); i += 2 {
		body = rename(body, renames[i], renames[i+1])
	}
	lead := p.rest()
	if _, there := markdown.Text(body, main); there && lead != "" {
		main = "Notes" // not two of one name
	}
	d.put(main, lead)
	if body = strings.TrimRight(body, "\n"); body != "" {
		if d.Record.Body != "" {
			d.Record.Body = strings.TrimRight(d.Record.Body, "\n") + "\n\n"
		}
		d.Record.Body += body + "\n"
	}
}

func plainName(name string) string {
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }), " "))
}

func decision(d *Draft, p page, name string) {
	r := &d.Record
	r.Kind = "decision"
	otherwise := name
	if day := fileTime(name); !day.IsZero() {
		otherwise = strings.TrimLeft(name[10:], "_0123456789")
	}
	d.titled(p.title, plainName(otherwise))
	if r.Created = when(p.take("date")); r.Created.IsZero() {
		r.Created = fileTime(name)
	}
	d.tag(strings.ToLower(p.take("category")))
	d.state(p.take("status"), "decided", "accepted", "pending", "proposed")
	d.rest(p, "Context", "Alternatives Considered", "Alternatives")
}

func analysis(d *Draft, p page, name string) {
	r := &d.Record
	r.Kind = "analysis"
	file := p.take("path")
	d.titled(strings.TrimSpace(strings.TrimPrefix(p.title, "Analysis:")), plainName(name))
	r.Created = when(p.take("analyzed"))
	d.put("Path", file)
	if file = strings.Trim(file, "` "); file != "" && !strings.ContainsAny(file, " \t") {
		r.Files = []string{file}
	}
	kind, _ := record.KindNamed("analysis")
	part, _ := kind.Part("type")
	if t := strings.ToLower(p.meta["type"]); slices.Contains(part.Values, t) {
		p.take("type")
		d.put("Type", t)
	}
	d.rest(p, "Summary", "Issues Found", "Issues")
}

func subagent(d *Draft, p page, name string) {
	r := &d.Record
	r.Kind = "subagent"
	at := fileTime(name)
	otherwise := name
	if !at.IsZero() {
		otherwise = strings.TrimLeft(name[10:], "_0123456789")
	}
	d.titled(p.title, plainName(otherwise))
	if r.Created = when(p.take("date")); r.Created.IsZero() {
		r.Created = at
	}
	d.put("Agent", p.take("agent"))
	d.put("Task", p.take("task"))
	d.put("Parent Context", p.take("parent context"))
	d.rest(p, "Summary")
}

// current reads what says how things stand: context/ becomes a context, which expires, and progress/ a memento, which does not;
// what is completed is so here.
func current(d *Draft, p page, role, name string) {
	r := &d.Record
	for _, key := range []string{"last updated", "updated", "date", "started", "created"} {
		if t := when(p.meta[key]); !t.IsZero() {
			p.take(key)
			r.Updated = t
			break
		}
	}
	title := p.title
	if role == roleContext {
		r.Kind = "context"
		d.titled(title, upper(plainName(name)))
		d.rest(p, "Notes")
		return
	}
	r.Kind = "memento"
	r.Tags = []string{"progress"}
	switch name {
	case "active":
		title = cmp.Or(title, "Work in progress")
	case "completed":
		title = cmp.Or(title, "Completed work")
		r.Status = record.Completed
	}
	d.titled(title, plainName(name))
	d.rest(p, "Progress")
}

// user reads a file about the user: one of preferences becomes a preference for each point, the others a profile.
func user(d Draft, p page, name string) (out []Draft) {
	d.Record.Project = record.User
	if t := when(p.meta["last updated"]); !t.IsZero() {
		p.take("last updated")
		d.Record.Updated = t
	}
	if name == "preferences" {
		if out, left := preferences(d, p); out != nil && left == "" {
			return out
		}
	}
	d.Record.Kind = "profile"
	d.titled(p.title, upper(plainName(name)))
	main := "Notes"
	switch name {
	case "profile":
		main = "About"
	case "preferences":
		main = "Preferences"
	}
	d.rest(p, main)
	return []Draft{d}
}

// upper returns s with a capital letter first.
func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// maxTopic is how long the topic of a preference is, in characters.
const maxTopic = 60

// preferences makes a preference of each point of the lists on a page. Its topic is the heading above it; of several points below one
// heading each has a topic of its own, since a topic is what a preference is changed and forgotten by. left is what else the page says.
func preferences(d Draft, p page) (out []Draft, left string) {
	if left = p.rest(); left != "" && !strings.HasPrefix(left, "- ") && !strings.HasPrefix(left, "* ") {
		return nil, left
	}
	add := func(topic, s string) bool {
		items := markdown.Items(s)
		for _, it := range items {
			value, plain := strings.CutPrefix(it, "**")
			one := Draft{From: d.From, Layout: d.Layout, Notes: slices.Clone(d.Notes), Record: d.Record}
			one.Record.Kind = "preference"
			if key, rest, ok := strings.Cut(value, "**"); ok && plain && len(key) < 60 {
				it = strings.TrimSuffix(key, ":") + ": " + strings.TrimLeft(rest, ": ")
			}
			one.title(it)
			of := topic
			if len(items) > 1 && topic != "" {
				key, _, _ := strings.Cut(it, ": ")
				of, _ = text.Cut(topic+": "+text.Line(key), maxTopic)
			}
			one.put("Topic", of)
			one.put("Value", it)
			one.tag(strings.ToLower(topic))
			out = append(out, one)
		}
		return listed(s)
	}
	ok := add("", left)
	for _, s := range markdown.Sections(p.body) {
		ok = add(s.Heading, p.body[s.Text:s.End]) && ok
	}
	if !ok || len(out) > maxItems {
		return nil, "more than points"
	}
	return out, ""
}

// listed reports whether s is nothing but points.
func listed(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimRight(line, " \r"); line != "" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* ") && !strings.HasPrefix(line, "  ") {
			return false
		}
	}
	return true
}

// workspace keeps the map of all projects as one memento of the user's, whole, and makes an initiative of each entry below a
// heading that names them.
func workspace(d Draft, p page, whole string) []Draft {
	d.Record.Project = record.User
	main := d
	main.Record.Kind = "memento"
	main.Record.Tags = []string{"workspace"}
	main.titled(p.title, "Workspace")
	main.rest(p, "Context")
	note(&main, "what it says of a project: memento workspace describe NAME takes it, once a session ran there")
	out := []Draft{main}
	for _, s := range markdown.Sections(strings.ReplaceAll(whole, "\r\n", "\n")) {
		if !strings.Contains(strings.ToLower(s.Heading), "initiative") {
			continue
		}
		for _, it := range initiatives(strings.ReplaceAll(whole, "\r\n", "\n")[s.Text:s.End]) {
			if len(out) > maxItems {
				note(&out[0], "only %d initiatives became records of their own", maxItems)
				return out
			}
			one := Draft{From: d.From, Layout: d.Layout, Record: d.Record}
			one.Record.Kind = "initiative"
			one.Record.Tags = []string{"workspace"}
			one.title(it.name)
			one.put("Goal", it.name)
			for _, m := range it.fields {
				key := strings.ToLower(m.theirs)
				switch {
				case m.ours == "":
				case strings.Contains(key, "status"):
					one.state(m.ours, "in_progress", "active", "completed", "done", "complete", "done", "cancelled", "dropped", "not_started", "planned", "pending", "planned")
				case strings.Contains(key, "repo"), strings.Contains(key, "project"):
					one.list("Projects", names(m.ours))
				case key == "":
					one.put("Progress", m.ours)
				default:
					one.put("Progress", m.theirs+": "+m.ours)
				}
			}
			out = append(out, one)
		}
	}
	return out
}

// names takes a list in one line apart.
func names(s string) (out []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.Trim(strings.TrimSpace(part), "`"); part != "" {
			out = append(out, part)
		}
	}
	return out
}

type initiative struct {
	name   string
	fields []mapping // what it says of itself: a name, and the words
}

// initiatives reads the entries of a section: its ### headings, else the rows of its table, else its points.
func initiatives(s string) (out []initiative) {
	add := func(name string, fields ...mapping) {
		name = strings.Trim(text.Line(name), "*_` ")
		if low := strings.ToLower(name); name != "" && low != "none" && !strings.HasPrefix(low, "none ") && !strings.HasPrefix(name, "[") && !strings.HasPrefix(name, "(") {
			out = append(out, initiative{name, fields})
		}
	}
	if headings := thirds(s); headings != nil {
		for _, h := range headings {
			add(h.theirs, lines(h.ours)...)
		}
		return out
	}
	if rows := table(s); len(rows) > 1 {
		for _, row := range rows[1:] {
			var fields []mapping
			for i := 1; i < len(row) && i < len(rows[0]); i++ {
				fields = append(fields, mapping{rows[0][i], row[i]})
			}
			add(row[0], fields...)
		}
		return out
	}
	if !listed(s) {
		return nil
	}
	for _, it := range markdown.Items(s) {
		first, rest, _ := strings.Cut(it, "\n")
		if key, value, ok := metaLine(first); ok {
			add(key, append([]mapping{{"", value}}, lines(rest)...)...)
			continue
		}
		add(first, lines(rest)...)
	}
	return out
}

// thirds are the ### headings of a section, each with what stands below it.
func thirds(s string) (out []mapping) {
	for line := range strings.SplitSeq(s, "\n") {
		if h, ok := strings.CutPrefix(line, "### "); ok {
			out = append(out, mapping{theirs: h})
		} else if out != nil {
			out[len(out)-1].ours += line + "\n"
		}
	}
	return out
}

// lines reads "**Key**: value" and "Key: value", one a line; other lines have no key.
func lines(s string) (out []mapping) {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if line == "" {
			continue
		}
		if key, value, ok := metaLine(line); ok {
			out = append(out, mapping{key, value})
		} else if key, value, ok := strings.Cut(line, ": "); ok && len(key) < 30 && !strings.Contains(key, " ") {
			out = append(out, mapping{key, value})
		} else {
			out = append(out, mapping{"", line})
		}
	}
	return out
}

// table returns the rows of the tables in s, the line below the heads left out.
func table(s string) (rows [][]string) {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

// entry is a row of an index: the file it is of, and what it says of it.
type entry struct{ file, summary string }

// readIndex reads an index: its rows, and what it says of the work at hand, which no other file may hold.
func readIndex(s string) (rows []entry, state []string) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, row := range table(s) {
		if len(row) >= 4 && strings.HasSuffix(row[1], ".md") {
			rows = append(rows, entry{row[1], row[3]})
		}
	}
	now, _ := markdown.Text(s, "Current State")
	for line := range strings.SplitSeq(now, "\n") {
		key, value, ok := metaLine(line)
		if low := strings.ToLower(value); ok && value != "" && low != "none" && low != "n/a" && value != "-" && !strings.HasPrefix(value, "[") {
			state = append(state, key+": "+value)
		}
	}
	return rows, state
}
