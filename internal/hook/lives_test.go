package hook

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

var (
	livesSeed  = flag.Uint64("lives.seed", 0, "play this one life of sessions; 0 plays the first ones")
	livesCount = flag.Int("lives", 0,
		"how many lives of sessions are played, and with 200 steps each; 0 is the ordinary run")
)

// TestLives plays sessions that start, talk, compact, clear, resume, fork, end and crash in random order through the
// hook, and compares with a naive model of who said what. go test ./internal/hook -run Lives -lives 500 plays more of
// them.
func TestLives(t *testing.T) {
	n, steps := 8, 40
	if *livesCount > 0 {
		n, steps = *livesCount, 200
	}
	from, to := uint64(1), uint64(n)
	if *livesSeed > 0 {
		from, to, steps = *livesSeed, *livesSeed, 200
	}
	for seed := from; seed <= to; seed++ {
		l := newLives(t, seed)
		for range steps {
			l.step()
			if t.Failed() {
				t.Fatalf("life %d:\n%s", seed, strings.Join(l.log, "\n"))
			}
		}
	}
	t.Logf("lives %d to %d of %d steps (-lives.seed N plays one)", from, to, steps)
}

// lives is a project in which one client has one session after the other.
type lives struct {
	w      *world
	r      *rand.Rand
	lane   project.Lane
	all    []*life
	now    *life  // the session that runs, nil for none
	n      int    // of words so far
	before string // the mission in the journal before the last prompt
	log    []string
}

// life is what the model knows of one session.
type life struct {
	id, path string
	lines    []string // of its transcript
	tip      string   // the line the next one continues
	said     []words
	mission  *mission // its own, or the one it continues; nil before any
	parent   *life    // of a fork that has not spoken yet
	started  bool     // something of it is in a file
	unread   bool     // and no event came since
	unsure   bool     // whether its mission is open
	blocked  bool     // its last prompt was, and the end of the session would take it for said
}

type mission struct {
	mark   string
	closed bool
	of     []*life // the sessions that worked on it
}

// words are something that was typed, known by a mark that stands in nothing else.
type words struct {
	text, mark, uuid string
	rewound, over    bool // over: said for a mission that was closed
}

var marks = regexp.MustCompile(`kilo\d+x`)

func newLives(t *testing.T, seed uint64) *lives {
	w := newWorld(t)
	w.env["CLAUDE_PID"] = fmt.Sprint(os.Getpid())
	return &lives{w: w, r: rand.New(rand.NewPCG(seed, 7)),
		lane: project.NewLane(filepath.Join(w.home, ".claude", ".memento"), "shop", "", "alice"),
		log:  []string{fmt.Sprintf("seed %d", seed)}}
}

func (l *lives) note(format string, args ...any) {
	at := "-"
	if l.now != nil {
		at = l.now.id
	}
	l.log = append(l.log, at+": "+fmt.Sprintf(format, args...))
}

func (l *lives) send(event string, fields map[string]any) string {
	l.w.now = l.w.now.Add(7 * time.Second)
	all := map[string]any{"hook_event_name": event, "session_id": l.now.id, "transcript_path": l.now.path}
	for k, v := range fields {
		all[k] = v
	}
	out := l.w.send(all)
	l.now.unread = false
	if strings.HasPrefix(out, "{") {
		var answer struct {
			HookSpecificOutput struct{ AdditionalContext string }
		}
		if json.Unmarshal([]byte(out), &answer) == nil {
			out = answer.HookSpecificOutput.AdditionalContext
		}
	}
	return out
}

func (l *lives) put(line map[string]any) string {
	l.w.now = l.w.now.Add(time.Second)
	s := l.now
	l.n++
	uuid := fmt.Sprintf("l%d", l.n)
	line["uuid"], line["timestamp"], line["version"] = uuid, l.w.now.Format(time.RFC3339Nano), "2.1.329"
	if s.tip != "" {
		line["parentUuid"] = s.tip
	}
	if line["subtype"] == "compact_boundary" {
		line["logicalParentUuid"] = s.tip
		delete(line, "parentUuid")
	}
	s.lines, s.tip = append(s.lines, string(mustJSON(l.w.t, line))), uuid
	return uuid
}

