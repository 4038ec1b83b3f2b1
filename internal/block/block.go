// Package block renders a journal for a model: the block after a compaction, the brief for the client's own summariser,
// and the lines for a subagent or the next session. It changes no journal. It does not decide when a block is shown
// (hook) or what the user's words mean (capture).
package block

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/work"
)

// View says how to render a journal, and holds facts that the journal has no room for.
type View struct {
	Path   string // of the journal
	Budget int    // tokens; a token is 4 ASCII characters or 1 other
	Head   string // label of the mission; "" for "Mission"
	Note   string // a sentence below the header, "" for none

	Said  *Words // the user's words from the history; nil to use the journal's
	Early bool   // at a first compaction: the client's own summary still has nearly all of Said

	Tasks   []string          // open tasks
	Failing []journal.Failure // newest first
	Touched []string          // files read or edited, newest first
	Checks  []work.Check      // as they last ran, newest last

	// Proposed is what Claude said that the user's last words answer, and Reply those; "" when they say enough by
	// themselves.
	Proposed, Reply string

	Before []string // for the brief: the user's prompts before the last compaction, oldest first
}

// Words are the user's sentences by what they are for. Each list is newest first.
type Words struct {
	Rules []journal.Saying // govern later work
	Leans []journal.Saying // may govern later work
	Asks  []journal.Saying // ask for work
	Tells []journal.Saying // tell a fact
	Talk  []journal.Saying // ask a question, or tell how things were

	Pasted []journal.Saying // demands in a text of somebody else's that the user pasted

	// Tied has sentences that stand in no list, newest first, by the words of a later one that points at them. Each is
	// shown behind that one, or not at all.
	Tied map[string][]journal.Saying

	Now    string // the user's last large request, "" when the mission or the work in hand shows it
	NowOld bool   // the work in hand was asked for after Now
	Since  string // when the last prompt before the last compaction was typed, "" before the first
}

// Render returns the journal as the few lines that put a model back to work: statements of fact within the budget and
// within event.MaxOutput characters, the most valuable first. The last line counts the facts that did not fit, with the
// command that shows them. Render returns "" for an empty journal.
func Render(j *journal.Journal, v View) string {
	if j = inForce(j, &v); j.Empty() {
		return ""
	}
	now := labelled(nowLabel, v.now())
	q := quoterOf(j, v.Said)
	rules, less, unsure := v.quotes(j, q)
	p := packer{left: min(v.Budget*4, event.MaxOutput)}
	p.reserve("\n" + more(99, 99))
	need := 0 // for the rules and the work in hand
	for _, words := range append(nonEmpty(now, j.Wip), rules...) {
		need += text.Quarters(wipLabel + words)
	}
	head := header(j, v, max(p.left*missionShare/10, p.left-need))
	for _, line := range nonEmpty(head, now, text.Line(v.Note)) {
		p.must(line)
	}

	// The packer takes the lines in the order of their value; the block shows them in the order of docs/design.md.
	days := q.reserve(&p, rules, less[0], less[1], less[2], less[3])
	keep := room{files: 100}
	switch {
	case v.Said != nil && v.Early:
		keep = early
	case v.Said != nil:
		keep = later
	}
	said, constraints := row{label: saidLabel, mark: quoteMark}, row{label: unsureLabel, mark: quoteMark}
	plan := row{label: planLabel, mark: planMark}
	rules = p.share(rulesShare, &said, rules)
	wip := p.one(wipLabel, wipOf(j))
	proposed := ""
	if v.Proposed != "" && v.Reply != "" {
		proposed = p.one(proposedLabel, text.Quote(v.Proposed)+" (the user answered: "+text.Quote(v.Reply)+")")
	}
	p.fill(&plan, lines(j.Plan))
	p.fill(&plan, lines(Besides(j, v.Tasks)))
	failure := p.failures(j, v)
	typed := p.fill(&said, rules)
	p.fill(&constraints, unsure)
	p.fillNew(&said, q, v.newSince(), v.Budget*4*keep.said[1]/100, &less)
	taken := -text.Quarters(now) // Now is a request: it takes room from those, and none from answers
	for i, items := range less {
		p.leave(v.Budget, keep.said[i])
		p.floor += taken
		typed += p.fill(&said, items)
		taken = text.Quarters(now)
	}
	p.leave(v.Budget, keep.checks)
	p.floor -= text.Quarters(now)
	checks := row{label: checksLabel, mark: planMark}
	p.missed -= p.fill(&checks, lines(checksOf(v.Checks, failure))) // those that ran long ago are not missed
	p.leave(v.Budget, keep.done)
	var done []string
	for i := len(j.Done) - 1; i >= 0; i-- {
		if l := p.one(doneLabel, j.Done[i].Line()); l != "" {
			done = append([]string{l}, done...)
		}
	}
	p.floor = max(0, p.left-v.Budget*4*keep.files/100)
	files := p.files(lines(j.Files), lines(v.Touched))
	p.leave(v.Budget, keep.done)
	sum := p.one("Sum: ", text.Data(j.Summary)) // its marks are memento's own
	pasted := row{label: pastedLabel, mark: quoteMark}
	if v.Said != nil {
		p.leave(v.Budget, 0)
		typed += p.fill(&pasted, q.all(v.Said.Pasted))
	}
	p.left += days
	said.items = q.days(&p, said.items)

	out := nonEmpty(head, now, text.Line(v.Note), said.line(), constraints.line(), pasted.line(), sum,
		strings.Join(done, "\n"), wip, proposed, failure, checks.line(), files, plan.line())
	if p.missed > 0 {
		out = append(out, more(typed, p.missed-typed))
	}
	block, _ := text.Cut(strings.Join(out, "\n"), event.MaxOutput) // a path may have thousands of characters
	return block
}

