// Package block renders a journal for a model: the block after a compaction, the brief for the client's own summariser,
// and the lines for a subagent or the next session. It changes no journal. It does not decide when a block is shown
// (hook) or what the user's words mean (capture).
package block

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/work"
)

// View says how to render a journal, and holds facts that the journal has no room for.
type View struct {
	Path   string // of the journal
	Budget int    // tokens; a token is 4 ASCII characters or 1 other
	Head   string // label of the mission; "" for "Mission"
	Note   string // a sentence below the header, "" for none

	Said Words // what the user typed

	Tasks   []string          // open tasks
	Failing []journal.Failure // newest first
	Touched []string          // files read or edited, newest first
	Checks  []work.Check      // as they last ran, newest last

	// Proposed is what Claude said that the user's last words answer, and Reply those; "" when they say enough by
	// themselves.
	Proposed, Reply string
}

// The labels of a block's lines, which Facts reads again.
const (
	nowLabel    = "Now: "
	saidLabel   = "User said: "
	sumLabel    = "Sum: "
	doneLabel   = "Done: "
	wipLabel    = "WIP: "
	errorLabel  = "Error: "
	checksLabel = "Checks: "
	filesLabel  = "Files: "
	planLabel   = "Plan: "
	// Claude's own words
	proposedLabel = "Claude said: "

	quoteMark = " · " // between two quotations
	planMark  = " | " // between two items of the plan
)

// How much of the room that is left a part of the block may take, in hundredths.
const (
	all          = 100
	missionShare = 40 // or what the rules leave: with a token for each character a mission could take everything
	rulesShare   = 60 // before the work in hand and the plan
	doneShare    = 20 // before the rest of the user's words
	// unremarked is the room, in quarters of a token, that stays empty rather than hold remarks: sentences that
	// neither look like a rule nor ask for work. A block with a small budget has 250 tokens with them: it comes beside
	// a summary that was made with all of them in sight.
	unremarked = 4 * 100
	small      = 500 // tokens
)

// The most of what needs no more room.
const (
	maxChecks = 6
	maxFiles  = 4 * 60 // quarters of a token
	// leastHeader is what a header may take whatever else there is, in quarters of a token.
	leastHeader = 4 * 75
)

