//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// budgetExtreme is how much processor time a hook may take on any input, in ms.
const budgetExtreme = 250

// manyEvents is how often an event may go on with what the one before had no time for.
const manyEvents = 40

// huge is the size of a message that nobody types, in bytes.
const huge = 5 << 20

// extreme is one row of the section: a session that nobody has, and the store that it finds.
type extreme struct {
	name    string
	message string                         // a prompt, what Claude and a subagent answer, a command and its output
	lines   func(w *writer)                // writes the transcript, beside what message stands in
	sparse  int64                          // bytes of an unterminated line at its end
	store   func(b *bench, p *place) error // fills memento's folder
}

// extremes plays sessions that nobody has through every event and reports the processor time of the slowest.
func extremes(b *bench) error {
	all := slices.Concat(messages(), transcripts(), stores())
	for i, x := range all {
		if b.quick && i%4 != 0 {
			continue
		}
		if len(b.cases) > 0 && !slices.ContainsFunc(b.cases, func(c string) bool { return strings.Contains(x.name, c) }) {
			continue
		}
		b.say("extreme: %s", x.name)
		for k, binary := range append([]string{b.memento}, b.beside...) {
			name := x.name
			if k > 0 {
				name += " by " + filepath.Base(binary)
			}
			if err := b.extreme(fmt.Sprintf("extreme-%d-%d", i, k), name, binary, x); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// moments are the events of a session, in their order.
func (x extreme) moments() []event {
	f := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	said := x.message
	if said == "" {
		said = "and now the desktop flow, as we did it for the phone"
	}
	return []event{
		{name: "UserPromptSubmit", fields: f("prompt", said)},
		{name: "Stop", fields: f("last_assistant_message", said)},
		{name: "SubagentStart", fields: f("agent_id", "a1", "agent_type", "Explore")},
		{name: "SubagentStop", fields: f("agent_id", "a1", "agent_type", "Explore", "last_assistant_message", said)},
		{name: "PreToolUse", fields: f("tool_name", "Bash", "tool_input", f("command", "memento done "+said))},
		{name: "PreCompact", fields: f("trigger", "auto")},
		{name: "SessionStart", fields: f("source", "compact")},
		{name: "PostCompact", fields: f("trigger", "auto", "compact_summary", said)},
		{name: "UserPromptSubmit", fields: f("prompt", "go on with the desktop flow, as we did it for the phone")},
		{name: "PreCompact", fields: f("trigger", "auto")},
		{name: "SessionStart", fields: f("source", "resume")},
		{name: "SessionEnd", fields: f("reason", "other")},
		{name: "SessionStart", fields: f("source", "startup"), session: "s2"},
	}
}

// extreme plays x by one binary and reports it.
func (b *bench) extreme(place, name, binary string, x extreme) error {
	p, err := b.place(place)
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.home)
	took := map[string]time.Duration{}
	var order []string
	run := func(e event) error {
		session := e.session
		if session == "" {
			session = "s1"
		}
		c, err := program{path: binary, args: []string{"hook"}, at: p, stdin: p.event(e.name, session, e.fields)}.run()
		if err != nil {
			return err
		}
		if c.cpu > took[e.title()] {
			if took[e.title()] == 0 {
				order = append(order, e.title())
			}
			took[e.title()] = c.cpu
		}
		return nil
	}
	if err := run(event{name: "SessionStart", fields: map[string]any{"source": "startup"}}); err != nil {
		return err
	}
	if x.store != nil {
		if err := x.store(b, p); err != nil {
			return err
		}
	}
	if err := x.write(p.transcript("s1")); err != nil {
		return err
	}
	goOn, events := event{name: "Stop", fields: map[string]any{}}, 0
	for _, e := range x.moments() {
		if err := run(e); err != nil {
			return err
		}
		if e.name != "Stop" {
			continue
		}
		for before := ""; events < manyEvents; events++ { // what one event had no time for, the next has
			now, err := p.position()
			if err != nil {
				return err
			}
			if now == before {
				break
			}
			before = now
			if err := run(goOn); err != nil {
				return err
			}
		}
	}
	var all []float64
	for _, d := range took {
		all = append(all, ms(d))
	}
	slices.SortStableFunc(order, func(a, c string) int { return int(took[c] - took[a]) })
	w := summary(name, "ms", all)
	for _, title := range order[:min(3, len(order))] {
		w.Note += fmt.Sprintf("%s %.0f, ", title, ms(took[title]))
	}
	w.Note += fmt.Sprintf("%d events until nothing was left", events)
	b.say("%s: %s", name, w.Note)
	b.report.figure(w, goal{Of: ofMax, Most: budgetExtreme})
	return nil
}

// position is how far the session's transcript has been read, as the session remembers it.
func (p *place) position() (string, error) {
	data, err := os.ReadFile(filepath.Join(p.store(), "state", "s1.json"))
	if err != nil {
		return "", err
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	var state struct{ Read, Unheard json.RawMessage }
	err = json.Unmarshal(lines[len(lines)-1], &state)
	return string(state.Read) + string(state.Unheard), err
}

// write writes the transcript of x to the file at path.
func (x extreme) write(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	w := newWriter()
	flush := func() {
		for _, l := range w.left {
			if err == nil {
				_, err = f.WriteString(l)
			}
		}
		w.left = w.left[:0]
	}
	w.turn(3)
	if x.message != "" {
		flush()
		w.says(x.message)
		w.answers(x.message)
		w.fails("make "+x.message, x.message)
		w.uses("ExitPlanMode", `{}`, false, `"User has approved your plan.\n\n## Approved Plan:\n`+quote(x.message)[1:], `{}`)
		w.uses("TaskCreate", `{"subject":`+quote(x.message)+`}`, false, `"Task #1 created successfully"`, `{"task":{"id":"1"}}`)
		w.uses("Edit", `{"file_path":`+quote("/home/alice/shop/"+x.message)+`}`, false, `"ok"`, `{}`)
		w.uses("Bash", `{"command":"rm -r build"}`, true, quote("The user doesn't want to proceed with this tool use. the user said:\n"+x.message), `{}`)
	}
	if x.lines != nil {
		w.flush = flush
		x.lines(w)
	}
	flush()
	if err == nil && x.sparse > 0 {
		info, serr := f.Stat()
		if serr != nil {
			return serr
		}
		err = f.Truncate(info.Size() + x.sparse)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// says is a prompt.
func (w *writer) says(words string) {
	w.n++
	w.add("user", `"message":{"role":"user","content":`+quote(words)+`},"promptSource":"typed"`)
}

// answers is what Claude says.
func (w *writer) answers(words string) {
	w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":`+quote(words)+`}]}`)
}

// uses is a tool's call and its result.
func (w *writer) uses(name, input string, failed bool, output, extra string) {
	w.calls++
	id := fmt.Sprintf("toolu_x_%d", w.calls)
	w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}]}`)
	w.add("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","is_error":%t,"content":%s}]},"toolUseResult":%s`, id, failed, output, extra))
	if w.flush != nil && len(w.left) > 1000 {
		w.flush()
	}
}