// quotes returns the user's words, quoted, newest first: the rules, the rest by kind, and what only Claude reported.
func (v View) quotes(j *journal.Journal, q quoter) (rules []string, less [4][]string, unsure []string) {
	rules, less[0], unsure = sayings(j, q)
	if w := v.Said; w != nil {
		rules, less = append(opening(j, q), q.all(w.Rules)...),
			[4][]string{q.all(w.Leans), q.all(w.Asks), q.all(w.Tells), q.all(w.Talk)}
	}
	return rules, less, unsure
}

// failures returns the lines of what fails, as far as there is room.
func (p *packer) failures(j *journal.Journal, v View) string {
	out := []string{p.one(errorLabel, j.Error.String())}
	for _, f := range v.Failing {
		out = append(out, p.one(errorLabel, f.String()))
	}
	return strings.Join(nonEmpty(out...), "\n")
}

// more returns the line that counts the facts without room, typed words and the rest, with the commands that list them.
func more(typed, rest int) string {
	command := "`memento show`, `--said`"
	switch {
	case typed == 0:
		command = "`memento show`"
	case rest == 0:
		command = "`memento show --said`"
	}
	return fmt.Sprintf("(+%d more: %s)", typed+rest, command)
}

// inForce returns the facts of j that still hold. Of a closed mission these are its summary and later sayings.
func inForce(j *journal.Journal, v *View) *journal.Journal {
	if j.MissionClosed == "" {
		return j
	}
	v.Tasks, v.Failing, v.Touched, v.Checks, v.Proposed = nil, nil, nil, nil, ""
	return &journal.Journal{Mission: j.Mission, MissionClosed: j.MissionClosed, Project: j.Project, Summary: j.Summary,
		Said: j.Said, Session: j.Session}
}

// missionShare is how much of a block the header may take from the rules and the work in hand, in tenths. In a script
// with one token for each character a long mission would leave them no room.
const missionShare = 4

// header returns the block's first line, with the mission cut to fit room, in quarters of a token.
func header(j *journal.Journal, v View, room int) string {
	name := v.Head
	if name == "" {
		name = "Mission"
	}
	head, where := "[MEMENTO] No active mission", where(j, v.Path)
	if j.Open() {
		head = "[MEMENTO] " + name + ": "
		head += fitting(missionOf(j, journal.MaxMission), room-text.Quarters(head+where))
	}
	return head + where
}

// where returns the header's end: the project and the journal's path.
func where(j *journal.Journal, path string) string {
	out := ""
	if project, _ := text.Cut(history.Data(j.Project), 64); project != "" {
		out = " | proj:" + project
	}
	return out + " | path:" + history.Data(path)
}

// Each part of a block is either memento's own (labels, marks, paths) or data. Data stands between quotation marks, by
// text.Quote, or goes through one of the functions below, so that it cannot imitate a label, a tag or a mark.