// Render returns the journal as the few lines that put a model back to work: statements of fact within the budget and
// within event.MaxOutput characters. It fills the room with the most valuable facts first. The last line counts the
// facts that did not fit, with the command that shows them. Render returns "" where there is nothing to show.
func Render(j *journal.Journal, v View) string {
	if j = inForce(j, &v); j.Empty() && len(v.Said.All) == 0 {
		return ""
	}
	p := packer{left: min(v.Budget*4, event.MaxOutput) - text.Quarters("\n"+more(99, 99))}
	request := v.now()
	now := labelled(nowLabel, quoted(request))
	said := quotesOf(j, v, request)
	need, _ := said.size(said.all)
	head := header(j, v, max(p.left*missionShare/100, p.left-text.Quarters(now)-need, leastHeader))
	for _, line := range nonEmpty(head, now, text.Line(v.Note)) {
		p.left -= text.Quarters(line) + 1
	}
	wip := &section{label: wipLabel, items: nonEmpty(inHand(j))}
	proposed := &section{label: proposedLabel}
	if v.Reply != "" && !sentence.IsIdle(v.Proposed) { // "Done." says nothing
		proposed.items = []string{text.Quote(v.Proposed) + " (the user answered: " + text.Quote(v.Reply) + ")"}
	}
	plan := &section{label: planLabel, mark: planMark, items: next(j, v)}
	failures := &section{label: errorLabel, items: failuresOf(j, v)}
	checks := &section{label: checksLabel, mark: planMark, items: lines(checksOf(v.Checks, failures.items))}
	done := &section{label: doneLabel, items: doneOf(j)}
	sum := &section{label: sumLabel, items: nonEmpty(text.Data(j.Summary))} // its marks are memento's own

	// The most valuable comes first. The block shows its lines in the order of docs/design.md.
	rest := p.left - p.left*rulesShare/100
	said.fill(&p, rest, func(q quote) bool { return q.isLast })
	said.fill(&p, rest, quote.Rule)
	for _, s := range []*section{wip, proposed, plan, failures} {
		p.fill(s, all)
	}
	said.fill(&p, 0, quote.Rule)
	p.fill(checks, all)
	files := p.files(lines(j.Files), lines(v.Touched))
	p.fill(done, doneShare)
	said.fill(&p, 0, func(q quote) bool { return v.Budget >= small || q.Asks || q.Weight > 0 || q.asked != "" })
	said.fill(&p, unremarked, func(quote) bool { return v.Budget < small })
	p.fill(done, all)
	p.fill(sum, all)

	slices.Reverse(done.kept)
	out := nonEmpty(head, now, text.Line(v.Note), said.line(), sum.line(), done.line(),
		wip.line(), proposed.line(), failures.line(), checks.line(), files, plan.line())
	missed := p.missed
	for _, s := range []*section{wip, proposed, plan, failures, done, sum} {
		missed += len(s.items)
	}
	if typed := said.missed(); typed+missed > 0 {
		out = append(out, more(typed, missed))
	}
	block, _ := text.Cut(strings.Join(out, "\n"), event.MaxOutput) // a path may have thousands of characters
	return block
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

// inForce returns the facts of j that still hold. Of a closed mission this is its summary.
func inForce(j *journal.Journal, v *View) *journal.Journal {
	if j.MissionClosed == "" {
		return j
	}
	v.Tasks, v.Failing, v.Touched, v.Checks, v.Proposed = nil, nil, nil, nil, ""
	return &journal.Journal{Mission: j.Mission, MissionClosed: j.MissionClosed, Project: j.Project, Summary: j.Summary,
		Session: j.Session}
}

// manyPrompts is after how many further prompts the header says how old the mission is.
const manyPrompts = 8

// header returns the block's first line, with the mission cut to fit room, in quarters of a token.
func header(j *journal.Journal, v View, room int) string {
	name := cmp.Or(v.Head, "Mission")
	if v.Head == "" && v.Said.Age >= manyPrompts {
		name += fmt.Sprintf(" (%d prompts ago)", v.Said.Age)
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

// inHand returns the work in hand in the words of Claude or a tool. A request of the user's is left out: the newest
// request stands in the block anyway, and no older one is in hand.
func inHand(j *journal.Journal) string {
	if isQuoted(j.Wip) {
		return ""
	}
	return wipOf(j)
}

// wipOf returns the work in hand: the user's request in quotation marks, or the words of Claude or a tool.
func wipOf(j *journal.Journal) string {
	if isQuoted(j.Wip) {
		return text.Quote(j.Wip[1 : len(j.Wip)-1])
	}
	return history.Data(j.Wip)
}

// isQuoted reports whether the work in hand is the user's request.
func isQuoted(wip string) bool { return len(wip) > 2 && wip[0] == '"' && wip[len(wip)-1] == '"' }

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

// failuresOf returns what fails, the journal's failure first.
func failuresOf(j *journal.Journal, v View) []string {
	out := []string{j.Error.String()}
	for _, f := range v.Failing {
		out = append(out, f.String())
	}
	return nonEmpty(out...)
}

// doneOf returns what was done, newest first.
func doneOf(j *journal.Journal) (out []string) {
	for _, e := range slices.Backward(j.Done) {
		out = append(out, e.Line())
	}
	return nonEmpty(out...)
}

// checksOf returns the last checks with their known results, newest first, without those whose failure is shown.
func checksOf(all []work.Check, failures []string) (out []string) {
	for _, c := range slices.Backward(all[max(0, len(all)-maxChecks):]) {
		switch {
		case c.Passed:
			out = append(out, c.Cmd+" (passed)")
		case slices.ContainsFunc(failures, func(f string) bool { return strings.Contains(f, c.Cmd) }):
		case c.Unsure:
			out = append(out, c.Cmd)
		default:
			out = append(out, c.Cmd+" (failed)")
		}
	}
	return out
}

// next returns the plan and the tasks besides it.
func next(j *journal.Journal, v View) []string {
	return lines(append(slices.Clone(j.Plan), Besides(j, v.Tasks)...))
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
		"now", "user said", "the user said", "constraint as claude noted it (unverified", "sum", "done", "claude said",
		"wip", "previous wip", "work in hand", "error", "failing", "checks", "files", "plan", "next", "ctx", "proj",
		"path":
		return true
	}
	return false
}

// labelled returns a line, "" for no value.
func labelled(label, value string) string {
	if value == "" {
		return ""
	}
	return label + value
}

// quoted returns words in quotation marks, "" for none.
func quoted(words string) string {
	if words == "" {
		return ""
	}
	return text.Quote(words)
}

func nonEmpty(items ...string) []string {
	return slices.DeleteFunc(items, func(it string) bool { return it == "" })
}
