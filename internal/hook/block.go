package hook

import (
	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// returned returns the block for a session that comes back, "" without an open mission, and where the block says what
// it said when the session ended: the context holds that.
func (h *handler) returned() string {
	j := h.read()
	if j == nil || !j.Open() {
		return ""
	}
	words := h.blockOf(j, block.View{})
	lacks := h.undelivered()
	if !lacks && text.Fingerprint(words) == h.state.Left {
		return ""
	}
	h.state.Bare, h.state.Again = false, h.state.Again || lacks
	return words
}

// blockOf returns the full block of j, with v's head and note, "" for no journal. v may have a budget and the user's
// words; else they are those of the session.
func (h *handler) blockOf(j *journal.Journal, v block.View) string {
	if j == nil {
		return ""
	}
	if v.Head == "" && !h.mine(j) {
		v.Head = earlier
	}
	if v.Budget == 0 {
		v.Budget, v.Said = h.budget(), h.words(j)
	}
	h.open(j, &v)
	v.Path = h.store.Lane.Journal()
	return redact.Clean(block.Render(j, v)) // somebody may have edited the log
}

// recall returns the session's prompts from the history, which it reads once.
func (h *handler) recall() capture.Recollection {
	if h.recalled == nil {
		var earlier []string
		if j := h.read(); j != nil && j.Session == h.event.SessionID {
			earlier = j.Earlier
		}
		all := capture.Recall(h.store.Lane, h.event.SessionID, earlier...)
		h.recalled = &all
	}
	return *h.recalled
}

// words returns the user's words in this session by kind, for j.
func (h *handler) words(j *journal.Journal) block.Words {
	return h.recall().Words(j, h.state.Compacted)
}

// open adds to v the session's open work that the journal has no room for.
func (h *handler) open(j *journal.Journal, v *block.View) {
	if !h.mine(j) {
		return
	}
	v.Tasks, v.Failing = capture.Open(h.state)
	w := &h.state.Work
	v.Touched, v.Checks, v.Proposed, v.Reply = w.Touched, w.Checks, w.Proposed, w.Reply
}

// previous returns what a session without a mission of its own is told of the lane's last mission and of a handoff that
// waits. It folds old entries first.
func (h *handler) previous() string {
	j := h.read()
	if h.blind {
		return ""
	}
	if j == nil {
		j = &journal.Journal{Project: h.store.Lane.Slug}
	} else if stale := *j; stale.Stale(h.config) {
		if now, err := h.store.Update(func(j *journal.Journal) error { j.Stale(h.config); return nil }); err == nil {
			j = now
		}
	}
	j = h.leftHere(j)
	return lines(block.Previous(j, h.store.Lane.Journal(), h.store.Now), h.elsewhere(j), h.handoff(j))
}

// leftHere returns the mission that a start tells. j is the lane's journal: its mission gives way to one that was left
// in another window since, and a program's to what a person left.
func (h *handler) leftHere(j *journal.Journal) *journal.Journal {
	if left := capture.LeftBeside(h.store, j); left != nil {
		return left.Journal
	}
	if j.IsProgram() {
		return h.leftByPerson(j)
	}
	return j
}

// elsewhere returns the mission that is open on another machine, the one that was opened last, unless j's is the same
// one.
func (h *handler) elsewhere(j *journal.Journal) string {
	others := pace.LoadOthers(h.config.Dir, h.store.Lane.Slug)
	for _, m := range others.Missions {
		if m.Closed == "" && m.Mission != j.Mission {
			return block.PreviousOn(others.Names[m.Machine], &journal.Journal{Mission: m.Mission,
				MissionBy: m.By, MissionOpened: m.Opened, Wip: m.Wip}, h.store.Now)
		}
	}
	return ""
}

// leftByPerson returns the mission that a person left before j's, a program's; none when a person ended it.
func (h *handler) leftByPerson(j *journal.Journal) *journal.Journal {
	left, err := capture.FindLeft(h.store, h.event.SessionID, j)
	if err != nil || left == nil || left.Ended() || left.IsProgram() {
		return &journal.Journal{Project: j.Project}
	}
	return left.Journal
}

// earlier is the label of another session's mission.
const earlier = "Previous mission (of an earlier session)"

// whole returns the whole journal, for a prompt that asks what memento holds.
func (h *handler) whole(note string) string {
	j := h.read()
	if j == nil || j.Empty() {
		return lines("[MEMENTO] No journal yet | path:"+text.Data(h.store.Lane.Journal()), text.Data(h.state.Trouble),
			note)
	}
	out := h.blockOf(j, block.View{Budget: (event.MaxOutput - 500) / 4, Note: note,
		Said: capture.Recall(h.store.Lane, j.Session, j.Earlier...).Words(j, "")})
	last, _ := text.Cut(text.Outside(j.Mission), journal.MaxMission)
	switch {
	case j.Open() && j.MissionOpened != "":
		out += "\nThe mission was opened " + text.Data(j.MissionOpened) + "."
	case j.Mission != "":
		out += "\nThe last mission was closed " + text.Data(j.MissionClosed) + ": " + last
	}
	return out +
		"\n`memento show` prints the same for reading; `memento show --said` everything the user typed; `memento show --history` what came before."
}
