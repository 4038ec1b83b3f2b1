//go:build unix

package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// event is one row of the hook section: what the client sends, in a session in the middle of its work.
type event struct {
	name, session string
	fields        map[string]any
	before        []string // events of the session that come first
	lag           bool     // the last turn of the transcript has not been captured yet
	args          []string // a command instead of an event
}

func events() []event {
	f := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	start := func(source, session string, before ...string) event {
		return event{name: "SessionStart", session: session, fields: f("source", source), before: before}
	}
	return []event{
		{name: "Notification", fields: f("message", "Claude is waiting for your input")},
		start("startup", "s2"),
		start("resume", "s1"),
		start("compact", "s1", "PreCompact"),
		start("clear", "s2", "SessionEnd"),
		start("fork", "s2"),
		{name: "UserPromptSubmit", fields: f("prompt", "and now the desktop flow, as we did it for the phone")},
		{name: "PreCompact", fields: f("trigger", "auto")},
		{name: "PreCompact", fields: f("trigger", "auto"), lag: true},
		{name: "Stop", fields: f("last_assistant_message", "Done.")},
		{name: "Stop", fields: f("last_assistant_message", "Done."), lag: true},
		{name: "SubagentStart", fields: f("agent_id", "a1", "agent_type", "Explore")},
		{name: "SubagentStop", fields: f("agent_id", "a1", "agent_type", "Explore", "last_assistant_message", "The total is computed in cart.go:88; int32 cents overflow above 21 million.")},
		{name: "SessionEnd", fields: f("reason", "other")},
		{name: "PreToolUse", fields: f("tool_name", "Bash", "tool_input", f("command", `memento done "find the overflow" --result "int32 cents"`))},
		{name: "PermissionRequest", fields: f("tool_name", "Bash", "tool_input", f("command", `memento wip "widen cents to int64"`))},
		{name: "command", args: []string{"wip", "widen cents to int64, half of the callers done"}},
	}
}

func (e event) title() string {
	t := e.name
	for _, k := range []string{"source", "trigger", "tool_name"} {
		if v, ok := e.fields[k].(string); ok {
			t += " " + v
		}
	}
	switch {
	case e.lag:
		t += " with a new turn"
	case len(e.args) > 0:
		t = "memento " + e.args[0]
	}
	return t
}

// What a hook may take over a hello-world, in ms.
const (
	budgetRead  = 0.8
	budgetWrite = 1.8
)

// quotable is how many rounds a figure needs that is said without them.
const quotable = 200

// hooks measures each event as a whole process. In every round each program runs once, in an order drawn anew, so that what else
// the machine does falls on all alike; and in every round each finds the same session in the same state.
func hooks(b *bench) error {
	idle, err := b.place("idle")
	if err != nil {
		return err
	}
	base := []*series{b.yard("/bin/true", program{path: "/bin/true", at: idle}), b.yard("hello-world in Go", program{path: b.hello, at: idle})}
	if b.node != "" {
		base = append(base, b.yard("node -e 0", program{path: b.node, args: []string{"-e", "0"}, at: idle}))
	} else {
		b.report.skip("node -e 0", "node is not on PATH", "install Node.js, then ./bench.sh --only hook")
	}
	all := base
	scene := newScene()
	for i, e := range events() {
		if len(b.events) > 0 && !slices.Contains(b.events, e.name) {
			continue
		}
		for k, binary := range append([]string{b.memento}, b.beside...) {
			s, err := b.event(scene, fmt.Sprintf("event-%d-%d", i, k), binary, e)
			if err != nil {
				return fmt.Errorf("%s: %w", e.title(), err)
			}
			if k > 0 {
				s.name += " by " + filepath.Base(binary)
			}
			all = append(all, s)
		}
	}
	if b.rounds < quotable {
		b.report.note("%d rounds: a figure to be quoted has %d", b.rounds, quotable)
	}
	if err := b.interleave(b.rounds, base[1], all); err != nil {
		return err
	}
	for _, s := range all {
		if s.reset != nil { // what it wrote at first decided its budget, so it has to write the same at last
			if wrote, err := s.program.at.wrote(); err != nil || !slices.Equal(wrote, s.wrote) {
				return fmt.Errorf("%s wrote %q at first and %q at last: %w", s.name, s.wrote, wrote, err)
			}
		}
		b.report.add(s)
	}
	return nil
}

// yard is a yardstick.
func (b *bench) yard(name string, p program) *series {
	return &series{name: name, program: p, yard: true}
}

// scene is a transcript of some 300 KB, up to a turn's end, and a short turn more, which a Stop finds new: for all events.
type scene struct{ head, turn []byte }

func newScene() (s scene) {
	w := newWriter()
	for len(s.head) < 300<<10 || len(w.left) > 0 {
		s.head = append(s.head, w.line()...)
	}
	w.turn(3)
	for len(w.left) > 0 {
		s.turn = append(s.turn, w.line()...)
	}
	return s
}