// flush writes the session's transcript as far as it is.
func (l *lives) flush() {
	s := l.now
	if err := os.WriteFile(s.path, []byte(strings.Join(s.lines, "\n")+"\n"), 0o600); err != nil {
		l.w.t.Fatal(err)
	}
	s.started, s.unread = true, true
}

func (l *lives) begin(source string) {
	l.n++
	s := &life{id: fmt.Sprintf("s%d", l.n)}
	s.path = filepath.Join(l.w.home, s.id+".jsonl")
	parent := l.now
	l.all, l.now = append(l.all, s), s
	if source == "fork" {
		s.lines, s.tip, s.parent = slices.Clone(parent.lines), parent.tip, parent
		s.unsure = true // a fork is told nothing of its parent: what it copies is the project's newest mission
		if parent.mission != nil && !parent.mission.closed && !parent.unread && !parent.unsure {
			s.unsure = false
			copied := *parent.mission
			copied.of = append(slices.Clone(copied.of), s)
			s.mission = &copied
		}
	}
	l.note("begins by %s", source)
	l.send("SessionStart", map[string]any{"source": source})
}

// typed are the sentences of one kind; %s is the mark.
var typed = map[string][]string{
	"task": {"Build the %s importer, it has to read old invoices.",
		"Fix the %s parser so that it keeps empty columns", "Baue den %s Export für die Buchhaltung ein."},
	"rule":     {"Never touch the %s tables.", "Always use %s for dates."},
	"question": {"what was the plan for %s?", "what does %s cost?"},
	"chat":     {"thanks"},
	"word":     {"%s"},
	"command":  {"/deploy %s"},
	"chore":    {"commit please"},
	"continue": {"continue"},
	"close": {"Mission accomplished.", "I am switching to a different project now",
		"this mission is finished, close it"},
}

// kinds are how often each is typed.
var kinds = []string{"task", "task", "task", "rule", "rule", "rule", "question", "chat", "word", "command", "chore",
	"continue", "close"}

