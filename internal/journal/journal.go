// Package journal keeps the mission in hand: its fields, its limits, and the facts that leave it. It does not know
// where facts come from (capture), how a journal is shown (block) and when (hook), the form of a line of history
// (history), or who runs a command (cli).
//
// Nothing that leaves a journal is destroyed: it is first appended to the lane's history.
package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// Limits in characters. A longer value is cut at a word, the whole value goes to history, and the writer is told.
const (
	MaxMission = 400
	MaxAct     = 80
	maxResult  = 120
	MaxCtx     = 120
	MaxWip     = 150
	MaxPlan    = 150 // each item
	maxSummary = 300
)

// Limits in items.
const (
	planItems  = 3
	maxEarlier = 3 // each is a file that a block is made of
	fileItems  = 20
)

// Values of the fields that say who wrote a value.
const (
	ByClaude = "claude" // Claude, through a command
	ByUser   = "user"   // the person, at a terminal or typed to Claude
	ByAuto   = "auto"   // captured from the transcript
)

// ErrCorrupt means that a journal is not a JSON object of this schema.
var ErrCorrupt = errors.New("not a journal")

// Journal is one mission and its facts. The zero value is an empty journal. Fields that memento does not know are kept
// as they are, in entries too.
type Journal struct {
	Mission       string
	MissionOpened string // RFC 3339, UTC
	MissionClosed string // the same; "" while the mission is open
	MissionRef    string // transcript uuid of the prompt that opened the mission
	MissionBy     string
	Project       string
	Branch        string // checked out at the last write; the first characters of a commit's id when no branch was
	Summary       string
	SummaryBy     string // ByAuto while only captured entries were folded into Summary
	Wip           string // the work in hand
	WipBy         string
	Next          string // what the client's own recap says comes next
	NextAt        string // when it was written; RFC 3339
	Done          []Entry
	Plan          []string
	PlanBy        string
	Files         []string // newest first, relative to the project
	Error         *Failure
	Session       string   // the session that the mission belongs to
	Earlier       []string // the sessions that it belonged to before, the latest last: what was said there holds

	raw   string      // the JSON as read: it carries unknown fields and the order of keys
	extra int         // size of the unknown fields, in bytes
	out   []log.Entry // to append to the log before the journal is replaced
	notes []string    // sentences for the writer
	now   time.Time
	dirty bool // the file holds a secret that this journal leaves out
	at    at   // where the log stood when the file was written
}

// Entry is one thing done.
type Entry struct {
	Act      string
	Result   string
	Ctx      string // "user: …", "tool: …", "note: …" or ""
	TS       string
	By       string
	Ref      string // of a captured entry: id of its tool call
	Verified *bool  // whether the transcript holds a user: or tool: ctx; nil when nobody has looked

	raw string
}

// Failure is the last failing command that has not succeeded since.
type Failure struct {
	Cmd, Line, TS string

	raw string
}

// Open reports whether there is a mission that has not been closed.
func (j *Journal) Open() bool { return j.Mission != "" && j.MissionClosed == "" }

// Empty reports whether the journal holds nothing to show.
func (j *Journal) Empty() bool {
	return j.Mission == "" && j.Summary == "" && j.Wip == "" && len(j.Done) == 0 && len(j.Plan) == 0 &&
		len(j.Files) == 0 && j.Error == nil
}

// Notes returns sentences for the writer of the last change.
func (j *Journal) Notes() []string { return j.notes }

// stamp returns the time of the change, RFC 3339.
func (j *Journal) stamp() string { return j.now.UTC().Format(time.RFC3339) }

