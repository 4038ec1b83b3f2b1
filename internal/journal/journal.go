// Package journal keeps the mission in hand: its fields, its limits, and the facts that leave it. It does not know
// where facts come from (capture), how a journal is shown (block) and when (hook), the form of a line of history
// (history), or who runs a command (cli).
//
// Nothing that leaves a journal is destroyed: it is first appended to the lane's history.
package journal

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Limits in characters. A longer value is cut at a word, the whole value goes to history, and the writer is told. A
// message has the limit sentence.MaxQuoted.
const (
	MaxMission = 400
	MaxAct     = 80
	maxResult  = 120
	MaxCtx     = 120
	MaxWip     = 150
	MaxPlan    = 150 // each item
	maxSummary = 300
	maxAsked   = 120 // the question shown beside its answer
)

// Limits in items.
const (
	planItems = 3
	saidItems = 24
	fileItems = 20
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
	Said          []Saying
	Files         []string // newest first, relative to the project
	Error         *Failure
	Session       string // the session that the mission belongs to

	raw   string      // the JSON as read: it carries unknown fields and the order of keys
	extra int         // size of the unknown fields, in bytes
	out   []log.Entry // to append to the log before the journal is replaced
	notes []string    // sentences for the writer
	now   time.Time
	dirty bool           // the file holds a secret that this journal leaves out
	file  safefile.Stamp // the file as it was read
	at    at             // where the log stood when the file was written
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

// Saying is something the user said that still holds.
type Saying struct {
	Text     string
	TS       string
	Ref      string // transcript uuid
	Asked    string // the question of Claude's that Text answers, "" for none
	Rule     bool   // Text sets a rule for later work
	By       string // "" when the user typed Text; ByClaude when Claude reported it
	Verified *bool

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
		len(j.Said) == 0 && len(j.Files) == 0 && j.Error == nil
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
	j.Session = session
	j.keep(log.Entry{Kind: "opened", Text: whole, Of: ref, By: by})
}

// reword replaces the words of the open mission. When Claude rewords the user's mission, the user's words stay as the
// first of Said.
func (j *Journal) reword(words, by, ref string) {
	if words == j.Mission {
		return
	}
	j.keep(log.Entry{Kind: "reworded", Text: j.Mission, Of: j.MissionRef, By: j.MissionBy})
	if by == ByClaude && j.MissionBy == ByUser {
		j.Said = append([]Saying{{Text: j.Mission, TS: j.MissionOpened, Ref: j.MissionRef, Rule: true}}, j.Said...)
	}
	j.Mission, j.MissionBy = j.fit("mission", words, MaxMission), by
	if ref != "" {
		j.MissionRef = ref
	}
}

// Opening reports whether s is the prompt that opened the mission and was kept when Claude reworded the mission.
func (j *Journal) Opening(s Saying) bool {
	return s.By == "" && s.Rule && j.MissionBy == ByClaude && s.TS == j.MissionOpened && s.Ref == j.MissionRef
}

// Confirm sets the transcript uuid ref of a prompt that was kept before the transcript showed it. ts is the time that
// the prompt was kept with, "" when only the words tell.
func (j *Journal) Confirm(words, ts, ref string) {
	if j.MissionRef == "" && strings.HasPrefix(text.Fold(words),
		text.Fold(strings.TrimSuffix(j.Mission, text.Ellipsis))) {
		j.MissionRef = ref
	}
	for i := range j.Said {
		s := &j.Said[i]
		if s.Ref == "" && s.By == "" && (ts != "" && s.TS == ts || text.Fold(s.Text) == text.Fold(words)) {
			s.Ref = ref
		}
	}
}

// Park moves the open mission with all its facts to history, where its session finds it again. The journal is empty
// then.
func (j *Journal) Park() {
	j.keepWhole("parked", "")
	*j = Journal{Project: j.Project, Branch: j.Branch, raw: j.raw, extra: j.extra, out: j.out, notes: j.notes,
		now: j.now}
}

// Shelve moves to history the facts that a journal has taken in since its mission was closed, except Said. They belong
// neither to that mission nor to the next.
func (j *Journal) Shelve() {
	if j.MissionClosed == "" {
		return
	}
	said, summary := j.Said, j.Summary
	j.Said, j.Summary = nil, ""
	j.shed()
	j.Said, j.Summary = said, summary
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
	j.Plan, j.Said, j.Files, j.Wip, j.WipBy, j.PlanBy, j.Error = nil, nil, nil, "", "", "", nil
	j.Next, j.NextAt = "", ""
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

// AddSaid adds s as the newest of Said. An older saying with the same words leaves, and s stays a rule when it was one.
// Each new saying is compared with all others, so that AddSaid drops the least valuable ones as soon as there are
// twice as many as the journal keeps.
func (j *Journal) AddSaid(s Saying) {
	s.Text = j.fit("constraint", s.Text, sentence.MaxQuoted)
	s.Asked, _ = text.Cut(s.Asked, maxAsked) // history has the whole question
	if s.TS == "" {
		s.TS = j.stamp()
	}
	if text.Same(s.Text, "") {
		return
	}
	if i := slices.IndexFunc(j.Said, func(old Saying) bool { return text.Same(old.Text, s.Text) }); i >= 0 {
		old := j.Said[i]
		s.Rule = s.Rule || old.Rule
		if old.By == "" {
			s.By, s.Verified = "", nil // words that the user typed stay the user's, whoever repeats them
		}
		s.Ref = cmp.Or(s.Ref, old.Ref)
		s.raw = old.raw
		j.Said = slices.Delete(j.Said, i, i+1)
	}
	j.Said = append(j.Said, s)
	for len(j.Said) > 2*saidItems && j.dropLeastSaid() {
	}
}

// DropSaid takes words out of Said and reports whether it found them. It looks for a saying with exactly these words,
// then for the one saying that contains them. When words are the whole of a sentence that the user typed, and no saying
// has exactly these words, it takes out the sentence and keeps the rest of its message; history notes the sentence even
// when the journal had no room for it any more.
func (j *Journal) DropSaid(words, whole string) bool {
	want := text.Fold(words)
	if whole != "" && text.Sentence(whole) == text.Sentence(words) &&
		!slices.ContainsFunc(j.Said, func(s Saying) bool { return text.Same(s.Text, words) }) {
		j.dropSentence(whole)
		return true
	}
	at, found := -1, 0
	for i, s := range j.Said {
		if text.Fold(s.Text) == want {
			at, found = i, 1
		}
	}
	if at < 0 {
		for i, s := range j.Said {
			if want != "" && containsWords(text.Fold(s.Text), want) {
				at = i
				found++
			}
		}
	}
	if found != 1 {
		return false
	}
	j.keep(log.Entry{Kind: log.Dropped, Text: j.Said[at].Text, Of: j.Said[at].Ref})
	j.Said = slices.Delete(j.Said, at, at+1)
	return true
}

// dropSentence takes one whole sentence out of the user's messages in Said.
func (j *Journal) dropSentence(whole string) {
	ref, want := "", text.Sentence(whole)
	var left []Saying
	for _, s := range j.Said {
		before, after, ok := strings.Cut(s.Text, whole)
		if !ok || s.By != "" || !sentence.SetOf(s.Text)[want] {
			left = append(left, s)
			continue
		}
		ref = s.Ref
		for _, words := range [...]string{before, after} {
			if s.Text = strings.TrimSpace(words); s.Text != "" {
				left = append(left, s)
			}
		}
	}
	j.keep(log.Entry{Kind: log.Dropped, Text: whole, Of: ref})
	j.Said = left
}

// containsWords reports whether s contains words at word boundaries or, for scripts without spaces, anywhere.
func containsWords(s, words string) bool {
	return strings.Contains(s, words) && (text.Runes(words) >= 4 || strings.Contains(" "+s+" ", " "+words+" "))
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
