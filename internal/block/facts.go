package block

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Facts returns the facts in a block of this journal, each in the parts that stand there word for word. The header's
// paths, the counts, the summary and the list of files are not facts: the last two are made of others.
func Facts(j *journal.Journal, block string) (out [][]string) {
	for line := range strings.Lines(block) {
		label, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		mark := "\n"
		switch label += ": "; label {
		case saidLabel:
			mark = quoteMark
		case planLabel:
			mark = planMark
		case proposedLabel, nowLabel, wipLabel, errorLabel, doneLabel:
		default:
			if !j.Open() || !strings.HasPrefix(label, "[MEMENTO] ") || strings.HasPrefix(label, "[MEMENTO] No active") {
				continue
			}
			value, _, _ = strings.Cut(value, where(j, ""))
		}
		for _, item := range strings.Split(value, mark) {
			out = append(out, fact(item))
		}
	}
	return out
}

// fact returns the parts of a block's value that stand in it word for word, between its marks and the places where
// words were left out.
func fact(value string) (parts []string) {
	if day, rest, ok := strings.Cut(value, ": \""); ok && strings.HasPrefix(day, "by ") {
		value = rest
	}
	for _, mark := range [...]string{"(asked: ", "(the user answered: ", " (unverified)", "ctx: user: ", "ctx: tool: ",
		"ctx: note: ", " | ", " ¦ ", " -> "} {
		value = strings.ReplaceAll(value, mark, text.Ellipsis)
	}
	for {
		before, rest, ok := strings.Cut(value, redact.Mark)
		if !ok {
			break
		}
		_, rest, _ = strings.Cut(rest, "]")
		value = before + text.Ellipsis + rest
	}
	for _, part := range strings.Split(value, text.Ellipsis) {
		if part = strings.Trim(part, " \"”)"); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// held are the kinds of facts that Held counts: how a line of each begins, what stands between two facts of one line,
// and the names of one fact and of more, "" for a kind that counts once.
var held = [...]struct{ label, mark, one, more string }{
	{"[MEMENTO] Mission", "\n", "your mission", ""},
	{"[MEMENTO] Previous mission", "\n", "the mission before", ""},
	{saidLabel, quoteMark, "1 sentence of yours", "sentences of yours"},
	{errorLabel, "\n", "the failing command", "failing commands"},
	{wipLabel, "\n", "the work in hand", ""},
	{planLabel, planMark, "1 next step", "next steps"},
}

// Held says for a person what a block holds: "your mission, the failing test and 2 next steps are". It ends with the
// verb, is or are. It returns "" for a block without facts.
func Held(block string) string {
	var parts []string
	verb := " is"
	block = strings.ReplaceAll("\n"+block, "\n"+nowLabel, "\n"+saidLabel) // also the person's words
	for _, k := range held {
		n, areTests := 0, true
		for line := range strings.SplitSeq(block, "\n") {
			if strings.HasPrefix(line, k.label) {
				n += 1 + strings.Count(line, k.mark)
				cmd, _, _ := strings.Cut(strings.ToLower(line), " -> ")
				areTests = areTests && strings.Contains(cmd, "test")
			}
		}
		name := k.one
		if n > 1 && k.more != "" {
			name, verb = fmt.Sprintf("%d %s", n, k.more), " are"
		}
		if k.label == errorLabel && areTests {
			name = strings.Replace(name, "command", "test", 1)
		}
		if n > 0 {
			parts = append(parts, name)
		}
	}
	if n := len(parts); n > 1 {
		parts, verb = []string{strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]}, " are"
	}
	if parts == nil {
		return ""
	}
	return parts[0] + verb
}
