package exchange

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/text"
)

// Two pages become several records: the user's preferences, and the map of all projects with its
// initiatives.

const (
	maxItems = 200 // records of one page
	maxTopic = 60  // characters of a preference's topic
)

// readUserPage reads a page about the user. A page of preferences becomes a preference for each point, any other page a
// profile.
func readUserPage(d Draft, c shape, p page) []Draft {
	d.Record.Project = naming.User
	d.Record.Updated = p.extractUpdated("last updated")
	if stem(d.From) == "preferences" {
		if out := splitPreferences(d, p); out != nil {
			return out
		}
	}
	d.fillFromPage(c, p)
	return []Draft{d}
}

// splitPreferences makes a preference of each point of the lists on a page. It returns nil for a page with other text.
// The topic is the heading above. Several points below one heading get topics of their own, as a person changes and
// forgets a preference by its topic.
func splitPreferences(d Draft, p page) (out []Draft) {
	lists := []pair{{"", p.headAndLead()}}
	for _, s := range markdown.Sections(p.body) {
		lists = append(lists, pair{s.Heading, p.body[s.Text:s.End]})
	}
	for _, l := range lists {
		if !isListed(l.ours) {
			return nil
		}
		items := markdown.Items(l.ours)
		for _, it := range items {
			bold, isBold := strings.CutPrefix(it, "**")
			if key, rest, ok := strings.Cut(bold, "**"); ok && isBold && len(key) < maxTopic {
				it = strings.TrimSuffix(key, ":") + ": " + strings.TrimLeft(rest, ": ")
			}
			one := d
			one.Notes = slices.Clone(d.Notes)
			one.Record.Kind = "preference"
			one.setTitle(it)
			topic := l.theirs
			if len(items) > 1 && topic != "" {
				key, _, _ := strings.Cut(it, ": ")
				topic, _ = text.Cut(topic+": "+text.OneLine(key), maxTopic)
			}
			one.addText("Topic", topic)
			one.addText("Value", it)
			one.addTag(strings.ToLower(l.theirs))
			out = append(out, one)
		}
	}
	if len(out) > maxItems {
		return nil
	}
	return out
}

// isListed reports whether s holds nothing but points of a list.
func isListed(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, " \r")
		if line != "" && !slices.ContainsFunc([]string{"- ", "* ", "  "},
			func(p string) bool { return strings.HasPrefix(line, p) }) {
			return false
		}
	}
	return true
}

// readWorkspacePage keeps the map of all projects whole, as a memento of the user's. Each entry below a heading that
// says initiative becomes an initiative too.
func readWorkspacePage(d Draft, c shape, p page, whole string) []Draft {
	d.Record.Project = naming.User
	first := d
	first.fillFromPage(c, p)
	first.addNote("memento workspace describe NAME keeps what it says about a project, after a session there")
	out := []Draft{first}
	whole = strings.ReplaceAll(whole, "\r\n", "\n")
	for _, s := range markdown.Sections(whole) {
		if !strings.Contains(strings.ToLower(s.Heading), "initiative") {
			continue
		}
		for _, entry := range splitInitiatives(whole[s.Text:s.End]) {
			if len(out) > maxItems {
				out[0].addNote("only %d initiatives became records of their own", maxItems)
				return out
			}
			one := d
			if one.fillInitiative(c, entry.theirs, entry.ours) {
				out = append(out, one)
			}
		}
	}
	return out
}

// fillInitiative makes d an initiative with this name and these lines. It reports false for a template's placeholder.
func (d *Draft) fillInitiative(c shape, name, lines string) bool {
	name = strings.Trim(text.OneLine(name), "*_` ")
	low := strings.ToLower(name)
	if name == "" || isNothing(name) || strings.HasPrefix(low, "none ") || strings.HasPrefix(name, "(") {
		return false
	}
	d.Record.Kind = "initiative"
	d.Record.Tags = []string{c.tag}
	d.setTitle(name)
	d.addText("Goal", name)
	for _, f := range lineFields(lines) {
		key := strings.ToLower(f.theirs)
		switch {
		case f.ours == "":
		case strings.Contains(key, "status"):
			d.setStage(f.ours)
		case strings.Contains(key, "repo"), strings.Contains(key, "project"):
			var names []string
			for part := range strings.SplitSeq(f.ours, ",") {
				names = append(names, strings.Trim(strings.TrimSpace(part), "`"))
			}
			d.addList("Projects", names)
		default:
			d.addText("Progress", joinNonEmpty(": ", f.theirs, f.ours))
		}
	}
	return true
}

// splitInitiatives returns the entries of a section, each with its lines: the ### headings, or else the rows of its
// table, or else its points.
func splitInitiatives(s string) (out []pair) {
	if out = thirdHeadings(s); out != nil {
		return out
	}
	if rows := tableRows(s); len(rows) > 1 {
		for _, row := range rows[1:] {
			lines := ""
			for i := 1; i < min(len(row), len(rows[0])); i++ {
				lines += "**" + rows[0][i] + "**: " + row[i] + "\n"
			}
			out = append(out, pair{row[0], lines})
		}
		return out
	}
	if !isListed(s) {
		return nil
	}
	for _, it := range markdown.Items(s) {
		first, rest, _ := strings.Cut(it, "\n")
		if key, value, ok := metaLine(first); ok {
			first, rest = key, value+"\n"+rest
		}
		out = append(out, pair{first, rest})
	}
	return out
}

// thirdHeadings returns the ### headings of a section, each with the text below.
func thirdHeadings(s string) (out []pair) {
	for line := range strings.SplitSeq(s, "\n") {
		if h, ok := strings.CutPrefix(line, "### "); ok {
			out = append(out, pair{theirs: h})
		} else if out != nil {
			out[len(out)-1].ours += line + "\n"
		}
	}
	return out
}

// lineFields reads a line as "**Key**: value" or "Key: value". Any other line gets the key "".
func lineFields(s string) (out []pair) {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if line == "" {
			continue
		}
		key, value, ok := metaLine(line)
		if !ok {
			key, value, ok = strings.Cut(line, ": ")
			ok = ok && len(key) < 30 && !strings.Contains(key, " ")
		}
		if !ok {
			key, value = "", line
		}
		out = append(out, pair{key, value})
	}
	return out
}

// tableRows returns the rows of the tables in s, without the line below the heads.
func tableRows(s string) (rows [][]string) {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}
