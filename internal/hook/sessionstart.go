package hook

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// stateAge is how long the state of a session is kept after its last event. The client deletes transcripts after 30
// days; a session older than that cannot be resumed.
const stateAge = 45 * 24 * time.Hour

// earlier is what the mission of another session is called.
const earlier = "Previous mission (of an earlier session)"

// sessionStart tells a new session what was in hand before, and gives one that lost its context the full block. Its
// answer is plain text, which the client puts before the model under the event's name and source.
func (h *handler) sessionStart() []byte {
	if err := h.bind(); err != nil {
		return h.unusable(err)
	}
	if !h.first() {
		return nil
	}
	h.onPath()
	_ = h.store.Adopt() // what cannot be adopted is read for what it is below
	h.store.EndDebug()
	var words string
	switch h.event.Source {
	case "compact":
		h.catchUp(capture.TrustMissing)
		h.state.Restored()
		words = h.compacted("")
	case "resume":
		damaged := h.store.Damaged() // then the transcript is read again first
		if !damaged {
			h.reopen()
		}
		h.catchUp(capture.TrustEnd)
		if damaged {
			h.reopen()
		}
		j := h.read()
		words = h.news(j, h.blockOf(j, journal.View{}))
		h.state.Bare = false // what its context lacks is told now
	case "fork":
		h.fork()
	case "clear":
		h.begins()
		h.catchUpHolder()
		h.cleared()
		words = h.previous()
	default:
		h.begins()
		h.catchUpHolder()
		if session.Sweep(h.config.Dir, stateAge, h.env.Now, func() { h.takeIn(func(project.Lane) bool { return true }) }) {
			h.keepForeignReports()
			h.foldLanes()
		}
		h.takeIn(func(lane project.Lane) bool { return lane.Slug == h.store.Lane.Slug })
		words = withLine(h.previous(), h.renamed())
	}
	more := withLine(withLine(h.apart(), h.beside()), h.notes())
	switch h.event.Source {
	case "resume":
		more = h.unheard(more)
	case "fork":
		more = withLine(h.apart(), h.beside()) // the rest stands in the conversation it copies
	}
	block := words != ""
	if !block && more != "" {
		words = "[MEMENTO] " + more
	} else {
		words = withLine(words, more)
	}
	if words == "" {
		return nil
	}
	if h.event.Source == "compact" || h.event.Source == "resume" && block {
		h.state.Show(words, transcript.End(h.state.Transcript), h.env.Now, h.event.Source == "compact")
	}
	h.store.Injected("SessionStart:"+h.event.Source, words)
	return []byte(words + "\n")
}

// compacted counts a compaction and returns the block that is given after it, with a note.
func (h *handler) compacted(note string) string {
	h.state.Compactions++
	j := h.read()
	words := h.blockOf(j, journal.View{Note: note})
	h.state.Facts = nil
	if j != nil && h.mine(j) {
		h.state.Facts = capture.Facts(h.state, j, h.words(j))
	}
	if last := h.recall().Newest(); last != "" {
		h.state.Compacted = last
	}
	return words
}

// begins notes that nothing of this session can be in the history yet, unless something of it was read: a session begins once.
func (h *handler) begins() {
	h.state.New = h.state.Read == (transcript.Position{}) && !h.state.Cut
}

// beside is what a session is told whose lane another one holds. What that one works on is not said: it would be one more
// mission to confuse with its own.
func (h *handler) beside() string {
	if h.session == nil || h.session.Beside == "" {
		return ""
	}
	return "Another session of this project is open; each keeps a journal of its own (`memento workspace` lists them)."
}

func withLine(words, line string) string {
	if words == "" || line == "" {
		return words + line
	}
	return words + "\n" + line
}

// catchUp brings the journal up to date; what fails now is done at the next event.
func (h *handler) catchUp(trust capture.Trust) {
	if h.session == nil {
		return
	}
	h.survey()
	if err := capture.Listen(h.store, h.state, trust, h.triage(h.state, h.store.Lane)); err != nil && !errors.Is(err, safefile.ErrBusy) && !h.toldUnkept() {
		h.state.Trouble, h.state.Unkept = "what you typed could not be noted: "+err.Error(), true
	}
	h.noted()
	h.delivered()
	h.keepReports()
}

// catchUpHolder captures what the session that held this lane before had not captured when its client died: no
// SessionEnd came then, and its last prompt may be in no transcript. What was captured and could not be handed on is handed on,
// however it ended.
func (h *handler) catchUpHolder() {
	if h.session == nil || h.session.Before == "" || h.session.Before == h.event.SessionID {
		return
	}
	old, err := session.Open(h.config.Dir, h.session.Before, wait)
	if err != nil {
		return
	}
	defer old.Release()
	if old.Ended && old.Unheard == nil && len(old.Pending) == 0 || old.Lane != h.store.Lane.Name {
		return
	}
	if capture.Listen(h.store, &old.State, capture.TrustEnd, h.triage(&old.State, h.store.Lane)) == nil {
		old.Ended = true
		_ = old.Save()
	}
}

// takeIn captures what sessions in the chosen lanes had been told and had not captured when their clients died: a lane beside
// another may never be used again.
func (h *handler) takeIn(chosen func(project.Lane) bool) {
	inTime := capture.Soon()
	for _, id := range session.Waiting(h.config, chosen, h.env.Now) {
		if id == h.event.SessionID || !inTime() {
			continue
		}
		old, err := session.Open(h.config.Dir, id, 0)
		if err != nil {
			continue
		}
		lane, ok := project.LaneNamed(h.config.Dir, old.Lane)
		if ok && len(old.Pending) > 0 && !old.Runs(h.config, h.env.Now) &&
			capture.Listen(h.at(lane), &old.State, capture.TrustEnd, h.triage(&old.State, lane)) == nil {
			old.Ended = true
			_ = old.Save()
		}
		old.Release()
	}
}