// missionOf returns the mission outside quotation marks, in at most limit characters. Somebody may have edited the
// journal by hand.
func missionOf(j *journal.Journal, limit int) string {
	words := text.Outside(j.Mission)
	if j.MissionBy == journal.ByClaude {
		words = history.Data(j.Mission)
	}
	words, _ = text.Cut(words, limit)
	return words
}

// wipOf returns the work in hand: the user's request in quotation marks, or the words of Claude or a tool.
func wipOf(j *journal.Journal) string {
	if n := len(j.Wip); n > 2 && j.Wip[0] == '"' && j.Wip[n-1] == '"' {
		return text.Quote(j.Wip[1 : n-1])
	}
	return history.Data(j.Wip)
}

// fitting returns s cut to room, in quarters of a token. Ten characters always stay.
func fitting(s string, room int) string {
	if text.Quarters(s) <= room {
		return s
	}
	n := 1 // the ellipsis
	room -= text.Quarters(text.Ellipsis)
	for _, r := range s {
		if room -= text.Quarters(string(r)); room < 0 {
			break
		}
		n++
	}
	cut, _ := text.Cut(s, max(n, 10))
	if text.Quarters(cut) >= text.Quarters(s) { // the ellipsis takes more room than the words it replaces
		return s
	}
	return cut
}

// The labels of a block's lines, which Facts reads again.
const (
	nowLabel    = "Now: "
	saidLabel   = "User said: "
	unsureLabel = "Constraint as Claude noted it (unverified): "
	pastedLabel = "User also sent: "
	doneLabel   = "Done: "
	wipLabel    = "WIP: "
	errorLabel  = "Error: "
	// Claude's own words
	proposedLabel = "Claude proposed: "
	checksLabel   = "Checks: "
	planLabel     = "Plan: "

	quoteMark = " · " // between two quotations
	planMark  = " | " // between two items of the plan
)

// room says how much of the budget, in hundredths, the less valuable facts must leave free, so that a block is shorter
// than its budget. Rules, the work in hand, failures and the plan may take all of it.
type room struct {
	said   [4]int // for Leans, Asks, Tells and Talk
	checks int    // for the checks
	done   int    // for done entries and the summary
	files  int    // how much the files may take
}

// At a first compaction the client's own summary still has 9 of 10 of the user's rules and files; from the second on it
// has 2 of 10 rules. These shares give a median of 250 and 600 tokens. Measured on 58 compactions of 43 sessions.
var (
	early = room{said: [4]int{50, 50, 50, 100}, checks: 45, done: 45, files: 17}
	later = room{said: [4]int{10, 44, 50, 75}, checks: 44, done: 50, files: 6}
)

// rulesShare is how much of the room the user's rules may take before the work in hand and the plan, in tenths.
const rulesShare = 6

// opening returns the quoted prompt that opened the mission, when the header shows Claude's words instead.
func opening(j *journal.Journal, q quoter) []string {
	for _, s := range j.Said {
		if j.Opening(s) {
			return []string{q.first(s)}
		}
	}
	return nil
}

// sayings returns the journal's sayings, quoted, newest first: those that set a rule, after the opening prompt if there
// is one; the rest; and those that only Claude reported.
func sayings(j *journal.Journal, q quoter) (rules, rest, unsure []string) {
	var mission []string
	elsewhere := elsewhere(j)
	for i := len(j.Said) - 1; i >= 0; i-- {
		s := j.Said[i]
		switch {
		case s.By == journal.ByClaude && (s.Verified == nil || !*s.Verified):
			unsure = append(unsure, q.quote(s))
		case j.Opening(s):
			mission = []string{q.first(s)}
		case elsewhere(i):
		case s.Rule:
			rules = append(rules, q.quote(s))
		default:
			rest = append(rest, q.quote(s))
		}
	}
	return append(mission, rules...), rest, unsure
}

