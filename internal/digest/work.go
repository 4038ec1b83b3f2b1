package digest

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

// Work holds what a session worked on and how far the work came, from the journal, the history and the tools.
type Work struct {
	Session  string   // "" when no session is known
	Missions []string // in the order in which they were closed; the last one is open, or was closed last
	Closed   string   // why the last mission was closed, in the history's word; "" while it is open
	Done     []journal.Entry
	Finished []string // completed tasks that are not in Done
	Wip      string   // where the work stands
	Doing    []string // tasks in progress
	Plan     []string // what comes next
	Next     []string // tasks to come
	Failing  []journal.Failure
	Files    []string // edited, relative to the project

	wips            []string        // where the work of this session stood before
	seen            map[string]bool // the keys of Done and Files
	tasks, finished int
	red             bool                  // a check fails
	more            bool                  // the mission was closed with a plan or an error left
	passed          func(cmd string) bool // reports whether a command succeeded last; nil when no command is known
}

// Gather gathers the work of the session st in a lane. j is the lane's journal, nil for none.
func Gather(lane project.Lane, j *journal.Journal, st *session.Memory) Work {
	w := Work{Session: st.ID, seen: map[string]bool{},
		passed: func(cmd string) bool { return capture.Passed(st, cmd) }}
	var last *journal.Journal
	_ = history.Part{Session: st.ID}.Read(lane, func(l log.Entry) bool {
		switch l.Kind {
		case "done":
			e := journal.EntryOf(l)
			if ok := e.Verified != nil && *e.Verified; history.Claims(e.Ctx) {
				e.Verified = &ok
			}
			w.addDone(e)
		case "wip":
			w.wips = append(w.wips, text.OneLine(l.Text))
		case "files":
			w.addFile(l.Text)
		case "mission":
			w.Missions = slices.DeleteFunc(w.Missions, func(m string) bool { return m == l.Text })
			last = nil
			if l.Reason == "rewound" {
				break
			}
			old, err := journal.Snapshot(l)
			if err != nil {
				break
			}
			w.Missions, w.Closed, last = append(w.Missions, l.Text), l.Reason, old
			w.wips = append(w.wips, text.OneLine(old.Wip))
			w.addJournal(old)
		}
		return true
	})
	if j != nil && j.Open() && (j.Session == st.ID || j.Session == "" && st.Opened) {
		w.Missions = append(slices.DeleteFunc(w.Missions, func(m string) bool { return m == j.Mission }), j.Mission)
		w.Closed, last = "", j
		w.addJournal(j)
	}
	w.Done, w.Files = w.Done[max(0, len(w.Done)-maxHeld):], w.Files[max(0, len(w.Files)-maxHeld):]
	if last != nil {
		w.addInHand(last, st)
	}
	return w
}

// maxHeld is how many entries, and how many files, Gather keeps: the newest. A record names fewer.
const maxHeld = 400

// addJournal adds what the mission of j did, and the files it edited.
func (w *Work) addJournal(j *journal.Journal) {
	for _, e := range j.Done {
		w.addDone(e)
	}
	for _, f := range slices.Backward(j.Files) {
		w.addFile(f)
	}
}

func (w *Work) addDone(e journal.Entry) {
	if w.isNew("done\x00" + e.Act + "\x00" + e.Result + "\x00" + e.Ctx) {
		w.Done = append(w.Done, e)
	}
}

func (w *Work) addFile(path string) {
	if path != "" && w.isNew("file\x00"+path) {
		w.Files = append(w.Files, path)
	}
}

// isNew reports whether this is the first call with key.
func (w *Work) isNew(key string) bool {
	old := w.seen[key]
	w.seen[key] = true
	return !old
}

