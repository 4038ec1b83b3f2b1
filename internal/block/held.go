package block

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// Held says for a person what a block holds: "your mission, 4 rules and the failing test are". It ends with the verb,
// is or are. block is a block of j and v, which the caller fills as for Render. Held returns "" for a block without
// facts.
func Held(j *journal.Journal, v View, block string) string {
	j = inForce(j, &v)
	var parts []string
	many := false
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			parts = append(parts, one)
		case n > 1:
			parts, many = append(parts, fmt.Sprintf("%d %s", n, more)), true
		}
	}
	of := map[string]string{} // the lines by their labels
	for line := range strings.Lines(block) {
		label, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		of[label+": "] += value + "\n"
	}
	switch {
	case !j.Open():
	case of["[MEMENTO] Mission: "] != "":
		add(1, "your mission", "")
	default:
		add(1, "the mission before", "")
	}
	rules, quotes := v.countQuotes(block, of[saidLabel])
	add(rules, "1 rule", "rules")
	if rules == 0 {
		add(quotes, "1 sentence of yours", "sentences of yours")
	}
	failing, tests := 0, 0
	for _, f := range append(v.Failing, failureOf(j)...) {
		if strings.Contains("\n"+of[errorLabel], "\n"+f.String()+"\n") {
			failing++
			if strings.Contains(strings.ToLower(f.Cmd), "test") {
				tests++
			}
		}
	}
	if failing == tests {
		add(failing, "the failing test", "failing tests")
	} else {
		add(failing, "the failing command", "failing commands")
	}
	if of[wipLabel]+of[nowLabel] != "" {
		add(1, "the work in hand", "")
	}
	if plan := strings.TrimSpace(of[planLabel]); plan != "" {
		add(strings.Count(plan, planMark)+1, "1 next step", "next steps")
	}
	switch n := len(parts); {
	case n == 0:
		return ""
	case n == 1 && !many:
		return parts[0] + " is"
	case n == 1:
		return parts[0] + " are"
	default:
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1] + " are"
	}
}

// countQuotes counts the rules that a block holds, wherever they stand in it, and the quotations of its line.
func (v View) countQuotes(block, line string) (rules, quotes int) {
	if v.Said != nil {
		for _, s := range v.Said.Rules {
			if strings.Contains(block, strings.Trim(text.Quote(s.Text), `"`)) {
				rules++
			}
		}
	}
	if line = strings.TrimSpace(line); line != "" {
		quotes = strings.Count(line, quoteMark) + 1
	}
	return rules, quotes
}

// failureOf returns the failure that the journal holds.
func failureOf(j *journal.Journal) []journal.Failure {
	if j.Error == nil {
		return nil
	}
	return []journal.Failure{*j.Error}
}
