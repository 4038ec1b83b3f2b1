// Package journal keeps the mission in hand: its schema, its limits, and what leaves it. It does not know where the
// facts come from (capture), how they are shown (block) and when (hook), what a line that left looks like (history), or
// who asks (cli).
//
// Nothing that leaves a journal is destroyed: it is appended to the lane's history first.
package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Limits in characters; a longer value is cut at a word, the whole goes to history and the writer is told.
const (
	MaxMission = 400
	MaxAct     = 80
	maxResult  = 120
	MaxCtx     = 120
	MaxWip     = 150
	MaxPlan    = 150 // each item
	maxSummary = 300
	MaxSaid    = sentence.MaxQuoted // each message
	MaxAsked   = 120                // the question shown beside its answer
	planItems  = 3
	saidItems  = 24
	fileItems  = 20
	appliedIDs = 8 // of commands applied from the transcript
)

// Who wrote a value.
const (
	ByClaude = "claude" // Claude, through a command
	ByUser   = "user"   // the person, at a terminal or typed to Claude
	ByAuto   = "auto"   // captured from the transcript
)

// ErrCorrupt is the reason when a journal is not a JSON object of this schema.
var ErrCorrupt = errors.New("not a journal")

// Journal is one mission and what is known of it. The zero value is an empty journal. Fields memento does not know
// are kept as they are, in the entries too.
type Journal struct {
	Mission       string
	MissionOpened string // RFC 3339, UTC
	MissionClosed string // the same; "" while open
	MissionRef    string // transcript uuid of the prompt it came from
	MissionBy     string
	Project       string
	Branch        string // that was checked out when it was written last, or the first characters of a commit's id
	Subject       string
	Summary       string
	SummaryBy     string // ByAuto while nothing but captured entries was folded into it
	Wip           string
	WipBy         string
	Done          []Entry
	Plan          []string
	PlanBy        string
	Said          []Saying
	Files         []string // newest first, relative to the project
	Error         *Failure
	Session       string   // the session the mission belongs to
	Seen          string   // transcript uuid of the last prompt captured; what stands before it is in already
	Acted         string   // the same for what tools brought about: the id of the last call, or its like
	Applied       []string // ids of the commands applied from the transcript last, so that none is applied twice

	raw   string   // as read: carries unknown fields, key order
	extra int      // bytes of the fields memento does not know
	out   []string // history lines to append before the journal is replaced
	notes []string // what the writer should be told
	now   time.Time
	dirty bool // what stands on disk holds a secret that is left out here
	fresh int  // how many of Applied came with this change
	seal  seal // of the store it was read from
}

// Entry is one thing done.
type Entry struct {
	Act      string
	Result   string
	Ctx      string // "user: …", "tool: …", "note: …" or ""
	TS       string
	By       string
	Ref      string // of a captured one: id of the tool call it came from
	Check    bool   // it is a check's verdict
	Verified *bool  // whether a user: or tool: ctx was found in the transcript; nil when not checked

	proof string // that it was; see seal
	raw   string
}

// Saying is something the user said that still holds.
type Saying struct {
	Text     string
	TS       string
	Ref      string // transcript uuid
	Asked    string // the question of Claude's that it answers, "" for none
	Rule     bool   // it sets a rule for later work
	By       string // "" when the user typed it; ByClaude when Claude reported it
	Verified *bool

	raw string
}

// Failure is the last failing command that has not succeeded since.
type Failure struct {
	Cmd, Line, TS string

	raw string
}

// Open reports whether there is a mission and it has not been closed.
func (j *Journal) Open() bool { return j.Mission != "" && j.MissionClosed == "" }

// Empty reports whether there is nothing in the journal to show.
func (j *Journal) Empty() bool {
	return j.Mission == "" && j.Summary == "" && j.Wip == "" && len(j.Done) == 0 && len(j.Plan) == 0 &&
		len(j.Said) == 0 && len(j.Files) == 0 && j.Error == nil
}

// Notes returns what the writer of the last change should be told, in plain sentences.
func (j *Journal) Notes() []string { return j.notes }

func (j *Journal) stamp() string { return j.now.UTC().Format(time.RFC3339) }

