package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// budgetExtreme is how much processor time a hook may take on any input, in ms.
const budgetExtreme = 250

// manyEvents is how many events may read on where the one before ran out of time.
const manyEvents = 40

// huge is the size of an extreme message, in bytes.
const huge = 5 << 20

// extreme is one row of the section: an extreme session, and memento's folder before it.
type extreme struct {
	name    string
	message string                         // the text of the prompts, answers, commands and outputs
	lines   func(w *writer)                // writes more lines of the transcript
	sparse  int64                          // the size of an unterminated last line, in bytes
	store   func(b *bench, p *place) error // fills memento's folder
}

// extremes plays extreme sessions through every event and reports the processor time of the slowest event of each.
func extremes(b *bench) error {
	for i, x := range slices.Concat(messages(), transcripts(), stores()) {
		if b.quick && i%4 != 0 || !b.wants(x.name) {
			continue
		}
		b.say("extreme: %s", x.name)
		for k, build := range b.builds() {
			name := x.name + build.suffix
			if err := b.extreme(fmt.Sprintf("extreme-%d-%d", i, k), name, build.path, x); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// sessionEvents returns the events of the session, in their order.
func (x extreme) sessionEvents() []event {
	said := cmp.Or(x.message, "and now the desktop flow, as we did it for the phone")
	begun := fields{"agent_id": "a1", "agent_type": "Explore"}
	ended := fields{"agent_id": "a1", "agent_type": "Explore", "last_assistant_message": said}
	command := fields{"command": "memento done " + said}
	return []event{
		{name: "UserPromptSubmit", fields: fields{"prompt": said}},
		{name: "Stop", fields: fields{"last_assistant_message": said}},
		{name: "SubagentStart", fields: begun},
		{name: "SubagentStop", fields: ended},
		{name: "PreToolUse", fields: fields{"tool_name": "Bash", "tool_input": command}},
		{name: "PreCompact", fields: fields{"trigger": "auto"}},
		{name: "SessionStart", fields: fields{"source": "compact"}},
		{name: "PostCompact", fields: fields{"trigger": "auto", "compact_summary": said}},
		{name: "UserPromptSubmit", fields: fields{"prompt": "go on with the desktop flow, as we did it for the phone"}},
		{name: "PreCompact", fields: fields{"trigger": "auto"}},
		{name: "SessionStart", fields: fields{"source": "resume"}},
		{name: "SessionEnd", fields: fields{"reason": "other"}},
		{name: "SessionStart", fields: fields{"source": "startup"}, session: "s2"},
	}
}

// extreme plays x by one binary and reports the processor time of its events.
func (b *bench) extreme(place, name, binary string, x extreme) error {
	p, err := b.newPlace(place)
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.home)
	slowest := map[string]time.Duration{}
	run := func(e event) error {
		t, err := p.hook(binary, e).run()
		slowest[e.title()] = max(slowest[e.title()], t.cpu)
		return err
	}
	if err := run(event{name: "SessionStart", fields: fields{"source": "startup"}}); err != nil {
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
	events := 0
	for _, e := range x.sessionEvents() {
		if e.name != "Stop" {
			err = run(e)
		} else {
			events, err = p.drain(manyEvents, func() error {
				now := e
				e.fields = nil // only the first event carries a message
				return run(now)
			})
		}
		if err != nil {
			return err
		}
	}

	var titles []string
	var all []float64
	for title, d := range slowest {
		titles, all = append(titles, title), append(all, ms(d))
	}
	slices.SortFunc(titles, func(a, c string) int {
		return cmp.Or(cmp.Compare(slowest[c], slowest[a]), cmp.Compare(a, c))
	})
	w := summary(name, "ms", all)
	for _, title := range titles[:3] {
		w.Note += fmt.Sprintf("%s %.0f, ", title, ms(slowest[title]))
	}
	w.Note += fmt.Sprintf("%d events until nothing was left", events)
	b.say("%s: %s", name, w.Note)
	b.report.addRow(w, goal{Of: ofMax, Most: budgetExtreme})
	return nil
}

// write writes the transcript of x to the file at path.
func (x extreme) write(path string) error {
	err := writeFile(path, func(out *bufio.Writer) error {
		w := newWriter()
		w.out = out
		w.turn(3)
		if x.message != "" {
			w.addEverywhere(x.message)
		}
		if x.lines != nil {
			x.lines(w)
		}
		_, err := w.left.WriteTo(out)
		return err
	})
	if err != nil || x.sparse == 0 {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()+x.sparse)
}

// addEverywhere adds a line for each place in a session that can hold words.
func (w *writer) addEverywhere(words string) {
	w.says(words)
	w.answers(words)
	w.fails("make "+words, words)
	w.uses("ExitPlanMode", `{}`, false, quote("User has approved your plan.\n\n## Approved Plan:\n"+words), `{}`)
	w.uses("TaskCreate", `{"subject":`+quote(words)+`}`, false, `"Task #1 created successfully"`, `{"task":{"id":"1"}}`)
	w.uses("Edit", `{"file_path":`+quote("/home/alice/shop/"+words)+`}`, false, `"ok"`, `{}`)
	refused := "The user doesn't want to proceed with this tool use. the user said:\n"
	w.uses("Bash", `{"command":"rm -r build"}`, true, quote(refused+words), `{}`)
}

// messages returns a session for each text of repeated. Its message repeats that text up to 5 MB.
func messages() (all []extreme) {
	for _, m := range repeated {
		all = append(all, extreme{name: "5 MB of " + m[0], message: strings.Repeat(m[1], huge/len(m[1]))})
	}
	return all
}

// repeated holds the name and the text of each message.
var repeated = [][2]string{
	{"full stops", ". "}, {"one word", "a"}, {"line ends", "\n"}, {"spaces", " "}, {"digits", "7"},
	{"rules", "Never push to main. Always run the tests first. "},
	{"lines that set rules", "- Never push to main.\n"},
	{"prose", "we look at the cart and find out where the total is lost, then "}, {"questions", "why? "},
	{"taking back", "Never mind. "}, {"<private>", "<private>"}, {"</private>", "</private>"},
	{"private words", "<private>x</private> "}, {"half a tag", "< "}, {"<system-reminder>", "<system-reminder>"},
	{"whole reminders", "<system-reminder>x</system-reminder>\n"}, {"code fences", "```\n"},
	{"code in fences", "```\nx := 1\n```\n"}, {"a log", "2026-03-14 09:26:53 ERROR cart.go:88 overflow\n"},
	{"pasted calls", "at Cart.total (cart.go:88)\n"},
	{"base64", "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NA=="}, {"hexadecimal", "0123456789abcdef"},
	{"a path", "/home/alice"}, {"names", "a-b_c-"}, {"passwords", "DB_PASSWORD=hunter2x9Q\n"},
	{"keys", "sk-ant-api03-aB3dE5fG7hI9jK1lM3nO5pQ7 "}, {"names of passwords", "password "},
	{"assignments", "password="}, {"beginnings of keys", "-----BEGIN PRIVATE KEY-----\n"},
	{"tokens in one", "eyJhbGciOiJIUzI1NiJ9."}, {"addresses", "https://alice:"}, {"users", "https://a:b@c "},
	{"said passwords", "the password for staging is "}, {"headers", "Authorization: Bearer "}, {"cut", "key…"},
	{"options", "curl -u "}, {"Japanese", "本番には絶対に触らないでください。"}, {"Russian", "пароль от базы "}, {"emoji", "👩‍👩‍👧 "},
	{"accents", "é́́"}, {"apostrophes", "’"}, {"broken bytes", "\xff"}, {"control characters", "\x01"},
	{"quotes", `"`}, {"typographic quotes", "“"}, {"backticks", "`a"}, {"backslashes", `\`}, {"brackets", "[("},
	{"commas", "a, "}, {"colons", "a: "}, {"bars", "a | b\n"}, {"numbers of a list", "1. a\n"}, {"headings", "# a\n"},
	{"escapes", "\x1b[31m"}, {"carriage returns", "a\r"}, {"pictures", "[Image #1] "}, {"one command", "cd a && "},
	{"memento", "what does memento have? "}, {"commits", "[main 1a2b3c4] x\n"}, {"passes", "ok \tcart 0.1s\n"},
	{"failures", "--- FAIL: TestX\n"}, {"counts", " 3 failed"},
}