// elsewhere returns a func that reports whether the block quotes the i-th saying anyway: as whole sentences in the
// mission, in a longer rule or, unless it sets a rule, in the work in hand. A constraint that was noted by name is
// always shown.
func elsewhere(j *journal.Journal) func(i int) bool {
	// fold each text once: a hook has a millisecond
	folds, mission, wip := make([]string, len(j.Said)), "", text.FoldLines(j.Wip)
	for i, s := range j.Said {
		folds[i] = text.Sentence(s.Text)
	}
	if j.Open() {
		mission = text.FoldLines(j.Mission)
	}
	return func(i int) bool {
		if folds[i] == strings.TrimRight(mission, text.EndMarks) {
			return true
		}
		rule := j.Said[i].Rule
		if j.Said[i].Ref == "" && rule {
			return false
		}
		if text.Holds(mission, folds[i]) || !rule && (text.Holds(wip, folds[i]) || text.Same(j.Wip, j.Said[i].Text)) {
			return true
		}
		for k, other := range j.Said {
			if other.Rule && other.By == "" && len(folds[k]) > len(folds[i]) &&
				text.Holds(text.FoldLines(other.Text), folds[i]) {
				return true
			}
		}
		return false
	}
}

// checksOf returns the checks with their known results, newest first, without those whose failure is shown.
func checksOf(all []work.Check, failure string) (out []string) {
	for _, c := range slices.Backward(all) {
		switch {
		case c.Passed:
			out = append(out, c.Cmd+" (passed)")
		case strings.Contains(failure, c.Cmd):
		case c.Unsure:
			out = append(out, c.Cmd)
		default:
			out = append(out, c.Cmd+" (failed)")
		}
	}
	return out
}

// Besides returns the tasks that are neither in the plan nor the work in hand.
func Besides(j *journal.Journal, tasks []string) (out []string) {
	for _, t := range tasks {
		short, _ := text.Cut(t, journal.MaxPlan)
		if t != j.Wip && !slices.Contains(j.Plan, short) && !slices.Contains(j.Plan, t) {
			out = append(out, t)
		}
	}
	return out
}

// lines returns the items of a list so that no item looks like two items or like a line of memento's.
func lines(items []string) []string {
	var out []string
	for _, it := range items {
		it = " " + history.Data(it) + " "
		for strings.Contains(it, planMark) {
			it = strings.ReplaceAll(it, planMark, " ¦ ")
		}
		it = strings.TrimSpace(it)
		if name, rest, ok := strings.Cut(it, ":"); ok && ownLabel(name) {
			it = name + "∶" + rest
		}
		out = append(out, it)
	}
	return nonEmpty(out...)
}

// ownLabel reports whether name is a label in a block or a brief.
func ownLabel(name string) bool {
	switch strings.ToLower(strings.Trim(name, " []()")) {
	case "mission", "memento mission", "memento] mission", "previous mission", "the mission", "the user's mission",
		"now", "user said", "the user said", "user also sent",
		"constraint as claude noted it (unverified", "sum", "done", "claude proposed", "wip", "previous wip",
		"work in hand", "error",
		"failing", "checks", "files", "plan", "next", "ctx", "proj", "path":
		return true
	}
	return false
}

// packer fills a budget with whole pieces. Its unit is the quarter of a token.
type packer struct {
	left   int // room left
	floor  int // room that take may not use
	missed int // facts that did not fit
}

func (p *packer) must(s string)    { p.left -= text.Quarters(s) + 1 }
func (p *packer) reserve(s string) { p.left -= text.Quarters(s) }

func (p *packer) take(s string) bool {
	if n := text.Quarters(s); n <= p.left-p.floor {
		p.left -= n
		return true
	}
	return false
}

// one returns the line of label and value, or counts it as missed and returns "". An empty value is no line.
func (p *packer) one(label, value string) string {
	if value == "" {
		return ""
	}
	if !p.take("\n" + label + value) {
		p.missed++
		return ""
	}
	return label + value
}

// row is a line of several items with mark between them.
type row struct {
	label, mark string
	items       []string
}

func (r row) line() string {
	if len(r.items) == 0 {
		return ""
	}
	return r.label + strings.Join(r.items, r.mark)
}

// before returns the text before the next item.
func (r row) before() string {
	if len(r.items) == 0 {
		return "\n" + r.label
	}
	return r.mark
}

// fill adds the items that fit to the row, in their order, and returns how many did not fit.
func (p *packer) fill(r *row, items []string) (missed int) {
	for _, it := range items {
		if p.take(r.before() + it) {
			r.items = append(r.items, it)
		} else if first, ok := untied(it); ok && p.take(r.before()+first) {
			r.items = append(r.items, first)
		} else {
			missed++
		}
	}
	p.missed += missed
	return missed
}

// leave keeps percent of budget, in tokens, from the pieces that follow.
func (p *packer) leave(budget, percent int) { p.floor = budget * 4 * percent / 100 }

