package digest

import (
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

// Work is what a session worked on and how far it came, as its journal, its history and its tools show it.
type Work struct {
	Session  string   // "" when no session is known
	Missions []string // in the order they were put away; the last one is in hand, or was last
	Closed   string   // why the last one was put away, as history says it; "" while it is in hand
	Done     []journal.Entry
	Finished []string // tasks that were completed and are not in Done
	Wip      string   // where the work stands
	Doing    []string // tasks in progress
	Plan     []string // what comes next
	Next     []string // tasks to come
	Failing  []journal.Failure
	Files    []string // edited, relative to the project

	wips            []string        // where the work of this session stood before
	elsewhere       []journal.Entry // what was done in the lane's other sessions
	seen            map[string]bool // what is in Done and Files
	tasks, finished int
	red             bool                  // a check is among what fails
	more            bool                  // the mission was put away with something planned or failing
	passed          func(cmd string) bool // nil: nothing is known of commands
}

// Look gathers the work of the session st in a lane whose journal is j; nil is none.
func Look(lane project.Lane, j *journal.Journal, st *session.Memory) Work {
	w := Work{Session: st.ID, passed: func(cmd string) bool { return capture.Passed(st, cmd) }}
	var last *journal.Journal
	part := history.Part{Session: st.ID, Kinds: []string{"done", "mission"}, Ends: 1 << 10}
	_ = part.Read(lane, func(l history.Line) bool {
		if l.Session != st.ID || st.ID == "" {
			w.other(lane, l)
			return true
		}
		switch l.Kind {
		case "done":
			e := journal.EntryOf(l)
			if ok := e.Verified != nil && *e.Verified; history.Claims(e.Ctx) {
				e.Verified = &ok
			}
			w.done(e)
		case "wip":
			w.wips = append(w.wips, text.Line(l.Text))
		case "files":
			w.file(l.Text)
		case "mission":
			w.Missions = slices.DeleteFunc(w.Missions, func(m string) bool { return m == l.Text })
			last = nil
			if l.Reason == "rewound" {
				break
			}
			old, err := journal.Snapshot(lane, l)
			if err != nil {
				break
			}
			w.Missions, w.Closed, last = append(w.Missions, l.Text), l.Reason, old
			w.wips = append(w.wips, text.Line(old.Wip))
			w.take(old)
		}
		return true
	})
	if j != nil && j.Open() && (j.Session == st.ID || j.Session == "" && st.Opened) {
		w.Missions = append(slices.DeleteFunc(w.Missions, func(m string) bool { return m == j.Mission }), j.Mission)
		w.Closed, last = "", j
		w.take(j)
	}
	if j != nil && j.Session != "" && j.Session != st.ID {
		w.elsewhere = append(w.elsewhere, j.Done...)
	}
	w.Done, w.Files = w.Done[max(0, len(w.Done)-maxHeld):], w.Files[max(0, len(w.Files)-maxHeld):]
	if last != nil {
		w.hand(last, st)
	}
	return w
}

// maxHeld is how many entries and files of a session are looked at, the newest ones: a record names fewer.
const maxHeld = 400

// other takes note of what another session of the lane has done.
func (w *Work) other(lane project.Lane, l history.Line) {
	switch l.Kind {
	case "done":
		w.elsewhere = append(w.elsewhere, journal.EntryOf(l))
	case "mission":
		if old, err := journal.Snapshot(lane, l); err == nil && l.Reason != "rewound" {
			w.elsewhere = append(w.elsewhere, old.Done...)
		}
	}
}

// since reports whether another session has done item after a time.
func (w Work) since(at time.Time, item string) bool {
	return slices.ContainsFunc(w.elsewhere, func(e journal.Entry) bool {
		done, err := time.Parse(time.RFC3339, e.TS)
		return err == nil && !done.Before(at.Truncate(time.Second)) && same(e.Act, item)
	})
}

// take takes over what was done by the mission of j.
func (w *Work) take(j *journal.Journal) {
	for _, e := range j.Done {
		w.done(e)
	}
	for _, f := range slices.Backward(j.Files) {
		w.file(f)
	}
}

func (w *Work) done(e journal.Entry) {
	if w.new("done\x00" + e.Act + "\x00" + e.Result + "\x00" + e.Ctx) {
		w.Done = append(w.Done, e)
	}
}

func (w *Work) file(path string) {
	if path != "" && w.new("file\x00"+path) {
		w.Files = append(w.Files, path)
	}
}

// new reports whether key is seen for the first time.
func (w *Work) new(key string) bool {
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	if w.seen[key] {
		return false
	}
	w.seen[key] = true
	return true
}

// hand takes over what is in hand: as j says, the journal of the last mission, and as the tools of the session have
// shown.
func (w *Work) hand(j *journal.Journal, st *session.Memory) {
	open := w.Closed == "" || w.Closed == "parked" || w.Closed == "cleared"
	if open {
		w.Wip, w.Plan = text.Line(j.Wip), add(nil, j.Plan...)
	}
	w.more = len(j.Plan) > 0 || j.Error != nil
	for _, t := range st.Work.Tasks {
		switch t.Status {
		case "completed":
			w.finished++
			if !slices.ContainsFunc(w.Done, func(e journal.Entry) bool { return same(e.Act, t.Text) }) {
				w.Finished = add(w.Finished, t.Text)
			}
		case "in_progress":
			w.Doing = add(w.Doing, t.Text)
		case "", "pending":
			w.Next = add(w.Next, t.Text)
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

// same reports whether two texts say the same, one of them perhaps cut.
func same(a, b string) bool {
	if short, cut := strings.CutSuffix(a, text.Ellipsis); cut {
		return strings.HasPrefix(text.Fold(b), text.Fold(short))
	}
	return text.Same(a, b)
}

// has reports whether an item of list says what it says.
func has(list []string, it string) bool {
	return slices.ContainsFunc(list, func(old string) bool { return same(old, it) })
}

// add appends the items that list does not have yet.
func add(list []string, items ...string) []string {
	for _, it := range items {
		if it = text.Line(it); it != "" && !has(list, it) {
			list = append(list, it)
		}
	}
	return list
}

// Mission is the one in hand, or that was last; "" for none.
func (w Work) Mission() string {
	if len(w.Missions) == 0 {
		return ""
	}
	return w.Missions[len(w.Missions)-1]
}

// outcome is what became of the last mission, where the facts say so.
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

// commit returns the commit that e tells of, its hash in front; "" when it tells of something else.
func commit(e journal.Entry) string {
	at, begun := strings.CutPrefix(e.Ctx, "tool: [")
	at, ended := strings.CutSuffix(at, "]")
	if !begun || !ended || e.Result != "" {
		return ""
	}
	hash := at[strings.LastIndexByte(at, ' ')+1:]
	if len(hash) < 7 || strings.Trim(hash, "0123456789abcdef") != "" {
		return ""
	}
	return hash + " " + text.Line(e.Act)
}

// commits lists the commits made, oldest first.
func (w Work) commits() (out []string) {
	for _, e := range w.Done {
		if c := commit(e); c != "" {
			out = add(out, c)
		}
	}
	return out
}

// completed lists what was done, commits left out.
func (w Work) completed() (out []string) {
	for _, e := range w.Done {
		if commit(e) == "" {
			out = add(out, e.Line())
		}
	}
	return add(out, w.Finished...)
}

func (w Work) blockers() (out []string) {
	for _, f := range w.Failing {
		out = add(out, f.String())
	}
	return out
}

// solved reports whether a blocker of an earlier record is none any more: its command succeeds by now, or was a look
// around that nobody will repeat.
func (w Work) solved(item string) bool {
	quoted, ok := strings.CutPrefix(item, "`")
	cmd, rest, ended := strings.Cut(quoted, "`")
	if !ok || !ended {
		return false
	}
	printed := rest == "" || strings.HasPrefix(rest, " -> ") // else somebody wrote it, and says more
	return printed && looks(cmd) || w.passed != nil && w.passed(cmd) || w.did(cmd)
}

// looks reports whether a command only looks for something: that it found nothing keeps nobody from going on.
func looks(cmd string) bool {
	words := strings.Fields(cmd)
	if len(words) == 0 || strings.ContainsAny(cmd, ";&|>$`") {
		return len(words) == 0
	}
	switch words[0] {
	case "ls", "cat", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "find", "fd", "which", "type", "stat",
		"file", "wc", "test", "[", "diff", "cd", "pwd", "tree", "less":
		return true
	case "git":
		if len(words) > 1 {
			switch words[1] {
			case "status", "log", "diff", "show", "grep", "blame", "ls-files", "rev-parse", "branch", "remote":
				return true
			}
		}
	}
	return false
}

// did reports whether an item is done by now.
func (w Work) did(item string) bool {
	return slices.ContainsFunc(w.Done, func(e journal.Entry) bool { return same(e.Act, item) }) ||
		slices.ContainsFunc(w.Finished, func(t string) bool { return same(t, item) })
}