func (l *lives) say() {
	s := l.now
	if j := l.journal(); j != nil && j.Open() {
		l.before = j.Mission
	}
	kind := kinds[l.r.IntN(len(kinds))]
	form := typed[kind][l.r.IntN(len(typed[kind]))]
	l.n++
	w := words{text: form}
	if strings.Contains(form, "%s") {
		w.mark = fmt.Sprintf("kilo%dx", l.n)
		w.text = fmt.Sprintf(form, w.mark)
	}
	how := [...]string{"typed", "typed", "typed", "typed", "queued", "blocked"}[l.r.IntN(6)]
	if how == "blocked" && !s.started {
		how = "typed" // without a transcript nobody can know
	}
	if how != "queued" {
		l.send("UserPromptSubmit", map[string]any{"prompt": w.text})
	}
	if how == "blocked" {
		l.note("blocked: %s", w.text)
		s.blocked = true
		return
	}
	if how == "queued" {
		w.uuid = l.put(map[string]any{"type": "attachment",
			"attachment": map[string]any{"type": "queued_command", "prompt": w.text}})
	} else {
		w.uuid = l.put(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": w.text}})
	}
	l.note("%s: %s", how, w.text)
	l.answer()
	if l.r.IntN(4) > 0 || kind == "continue" { // the model asks the journal what was found
		l.send("Stop", nil)
	}
	l.heard(kind, w)
}

// answer is Claude's.
func (l *lives) answer() {
	l.put(map[string]any{"type": "assistant",
		"message": map[string]any{"role": "assistant",
			"content": []any{map[string]any{"type": "text", "text": "on it"}}}})
	l.flush()
	l.now.parent, l.now.blocked = nil, false
}

// heard is what the words mean, as far as the model goes.
func (l *lives) heard(kind string, w words) {
	s := l.now
	own := s.mission != nil && !s.mission.closed
	switch {
	case kind == "close" && own:
		s.mission.closed = true
		w.over = true
		for i := range s.said {
			s.said[i].over = true
		}
	case kind == "close":
		for _, o := range l.all { // it is the earlier mission that was left, or none: the model does not know which
			o.unsure = o.unsure || o != s && o.mission != nil && strings.Contains(l.before, o.mission.mark)
		}
	case own:
	case kind == "task":
		s.mission = &mission{mark: w.mark, of: []*life{s}}
	case kind == "continue":
		if j := l.journal(); j != nil && j.Open() && j.Session == s.id {
			l.share(s, j.Mission)
		}
	}
	s.said = append(s.said, w)
}

// share makes the mission that was found open s's too.
func (l *lives) share(s *life, opened string) {
	for _, o := range l.all {
		if o != s && o.mission != nil && !o.mission.closed && strings.Contains(opened, o.mission.mark) {
			o.mission.of = append(o.mission.of, s)
			copied := *o.mission
			s.mission = &copied
		}
	}
}

func (l *lives) journal() *journal.Journal {
	j, err := journal.Store{Lane: l.lane, Config: config.Config{MaxFileBytes: 1 << 20}}.Read()
	if err != nil {
		return nil
	}
	return j
}

func (l *lives) step() {
	if l.now == nil {
		switch old := l.resumable(); {
		case old != nil && l.r.IntN(3) > 0:
			l.resume(old)
		default:
			l.begin("startup")
		}
		return
	}
	switch n := l.r.IntN(20); {
	case n < 10:
		l.say()
	case n < 12:
		l.compact()
	case n == 12 && !l.now.blocked:
		l.note("ends")
		l.send("SessionEnd", map[string]any{"reason": "other"})
		l.now = nil
	case n == 13 && !l.now.blocked:
		l.note("crashes")
		l.now = nil
	case n == 14 && !l.now.blocked:
		l.note("clears")
		l.send("SessionEnd", map[string]any{"reason": "clear"})
		l.begin("clear")
	case n == 15 && l.now.started && !l.now.blocked:
		l.begin("fork")
	case n == 16:
		l.rewind()
	case n == 17:
		l.note("the cache is lost")
		_ = os.RemoveAll(filepath.Join(l.lane.Dir, safefile.Cache))
	case n == 18 && l.r.IntN(3) == 0:
		l.damage()
	default:
		l.send("Stop", nil)
	}
	l.check()
}

func (l *lives) resumable() *life {
	if len(l.all) == 0 {
		return nil
	}
	if s := l.all[l.r.IntN(len(l.all))]; s.started {
		return s
	}
	return nil
}

func (l *lives) resume(s *life) {
	l.now = s
	l.note("is resumed")
	block := l.send("SessionStart", map[string]any{"source": "resume"})
	l.quotes(block)
	l.check()
}

func (l *lives) compact() {
	if !l.now.started {
		return
	}
	l.send("PreCompact", map[string]any{"trigger": "auto"})
	l.put(map[string]any{"type": "system", "subtype": "compact_boundary"})
	l.put(map[string]any{"type": "user", "isCompactSummary": true,
		"message": map[string]any{"role": "user", "content": "They talked."}})
	l.flush()
	block := l.send("SessionStart", map[string]any{"source": "compact"})
	l.note("is compacted: %s", strings.ReplaceAll(block, "\n", " / "))
	l.quotes(block)
	s := l.now
	if s.unsure {
		return
	}
	if m := s.mission; m != nil && !m.closed && !strings.Contains(block, "[MEMENTO] Mission") {
		l.w.t.Errorf("the mission %s is not in the block %q", m.mark, block)
	}
	for _, w := range s.said {
		if w.mark != "" && !w.rewound && !w.over && !strings.Contains(block, w.mark) &&
			strings.HasPrefix(w.text, "Never") && !strings.Contains(block, "more: `memento show`") {
			l.w.t.Errorf("%q is not in the block %q", w.text, block)
		}
	}
}

// quotes checks that a block quotes nothing but what was typed in this session, or for a mission it shares.
func (l *lives) quotes(block string) {
	s := l.now
	if strings.Contains(block, earlier) || s.unsure {
		return
	}
	allowed := map[string]bool{}
	take := func(o *life) {
		for _, w := range o.said {
			if o != s || !w.rewound { // a fork took along what its parent gave up since
				allowed[w.mark] = true
			}
		}
	}
	take(s)
	if m := s.mission; m != nil && !m.closed {
		allowed[m.mark] = true
		for _, o := range l.all {
			if slices.Contains(m.of, o) {
				take(o)
			}
		}
		if strings.Contains(block, "[MEMENTO] Mission: ") &&
			!strings.Contains(strings.SplitN(block, "\n", 2)[0], m.mark) {
			l.w.t.Errorf("the mission is %s and the block begins %q", m.mark, block)
		}
	} else if strings.Contains(block, "[MEMENTO] Mission") {
		l.w.t.Errorf("the session has no mission, and the block is %q", block)
	}
	if p := s.parent; p != nil {
		take(p)
	}
	for _, m := range marks.FindAllString(block, -1) {
		if !allowed[m] {
			l.w.t.Errorf("%s was not typed here: %q", m, block)
		}
	}
}

// rewind goes back to before one of the last prompts; what is typed next says so.
func (l *lives) rewind() {
	s := l.now
	n := len(s.said)
	at := n - 1 - l.r.IntN(max(1, min(n, 3)))
	if at < 0 || s.parent != nil || s.said[at].rewound {
		return
	}
	var from int
	for i, line := range s.lines {
		if strings.Contains(line, `"uuid":"`+s.said[at].uuid+`"`) {
			from = i
		}
		if i > from && from > 0 && strings.Contains(line, "compact_boundary") {
			return
		}
	}
	if !strings.Contains(s.lines[from], `"type":"user"`) {
		return
	}
	for _, w := range s.said[at:] {
		if w.over || s.mission != nil && w.mark == s.mission.mark || w.mark == "" {
			return // what the model does not follow
		}
	}
	var parent struct{ ParentUUID string }
	if json.Unmarshal([]byte(s.lines[from]), &parent) != nil || parent.ParentUUID == "" {
		return
	}
	s.tip = parent.ParentUUID
	for i := range s.said[at:] {
		s.said[at+i].rewound = true
	}
	l.n++
	w := words{text: fmt.Sprintf("Never rename kilo%dx.", l.n), mark: fmt.Sprintf("kilo%dx", l.n)}
	w.uuid = l.put(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": w.text}})
	l.note("rewinds %d and types: %s", n-at, w.text)
	l.answer()
	l.send("Stop", nil)
	l.heard("rule", w)
}

func (l *lives) damage() {
	if l.journal() == nil || l.now == nil || !l.now.started || l.now.parent != nil {
		return
	}
	if j := l.journal(); j.Open() && j.Session != l.now.id {
		return
	}
	if m := l.now.mission; m != nil && !slices.ContainsFunc(l.now.said,
		func(w words) bool { return w.mark == m.mark }) {
		return // its transcript does not have the mission that it took over
	}
	l.note("the journal is damaged")
	fixture.Write(l.w.t, l.lane.Journal(), "not a journal {{{")
	l.send("Stop", nil)
}

// check compares what is kept with what was said.
func (l *lives) check() {
	t := l.w.t
	var kept []string
	for name, content := range fixture.Contents(t, l.lane.Dir) {
		for line := range strings.Lines(content) {
			if strings.HasSuffix(name, ".jsonl") && strings.Contains(line, `"kind":"said"`) {
				kept = append(kept, line)
			}
		}
	}
	for _, line := range kept {
		for _, m := range marks.FindAllString(line, -1) {
			known := slices.ContainsFunc(l.all, func(s *life) bool {
				return slices.ContainsFunc(s.said, func(w words) bool { return w.mark == m })
			})
			if !known {
				t.Errorf("%s was never said and is kept: %s", m, line)
			}
		}
	}
	for _, s := range l.all {
		for _, w := range s.said {
			n := 0
			for _, line := range kept {
				if w.mark != "" && strings.Contains(line, w.mark) {
					n++
				}
			}
			if n > 1 && !slices.ContainsFunc(l.all, func(o *life) bool { return o != s && o.tip != "" }) {
				t.Errorf("%q is kept %d times", w.text, n)
			}
		}
	}
	if j := l.journal(); j != nil && j.Open() {
		for _, s := range l.all {
			if m := s.mission; m != nil && m.closed && !s.unread && strings.Contains(j.Mission, m.mark) &&
				!slices.ContainsFunc(l.all, func(o *life) bool {
					return o.mission != nil && o.mission.mark == m.mark &&
						!o.mission.closed
				}) {
				t.Errorf("the mission %s was closed and is open again", m.mark)
			}
		}
	}
}