// fails is a command that does.
func (w *writer) fails(command, output string) {
	w.uses("Bash", `{"command":`+quote(command)+`}`, true, quote("Exit code 1\n"+output), `{}`)
}

// messages are of 5 MB, each of the same words again and again.
func messages() (all []extreme) {
	for _, m := range []struct{ name, words string }{
		{"full stops", ". "}, {"one word", "a"}, {"line ends", "\n"}, {"spaces", " "}, {"digits", "7"},
		{"rules", "Never push to main. Always run the tests first. "}, {"lines that set rules", "- Never push to main.\n"}, {"prose", "we look at the cart and find out where the total is lost, then "},
		{"questions", "why? "}, {"taking back", "Never mind. "},
		{"<private>", "<private>"}, {"</private>", "</private>"}, {"private words", "<private>x</private> "}, {"half a tag", "< "}, {"<system-reminder>", "<system-reminder>"}, {"whole reminders", "<system-reminder>x</system-reminder>\n"},
		{"code fences", "```\n"}, {"code in fences", "```\nx := 1\n```\n"}, {"a log", "2026-03-14 09:26:53 ERROR cart.go:88 overflow\n"}, {"pasted calls", "at Cart.total (cart.go:88)\n"},
		{"base64", "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NA=="}, {"hexadecimal", "0123456789abcdef"}, {"a path", "/home/alice"}, {"names", "a-b_c-"},
		{"passwords", "DB_PASSWORD=hunter2x9Q\n"}, {"keys", "sk-ant-api03-aB3dE5fG7hI9jK1lM3nO5pQ7 "}, {"names of passwords", "password "}, {"assignments", "password="}, {"beginnings of keys", "-----BEGIN PRIVATE KEY-----\n"},
		{"tokens in one", "eyJhbGciOiJIUzI1NiJ9."}, {"addresses", "https://alice:"}, {"users", "https://a:b@c "}, {"said passwords", "the password for staging is "}, {"headers", "Authorization: Bearer "}, {"cut", "key…"}, {"options", "curl -u "},
		{"Japanese", "本番には絶対に触らないでください。"}, {"Russian", "пароль от базы "}, {"emoji", "👩‍👩‍👧 "}, {"accents", "é́́"}, {"apostrophes", "’"}, {"broken bytes", "\xff"}, {"control characters", "\x01"},
		{"quotes", `"`}, {"typographic quotes", "“"}, {"backticks", "`a"}, {"backslashes", `\`}, {"brackets", "[("}, {"commas", "a, "}, {"colons", "a: "}, {"bars", "a | b\n"}, {"numbers of a list", "1. a\n"}, {"headings", "# a\n"},
		{"escapes", "\x1b[31m"}, {"carriage returns", "a\r"}, {"pictures", "[Image #1] "}, {"one command", "cd a && "}, {"memento", "what does memento have? "}, {"commits", "[main 1a2b3c4] x\n"}, {"passes", "ok \tcart 0.1s\n"}, {"failures", "--- FAIL: TestX\n"}, {"counts", " 3 failed"},
	} {
		all = append(all, extreme{name: "5 MB of " + m.name, message: strings.Repeat(m.words, huge/len(m.words))})
	}
	return all
}
