package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// fields are the fields of an event, by the client's names.
type fields map[string]any

// event is an event that the client sends a hook in the middle of a session: a row of the hook section.
type event struct {
	name, session string // "" for session s1
	fields        fields
	before        []string // events of session s1 that come first
	lag           bool     // no event has read the transcript's last turn yet
	args          []string // a command of memento's, instead of an event
}

func events() []event {
	start := func(source, session string, before ...string) event {
		return event{name: "SessionStart", session: session, fields: fields{"source": source}, before: before}
	}
	bash := func(name, command string) event {
		return event{name: name, fields: fields{"tool_name": "Bash", "tool_input": fields{"command": command}}}
	}
	return []event{
		{name: "Notification", fields: fields{"message": "Claude is waiting for your input"}},
		start("startup", "s2"),
		start("resume", "s1"),
		start("compact", "s1", "PreCompact"),
		start("clear", "s2", "SessionEnd"),
		start("fork", "s2"),
		{name: "UserPromptSubmit", fields: fields{"prompt": "and now the desktop flow, as we did it for the phone"}},
		{name: "PreCompact", fields: fields{"trigger": "auto"}},
		{name: "PreCompact", fields: fields{"trigger": "auto"}, lag: true},
		{name: "Stop", fields: fields{"last_assistant_message": "Done."}},
		{name: "Stop", fields: fields{"last_assistant_message": "Done."}, lag: true},
		{name: "SubagentStart", fields: fields{"agent_id": "a1", "agent_type": "Explore"}},
		{name: "SubagentStop", fields: fields{"agent_id": "a1", "agent_type": "Explore",
			"last_assistant_message": "The total is computed in cart.go:88; int32 cents overflow above 21 million."}},
		{name: "SessionEnd", fields: fields{"reason": "other"}},
		bash("PreToolUse", `memento done "find the overflow" --result "int32 cents"`),
		bash("PermissionRequest", `memento done --wip "widen cents to int64"`),
		{name: "command", args: []string{"done", "--wip", "widen cents to int64, half of the callers done"}},
	}
}

func (e event) title() string {
	if len(e.args) > 0 {
		return "memento " + e.args[0]
	}
	t := e.name
	for _, k := range []string{"source", "trigger", "tool_name"} {
		if v, ok := e.fields[k].(string); ok {
			t += " " + v
		}
	}
	if e.lag {
		t += " with a new turn"
	}
	return t
}

// The goals for a hook: its time over a hello-world, in ms.
const (
	budgetRead  = 0.8
	budgetWrite = 1.8
)

// quotable is how many rounds a figure needs that the documents quote.
const quotable = 200

// hooks measures each event as a whole process. In every round each event finds memento's folder as it was in the
// first.
func hooks(b *bench) error {
	idle, err := b.newPlace("idle")
	if err != nil {
		return err
	}
	yard := func(name, path string, args ...string) *series {
		return &series{name: name, yard: true, program: idle.command(path, args...)}
	}
	hello := yard("hello-world in Go", b.hello)
	all := []*series{yard("/bin/true", "/bin/true"), hello}
	if node, err := exec.LookPath("node"); err == nil {
		all = append(all, yard("node -e 0", node, "-e", "0"))
	} else {
		b.report.skip("node -e 0", "node is not on PATH", "install Node.js, then ./bench.sh --only hook")
	}
	sc := newScene()
	for i, e := range events() {
		if len(b.events) > 0 && !slices.Contains(b.events, e.name) {
			continue
		}
		for k, build := range b.builds() {
			s, err := b.newSeries(sc, fmt.Sprintf("event-%d-%d", i, k), build.path, e)
			if err != nil {
				return fmt.Errorf("%s: %w", e.title(), err)
			}
			s.name, s.base = s.name+build.suffix, hello
			all = append(all, s)
		}
	}
	if b.rounds < quotable {
		b.report.note("%d rounds: a figure to be quoted has %d", b.rounds, quotable)
	}
	if err := b.measure(b.rounds, all...); err != nil {
		return err
	}
	for _, s := range all {
		if !s.yard { // its first run decided its budget, so its last run has to write the same files
			if wrote, err := s.program.at.wrote(); err != nil || !slices.Equal(wrote, s.wrote) {
				return fmt.Errorf("%s wrote %q at first and %q at last: %v", s.name, s.wrote, wrote, err)
			}
		}
		b.report.add(s)
	}
	return nil
}