// block is the full journal, under v's head and note; the mission of another session is called what it is.
func (h *handler) block(v journal.View) string { return h.blockOf(h.read(), v) }

func (h *handler) blockOf(j *journal.Journal, v journal.View) string {
	if j == nil {
		return ""
	}
	if v.Head == "" && !h.mine(j) {
		v.Head = earlier
	}
	h.open(j, &v)
	v.Path, v.Budget = h.store.Lane.Journal(), h.budget()
	words := h.words(j)
	v.Said, v.Early = &words, h.state.Compactions < 2
	return redact.Clean(j.Block(v)) // an older history may hold what is not stored any more
}

// recall is what the history has of this session, read once.
func (h *handler) recall() capture.Recollection {
	if h.recalled == nil {
		all := capture.Recall(h.store.Lane, h.event.SessionID)
		h.recalled = &all
	}
	return *h.recalled
}

// words is what the user typed in this session, by value, for j.
func (h *handler) words(j *journal.Journal) journal.Words {
	if h.said == nil {
		words := h.recall().Words(j)
		h.said = &words
	}
	return *h.said
}

// open adds to v what is open in this session and the journal has no room for.
func (h *handler) open(j *journal.Journal, v *journal.View) {
	if !h.mine(j) {
		return
	}
	v.Tasks, v.Failing, v.Looked = capture.Open(h.state)
}

// previous is what a session without a mission of its own is told, after old entries were folded.
func (h *handler) previous() string {
	path := h.store.Lane.Journal()
	j := h.read()
	if h.blind {
		return ""
	}
	if j == nil {
		j = &journal.Journal{Project: h.store.Lane.Slug}
		return j.Previous(path)
	}
	if stale := *j; stale.Stale(h.config) {
		if now, err := h.store.Update(func(j *journal.Journal) error { j.Stale(h.config); return nil }); err == nil {
			j = now
		}
	}
	return j.Previous(path)
}

// reopen gives a session its mission back, if it was put away for one of these reasons since (those of journal.Restore, when
// none is given) or stands in the lane that another session holds now.
func (h *handler) reopen(reasons ...string) {
	j := h.read()
	if j != nil && j.Open() && j.Session == h.event.SessionID {
		return
	}
	if base := h.store.Lane.Base(); base != h.store.Lane && h.takeAlong(base) {
		return
	}
	_, _ = h.store.Update(func(j *journal.Journal) error {
		_, err := j.Restore(h.store.Lane, h.event.SessionID, reasons...)
		return err
	})
}

// takeAlong moves this session's mission out of the lane base, which another session holds now, into its own.
func (h *handler) takeAlong(base project.Lane) bool {
	old := h.at(base)
	j, err := old.Read()
	if err != nil || !j.Open() || j.Session != h.event.SessionID {
		return false
	}
	if copied, err := h.store.Copy(base, nil); err != nil || !copied {
		return false
	}
	_, _ = old.Update(func(j *journal.Journal) error {
		if j.Open() && j.Session == h.event.SessionID {
			j.Park()
		}
		return nil
	})
	return true
}

// cleared closes the mission of the session that /clear ended, should its SessionEnd not have come: the two run in the
// same client process.
func (h *handler) cleared() {
	j := h.read()
	if j == nil || !j.Open() || j.Session == "" || j.Session == h.event.SessionID {
		return
	}
	old, err := session.Load(h.config.Dir, j.Session)
	if err != nil || old.PID == 0 || old.PID != h.state.PID {
		return
	}
	_, _ = h.store.Update(func(j *journal.Journal) error {
		if j.Session == old.ID {
			j.Close("cleared")
		}
		return nil
	})
}

// fork starts from a copy of the project's newest lane. The client tells a fork nothing of its parent and gives it no
// transcript before its first turn ends (measured on client 2.1.329), so the copy may be of another session's mission; its first
// lines will tell. A fork copies its parent's conversation, and with it every block that was given there: it is told nothing.
func (h *handler) fork() {
	from, ok := h.newestLane()
	if !ok {
		return
	}
	if copied, err := h.store.Copy(from, func(j *journal.Journal) { j.Session = h.event.SessionID }); err == nil && copied {
		h.state.Forked, h.state.Opened = true, true
	}
}

// newestLane finds the lane of the same project, worktree and instance with an open mission that was written last.
func (h *handler) newestLane() (project.Lane, bool) {
	own := h.store.Lane
	base, _, _ := strings.Cut(own.Name, "~")
	var newest project.Lane
	var at time.Time
	entries, err := safefile.List(own.Dir)
	if err != nil {
		return newest, false
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || name == own.Name || name != base && !strings.HasPrefix(name, base+"~") || filepath.Ext(name) == ".debug" {
			continue
		}
		info, err := e.Info()
		lane, ok := project.LaneNamed(own.Dir, name)
		if err != nil || !ok || !info.Mode().IsRegular() || !info.ModTime().After(at) {
			continue
		}
		if j, err := h.at(lane).Read(); err == nil && j.Open() {
			newest, at = lane, info.ModTime()
		}
	}
	return newest, !at.IsZero()
}
