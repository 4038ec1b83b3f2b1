package cli

import (
	"fmt"
	"strings"
)

// ManPage returns the manual page: every page of the help, for man.
func ManPage() string {
	var m manual
	m.request("TH", "MEMENTO", "1", "", "memento "+Version, "")
	m.WriteString(".nh\n.ad l\n")           // no word is torn, so that each can be searched for
	m.WriteString(".fchar \\[u2026] ...\n") // where a terminal shows ASCII alone
	m.section("NAME")
	m.words("memento - the journal Claude Code lacks: it keeps the mission, your words and your records across compactions")
	m.section("SYNOPSIS")
	m.named("memento", "where things stand here")
	m.named("memento COMMAND [ARGUMENTS]", "")
	m.named("memento help [COMMAND|TOPIC]", "")
	m.section("DESCRIPTION")
	for _, g := range groups() {
		m.request("SS", g.title)
		for _, l := range g.lines {
			m.named(l.names, l.short)
		}
	}
	m.section("COMMANDS")
	for _, cmd := range public() {
		m.request("SS", strings.TrimSpace("memento "+cmd.name+" "+cmd.args))
		_, help, _ := strings.Cut(cmd.help(), "\n\n")
		m.page(help)
	}
	for _, name := range topics() {
		page, _ := topic(name)
		title, rest, _ := strings.Cut(page, "\n")
		m.section(strings.ToUpper(strings.ReplaceAll(name, "-", " ")))
		m.page(title + "\n" + rest)
	}
	m.section("SEE ALSO")
	m.words("claude(1), git(1), less(1)")
	return ManMark + "\n" + m.String()
}

// ManMark is the first line of the manual page, by which install.sh knows that a page is memento's.
const ManMark = `.\" memento(1), made by memento help --man`

// manual is a page in the language of man.
type manual struct{ strings.Builder }

// request writes a request with its arguments.
func (m *manual) request(name string, args ...string) {
	m.WriteString("." + name)
	for _, arg := range args {
		m.WriteString(` "` + escaped(arg) + `"`)
	}
	m.WriteString("\n")
}

func (m *manual) section(title string) { m.request("SH", title) }

// words writes a line of prose.
func (m *manual) words(line string) {
	line = escaped(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	m.WriteString(line + "\n")
}

// named writes a name, or what is typed, and below it what it means.
func (m *manual) named(name, meaning string) {
	m.request("TP", "24n")
	m.request("B", name)
	if meaning != "" {
		m.words(meaning)
	}
}

// page writes a page of help. A line that begins with spaces is something to type, or the name of something; what it
// means stands behind two spaces, or below it.
func (m *manual) page(help string) {
	const meaningAt = 12 // the least column of a meaning that goes on
	isList, isEmpty := false, false
	for line := range strings.Lines(help) {
		words := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		lead := len(line) - 1 - len(words)
		name, meaning, _ := strings.Cut(words, "  ")
		switch {
		case words == "":
			isEmpty = true
			continue
		case lead > meaningAt:
			m.words(words)
		case lead > 0:
			m.named(name, strings.TrimSpace(meaning))
			isList = true
		default:
			if isEmpty || isList {
				m.request("PP")
			}
			m.words(words)
			isList = false
		}
		isEmpty = false
	}
}

// escaped returns words as man shows them: with hyphens that can be copied, and without requests.
func escaped(words string) string {
	var b strings.Builder
	for _, r := range strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~",
		`\(ti`).Replace(words) {
		if r < 0x7f {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
