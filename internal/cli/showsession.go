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

// maxShown is how many characters of a prompt, an answer or a command a timeline shows.
const maxShown = 160

// Bounds of what Claude is shown without --raw, in characters. A person is shown everything.
const (
	maxSide     = 6000 // of a prompt, and of an answer
	maxTimeline = 6000 // of the turns of a session, those that are shown first
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
	where := s.project
	if f.all {
		where = ""
	}
	turns, err := retrieve.Timeline(log.Store{Dir: s.store.Dir, Wait: wait}, where, c.args[0])
	var several *retrieve.AmbiguousError
	switch {
	case errors.Is(err, retrieve.ErrNoSession) && missing != nil:
		if hintOf(missing) != hintMissing || strings.ContainsAny(c.args[0], `./\`) { // a record like it, or a file
			return missing
		}
		const hint = " lists records, memento search finds sessions; %d characters of a session's id are enough"
		return hinted(hintMissing+fmt.Sprintf(hint, retrieve.MinSession), "%w, and no such session", missing)
	case errors.Is(err, retrieve.ErrNoSession):
		return hinted("memento search finds sessions; --all looks in other projects",
			"no turn of a session %s is kept in %s", text.Quote(c.args[0]), cmp.Or(where, "any project"))
	case errors.As(err, &several):
		return usage("give more of its id", "%d sessions begin with %s", len(several.IDs), text.Quote(c.args[0]))
	case err != nil:
		return err
	case f.said || f.history || c.json:
		return usage("memento search --json has turns for programs",
			"--said and --history are the journal's, and a session has no --json")
	}
	if len(turns) == 0 {
		fmt.Fprintln(c.Out, "No turn of this session can be read.")
		return nil
	}
	t := timelineOf(c, turns)
	isBounded := c.by == journal.ByClaude && !f.raw
	switch {
	case f.turn > len(turns) || f.turn < 0:
		return usage(fmt.Sprintf("it has %d", len(turns)), "no turn %d", f.turn)
	case f.turn > 0:
		t.printTurn(c.output, f.turn, isBounded)
	default:
		t.print(c.output, isBounded)
	}
	return nil
}

// timeline is the turns of a session, at least one.
type timeline struct {
	turns   []past.Turn
	machine string                       // the other one on which it was, "" for this one
	lost    map[int][]history.Compaction // what each compaction lost, by a turn's number
}

// timelineOf adds to the turns of a session what is known of its compactions. Without that, as for a session from
// before the installation, the timeline only says where they were.
func timelineOf(c *call, turns []past.Turn) timeline {
	t := timeline{turns, machineOf(c.folder, turns[0]), map[int][]history.Compaction{}}
	all, err := history.CompactionsOf(c.config.Dir, turns[0].Project, turns[0].Session)
	if err != nil {
		fmt.Fprintf(c.Err, "memento: what the compactions lost is left out: %s\n", worded(err))
	}
	for _, one := range all {
		n := past.TurnAt(turns, one.TS)
		t.lost[n] = append(t.lost[n], one)
	}
	return t
}

// printHead prints which session this is.
func (t timeline) printHead(o *output) {
	o.row("session", "%s", text.Line(t.turns[0].Session))
	if title := past.Title(t.turns); title != "" {
		o.row("title", "%s", text.Line(title))
	}
	o.row("project", "%s", text.Line(naming.ProjectOrUser(t.turns[0].Project)))
	if t.machine != "" {
		o.row("machine", "%s", text.Line(t.machine))
	}
}

// printTurn prints the n-th turn, whole unless bounded.
func (t timeline) printTurn(o *output, n int, bounded bool) {
	turn := t.turns[n-1]
	t.printHead(o)
	o.row("turn", "%d of %d, %s", n, len(t.turns), turnTime(turn))
	side := func(heading, words string) {
		if words == "" {
			return
		}
		shown := words
		if bounded {
			shown, _ = text.Cut(words, maxSide)
		}
		fmt.Fprintf(o.Out, "\n%s:\n\n    %s\n", heading, strings.ReplaceAll(plain(strings.TrimSpace(shown)), "\n", "\n    "))
		if shown != words {
			fmt.Fprintf(o.Out, "    (%d characters of %d; --raw shows all)\n", maxSide, text.Runes(words))
		}
	}
	side(turn.Model()+" had asked", turn.Asked)
	side("The user typed", turn.Prompt)
	side(turn.Model()+" answered", turn.Answer)
	if did := t.did(turn); len(did) > 0 {
		fmt.Fprintf(o.Out, "\n%s\n", strings.Join(did, "\n"))
	}
}

// print prints a session, a few lines for each turn; bounded leaves out the last of a long one.
func (t timeline) print(o *output, bounded bool) {
	t.printHead(o)
	first, last := turnTime(t.turns[0]), turnTime(t.turns[len(t.turns)-1])
	when := "at " + first
	if first != last {
		when = "from " + first + " to " + last
	}
	o.row("turns", "%d, %s; --turn N shows one whole", len(t.turns), when)
	printed := 0
	for i, turn := range t.turns {
		words := t.brief(turn)
		if printed += text.Runes(words); bounded && printed > maxTimeline && i > 0 {
			fmt.Fprintf(o.Out, "\n(%s more; --turn N shows one, --raw all)\n", count(len(t.turns)-i, "turn"))
			return
		}
		fmt.Fprint(o.Out, words)
	}
}

// brief returns a turn in a few lines.
func (t timeline) brief(turn past.Turn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%3d  %s  %s\n", turn.N, turnTime(turn), text.Quote(short(turn.Prompt)))
	if turn.Answer != "" {
		fmt.Fprintf(&b, "     %s: %s\n", turn.Model(), short(turn.Answer))
	}
	for _, line := range t.did(turn) {
		fmt.Fprintf(&b, "     %s\n", line)
	}
	return b.String()
}

// short returns the beginning of words on one line.
func short(words string) string {
	s, _ := text.Cut(text.Line(words), maxShown)
	return s
}

// did returns what Claude did in a turn, a line each: commands, commits, files; and what compactions lost.
func (t timeline) did(turn past.Turn) (lines []string) {
	for _, r := range turn.Ran {
		line := "ran `" + short(r.Cmd) + "`"
		if r.Failed {
			line = "failed `" + short(r.Cmd) + "`"
		}
		if r.Line != "" {
			line += " -> " + short(r.Line)
		}
		lines = append(lines, line)
	}
	for _, commit := range turn.Commits {
		lines = append(lines, "committed "+short(commit))
	}
	if len(turn.Files) > 0 {
		lines = append(lines, "edited "+text.Line(strings.Join(turn.Files, ", ")))
	}
	for _, one := range t.lost[turn.N] {
		lines = append(lines, one.String())
	}
	if turn.Recap != "" {
		lines = append(lines, "Claude's recap: "+short(turn.Recap))
	}
	if turn.Compacted && len(t.lost[turn.N]) == 0 {
		lines = append(lines, "the client compacted its context here")
	}
	return lines
}