// addInHand adds the work that is not done yet: from j, the journal of the last mission, and from the session's tools.
func (w *Work) addInHand(j *journal.Journal, st *session.Memory) {
	open := w.Closed == "" || w.Closed == "parked" || w.Closed == "cleared"
	if open {
		w.Wip, w.Plan = text.OneLine(j.Wip), addItems(nil, j.Plan...)
	}
	w.more = len(j.Plan) > 0 || j.Error != nil
	for _, t := range st.Work.Tasks {
		switch t.Status {
		case "completed":
			w.finished++
			if !slices.ContainsFunc(w.Done, func(e journal.Entry) bool { return saySame(e.Act, t.Text) }) {
				w.Finished = addItems(w.Finished, t.Text)
			}
		case "in_progress":
			w.Doing = addItems(w.Doing, t.Text)
		case "", "pending":
			w.Next = addItems(w.Next, t.Text)
		default:
			continue
		}
		w.tasks++
	}
	for _, f := range st.Work.Failures {
		if f.Check {
			w.Failing, w.red = append(w.Failing, journal.Failure{Cmd: f.Cmd, Line: f.Line}), true
		}
	}
	e := j.Error
	if open && e != nil && !slices.ContainsFunc(w.Failing, func(f journal.Failure) bool { return f.Cmd == e.Cmd }) {
		w.Failing = append(w.Failing, journal.Failure{Cmd: e.Cmd, Line: e.Line})
	}
}

// saySame reports whether two texts say the same. a may be cut.
func saySame(a, b string) bool {
	if short, cut := strings.CutSuffix(a, text.Ellipsis); cut {
		return strings.HasPrefix(text.Fold(b), text.Fold(short))
	}
	return text.Same(a, b)
}

// hasItem reports whether an item of list says the same as it.
func hasItem(list []string, it string) bool {
	return slices.ContainsFunc(list, func(old string) bool { return saySame(old, it) })
}

// addItems appends the items that list lacks, each on one line.
func addItems(list []string, items ...string) []string {
	for _, it := range items {
		if it = text.OneLine(it); it != "" && !hasItem(list, it) {
			list = append(list, it)
		}
	}
	return list
}

// Mission returns the open mission, or the one that was closed last; "" for none.
func (w Work) Mission() string {
	if len(w.Missions) == 0 {
		return ""
	}
	return w.Missions[len(w.Missions)-1]
}

// outcome returns what became of the last mission, "" where the facts do not say.
func (w Work) outcome() string {
	open := w.finished < w.tasks
	switch w.Closed {
	case "left":
		return "abandoned"
	case "closed", "finished":
		if !w.red && !open && !w.more {
			return "success"
		}
	}
	switch {
	case w.red:
		return "blocked"
	case open:
		return "partial"
	}
	return ""
}

// commitOf returns the commit that e names, the hash first; "" when e is no commit.
func commitOf(e journal.Entry) string {
	at, begun := strings.CutPrefix(e.Ctx, "tool: [")
	at, ended := strings.CutSuffix(at, "]")
	if !begun || !ended || e.Result != "" {
		return ""
	}
	hash := at[strings.LastIndexByte(at, ' ')+1:]
	if len(hash) < 7 || strings.Trim(hash, "0123456789abcdef") != "" {
		return ""
	}
	return hash + " " + text.OneLine(e.Act)
}

// commits lists the commits, oldest first.
func (w Work) commits() (out []string) {
	for _, e := range w.Done {
		if c := commitOf(e); c != "" {
			out = addItems(out, c)
		}
	}
	return out
}

// completed lists what was done without the commits.
func (w Work) completed() (out []string) {
	for _, e := range w.Done {
		if commitOf(e) == "" {
			out = addItems(out, e.Line())
		}
	}
	return addItems(out, w.Finished...)
}

func (w Work) blockers() (out []string) {
	for _, f := range w.Failing {
		out = addItems(out, f.String())
	}
	return out
}

// isSolved reports whether a blocker of an earlier record blocks no more: its command has succeeded since.
func (w Work) isSolved(item string) bool {
	quoted, ok := strings.CutPrefix(item, "`")
	cmd, _, ended := strings.Cut(quoted, "`")
	if !ok || !ended {
		return false
	}
	return w.passed != nil && w.passed(cmd) || w.isDone(cmd)
}

// isDone reports whether this session has done item.
func (w Work) isDone(item string) bool {
	return slices.ContainsFunc(w.Done, func(e journal.Entry) bool { return saySame(e.Act, item) }) ||
		slices.ContainsFunc(w.Finished, func(t string) bool { return saySame(t, item) })
}
