// Package block renders a journal as a model reads it: the block after a compaction, the brief for the client's own
// summariser, and what a subagent or the next session is told. It reads the journal and changes nothing in it; when
// anything is shown is hook's to say, and what the user's words mean is capture's.
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
)

// View is how a journal is put before the model.
type View struct {
	Path   string
	Budget int    // tokens; a token is 4 ASCII characters or 1 other
	Head   string // what the mission is called; "" for "Mission"
	Note   string // a sentence that goes first after the header, "" for none

	// Said is what the user said, where more is known of it than what the journal holds.
	Said *Words

	// Early says that the client's own summary still has nearly all of it.
	Early bool

	// What is open and the journal has no room for.
	Tasks   []string
	Failing []journal.Failure // newest first
	Looked  []string          // files read, newest first

	Before []string // for the brief: what the user typed before the last compaction, oldest first
}

// Words are the user's, sentence by sentence: each list newest first.
type Words struct {
	Rules []journal.Saying // they govern later work
	Leans []journal.Saying // they may
	Asks  []journal.Saying // they ask for work
	Tells []journal.Saying // they tell something
	Talk  []journal.Saying // questions, and how things were

	Pasted []journal.Saying // somebody else's, which the user handed on: what is demanded there
}

// Render renders the journal as the few lines that put a model back to work: statements of fact, packed by value under
// the budget and never over event.MaxOutput characters. What did not fit is counted, with the command that shows it.
// An empty journal gives "".
func Render(j *journal.Journal, v View) string {
	if j = inForce(j, &v); j.Empty() {
		return ""
	}
	q := quoterOf(j, v.Said)
	rules, rest, unsure := sayings(j, q)
	less := [4][]string{rest}
	if w := v.Said; w != nil {
		rules, less = append(opening(j, q), q.all(w.Rules)...),
			[4][]string{q.all(w.Leans), q.all(w.Asks), q.all(w.Tells), q.all(w.Talk)}
	}
	p := packer{left: min(v.Budget*4, event.MaxOutput)}
	p.reserve("\n" + more(99, 99))
	need := 0 // for the rules and the work in hand
	for _, words := range append(nonEmpty(j.Wip), rules...) {
		need += text.Quarters(wipLabel + words)
	}
	head := header(j, v, max(p.left*missionShare/10, p.left-need))
	p.must(head)
	if v.Note != "" {
		p.must(text.Line(v.Note))
	}

	// In order of value; shown in the order of the design.
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
	failure := p.one(errorLabel, j.Error.String())
	for _, f := range v.Failing {
		if l := p.one(errorLabel, f.String()); l != "" {
			failure = strings.Join(nonEmpty(failure, l), "\n")
		}
	}
	p.fill(&plan, lines(j.Plan))
	p.fill(&plan, lines(Besides(j, v.Tasks)))
	typed := p.fill(&said, rules)
	p.fill(&constraints, unsure)
	for i, items := range less {
		p.leave(v.Budget, keep.said[i])
		typed += p.fill(&said, items)
	}
	p.leave(v.Budget, keep.done)
	var done []string
	for i := len(j.Done) - 1; i >= 0; i-- {
		if l := p.one(doneLabel, j.Done[i].Line()); l != "" {
			done = append([]string{l}, done...)
		}
	}
	p.floor = max(0, p.left-v.Budget*4*keep.files/100)
	files := p.files(lines(j.Files), lines(v.Looked))
	p.leave(v.Budget, keep.done)
	sum := p.one("Sum: ", text.Data(j.Summary)) // its marks are memento's, see fold
	pasted := row{label: pastedLabel, mark: quoteMark}
	if v.Said != nil {
		p.leave(v.Budget, 0)
		typed += p.fill(&pasted, q.all(v.Said.Pasted))
	}
	p.left += days
	q.days(&p, said.items)

	out := nonEmpty(head, text.Line(v.Note), said.line(), constraints.line(), pasted.line(), sum,
		strings.Join(done, "\n"), wip, failure, files, plan.line())
	if p.missed > 0 {
		out = append(out, more(typed, p.missed-typed))
	}
	block, _ := text.Cut(strings.Join(out, "\n"), event.MaxOutput) // only a path of thousands of characters gets here
	return block
}

