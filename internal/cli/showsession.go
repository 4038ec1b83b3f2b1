package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxShort = 160  // characters of a prompt, an answer or a command in a timeline
	maxShown = 6000 // characters of a session, a prompt or an answer that Claude is shown without --raw
)

// showNamed prints the record with the given name or, when there is none, the session with this id.
func showNamed(c *call, f showFlags) error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	missing := error(nil)
	if !f.all && f.turn == 0 {
		if _, missing = s.lookUp(c.args[0], retrieve.Find); !errors.Is(missing, record.ErrNotFound) {
			return showRecord(c, s, f)
		}
	}
	where := map[bool]string{false: s.project}[f.all]
	turns, err := retrieve.Timeline(log.Store{Dir: s.store.Dir, Wait: wait}, where, c.args[0])
	var several *retrieve.AmbiguousError
	switch {
	case errors.Is(err, retrieve.ErrNoSession) && missing != nil:
		if hintOf(missing) != hintMissing || strings.ContainsAny(c.args[0], `./\`) { // a record like it, or a file
			return missing
		}
		return hinted(hintMissing+" lists records, memento search finds sessions", "%w, and no such session", missing)
	case errors.Is(err, retrieve.ErrNoSession):
		return hinted("memento search finds sessions; --all looks in other projects",
			"no turn of a session %s is kept in %s", text.Quote(c.args[0]), cmp.Or(where, "any project"))
	case errors.As(err, &several):
		return usage("give more of its id", "%d sessions begin with %s", len(several.IDs), text.Quote(c.args[0]))
	case err != nil:
		return err
	case f.said || f.history || c.json:
		return usage("memento search --json has turns for programs",
			"a session is shown without --said, --history and --json")
	}
	if len(turns) == 0 {
		return c.say("No turn of this session can be read.")
	}
	if f.turn > len(turns) {
		return usage("memento show "+text.Line(c.args[0])+" lists them", "no turn %d: it has %s", f.turn,
			count(len(turns), "turn"))
	}
	showSession(c, turns, f)
	return nil
}

// showSession prints a session, a few lines for each turn, or one turn whole.
func showSession(c *call, turns []past.Turn, f showFlags) {
	first, last := clock(turns[0].Time), clock(turns[len(turns)-1].Time)
	compactions, err := history.CompactionsOf(c.config.Dir, turns[0].Project, turns[0].Session)
	lost := map[int][]history.Compaction{} // by the number of the turn
	for _, one := range compactions {
		n := past.TurnAt(turns, one.TS)
		lost[n] = append(lost[n], one)
	}
	if err != nil { // as for a session from before the installation, it is only said where the compactions were
		fmt.Fprintf(c.Err, "memento: what the compactions lost is left out: %s\n", text.Reason(err))
	}
	c.row("session", "%s", text.Line(turns[0].Session))
	c.row("title", "%s", text.Line(past.Title(turns)))
	c.row("project", "%s", text.Line(naming.ProjectOrUser(turns[0].Project)))
	c.row("machine", "%s", text.Line(machineOf(c.folder, turns[0])))
	if f.turn > 0 {
		turn := turns[f.turn-1]
		c.row("turn", "%d of %d, %s", f.turn, len(turns), clock(turn.Time))
		showTurn(c, turn, did(turn, lost[f.turn]), f)
		return
	}
	when := "at " + first
	if first != last {
		when = "from " + first + " to " + last
	}
	c.row("turns", "%d, %s; --turn N shows one whole", len(turns), when)
	printed := 0
	for i, turn := range turns {
		lines := []string{fmt.Sprintf("\n%3d  %s  %s", turn.N, clock(turn.Time), text.Quote(short(turn.Prompt)))}
		if turn.Answer != "" {
			lines = append(lines, turn.Model()+": "+short(turn.Answer))
		}
		words := strings.Join(append(lines, did(turn, lost[turn.N])...), "\n     ") + "\n"
		if printed += text.Runes(words); isBounded(c, f) && printed > maxShown && i > 0 {
			fmt.Fprintf(c.Out, "\n(%s more; --turn N shows one, --raw all)\n", count(len(turns)-i, "turn"))
			return
		}
		fmt.Fprint(c.Out, words)
	}
}

// isBounded reports whether a long answer is cut: a person, and who asks for --raw, is shown everything.
func isBounded(c *call, f showFlags) bool { return c.by == journal.ByClaude && !f.raw }

// showTurn prints a turn whole, unless it is bounded, and below it what Claude did.
func showTurn(c *call, turn past.Turn, did []string, f showFlags) {
	for _, side := range [...][2]string{{turn.Model() + " had asked", turn.Asked}, {"The user typed", turn.Prompt},
		{turn.Model() + " answered", turn.Answer}} {
		shown, cut := side[1], false
		if isBounded(c, f) {
			shown, cut = text.Cut(shown, maxShown)
		}
		if shown != "" {
			fmt.Fprintf(c.Out, "\n%s:\n\n    %s\n", side[0],
				strings.ReplaceAll(readable(strings.TrimSpace(shown)), "\n", "\n    "))
		}
		if cut {
			fmt.Fprintf(c.Out, "    (%d characters of %d; --raw shows all)\n", maxShown, text.Runes(side[1]))
		}
	}
	if len(did) > 0 {
		fmt.Fprintf(c.Out, "\n%s\n", strings.Join(did, "\n"))
	}
}

// short returns the beginning of words on one line.
func short(words string) string {
	s, _ := text.Cut(text.Line(words), maxShort)
	return s
}

// did returns what Claude did in a turn, a line each: commands, commits, files; and what its compactions lost.
func did(turn past.Turn, lost []history.Compaction) (lines []string) {
	for _, r := range turn.Ran {
		verb := map[bool]string{true: "failed", false: "ran"}[r.Failed]
		lines = append(lines, joined(" -> ", verb+" `"+short(r.Cmd)+"`", short(r.Line)))
	}
	for _, commit := range turn.Commits {
		lines = append(lines, "committed "+short(commit))
	}
	if len(turn.Files) > 0 {
		lines = append(lines, "edited "+text.Line(strings.Join(turn.Files, ", ")))
	}
	for _, one := range lost {
		lines = append(lines, one.String())
	}
	if turn.Recap != "" {
		lines = append(lines, "Claude's recap: "+short(turn.Recap))
	}
	if turn.Compacted && len(lost) == 0 {
		lines = append(lines, "the client compacted its context here")
	}
	return lines
}