// scene is the transcript of all events: some 300 KB of whole turns, and one more short turn for the events with lag.
type scene struct{ head, turn []byte }

func newScene() (s scene) {
	w := newWriter()
	for len(s.head) < 300<<10 || w.left.Len() > 0 {
		s.head = append(s.head, w.line()...)
	}
	w.turn(3)
	s.turn = w.left.Bytes()
	return s
}

// newSeries returns the series of one event of a binary. The event comes in the middle of a session, in a new place
// called name.
func (b *bench) newSeries(sc scene, name, binary string, e event) (*series, error) {
	p, err := b.newPlace(name)
	if err != nil {
		return nil, err
	}
	if err := p.stage(sc, binary, e); err != nil {
		return nil, err
	}
	s := &series{name: e.title(), program: p.hook(binary, e), fresh: true}
	if len(e.args) > 0 {
		s.program = p.command(binary, e.args...)
	}
	return s, b.classify(s)
}

// stage plays the session up to e and keeps the content of memento's folder for restore.
func (p *place) stage(sc scene, binary string, e event) error {
	if err := runAll(p.hook(binary, event{name: "SessionStart", fields: fields{"source": "startup"}})); err != nil {
		return err
	}
	if err := os.WriteFile(p.transcript("s1"), sc.head, 0o600); err != nil {
		return err
	}
	stop := p.hook(binary, event{name: "Stop"})
	before := []program{stop, stop, // the second finds nothing new
		p.command(binary, "done", "find the overflow", "--result", "int32 cents in cart.go:88",
			"--wip", "widen to int64", "--plan", "a test")}
	for _, name := range e.before {
		why := fields{"trigger": "auto", "source": "compact", "reason": "clear"}
		before = append(before, p.hook(binary, event{name: name, fields: why}))
	}
	if err := runAll(before...); err != nil {
		return err
	}
	if e.lag {
		if err := os.WriteFile(p.transcript("s1"), slices.Concat(sc.head, sc.turn), 0o600); err != nil {
			return err
		}
	}
	if err := p.keep(); err != nil {
		return err
	}
	if len(p.kept) == 0 { // else bench would measure a hook that does nothing
		return fmt.Errorf("memento kept nothing of a session: there is nothing to measure")
	}
	return nil
}

// classify runs s once to see which files it writes. They decide its budget.
func (b *bench) classify(s *series) error {
	p := s.program.at
	if err := p.restore(); err != nil {
		return err
	}
	out, err := s.program.output()
	if err != nil {
		return err
	}
	if s.wrote, err = p.wrote(); err != nil {
		return err
	}
	if err := p.restore(); err != nil {
		return err
	}
	forced, isCounted := b.countForced(s.program)
	isLasting := slices.ContainsFunc(s.wrote, func(kind string) bool { return kind != cache })
	s.durable = isLasting && (!isCounted || forced > 0)
	budget := budgetRead
	if s.durable {
		budget = budgetWrite
	}
	s.goals = []goal{{Of: ofOver, Most: budget}}
	s.note = "writes " + cmp.Or(strings.Join(s.wrote, ", "), "nothing")
	if forced > 0 {
		s.note += fmt.Sprintf("; %d fsync", forced)
	}
	if len(bytes.TrimSpace(out)) > 0 {
		s.note += "; answers"
	}
	return nil
}

// countForced returns how often a program forces a file to the disk. It returns false on a machine without strace, or
// where strace may not trace.
func (b *bench) countForced(p program) (n int, isCounted bool) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return 0, false
	}
	trace := filepath.Join(b.dir, "trace")
	args := []string{"-f", "-qq", "-e", "trace=fsync,fdatasync,sync_file_range,syncfs,sync", "-e", "signal=none"}
	args = slices.Concat(args, []string{"-o", trace, p.path}, p.args)
	if err := runAll(program{strace, args, p.at, p.stdin}); err != nil {
		return 0, false
	}
	data, err := os.ReadFile(trace)
	return bytes.Count(data, []byte("sync(")), err == nil
}
