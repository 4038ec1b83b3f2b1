//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
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
		{name: "PostCompact", fields: f("trigger", "auto", "compact_summary", "The user wants the checkout fixed; orders above 1,000 EUR are lost.")},
		{name: "Stop", fields: f("last_assistant_message", "Done.")},
		{name: "Stop", fields: f("last_assistant_message", "Done."), lag: true},
		{name: "StopFailure", fields: f("error", "overloaded")},
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
		b.report.note("node is not on PATH: its yardstick is missing")
	}
	all := base
	scene, err := b.scene()
	if err != nil {
		return err
	}
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
	if err := b.interleave(b.rounds, base[1], all); err != nil {
		return err
	}
	for _, s := range all {
		b.report.add(s)
	}
	return nil
}

// yard is a yardstick.
func (b *bench) yard(name string, p program) *series {
	return &series{name: name, program: p, yard: true}
}

// scene is a transcript of some 300 KB and of its last turn what a Stop finds new, for all events.
type scene struct{ head, turn []byte }

func (b *bench) scene() (scene, error) {
	head, more, err := b.writeTranscript("scene", 300<<10, 20<<10)
	if err != nil {
		return scene{}, err
	}
	s := scene{}
	if s.head, err = read(head); err == nil {
		s.turn, err = read(more)
	}
	return s, err
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
		if err := hook(name, "s1", map[string]any{"trigger": "auto", "reason": "clear"}); err != nil {
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
	out, err := s.program.output()
	if err != nil {
		return nil, err
	}
	wrote, err := p.wrote()
	if err != nil {
		return nil, err
	}
	s.note, s.over = wrote, budgetRead
	if wrote == durable {
		s.over, s.durable = budgetWrite, true
	}
	if len(bytes.TrimSpace(out)) > 0 {
		s.note += ", answers"
	}
	return s, nil
}

// What a hook leaves behind. Its state may be lost in a power cut and is not forced to the disk; the journal, its history and
// records are.
const (
	nothing = "writes nothing"
	state   = "writes state"
	durable = "writes durably"
)

// wrote says what was written in memento's folder since keep, and be it the same again.
func (p *place) wrote() (string, error) {
	now, err := p.content()
	if err != nil {
		return "", err
	}
	what := nothing
	for path, f := range now {
		if old, ok := p.kept[path]; ok && old.time.Equal(f.time) {
			continue
		}
		in, err := filepath.Rel(p.store(), path)
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(in, "state"+string(filepath.Separator)) && !strings.HasPrefix(in, "index"+string(filepath.Separator)) {
			return durable, nil
		}
		what = state
	}
	return what, nil
}

// interleave runs each of all once a round and notes what it took, and what that is over base in the same round.
func (b *bench) interleave(rounds int, base *series, all []*series) error {
	random := rand.New(rand.NewPCG(2, 7))
	order := make([]*series, len(all))
	copy(order, all)
	for round := range rounds + 1 {
		if round > 10 && time.Now().After(b.until) {
			b.report.note(fmt.Sprintf("broken off after %d rounds: the section's time was up", round-1))
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
