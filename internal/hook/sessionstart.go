package hook

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/view"
)

// stateAge is how long a session memory is kept after the last event. The client deletes transcripts after 30 days; an
// older session cannot be resumed.
const stateAge = 45 * 24 * time.Hour

// sessionStart tells a new session the last mission, and gives a session that lost its context the full block. Its
// answer is plain text, which the client puts before the model under the event's name and source.
func (h *handler) sessionStart() []byte {
	if err := h.bind(); err != nil {
		return h.unusable(err)
	}
	if !h.first() {
		return nil
	}
	h.onPath()
	_ = h.store.Adopt() // on an error the old journal is read as it is
	var words string
	switch h.event.Source {
	case "compact":
		h.catchUp(capture.TrustMissing)
		h.state.Restored()
		words = h.compacted("")
		h.tellChosen()
	case "resume":
		h.reopen()
		h.catchUp(capture.TrustEnd)
		if !h.state.Bare || !h.client.ResumesLate { // else the start of that compaction gives the block
			words = h.returned()
		}
	case "fork":
		h.state.Turns.Since = h.env.Now // the parent has its own turns
		h.fork()
	default:
		// the history holds nothing of this session yet, unless its transcript was read before
		h.state.New = h.state.Read == (transcript.Position{}) && !h.state.Cut
		h.catchUpHolder()
		if h.event.Source == "clear" {
			h.cleared()
		}
		if session.Sweep(h.config.Dir, stateAge, h.env.Now,
			func() { h.takeIn(func(project.Lane) bool { return true }) }) {
			h.foldLanes()
			_ = log.Store{Dir: h.config.Dir, Wait: wait}.Limit(capture.TurnsSince(h.config, h.env.Now), h.env.Now,
				capture.Soon()) // what is older than the settings say
			_ = view.Sweep(h.config.Dir, pageAge, h.env.Now) // the next sweep does the rest
			h.collect()
		}
		h.takeIn(func(lane project.Lane) bool { return lane.Slug == h.store.Lane.Slug })
		words = h.previous()
	}
	if h.event.Source != "compact" && h.event.Source != "fork" {
		h.begins = true
	}
	more := lines(h.apart(), h.beside())
	if h.event.Source != "resume" || words != "" {
		more = lines(more, h.notes(words))
	}
	if words = headed(words, more); words == "" {
		return nil
	}
	h.tellRestored(words)
	if h.event.Source == "compact" {
		h.state.Show(words, transcript.End(h.state.Transcript), h.env.Now)
	}
	h.store.Injected(h.event.SessionID, "SessionStart:"+h.event.Source, words)
	return []byte(words + "\n")
}

// compacted counts a compaction and returns the block that is given after it, with a note.
func (h *handler) compacted(note string) string {
	h.state.Compactions++
	j := h.read()
	words := h.blockOf(j, block.View{Note: note})
	h.held = block.Held(words)
	h.state.Uncounted = j != nil && h.mine(j)
	if last := h.recall().Newest(); last != "" {
		h.state.Compacted = last
	}
	return words
}

// reopen restores a session's mission if it was put away for one of these reasons (by default journal.Restore's), or is
// in a lane that another session holds now.
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

// takeAlong moves this session's mission from the lane base, which another session holds now, into its own lane.
func (h *handler) takeAlong(base project.Lane) bool {
	old := h.at(base)
	j, err := old.Read()
	if err != nil || !j.Open() || j.Session != h.event.SessionID {
		return false
	}
	if copied, err := h.store.Copy(base, h.event.SessionID); err != nil || !copied {
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

// cleared closes the mission of the session that /clear ended, if its SessionEnd did not come. Both sessions have the
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
	h.closeCleared(old.ID)
}

// closeCleared closes the mission of a session that /clear ended.
func (h *handler) closeCleared(session string) {
	_, _ = h.store.Update(func(j *journal.Journal) error {
		if j.Session == session {
			j.Close("cleared", "")
		}
		return nil
	})
}

// fork begins a fork's journal as a copy of the project's newest one. The client does not name the parent, and writes
// no transcript before the first turn ends (measured on client 2.1.329), so the copy may be of another session; the
// transcript will show that. The fork is told nothing: its copied conversation holds every block.
func (h *handler) fork() {
	all := func(*journal.Journal) bool { return true }
	if from := h.store.Beside(nil, session.Beside(h.store.Lane), all); from != nil {
		copied, err := h.store.Copy(from.Lane, h.event.SessionID)
		h.state.Forked = err == nil && copied
		h.state.Opened = h.state.Forked
	}
}

// foldAfter is how long a lane beside another has to be idle before it is folded into that one.
const foldAfter = 7 * 24 * time.Hour

// maxFolded is the number of lanes that one sweep folds. The next sweep goes on.
const maxFolded = 200

// foldLanes moves the journals of idle lanes into the history of the lane that they ran beside, and removes their
// files. A session that returns finds its mission there.
func (h *handler) foldLanes() {
	lanes := session.Idle(h.config, h.env.Now, foldAfter)
	for _, lane := range lanes[:min(len(lanes), maxFolded)] {
		if h.at(lane).Fold() == nil { // a lane that could not be folded stays
			session.Raze(lane)
		}
	}
}

// maxEnvFile is the largest CLAUDE_ENV_FILE to which a line is added, in bytes.
const maxEnvFile = 64 << 10

// onPath adds memento's folder to the PATH of Claude's shell if memento is not found there. The client runs the lines
// of CLAUDE_ENV_FILE before each command and gives each hook a file of its own (measured on client 2.1.330). Commands
// that memento rewrites need no PATH, but those in a pipe, which the person approves, run as they are. A plugin's
// folder is on the PATH already.
func (h *handler) onPath() {
	path := h.env.Getenv("CLAUDE_ENV_FILE")
	if path == "" || h.env.Windows || h.env.Getenv("CLAUDE_PLUGIN_ROOT") != "" {
		return
	}
	exe := h.env.exe()
	if filepath.Base(exe) != "memento" {
		return
	}
	line := []byte("command -v memento >/dev/null 2>&1 || export PATH=\"$PATH:\"" +
		safefile.ShellWord(filepath.Dir(exe)) + "\n")
	old, err := safefile.ReadForeign(path, maxEnvFile) // a new session has none
	if err != nil && !errors.Is(err, fs.ErrNotExist) || bytes.Contains(old, line) {
		return
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		old = append(old, '\n')
	}
	// on an error Claude's shell says that there is no such command
	_ = safefile.ReplaceVolatile(path, append(old, line...), 0o600)
}
