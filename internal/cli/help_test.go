package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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
	for _, c := range public() {
		there = append(there, c.name)
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

// No example in a command's help is a wrong call. The records and projects that an example names may be missing.
func TestExamples(t *testing.T) {
	n := 0
	for _, cmd := range public() {
		for line := range strings.Lines(strings.ReplaceAll(cmd.long, "\\\n", "")) {
			line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "  memento ")
			if !ok || line[0] == ' ' || strings.ContainsAny(line, "<>|$;") { // a kind's name, or a line for a shell
				continue
			}
			line, _, _ = strings.Cut(line, "  ") // what it does
			args := words(line)
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

// words splits a line as a shell does, as far as examples need it.
func words(line string) (out []string) {
	var word strings.Builder
	quote, some := rune(0), false
	for _, r := range line {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote, some = r, true
		case r == quote:
			quote = 0
		case quote == 0 && r == ' ':
			if some {
				out = append(out, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteRune(r)
			some = true
		}
	}
	if some {
		out = append(out, word.String())
	}
	return out
}