// more counts what a block has no room for, what was typed and the rest, with the commands that list it.
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

// inForce returns what of j holds: of a mission that was closed its summary, and what was said since.
func inForce(j *journal.Journal, v *View) *journal.Journal {
	if j.MissionClosed == "" {
		return j
	}
	v.Tasks, v.Failing, v.Looked = nil, nil, nil
	return &journal.Journal{Mission: j.Mission, MissionClosed: j.MissionClosed, Project: j.Project, Summary: j.Summary,
		Said: j.Said, Session: j.Session}
}

// missionShare is how much of a block, in tenths, the header may take from the rules and the work in hand: in scripts
// whose every character counts as a token a long mission would leave them no room.
const missionShare = 4

// header is the block's first line, with the mission cut to what room, in quarters of a token, has for it.
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

// where says which project the journal belongs to, and where it is.
func where(j *journal.Journal, path string) string {
	out := ""
	if project, _ := text.Cut(history.Data(j.Project), 64); project != "" {
		out = " | proj:" + project
	}
	return out + " | path:" + history.Data(path)
}

// What a block holds is either memento's own (labels, marks, places) or data. Data stands between quotation marks, by
// text.Quote, or comes through one of the functions below: it cannot make a label, a tag or a mark of memento's.

// missionOf is the mission as it stands outside quotation marks, in at most limit characters: a journal edited by hand
// may hold anything.
func missionOf(j *journal.Journal, limit int) string {
	words := text.Outside(j.Mission)
	if j.MissionBy == journal.ByClaude {
		words = history.Data(j.Mission)
	}
	words, _ = text.Cut(words, limit)
	return words
}

// wipOf is the work in hand: the user's request in quotation marks, or what somebody or a tool called it.
func wipOf(j *journal.Journal) string {
	if n := len(j.Wip); n > 2 && j.Wip[0] == '"' && j.Wip[n-1] == '"' {
		return text.Quote(j.Wip[1 : n-1])
	}
	return history.Data(j.Wip)
}

// fitting is s, cut where it takes more than room, in quarters of a token; ten characters always stay.
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
	if text.Quarters(cut) >= text.Quarters(s) { // the ellipsis takes more than what it stands for
		return s
	}
	return cut
}

// What a block's lines begin with; Facts reads them again.
const (
	saidLabel   = "User said: "
	unsureLabel = "Constraint as Claude noted it (unverified): "
	pastedLabel = "User also sent: "
	doneLabel   = "Done: "
	wipLabel    = "WIP: "
	errorLabel  = "Error: "
	planLabel   = "Plan: "

	quoteMark = " · " // between two quotations
	planMark  = " | " // between two items of the plan
)

// room says what of the budget, in hundredths, the things of less value must leave free, so that a block is as short as
// it can be and not as long as it may: rules, the work in hand, failures and the plan leave nothing.
type room struct {
	said  [4]int // what may be a rule, what was asked for, told, and the rest
	done  int    // and the summary
	files int    // how much they may take
}

// At a first compaction the client's own summary still has 9 of 10 of the user's rules and files; from the second on, 2
// of 10 rules (measured on 58 compactions of 43 sessions; so are the numbers here, against a median of 250 and 600
// tokens).
var (
	early = room{said: [4]int{50, 50, 50, 100}, done: 45, files: 17}
	later = room{said: [4]int{10, 40, 50, 75}, done: 50, files: 7}
)

// rulesShare is how much of the room, in tenths, the user's rules may take before the work in hand and the plan have
// theirs.
const rulesShare = 6

// opening returns the prompt that opened the mission, quoted, when the header has Claude's words for it.
func opening(j *journal.Journal, q quoter) []string {
	for _, s := range j.Said {
		if j.Opening(s) {
			return []string{q.first(s)}
		}
	}
	return nil
}

// sayings returns what the user said, quoted, newest first: the sentences that set a rule (before them the prompt that
// opened the mission, when the header has Claude's words), the rest, and apart from both what only Claude says the user
// said.
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