// tell adds a sentence for the writer.
func (j *Journal) tell(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// fit cuts value to limit characters. A value that is cut goes to history whole, and the writer is told.
func (j *Journal) fit(field, value string, limit int) string {
	short, cut := text.Cut(value, limit)
	if cut {
		j.keep(log.Entry{Kind: "cut", Text: value})
		j.tell("%s was cut to %d characters; the whole of it is in the history", field, limit)
	}
	return short
}

// OpenMission makes words the mission of session. by says who set it, ref is the transcript uuid of the prompt or "",
// and whole is the text that words come from, for history. An open mission of another session is parked. An open
// mission of the same session is reworded, and its former words go to history.
func (j *Journal) OpenMission(words, whole, session, by, ref string) {
	switch {
	case j.Open() && j.Session != "" && session != "" && j.Session != session:
		j.Park()
	case j.Open():
		j.reword(words, by, ref)
		if j.Session == "" {
			j.Session = session
		}
		return
	}
	if j.MissionClosed != "" {
		j.Shelve()
		j.dropSummary()
	}
	j.Mission = j.fit("mission", words, MaxMission)
	j.MissionOpened, j.MissionClosed, j.MissionRef, j.MissionBy = j.stamp(), "", ref, by
	j.Session, j.Earlier = session, nil
	j.keep(log.Entry{Kind: "opened", Text: whole, Of: ref, By: by})
}

// reword replaces the words of the open mission. The log has the former ones.
func (j *Journal) reword(words, by, ref string) {
	if words == j.Mission {
		return
	}
	j.keep(log.Entry{Kind: "reworded", Text: j.Mission, Of: j.MissionRef, By: j.MissionBy})
	j.Mission, j.MissionBy = j.fit("mission", words, MaxMission), by
	if ref != "" {
		j.MissionRef = ref
	}
}

// Confirm sets the transcript uuid ref of the prompt that opened the mission before the transcript showed it.
func (j *Journal) Confirm(words, ref string) {
	if j.MissionRef == "" && strings.HasPrefix(text.Fold(words),
		text.Fold(strings.TrimSuffix(j.Mission, text.Ellipsis))) {
		j.MissionRef = ref
	}
}

// Park moves the open mission with all its facts to history, where its session finds it again. The journal is empty
// then.
func (j *Journal) Park() {
	j.keepWhole("parked", "")
	*j = Journal{Project: j.Project, Branch: j.Branch, raw: j.raw, extra: j.extra, out: j.out, notes: j.notes,
		now: j.now}
}

// Shelve moves to history the facts that a journal has taken in since its mission was closed. They belong neither to
// that mission nor to the next.
func (j *Journal) Shelve() {
	if j.MissionClosed == "" {
		return
	}
	summary := j.Summary
	j.Summary = ""
	j.shed()
	j.Summary = summary
}

// Claim gives session a journal without an open mission. The facts of another session go to history.
func (j *Journal) Claim(session string) {
	if j.Open() || j.Session == session {
		return
	}
	if j.Session != "" {
		j.shed()
	}
	j.Session = session
}

// HandOver gives session the open mission too. The former session finds the mission in history as it left it.
func (j *Journal) HandOver(session string) {
	if j.Open() && j.Session != "" && j.Session != session {
		j.keepWhole("parked", "")
		j.keep(log.Entry{Kind: log.Reopened, Text: j.Mission})
	}
	j.moveTo(session)
}

// moveTo gives the mission to session, which keeps in mind where it was.
func (j *Journal) moveTo(session string) {
	if j.Session != "" && j.Session != session {
		j.Earlier = append(slices.DeleteFunc(j.Earlier, func(id string) bool { return id == session }), j.Session)
		j.Earlier = j.Earlier[max(0, len(j.Earlier)-maxEarlier):]
	}
	j.Session = session
}

// Close ends the open mission. The whole journal goes to history, where its session finds it again; the journal keeps
// the mission and a summary. why is the reason in history, and since the transcript uuid of the prompt that ended the
// mission, or "". Close does nothing and returns false when no mission is open.
func (j *Journal) Close(why, since string) bool {
	if !j.Open() {
		return false
	}
	j.keepWhole(why, since)
	j.foldAll()
	j.MissionClosed = j.stamp()
	j.Plan, j.Files, j.Wip, j.WipBy, j.PlanBy, j.Error = nil, nil, "", "", "", nil
	j.Next, j.NextAt, j.Earlier = "", "", nil
	return true
}

// AddDone adds e as the newest entry, unless the newest entry already says the same. A plan item with the same words
// leaves the plan.
func (j *Journal) AddDone(e Entry) {
	words := text.Fold(e.Act)
	e.Act = j.fit("act", e.Act, MaxAct)
	e.Result = j.fit("result", e.Result, maxResult)
	e.Ctx = j.fit("ctx", e.Ctx, MaxCtx)
	if e.TS == "" {
		e.TS = j.stamp()
	}
	if n := len(j.Done); n > 0 && j.Done[n-1].Act == e.Act && j.Done[n-1].Result == e.Result &&
		j.Done[n-1].Ctx == e.Ctx {
		return
	}
	j.Done = append(j.Done, e)
	if i := slices.IndexFunc(j.Plan, func(p string) bool { return text.Fold(p) == words }); i >= 0 {
		j.Plan = slices.Delete(j.Plan, i, i+1)
	}
}

// SetWip sets the work in hand; "" clears it.
func (j *Journal) SetWip(words, by string) {
	if j.Wip != "" && j.Wip != words {
		j.keep(log.Entry{Kind: "wip", Text: j.Wip, By: j.WipBy})
	}
	j.Wip, j.WipBy = j.fit("wip", words, MaxWip), by
	if words == "" {
		j.WipBy = ""
	}
}

// SetPlan sets the plan; no items clear it. Items beyond planItems go to history, and the writer is told.
func (j *Journal) SetPlan(items []string, by string) {
	plan := slices.DeleteFunc(slices.Clone(items), func(p string) bool { return p == "" })
	for _, p := range j.Plan {
		if !containsFold(plan, p) {
			j.keep(log.Entry{Kind: "plan", Text: p, By: j.PlanBy})
		}
	}
	if len(plan) > planItems {
		for _, p := range plan[planItems:] {
			j.keep(log.Entry{Kind: "plan", Text: p, By: by})
		}
		j.tell("the plan holds %d items; %d more went to the history", planItems, len(plan)-planItems)
		plan = plan[:planItems]
	}
	for i := range plan {
		plan[i] = j.fit("plan item", plan[i], MaxPlan)
	}
	j.Plan, j.PlanBy = plan, by
	if len(plan) == 0 {
		j.Plan, j.PlanBy = nil, ""
	}
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(item string) bool { return text.Fold(item) == text.Fold(s) })
}

// String returns the failure in one line: the command and its message. A nil failure is "".
func (f *Failure) String() string {
	if f == nil {
		return ""
	}
	cmd, line := history.Data(f.Cmd), history.Data(f.Line)
	switch {
	case cmd == "":
		return line
	case line == "":
		return "`" + cmd + "`"
	}
	return "`" + cmd + "` -> " + line
}