// event sets the stage for one event of a binary, in a place called name, and finds out what it writes.
func (b *bench) event(sc scene, name, binary string, e event) (*series, error) {
	p, err := b.place(name)
	if err != nil {
		return nil, err
	}
	if e.session == "" {
		e.session = "s1"
	}
	hook := func(name, session string, fields map[string]any) error {
		_, err := program{path: binary, args: []string{"hook"}, at: p, stdin: p.event(name, session, fields)}.output()
		return err
	}
	if err := hook("SessionStart", "s1", map[string]any{"source": "startup"}); err != nil {
		return nil, err
	}
	if err := write(p.transcript("s1"), sc.head); err != nil {
		return nil, err
	}
	for range 2 { // the second finds nothing new
		if err := hook("Stop", "s1", nil); err != nil {
			return nil, err
		}
	}
	if _, err := (program{path: binary, at: p, args: []string{"done", "find the overflow", "--result", "int32 cents in cart.go:88",
		"--wip", "widen to int64", "--plan", "a test"}}).output(); err != nil {
		return nil, err
	}
	for _, name := range e.before {
		if err := hook(name, "s1", map[string]any{"trigger": "auto", "source": "compact", "reason": "clear"}); err != nil {
			return nil, err
		}
	}
	if e.lag {
		if err := write(p.transcript("s1"), append(bytes.Clone(sc.head), sc.turn...)); err != nil {
			return nil, err
		}
	}
	if err := p.keep(); err != nil {
		return nil, err
	}
	if len(p.kept) == 0 { // a hook that does nothing is fast
		return nil, fmt.Errorf("memento kept nothing of a session: there is nothing to measure")
	}
	s := &series{name: e.title(), program: program{path: binary, args: []string{"hook"}, at: p, stdin: p.event(e.name, e.session, e.fields)}, reset: p.restore}
	if len(e.args) > 0 {
		s.program.args, s.program.stdin = e.args, nil
	}
	if err := p.restore(); err != nil {
		return nil, err
	}
	out, err := s.program.output()
	if err != nil {
		return nil, err
	}
	if s.wrote, err = p.wrote(); err != nil {
		return nil, err
	}
	if err := p.restore(); err != nil {
		return nil, err
	}
	forced, counted, err := b.forced(s.program)
	if err != nil {
		return nil, err
	}
	s.durable = slices.ContainsFunc(s.wrote, lasting) && (!counted || forced > 0)
	budget := budgetRead
	if s.durable {
		budget = budgetWrite
	}
	s.goals = []goal{{Of: ofOver, Most: budget}}
	switch {
	case len(s.wrote) == 0:
		s.note = "writes nothing"
	case s.durable:
		s.note = "writes durably: " + strings.Join(s.wrote, ", ")
	default:
		s.note = "writes " + strings.Join(s.wrote, ", ")
	}
	if counted && forced > 0 {
		s.note += fmt.Sprintf("; %d fsync", forced)
	}
	if len(bytes.TrimSpace(out)) > 0 {
		s.note += "; answers"
	}
	return s, nil
}

// What a hook may leave behind. State and the index may be lost in a power cut; all else may not.
const (
	state   = "state"
	index   = "index"
	history = "history"
	journal = "journal"
	record  = "record"
)

// lasting tells whether what was written is more than what may be lost.
func lasting(what string) bool { return what != state && what != index }

// wrote says what has been written or removed in memento's folder since keep, and be it the same again, in order.
func (p *place) wrote() ([]string, error) {
	now, err := p.content()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for path, f := range now {
		if old, ok := p.kept[path]; !ok || !old.time.Equal(f.time) || !bytes.Equal(old.data, f.data) {
			found[p.what(path)] = true
		}
	}
	for path := range p.kept {
		if _, ok := now[path]; !ok {
			found[p.what(path)] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// what is the word for what is at path.
func (p *place) what(path string) string {
	folder, name := filepath.Split(strings.TrimPrefix(path, p.store()+string(filepath.Separator)))
	switch top, _, _ := strings.Cut(folder, string(filepath.Separator)); {
	case top == state, top == index, top == history:
		return top
	case filepath.Ext(name) == ".md":
		return record
	case strings.Contains(name, "--") && filepath.Ext(name) == ".json":
		return journal
	}
	return name
}

// forced is how often a program tells the system to put a file on the disk now; false where no strace is there to count it.
func (b *bench) forced(p program) (n int, counted bool, err error) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return 0, false, nil
	}
	trace := filepath.Join(b.dir, "trace")
	args := append([]string{"-f", "-qq", "-e", "trace=fsync,fdatasync,sync_file_range,syncfs,sync", "-e", "signal=none", "-o", trace, p.path}, p.args...)
	if _, err := (program{path: strace, args: args, at: p.at, stdin: p.stdin}).output(); err != nil {
		return 0, false, nil // where a process may not be traced
	}
	data, err := read(trace)
	return bytes.Count(data, []byte("sync(")), true, err
}

// interleave runs each of all once a round and notes what it took, and what that is over base in the same round.
func (b *bench) interleave(rounds int, base *series, all []*series) error {
	random := rand.New(rand.NewPCG(2, 7))
	order := make([]*series, len(all))
	copy(order, all)
	for round := range rounds + 1 {
		if round > 10 && time.Now().After(b.until) {
			b.report.note("broken off after %d of %d rounds: the section's time was up", round-1, rounds)
			return nil
		}
		for _, s := range all {
			if s.reset != nil {
				if err := s.reset(); err != nil {
					return err
				}
			}
		}
		if slices.ContainsFunc(all, func(s *series) bool { return s.durable }) {
			if err := b.settle(); err != nil {
				return err
			}
		}
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, s := range order {
			t, err := s.program.run()
			if err != nil {
				return err
			}
			if round > 0 { // the first brings the programs into memory
				s.took = append(s.took, t)
			}
		}
	}
	for _, s := range all {
		s.base = base
	}
	return nil
}
