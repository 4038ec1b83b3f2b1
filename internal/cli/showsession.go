package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/journal"
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
func (c *call) showNamed(f showFlags) error {
	if len(c.args) > 1 {
		return usage("memento list", "takes one record or session, got %d", len(c.args))
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if !f.all && f.turn == 0 {
		if _, err := s.lookUp(c.args[0], retrieve.Find); !errors.Is(err, record.ErrNotFound) {
			return c.showRecord(s, f)
		}
	}
	project := s.project
	if f.all {
		project = ""
	}
	turns, err := retrieve.Timeline(past.Store{Dir: s.store.Dir, Wait: wait}, project, c.args[0])
	var several *retrieve.AmbiguousError
	switch {
	case errors.Is(err, retrieve.ErrNoSession) && !f.all && f.turn == 0:
		err := c.showRecord(s, f)
		if hintOf(err) != hintMissing || strings.ContainsAny(c.args[0], `./\`) { // a record like it, or a file
			return err
		}
		const hint = " lists records, memento search finds sessions; %d characters of a session's id are enough"
		return hinted(hintMissing+fmt.Sprintf(hint, retrieve.MinSession), "%w, and no such session", err)
	case errors.Is(err, retrieve.ErrNoSession):
		return hinted("memento search finds sessions; --all looks in other projects",
			"show: no turn of a session %s is kept in %s", text.Quote(c.args[0]), whereOf(project))
	case errors.As(err, &several):
		return usage("give more of its id", "show: %d sessions begin with %s", len(several.IDs), text.Quote(c.args[0]))
	case err != nil && !errors.Is(err, past.ErrDamaged):
		return fmt.Errorf("show: %w", err)
	case err != nil:
		fmt.Fprintf(c.Err, "memento: the rest of the session is left out: %s\n", text.Line(worded(err)))
	}
	if f.said || f.mission || f.history || f.missions {
		return usage("memento help show", "--said, --mission, --missions and --history are the journal's")
	}
	t := c.timelineOf(turns)
	bounded := c.by == journal.ByClaude && !f.raw && !c.json
	if f.turn != 0 {
		return c.showTurn(t, f.turn, bounded)
	}
	c.showTimeline(t, bounded)
	return nil
}

func whereOf(project string) string {
	if project == "" {
		return "any project"
	}
	return project
}

// showTurn prints one turn, whole unless bounded.
func (c *call) showTurn(all timeline, n int, bounded bool) error {
	turns := all.turns
	if n < 1 || n > len(turns) {
		return usage(upTo("memento show "+text.Line(turns[0].Session), len(turns)), "show: no turn %d", n)
	}
	t := turns[n-1]
	if c.json {
		c.printJSON(all.turnFields(t))
		return nil
	}
	c.row("session", "%s", text.Line(t.Session))
	c.row("project", "%s", text.Line(naming.ProjectOrUser(t.Project)))
	c.printMachine(t)
	c.row("turn", "%d of %d, %s", n, len(turns), turnTime(t))
	if t.Asked != "" {
		fmt.Fprintf(c.Out, "\nClaude had asked:\n\n%s\n", indent(t.Asked))
	}
	side := func(words string) string {
		if n := text.Runes(words); bounded && n > maxSide {
			words, _ = text.Cut(words, maxSide)
			return indent(words) + fmt.Sprintf("\n    (%d characters of %d; --raw shows all)", maxSide, n)
		}
		return indent(words)
	}
	fmt.Fprintf(c.Out, "\nThe user typed:\n\n%s\n", side(t.Prompt))
	if t.Answer != "" {
		fmt.Fprintf(c.Out, "\nClaude answered:\n\n%s\n", side(t.Answer))
	}
	if did := all.turnDid(t); len(did) > 0 {
		fmt.Fprintf(c.Out, "\n%s\n", strings.Join(did, "\n"))
	}
	return nil
}

// printMachine says on which other machine a turn was said. It prints nothing of this one.
func (c *call) printMachine(t past.Turn) {
	if machine := c.machineOf(t); machine != "" {
		c.row("machine", "%s", text.Line(machine))
	}
}

// indent puts text below a heading, line by line safe for a terminal.
func indent(s string) string {
	return "    " + strings.ReplaceAll(plain(strings.TrimSpace(s)), "\n", "\n    ")
}

// fromTo returns in words the time from first to last, which may be the same minute.
func fromTo(first, last string) string {
	if first == last {
		return "at " + first
	}
	return "from " + first + " to " + last
}

// showTimeline prints a session, a few lines for each turn; bounded leaves out the last of a long one.
func (c *call) showTimeline(session timeline, bounded bool) {
	turns := session.turns
	if c.json {
		all := []members{}
		for _, t := range turns {
			all = append(all, session.turnFields(t))
		}
		head := members{{"session", ""}, {"project", ""}}
		if len(turns) > 0 {
			head = members{{"session", turns[0].Session}, {"project", naming.ProjectOrUser(turns[0].Project)}}
			if machine := c.machineOf(turns[0]); machine != "" {
				head = append(head, member{"machine", machine})
			}
		}
		c.printJSON(append(head, member{"turns", all}))
		return
	}
	if len(turns) == 0 {
		fmt.Fprintln(c.Out, "No turn of this session can be read.")
		return
	}
	c.row("session", "%s", text.Line(turns[0].Session))
	c.row("project", "%s", text.Line(naming.ProjectOrUser(turns[0].Project)))
	c.printMachine(turns[0])
	c.row("turns", "%d, %s; --turn N shows one whole", len(turns),
		fromTo(turnTime(turns[0]), turnTime(turns[len(turns)-1])))
	printed := 0
	for i, t := range turns {
		words := session.brief(t)
		if printed += text.Runes(words); bounded && printed > maxTimeline && i > 0 {
			fmt.Fprintf(c.Out, "\n(%s more; --turn N shows one, --raw all)\n", count(len(turns)-i, "turn"))
			return
		}
		fmt.Fprint(c.Out, words)
	}
}

// brief returns a turn in a few lines.
func (s timeline) brief(t past.Turn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%3d  %s  %s\n", t.N, turnTime(t), text.Quote(short(t.Prompt)))
	if t.Answer != "" {
		fmt.Fprintf(&b, "     Claude: %s\n", short(t.Answer))
	}
	for _, line := range s.turnDid(t) {
		fmt.Fprintf(&b, "     %s\n", line)
	}
	return b.String()
}

// short returns the beginning of words on one line.
func short(words string) string {
	s, _ := text.Cut(text.Line(words), maxShown)
	return s
}

// turnDid returns what Claude did in a turn, a line each: commands, commits, files; and what compactions lost.
func (s timeline) turnDid(t past.Turn) (lines []string) {
	for _, r := range t.Ran {
		line := "ran `" + short(r.Cmd) + "`"
		if r.Failed {
			line = "failed `" + short(r.Cmd) + "`"
		}
		if r.Line != "" {
			line += " -> " + short(r.Line)
		}
		lines = append(lines, line)
	}
	for _, commit := range t.Commits {
		lines = append(lines, "committed "+short(commit))
	}
	if len(t.Files) > 0 {
		lines = append(lines, "edited "+text.Line(strings.Join(t.Files, ", ")))
	}
	return append(lines, s.lines(t)...)
}

// turnFields returns a turn for a JSON answer.
func (s timeline) turnFields(t past.Turn) members {
	type ran struct {
		Cmd    string `json:"cmd"`
		Line   string `json:"line,omitempty"`
		Failed bool   `json:"failed"`
	}
	commands := []ran{}
	for _, r := range t.Ran {
		commands = append(commands, ran{r.Cmd, r.Line, r.Failed})
	}
	return members{{"session", t.Session}, {"project", naming.ProjectOrUser(t.Project)}, {"turn", t.N},
		{"time", text.Moment(t.Time)}, {"asked", t.Asked}, {"said", t.Prompt}, {"answer", t.Answer}, {"ran", commands},
		{"commits", array(t.Commits)},
		{"files", array(t.Files)}, {"compacted", t.Compacted}, {"compactions", s.fields(t)}}
}