// tell adds a sentence for the writer.
func (j *Journal) tell(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// fit cuts value to limit characters; the whole goes to history and the writer is told.
func (j *Journal) fit(field, value string, limit int) string {
	short, cut := text.Cut(value, limit)
	if cut {
		j.keep("cut", "field", field, "text", value)
		j.tell("%s was cut to %d characters; the whole of it is in the history", field, limit)
	}
	return short
}

// OpenMission makes words the mission of session, as by (ref is the transcript's uuid of the prompt, or ""); whole is
// what words were taken from, for the history. A mission of another session that is still open is parked; one of the
// same session is reworded, and what it said before is kept.
func (j *Journal) OpenMission(words, whole, session, by, ref string) {
	switch {
	case j.Open() && j.Session != "" && session != "" && j.Session != session:
		j.Park()
	case j.Open():
		j.Reword(words, by, ref)
		if j.Session == "" {
			j.Session = session
		}
		return
	}
	if j.MissionClosed != "" {
		j.Shelve()
		if j.Summary != "" {
			j.keep("summary", "text", j.Summary)
			j.Summary = ""
		}
	}
	j.Mission = j.fit("mission", words, MaxMission)
	j.MissionOpened, j.MissionClosed, j.MissionRef, j.MissionBy = j.stamp(), "", ref, by
	j.Session = session
	j.keep("opened", "text", whole, "ref", ref, "by", by)
}

// Reword puts other words in place of the open mission's. The user's own stay beside it, as the first of what they
// said.
func (j *Journal) Reword(words, by, ref string) {
	if words == j.Mission {
		return
	}
	j.keep("reworded", "text", j.Mission, "ref", j.MissionRef, "by", j.MissionBy)
	if by == ByClaude && j.MissionBy == ByUser {
		j.Said = append([]Saying{{Text: j.Mission, TS: j.MissionOpened, Ref: j.MissionRef, Rule: true}}, j.Said...)
	}
	j.Mission, j.MissionBy = j.fit("mission", words, MaxMission), by
	if ref != "" {
		j.MissionRef = ref
	}
}

// Opening reports whether s is the prompt that opened the mission, kept beside Claude's wording of it.
func (j *Journal) Opening(s Saying) bool {
	return s.By == "" && s.Rule && j.MissionBy == ByClaude && s.TS == j.MissionOpened && s.Ref == j.MissionRef
}

// Confirm fills in where the transcript has words of session that were taken as said, at the time ts, before it showed
// them: in the journal, and as a line of history with that time. Without ts it finds only the same words, in the
// journal alone.
func (j *Journal) Confirm(words, session, ts, ref string) {
	if ts != "" {
		j.keepAt(ts, session, "confirmed", "ref", ref)
	}
	if j.MissionRef == "" && strings.HasPrefix(text.Fold(words),
		text.Fold(strings.TrimSuffix(j.Mission, text.Ellipsis))) {
		j.MissionRef = ref
	}
	for i := range j.Said {
		if j.Said[i].Ref == "" && j.Said[i].By == "" && (ts != "" && j.Said[i].TS == ts ||
			text.Fold(j.Said[i].Text) == text.Fold(words)) {
			j.Said[i].Ref = ref
		}
	}
}

// Park puts the open mission with all that belongs to it into history, where its session finds it again, and leaves an
// empty journal.
func (j *Journal) Park() {
	j.keepWhole("parked", "")
	*j = Journal{Project: j.Project, Branch: j.Branch, Seen: j.Seen, Acted: j.Acted, Applied: j.Applied, fresh: j.fresh,
		seal: j.seal, raw: j.raw, extra: j.extra, out: j.out, notes: j.notes, now: j.now}
}

// Shelve moves to history what a closed mission's journal has taken in since it was closed, but for what was said: it
// is no part of that mission, nor of the next.
func (j *Journal) Shelve() {
	if j.MissionClosed == "" {
		return
	}
	said, summary := j.Said, j.Summary
	j.Said, j.Summary = nil, ""
	j.shed()
	j.Said, j.Summary = said, summary
}

// Claim makes a journal without an open mission session's. What another session left in it goes to history.
func (j *Journal) Claim(session string) {
	if j.Open() || j.Session == session {
		return
	}
	if j.Session != "" {
		j.shed()
	}
	j.Session = session
}

// HandOver makes the open mission session's too. The session that had it finds it in history as it left it.
func (j *Journal) HandOver(session string) {
	if j.Open() && j.Session != "" && j.Session != session {
		j.keepWhole("parked", "")
	}
	j.Session = session
}

// Close ends the open mission: everything goes to history, where its session finds it again, and the journal is reset
// to its summary. since is the transcript uuid of the prompt that says so, "" when none does or it is not known.
// Without an open mission it does nothing, and returns false.
func (j *Journal) Close(why, since string) bool {
	if !j.Open() {
		return false
	}
	j.keepWhole(why, since)
	for _, e := range j.Done {
		j.fold(e)
	}
	j.MissionClosed = j.stamp()
	j.Done, j.Plan, j.Said, j.Files, j.Wip, j.WipBy, j.PlanBy, j.Error = nil, nil, nil, nil, "", "", "", nil
	return true
}

// AddDone adds an entry as the newest. The same act done twice in a row with the same result is one entry. A plan item
// of the same words is done with it.
func (j *Journal) AddDone(e Entry) {
	whole := text.Fold(e.Act)
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
	j.prove(&e)
	j.Done = append(j.Done, e)
	for i, p := range j.Plan {
		if text.Fold(p) == whole {
			j.Plan = append(j.Plan[:i:i], j.Plan[i+1:]...)
			break
		}
	}
}

// SetWip sets the work in hand; "" clears it.
func (j *Journal) SetWip(words, by string) {
	if j.Wip != "" && j.Wip != words {
		j.keep("wip", "text", j.Wip, "by", j.WipBy)
	}
	j.Wip, j.WipBy = j.fit("wip", words, MaxWip), by
	if words == "" {
		j.WipBy = ""
	}
}

// SetPlan sets what comes next; no items clear it. Items beyond planItems go to history, and the writer is told.
func (j *Journal) SetPlan(items []string, by string) {
	var plan []string
	for _, p := range items {
		if p != "" {
			plan = append(plan, p)
		}
	}
	if len(j.Plan) > 0 {
		for _, p := range j.Plan {
			if !containsFold(plan, p) {
				j.keep("plan", "text", p, "by", j.PlanBy)
			}
		}
	}
	if len(plan) > planItems {
		for _, p := range plan[planItems:] {
			j.keep("plan", "text", p, "by", by)
		}
		j.tell("the plan holds %d items; %d more went to the history", planItems, len(plan)-planItems)
		plan = plan[:planItems]
	}
	for i := range plan {
		plan[i] = j.fit("plan item", plan[i], MaxPlan)
	}
	j.Plan, j.PlanBy = plan, by
	if len(plan) == 0 {
		j.PlanBy = ""
	}
}

func containsFold(list []string, s string) bool {
	for _, l := range list {
		if text.Fold(l) == text.Fold(s) {
			return true
		}
	}
	return false
}

// AddSaid adds something said as the newest; said before, it moves to the front and keeps its mark as a rule. What many
// prompts that are read at once leave no room for goes as they come: each of them is compared with all that is there.
func (j *Journal) AddSaid(s Saying) {
	s.Text = j.fit("constraint", s.Text, MaxSaid)
	s.Asked, _ = text.Cut(s.Asked, MaxAsked) // history has the whole question
	if s.TS == "" {
		s.TS = j.stamp()
	}
	if text.Same(s.Text, "") {
		return
	}
	for i, old := range j.Said {
		if text.Same(old.Text, s.Text) {
			s.Rule = s.Rule || old.Rule
			if old.By == "" {
				s.By, s.Verified = "", nil // what the user typed stays theirs, whoever repeats it
			}
			if s.Ref == "" {
				s.Ref = old.Ref
			}
			s.raw = old.raw
			j.Said = append(j.Said[:i:i], j.Said[i+1:]...)
			break
		}
	}
	j.Said = append(j.Said, s)
	for len(j.Said) > 2*saidItems && j.dropLeastSaid() {
	}
}

// DropSaid takes what was said with these words out of the journal (it stays in history) and reports whether it was
// there: the same words first, else the one entry that contains them.
func (j *Journal) DropSaid(words string) bool {
	at, want := -1, text.Fold(words)
	for i, s := range j.Said {
		if text.Fold(s.Text) == want {
			at = i
		}
	}
	if at < 0 {
		n := 0
		for i, s := range j.Said {
			if want != "" && containsWords(text.Fold(s.Text), want) {
				at = i
				n++
			}
		}
		if n != 1 {
			return false
		}
	}
	j.keep("dropped", "text", j.Said[at].Text, "ref", j.Said[at].Ref)
	j.Said = append(j.Said[:at:at], j.Said[at+1:]...)
	return true
}

// DropSentence takes one whole sentence that was typed out of what the journal has of it, and leaves what else its
// message said. The history notes it, also when the journal has no room for the sentence any more.
func (j *Journal) DropSentence(sentence string) {
	ref, want := "", text.Sentence(sentence)
	var left []Saying
	for _, s := range j.Said {
		before, after, ok := strings.Cut(s.Text, sentence)
		if !ok || s.By != "" || !text.Holds(text.FoldLines(s.Text), want) {
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
	j.keep("dropped", "text", sentence, "ref", ref)
	j.Said = left
}

// Apply notes that the command with this id is applied, and reports whether it was not yet. Ids stand in the journal,
// with what they changed, so that both are written or neither; those beyond appliedIDs that were written before go to
// history.
func (j *Journal) Apply(id string) bool {
	if slices.Contains(j.Applied, id) {
		return false
	}
	for len(j.Applied)-j.fresh >= appliedIDs {
		j.keep("applied", "ref", j.Applied[0])
		j.Applied = j.Applied[1:]
	}
	j.Applied = append(j.Applied[:len(j.Applied):len(j.Applied)], id)
	j.fresh++
	return true
}

// Heard keeps what the user typed in session, whole, in history.
func (j *Journal) Heard(words, session, ref, ts string) {
	j.KeepSaid(history.Line{Text: words, Session: session, Ref: ref, TS: ts})
}

// KeepSaid is Heard for a line: its words, the question they answer, and how they were judged.
func (j *Journal) KeepSaid(l history.Line) {
	// the id last: history.ReadRefs looks for it there
	j.keepAt(l.TS, l.Session, "said", "text", l.Text, "asked", l.Asked, "judged", l.Judged, "ref", l.Ref)
}

// String is the failure as it is shown, in one line: the command, and what it said. That of none is "".
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