// elsewhere returns a func that reports whether the i-th thing said is quoted anyway: as whole sentences in the mission
// or a longer rule or, unless it sets a rule, in the work in hand. A constraint that was noted by name is shown as such
// wherever else it stands.
func elsewhere(j *journal.Journal) func(i int) bool {
	// folded once: a hook has a millisecond
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

// Besides leaves out of tasks what stands in the plan or in hand already.
func Besides(j *journal.Journal, tasks []string) (out []string) {
	for _, t := range tasks {
		short, _ := text.Cut(t, journal.MaxPlan)
		if t != j.Wip && !slices.Contains(j.Plan, short) && !slices.Contains(j.Plan, t) {
			out = append(out, t)
		}
	}
	return out
}

// lines are the items of a list, none of which can pass for two, or for a line of memento's: it stands behind a mark
// that separates.
func lines(items []string) []string {
	var out []string
	for _, it := range items {
		it = strings.ReplaceAll(history.Data(it), planMark, " ¦ ")
		if name, rest, ok := strings.Cut(it, ":"); ok && ownLabel(name) {
			it = name + "∶" + rest
		}
		out = append(out, it)
	}
	return nonEmpty(out...)
}

// ownLabel reports whether name is what memento calls something in a block or a brief.
func ownLabel(name string) bool {
	switch strings.ToLower(strings.Trim(name, " []()")) {
	case "mission", "memento mission", "memento] mission", "previous mission", "the mission", "the user's mission",
		"user said", "the user said", "user also sent",
		"constraint as claude noted it (unverified", "sum", "done", "wip", "previous wip", "work in hand", "error",
		"failing", "files", "plan", "next", "ctx", "proj", "path":
		return true
	}
	return false
}

// packer fills a budget with whole pieces. Its unit is the quarter token.
type packer struct{ left, missed, floor int }

func (p *packer) must(s string)    { p.left -= text.Quarters(s) + 1 }
func (p *packer) reserve(s string) { p.left -= text.Quarters(s) }

func (p *packer) take(s string) bool {
	if n := text.Quarters(s); n <= p.left-p.floor {
		p.left -= n
		return true
	}
	return false
}

// one takes label and value as a line, or counts it as missed. An empty value is no line.
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

// row is a line of several items, with mark between two.
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

// before is what the next item stands behind.
func (r row) before() string {
	if len(r.items) == 0 {
		return "\n" + r.label
	}
	return r.mark
}

// fill adds as many items as fit to the row, in their order, skipping those that do not. It returns how many did not.
func (p *packer) fill(r *row, items []string) (missed int) {
	for _, it := range items {
		if p.take(r.before() + it) {
			r.items = append(r.items, it)
		} else {
			missed++
		}
	}
	p.missed += missed
	return missed
}

// leave keeps so many hundredths of the budget, in tokens, from being taken by what follows.
func (p *packer) leave(budget, percent int) { p.floor = budget * 4 * percent / 100 }

// share is fill within so many tenths of what is left; what did not fit is not missed yet, but returned.
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

// Brief renders what the client's own summariser must keep, as readable plain text of at most limit characters: the
// journal and then v.Before, which the summariser no longer sees. An empty journal gives "".
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
	add("",
		"From memento, the journal of this session. A summary that keeps these word for word keeps the work on course:")
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

// briefly is how many things of a kind are named to a summariser that has seen them all.
const briefly = 3

func newest(said []journal.Saying) []journal.Saying { return said[:min(len(said), briefly)] }

// Previous renders the mission of an earlier session in one or two lines, for a session that has none of its own yet.
func Previous(j *journal.Journal, path string, now time.Time) string {
	where := where(j, path)
	if !j.Open() {
		return "[MEMENTO] No active mission" + where
	}
	age := ""
	if opened, err := time.Parse(time.RFC3339, j.MissionOpened); err == nil {
		age = " (opened " + Age(now.Sub(opened)) + ")"
	}
	out := "[MEMENTO] Previous mission" + age + ": " + missionOf(j, journal.MaxMission) + where
	if wip, _ := text.Cut(wipOf(j), journal.MaxWip+2); wip != "" {
		out += "\nPrevious WIP: " + wip
	}
	return out
}

// Age says how long ago d is, in the one unit that matters.
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
