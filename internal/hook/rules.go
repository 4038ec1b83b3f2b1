package hook

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

const (
	// maxTold is how many rules are told at the start of a session.
	maxTold = 6
	// recordsShare is how much of notesBudget the records get before the rules, in quarters of a token.
	recordsShare = 4 * 80
	// longRule is how long a rule is that is told at a start only where the shorter ones leave room, in quarters of a
	// token.
	longRule = 4 * 45
	// maxConcerning is how many rules go with a prompt.
	maxConcerning = 2
	// maxInstructions is how much of each file of instructions is compared with the rules, in bytes.
	maxInstructions = 40 << 10
	// listenWait is how long an event waits for the lock of the rules. What it cannot do, a later one does.
	listenWait = 30 * time.Millisecond
	// rulesLabel stands before the quotations of earlier sessions.
	rulesLabel = "The user said in earlier sessions: "
)

// rules returns the store of what the user said in earlier sessions.
func (h *handler) rules() rule.Store {
	return rule.Store{Dir: h.config.Dir, Now: h.env.Now, Wait: listenWait, InTime: capture.Soon()}
}

// before returns this session and the one that the journal names: it may have been killed before its end.
func (h *handler) before() []string {
	all := []string{h.event.SessionID}
	if j := h.read(); j != nil && j.Session != "" && j.Session != h.event.SessionID {
		all = append(all, j.Session)
	}
	return all
}

// keptRules returns the rules that are kept in the project, which it reads once.
func (h *handler) keptRules() []rule.Rule {
	if h.ruled == nil {
		rules := h.rules().Rules(h.store.Lane.Slug).Kept
		h.ruled = &rules
	}
	return *h.ruled
}

// toldRules returns what a session is told at its start, beside shown: what the user said in earlier sessions, and the
// records of b.
func (h *handler) toldRules(b retrieve.Start, shown string, room int) string {
	rules := slices.Clone(h.keptRules())
	if len(rules) == 0 {
		return startLines(b, room)
	}
	isLong := func(r rule.Rule) bool { return text.Quarters(r.Text) > longRule }
	short := slices.DeleteFunc(slices.Clone(rules), isLong) // one long rule takes the room of three
	rules = append(short, slices.DeleteFunc(rules, func(r rule.Rule) bool { return !isLong(r) })...)
	records := startLines(b, min(room, recordsShare))
	q := quotes{handler: h, all: rules, shown: text.Fold(lines(shown, records, h.readByClient())), left: maxTold,
		room: room - text.Quarters(records) - 1}
	told := q.quote()
	if records != "" {
		records = startLines(b, q.room+text.Quarters(records))
	}
	return lines(told, records)
}

// readByClient returns the instructions that the client itself reads at a start: CLAUDE.md of the project and of the
// person, and its memory beside the transcripts. What stands there is not told again.
func (h *handler) readByClient() string {
	all := []string{filepath.Join(h.config.ClaudeDir, "CLAUDE.md")}
	if path := h.state.Transcript; path != "" {
		all = append(all, filepath.Join(filepath.Dir(path), "memory", "MEMORY.md"))
	}
	if root := h.state.Root; root != "" {
		all = append(all, filepath.Join(root, "CLAUDE.md"), filepath.Join(root, ".claude", "CLAUDE.md"),
			filepath.Join(root, "CLAUDE.local.md"))
	}
	out := ""
	for _, path := range all {
		words, _ := safefile.ReadStart(path, maxInstructions) // without it, a rule is told that Claude has
		out = lines(out, string(words))
	}
	return out
}

// quotes chooses the rules that are quoted.
type quotes struct {
	*handler
	all   []rule.Rule
	shown string // what is shown already, folded
	left  int    // how many may be quoted yet
	room  int    // in quarters of a token
}

// quote returns a line with the rules that fit, "" for none.
func (q *quotes) quote() string {
	room, out := q.room-text.Quarters(rulesLabel)-1, ""
	for _, r := range q.all {
		words := strings.TrimRight(text.Fold(r.Text), ".!。！ ")
		if r.Session == q.event.SessionID || strings.Contains(q.shown, words) {
			continue
		}
		one := quoteRule(r, q.env.Now)
		if out != "" {
			one = " · " + one
		}
		cost := text.Quarters(one)
		if q.left == 0 || cost > room {
			continue
		}
		room, q.left, out = room-cost, q.left-1, out+one
		q.shown += "\n" + words
		q.state.Bring(ruleID(r), onceTold)
	}
	if out == "" {
		return ""
	}
	q.room = room
	return rulesLabel + out
}

// quoteRule returns a rule between quotation marks, with how often it was said, and when last.
func quoteRule(r rule.Rule, now time.Time) string {
	form := "Jan 2"
	if r.Last.Year() != now.Year() {
		form = "Jan 2, 2006"
	}
	note := r.Last.UTC().Format(form)
	if r.Sessions > 1 {
		note = "in " + strconv.Itoa(r.Sessions) + " sessions, " + note
	}
	return text.Quote(r.Text) + " (" + note + ")"
}

// onceTold stands for the hash of a rule or a handoff among what a session was shown: it is told once.
const onceTold = "told"

func ruleID(r rule.Rule) string { return "rule:" + text.Fingerprint(r.Text) }

// concerningRules returns a line with the rules of earlier sessions that a prompt concerns and that the session was not
// told, "" for none.
func (h *handler) concerningRules(typed string) string {
	found := h.rules().Concerning(h.store.Lane.Slug, typed, maxConcerning, func(r rule.Rule) bool {
		return h.state.WasBrought(ruleID(r), onceTold) || r.Session == h.event.SessionID
	})
	q := quotes{handler: h, all: found, shown: text.Fold(typed), left: maxConcerning, room: notesBudget}
	return headed("", q.quote())
}

// deed tells Claude, with a tool's result, the kept rule that the call concerns, each rule once a session. The hook
// runs before each call of these tools, so it holds no session and writes nothing unless it tells one. The client hands
// the words on with the result (measured on clients 2.1.9, 2.1.61, 2.1.139 and 2.1.330).
func (h *handler) deed() []byte {
	about, least := capture.About(h.event.ToolName, h.event.ToolInput)
	if len(about) == 0 || h.config.MaxInject < 1 || h.event.AgentID != "" {
		return nil
	}
	st, err := session.Load(h.config.Dir, h.event.SessionID)
	lane, known := project.LaneNamed(h.config.Dir, st.Lane)
	if err != nil || !known {
		return nil
	}
	isTold := func(r rule.Rule) bool {
		return r.Session == h.event.SessionID || st.WasBrought(ruleID(r), onceTold)
	}
	r, found := h.rules().Naming(lane.Slug, about, least, isTold)
	if !found || h.bind() != nil || h.state.WasBrought(ruleID(r), onceTold) {
		return nil
	}
	h.state.Bring(ruleID(r), onceTold)
	words := "[MEMENTO] " + rulesLabel + quoteRule(r, h.env.Now)
	h.store.Injected(h.event.SessionID, h.event.Name, words)
	return event.Context(h.event.Name, words)
}
