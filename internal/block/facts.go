package block

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// values returns the labels of the lines of a block, and the values behind them.
func values(block string) (labels, values []string) {
	for line := range strings.Lines(block) {
		label, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		labels, values = append(labels, label+": "), append(values, value)
	}
	return labels, values
}

// Facts returns the facts in a block of this journal that a session may not know. The header's paths, the counts, the
// summary and the list of files are not facts: the last two are made of others.
func Facts(j *journal.Journal, block string) (out []transcript.Fact) {
	labels, all := values(block)
	for i, value := range all {
		ref, mark := "", "\n"
		switch label := labels[i]; label {
		case saidLabel, unsureLabel, pastedLabel:
			mark = quoteMark
		case planLabel:
			mark = planMark
		case proposedLabel, nowLabel, wipLabel, errorLabel:
		case doneLabel:
			if at := slices.IndexFunc(j.Done, func(e journal.Entry) bool { return e.Line() == value }); at >= 0 {
				ref = j.Done[at].Ref
			}
		default:
			if !j.Open() || !strings.HasPrefix(label, "[MEMENTO] ") || strings.HasPrefix(label, "[MEMENTO] No active") {
				continue
			}
			value, _, _ = strings.Cut(value, where(j, ""))
			ref = j.MissionRef
		}
		for _, item := range strings.Split(value, mark) {
			out = append(out, fact(item, ref))
		}
	}
	return out
}

// fact returns the parts of a block's value that stand in it word for word, between its marks and the places where
// words were left out.
func fact(value, ref string) transcript.Fact {
	f := transcript.Fact{Ref: ref}
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
			f.Words = append(f.Words, part)
		}
	}
	return f
}

// Held says for a person what a block holds: "your mission, the failing test and 2 next steps are". It ends with the
// verb, is or are. It returns "" for a block without facts.
func Held(block string) string {
	var parts []string
	n := map[string]int{}
	tests := 0
	labels, all := values(block)
	for i, value := range all {
		switch label := labels[i]; {
		case strings.HasPrefix(label, "[MEMENTO] Mission"):
			n["mission"]++
		case strings.HasPrefix(label, "[MEMENTO] Previous mission"):
			n["before"]++
		case label == saidLabel:
			n["said"] = strings.Count(value, quoteMark) + 1
		case label == errorLabel:
			n["failing"]++
			if cmd, _, _ := strings.Cut(value, " -> "); strings.Contains(strings.ToLower(cmd), "test") {
				tests++
			}
		case label == wipLabel, label == nowLabel:
			n["wip"] = 1
		case label == planLabel:
			n["plan"] = strings.Count(value, planMark) + 1
		}
	}
	many := false
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			parts = append(parts, one)
		case n > 1:
			parts, many = append(parts, fmt.Sprintf("%d %s", n, more)), true
		}
	}
	add(n["mission"], "your mission", "")
	add(n["before"], "the mission before", "")
	add(n["said"], "1 sentence of yours", "sentences of yours")
	if n["failing"] == tests {
		add(tests, "the failing test", "failing tests")
	} else {
		add(n["failing"], "the failing command", "failing commands")
	}
	add(n["wip"], "the work in hand", "")
	add(n["plan"], "1 next step", "next steps")
	switch n := len(parts); {
	case n == 0:
		return ""
	case n == 1 && !many:
		return parts[0] + " is"
	case n > 1:
		parts[0] = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return parts[0] + " are"
}