// share is fill within tenths of the room left. It returns the items that did not fit and does not count them.
func (p *packer) share(tenths int, r *row, items []string) (rest []string) {
	part := packer{left: p.left * tenths / 10}
	for _, it := range items {
		if piece := r.before() + it; part.take(piece) && p.take(piece) {
			r.items = append(r.items, it)
		} else {
			rest = append(rest, it)
		}
	}
	return rest
}

func nonEmpty(items ...string) (out []string) {
	for _, it := range items {
		if it != "" {
			out = append(out, it)
		}
	}
	return out
}

// Brief returns the facts that the client's own summariser must keep, as plain text of at most limit characters: the
// journal, then v.Before, which the summariser no longer sees. It returns "" for an empty journal.
func Brief(j *journal.Journal, limit int, v View) string {
	if j = inForce(j, &v); j.Empty() {
		return ""
	}
	var out []string
	size := 0
	add := func(label, value string) {
		if value == "" {
			return
		}
		l := label + value
		if n := text.Runes(l) + 1; size+n <= limit {
			size += n
			out = append(out, l)
		}
	}
	add("", "From memento, to keep word for word:")
	mission, _ := text.Cut(j.Mission, journal.MaxMission)
	switch {
	case j.Open() && j.MissionBy == journal.ByUser:
		add("The user's mission: ", text.Quote(mission))
	case j.Open() && j.MissionBy == journal.ByClaude:
		add("The mission, as Claude put it: ", text.Quote(mission))
	case j.Open():
		add("The mission: ", text.Quote(mission))
	}
	q := quoterOf(j, v.Said)
	rules, rest, _ := sayings(j, q)
	done := j.Done
	if w := v.Said; w != nil {
		rules = append(opening(j, q), q.all(w.Rules)...)
		rest = slices.Concat(q.all(newest(w.Leans)), q.all(newest(w.Asks)))
		done = done[max(0, len(done)-briefly):]
	}
	q.sort(rules)
	for _, s := range rules {
		add(q.said(s), s)
	}
	add("Work in hand: ", wipOf(j))
	add("Next: ", strings.Join(lines(append(slices.Clone(j.Plan), Besides(j, v.Tasks)...)), " | "))
	for _, s := range rest {
		add(q.said(s), s)
	}
	add("Failing: ", j.Error.String())
	for _, f := range v.Failing {
		add("Failing: ", f.String())
	}
	for i := len(done) - 1; i >= 0; i-- {
		add("Done: ", done[i].Line())
	}
	for i, words := range v.Before {
		if i == 0 {
			add("", "What the user typed before the last compaction, in their words:")
		}
		add("- ", text.Quote(words))
	}
	if len(out) < 2 {
		return ""
	}
	return strings.Join(out, "\n")
}

// briefly is how many facts of one kind a brief names. The summariser has seen all of them.
const briefly = 3

func newest(said []journal.Saying) []journal.Saying { return said[:min(len(said), briefly)] }

// Previous returns the mission of an earlier session in one or two lines, for a session without a mission.
func Previous(j *journal.Journal, path string, now time.Time) string {
	where := where(j, path)
	if !j.Open() {
		return "[MEMENTO] No active mission" + where
	}
	return previous(j, "", where, now)
}

// PreviousOn returns the mission of a journal on another machine in one or two lines.
func PreviousOn(machine string, j *journal.Journal, now time.Time) string {
	return previous(j, ", on "+text.Data(machine), "", now)
}

func previous(j *journal.Journal, on, where string, now time.Time) string {
	age := ""
	if opened, err := time.Parse(time.RFC3339, j.MissionOpened); err == nil {
		age = " (opened " + Age(now.Sub(opened)) + ")"
	}
	mission := missionOf(j, journal.MaxMission)
	if on != "" { // somebody else may have written it
		mission = text.Quote(mission)
	}
	out := "[MEMENTO] Previous mission" + on + age + ": " + mission + where
	if wip, _ := text.Cut(wipOf(j), journal.MaxWip+2); wip != "" {
		out += "\nPrevious WIP: " + wip
	}
	if at, err := time.Parse(time.RFC3339, j.NextAt); err == nil && j.Next != "" {
		out += "\nClaude's recap, " + at.Format("Jan 2") + ": next " + history.Data(j.Next)
	}
	return out
}

// Age returns d in words, in one unit: "3 days ago".
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "in the future"
	case d < 2*time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
