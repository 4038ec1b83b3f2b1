package cli

import (
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/session"
)

// remembered is the state of session id, or at a person's terminal, where there is none, of the session that the mission
// of j belongs to. What is not known is the zero State.
func (c *call) remembered(id string, j *journal.Journal) session.State {
	if id == "" && j != nil {
		id = j.Session
	}
	st, _ := session.Load(c.config.Dir, id)
	return st
}

// delivery says what became of the block that was last put before Claude, and when it did not arrive, what helps.
func delivery(st session.State) (what, hint string) {
	const look = "memento show prints it; in Claude Code /hooks lists what else runs there, and claude --debug names the hook that fails"
	switch {
	case st.Delivery == session.Whole && st.Again:
		return "reached Claude at the second try, beside a prompt", ""
	case st.Delivery == session.Whole:
		return "reached Claude whole", ""
	case st.Delivery == session.Untold:
		return "may have reached Claude: a client of this version does not note it", ""
	case st.Delivery != "" && st.Again:
		return "did not reach Claude whole, nor did it beside the next prompt", look
	case st.Delivery == session.Cut:
		return "reached Claude cut short", "the next prompt brings it again"
	case st.Delivery == session.Missing:
		return "did not reach Claude", "the next prompt brings it again"
	}
	return "", ""
}
