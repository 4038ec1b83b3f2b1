package block

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// Facts returns the facts in a block of this journal that a session may not know. The header's paths, the counts, the
// summary and the list of files are not facts: the last two are made of others.
func Facts(j *journal.Journal, block string) (out []transcript.Fact) {
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		label, value, ok := strings.Cut(line, ": ")
		if head, isHead := strings.CutPrefix(label, "[MEMENTO] "); isHead {
			if j.Open() && ok && !strings.HasPrefix(head, "No active mission") {
				value, _, _ = strings.Cut(value, where(j, ""))
				out = append(out, fact(value, j.MissionRef))
			}
			continue
		}
		switch label + ": " {
		case saidLabel, unsureLabel, pastedLabel:
			for _, quote := range strings.Split(value, quoteMark) {
				out = append(out, fact(undated(quote), ""))
			}
		case planLabel:
			for _, item := range strings.Split(value, planMark) {
				out = append(out, fact(item, ""))
			}
		case proposedLabel:
			value, _, _ = strings.Cut(value, " (the user answered: ")
			out = append(out, fact(value, ""))
		case nowLabel, wipLabel, errorLabel:
			out = append(out, fact(value, ""))
		case doneLabel:
			ref := ""
			if i := slices.IndexFunc(j.Done, func(e journal.Entry) bool { return e.Line() == value }); i >= 0 {
				ref = j.Done[i].Ref
			}
			out = append(out, fact(value, ref))
		}
	}
	return out
}

// fact returns the parts of a block's value that stand in it word for word, between its marks and the places where
// words were left out.
func fact(value, ref string) transcript.Fact {
	f := transcript.Fact{Ref: ref}
	for _, mark := range [...]string{"(asked: ", " (unverified)", "ctx: user: ", "ctx: tool: ", "ctx: note: ", " | ",
		" ¦ ", " -> "} {
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
