package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mvdan.cc/sh/v3/shell"
)

// The overview lists each command that a person types once. With the shell's prompt it fits a
// screen of 24 lines of 80 characters.
func TestOverview(t *testing.T) {
	var listed, there []string
	for line := range strings.Lines(overview) {
		if strings.HasPrefix(line, "  ") {
			names := strings.TrimSpace(line[:28])
			listed = append(listed, strings.Split(names, ", ")...)
		}
	}
	for _, c := range commands() {
		if !c.hidden {
			there = append(there, c.name)
		}
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("the overview has\n%q, there are\n%q", listed, there)
	}
	if lines := strings.Count(overview, "\n"); lines >= 24 {
		t.Errorf("the overview has %d lines:\n%s", lines, overview)
	}
	for line := range strings.Lines(overview) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

// No line of a command's help or of the settings is wider than a page of code.
func TestHelpFits(t *testing.T) {
	pages, _, _ := newPerson(t).run("config")
	for _, cmd := range commands() {
		pages += cmd.help()
	}
	for line := range strings.Lines(pages) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 120 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

// No example in a command's help is a wrong call. The records and projects that an example names may be missing.
func TestExamples(t *testing.T) {
	n := 0
	for _, cmd := range commands() {
		for line := range strings.Lines(strings.ReplaceAll(cmd.long, "\\\n", "")) {
			line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "  memento ")
			if !ok || line[0] == ' ' || strings.ContainsAny(line, "<>|$;") { // a kind's name, or a line for a shell
				continue
			}
			line, _, _ = strings.Cut(line, "  ") // what it does
			args, err := shell.Fields(line, nil)
			if err != nil {
				t.Fatal(line, err)
			}
			p := newPerson(t)
			p.run("done", "x")
			p.run("save", "decision", "Use PASETO", "--set", "decision=v4")
			_, errs, code := p.run(args...)
			asks := args[0] == "rm" || args[0] == "forget" // at a terminal
			if named := strings.Contains(errs, "no project is called"); code == exitUsage && !asks && !named {
				t.Errorf("memento %s\n%s", line, errs)
			}
			n++
		}
	}
	if n < 60 {
		t.Errorf("only %d examples were found", n)
	}
}
