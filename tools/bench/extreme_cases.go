package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// each returns a function that calls f with 0 to n-1.
func each(n int, f func(w *writer, i int)) func(*writer) {
	return func(w *writer) {
		for i := range n {
			f(w, i)
		}
	}
}

// list joins the results of f for 0 to n-1.
func list(n int, sep string, f func(i int) string) string {
	all := make([]string, n)
	for i := range n {
		all[i] = f(i)
	}
	return strings.Join(all, sep)
}

// number returns words with i in place of each %d. Unlike fmt.Sprintf it accepts words without one.
func number(words string, i int) string { return strings.ReplaceAll(words, "%d", strconv.Itoa(i)) }

// numbered joins words n times, each time with another number.
func numbered(n int, sep, words string) string {
	return list(n, sep, func(i int) string { return number(words, i) })
}

func rule(i int) string {
	return fmt.Sprintf("Never touch module %d of the cart, and always run its tests before part %d.", i, i*7)
}

// transcripts returns sessions with a huge number of one kind of line.
func transcripts() []extreme { return slices.Concat(prompts(), calls(), shapes()) }

// prompts returns sessions with many or long prompts.
func prompts() []extreme {
	takeBack := [...]string{"Don't push to branch %d.", "You can push to branch %d now.", "Never mind."}
	return []extreme{
		{name: "4,000 prompts that set rules", lines: each(4000, func(w *writer, i int) { w.says(rule(i)) })},
		{name: "10,000 prompts that set rules", lines: each(10_000, func(w *writer, i int) { w.says(rule(i)) })},
		{name: "10,000 prompts that take back", lines: each(10_000, func(w *writer, i int) {
			w.says(number(takeBack[i%3], i/3))
		})},
		{name: "10,000 long prompts", lines: each(10_000, func(w *writer, i int) { w.says(w.prose(900) + rule(i)) })},
		{name: "300 prompts of 32 KB of rules", lines: each(300, func(w *writer, i int) {
			w.says(list(400, "\n", func(k int) string { return "- " + rule(i*400+k) }))
		})},
		{name: "60 prompts of 5 MB", lines: each(60, func(w *writer, _ int) { w.says(w.prose(5 << 20)) })},
		{name: "60 answers of 5 MB", lines: each(60, func(w *writer, _ int) { w.answers(w.prose(5 << 20)) })},
		{name: "60 pictures of 7 and 9 MB", lines: each(60, func(w *writer, i int) {
			w.put(picture((7 + i%2*2) << 20))
		})},
		{name: "20,000 queued prompts", lines: each(20_000, func(w *writer, i int) {
			w.add("queue-operation", `"operation":"enqueue","content":`+quote(rule(i)))
			w.add("queue-operation", `"operation":"remove"`)
		})},
		{name: "50,000 parts in one message", lines: func(w *writer) {
			parts := numbered(50_000, ",", `{"type":"text","text":"Never touch part %d."}`)
			w.add("user", `"message":{"role":"user","content":[`+parts+`]}`)
		}},
		{name: "20,000 answers in one dialog", lines: func(w *writer) {
			answers := numbered(20_000, ",", `"Which part %d?":"only part %d"`)
			w.uses("AskUserQuestion", `{}`, false, `"User has answered your questions"`,
				`{"questions":[],"answers":{`+answers+`}}`)
		}},
	}
}

// calls are sessions in which Claude uses tools very often.
func calls() []extreme {
	todos := func(i int) string {
		return `{"todos":[` + list(200, ",", func(k int) string {
			status := [...]string{"pending", "in_progress", "completed"}[(i+k)%3]
			return fmt.Sprintf(`{"content":"step %d of the cart's change","status":"%s","activeForm":"x"}`, i+k, status)
		}) + `]}`
	}
	// bash calls a command n times, each with its number.
	bash := func(n int, command string, failed bool, output string) func(*writer) {
		return each(n, func(w *writer, i int) {
			input := `{"command":` + quote(number(command, i)) + `}`
			w.uses("Bash", input, failed, quote(number(output, i)), `{}`)
		})
	}
	return []extreme{
		{name: "20,000 edited files", lines: each(20_000, func(w *writer, i int) {
			w.uses("Edit", number(`{"file_path":"/home/alice/shop/internal/cart/part%d.go"}`, i), false, `"ok"`, `{}`)
		})},
		{name: "5,000 lists of 200 tasks", lines: each(5000, func(w *writer, i int) {
			w.uses("TodoWrite", todos(i), false, `"ok"`, `{}`)
		})},
		{name: "20,000 tasks", lines: each(20_000, func(w *writer, i int) {
			w.uses("TaskCreate", number(`{"subject":"step %d of the cart"}`, i), false,
				number(`"Task #%d created successfully"`, i), number(`{"task":{"id":"%d"}}`, i))
			w.uses("TaskUpdate", number(`{"taskId":"%d","status":"completed"}`, i), false, `"ok"`, `{}`)
		})},
		{name: "10,000 failing commands", lines: each(10_000, func(w *writer, i int) {
			w.fails(number("go test ./part%d", i), w.prose(500))
		})},
		{name: "10,000 checks that pass", lines: bash(10_000, "go test ./part%d", false, "ok  \tshop/part%d 0.1s")},
		{name: "10,000 commits", lines: bash(10_000, "git commit -m 'part %d'", false, "[main c0ffee%d] part %d")},
		{name: "20,000 commits in one output", lines: func(w *writer) {
			output := numbered(20_000, "\n", "[main c0ffee%d] part %d")
			w.uses("Bash", `{"command":"git commit -am all"}`, false, quote(output), `{}`)
		}},
		{name: "10,000 approved plans", lines: each(10_000, func(w *writer, i int) {
			plan := number("User has approved your plan.\n\n## Approved Plan:\n# Plan %d\n1. one\n2. two\n", i)
			w.uses("ExitPlanMode", `{}`, false, quote(plan), `{}`)
		})},
		{name: "20,000 results in one line", lines: func(w *writer) {
			uses := numbered(20_000, ",",
				`{"type":"tool_use","id":"r%d","name":"Read","input":{"file_path":"/a/%d"}}`)
			w.add("assistant", `"message":{"role":"assistant","content":[`+uses+`]}`)
			results := numbered(20_000, ",", `{"type":"tool_result","tool_use_id":"r%d","content":"x"}`)
			extra := `{"answers":"` + strings.Repeat("x", 1<<20) + `"}`
			w.add("user", `"message":{"role":"user","content":[`+results+`]},"toolUseResult":`+extra)
		}},
	}
}

// shapes are transcripts that are long, deep, wide, or end in the middle of a line.
func shapes() []extreme {
	return []extreme{
		{name: "20,000 branches", lines: func(w *writer) {
			root := w.parent
			each(20_000, func(w *writer, i int) {
				w.parent = root
				w.says(rule(i))
				w.answers("Done.")
			})(w)
		}},
		{name: "200,000 lines deep", lines: func(w *writer) {
			root := w.parent
			each(200_000, func(w *writer, _ int) { w.add("progress", `"data":{}`) })(w)
			w.parent = root
			w.says("No, do it otherwise.")
		}},
		{name: "a session of 500 MB", lines: func(w *writer) {
			for w.size < 500<<20 {
				w.turn(12)
			}
		}},
		{name: "a line of 4 GB without an end", sparse: 4 << 30},
		{name: "a line of 7 MB without an end", lines: func(w *writer) {
			w.says(w.prose(7 << 20))
			w.left.Truncate(w.left.Len() - 1)
		}},
	}
}

// puts returns a function that writes one file in memento's folder. It calls data only then.
func puts(name string, data func() string) func(*bench, *place) error {
	return func(_ *bench, p *place) error { return p.put(name, []byte(data())) }
}

// histories returns a function that writes a log of 40 entries for each session: all of them in the file of the session
// name, or each in a file of its own when name is "".
func histories(sessions int, name string, line func(session, i int) string) func(*bench, *place) error {
	return func(_ *bench, p *place) error {
		of := func(s int) string { return list(40, "", func(i int) string { return line(s, i) + "\n" }) }
		if name != "" {
			return p.put("log/shop/2026-01/"+name+".jsonl", []byte(list(sessions, "", of)))
		}
		for s := range sessions {
			if err := p.put(fmt.Sprintf("log/shop/2026-01/old-%d.jsonl", s), []byte(of(s))); err != nil {
				return err
			}
		}
		return nil
	}
}

// stores returns sessions that find a large memento folder, as after years of use.
func stores() []extreme {
	const at = "2026-01-05T10:00:00Z"
	parts := each(3000, func(w *writer, i int) { w.says(number("Then do part %d of the cart.", i)) })
	// line returns an entry of the log. more holds the fields of its kind.
	line := func(kind, session, id, more string) string {
		return `{"id":"` + id + `","kind":"` + kind + `","ts":"` + at + `","lane":"--alice","session":"` + session +
			`",` + more + `}`
	}
	id := func(s, i int) string { return fmt.Sprintf("%d-%d", s, i) }
	text := "Look at part %d of the cart again, and keep the rounding as it is; the tax tables stay untouched, " +
		"whatever the report of run %d says about their totals, since they come from the ministry."
	said := func(s, i int) string {
		more := fmt.Sprintf(`"text":%s`, quote(number(text, i)))
		return line("typed", fmt.Sprintf("old-%d", s), id(s, i), more)
	}
	forgotten := func(s, i int) string {
		kind := [...]string{"dropped", "rewound", "done", "files"}[i%4]
		more := fmt.Sprintf(`"text":"part %d of %d","of":"u-%[2]d-%[1]d"`, i, s)
		return line(kind, fmt.Sprintf("old-%d", s), id(s, i), more)
	}
	report := quote(strings.Repeat("The total is computed in cart.go. ", 60))
	reported := func(s, i int) string {
		more := fmt.Sprintf(`"agent":"a%d-%d","type":"Explore","text":%s`, s, i, report)
		return line("subagent", "s1", id(s, i), more)
	}
	long := quote(strings.Repeat("Never touch the tax tables. ", 7000))
	saidLong := func(s, i int) string {
		return line("typed", "s1", id(s, i), `"text":`+long)
	}
	return []extreme{
		{name: "a history of 1000 sessions", store: histories(1000, "", said)},
		{name: "a history of 10000 sessions", store: histories(10_000, "", said)},
		{name: "a history of 400,000 forgotten entries", store: histories(10_000, "", forgotten)},
		{name: "a history of 20,000 subagents' reports", store: histories(500, "s1", reported)},
		{name: "a history of 400 prompts of 200 KB of this session", store: histories(10, "s1", saidLong)},
		{name: "10,000 projects", store: puts("workspace.json", func() string {
			return `{"version":1,"projects":[` + numbered(10_000, ",", `{"slug":"part%d",`+
				`"id":"dir:/home/alice/part%d","roots":["/home/alice/part%d"],"last":"`+at+`"}`) + `]}`
		})},
		{name: "10,000 records", store: func(b *bench, p *place) error {
			return newVocabulary().writeRecords(p, b.memento, 10_000)
		}},
		{name: "200,000 fingerprints of what was erased", lines: parts, store: puts("erased.json", func() string {
			refs := numbered(100_000, ",", `"%016d"`)
			phrases := list(100_000, ",", func(i int) string {
				return fmt.Sprintf(`{"mac":"%064x","len":%d,"roll":"%04x"}`, i, 10+i%90, i%(1<<16))
			})
			key := strings.Repeat("5d", 32)
			return `{"version":1,"refs":[` + refs + `],"key":"` + key + `","phrases":[` + phrases + `]}`
		})},
		{name: "10,000 pauses", lines: parts, store: puts("paused.json", func() string {
			first := time.Date(2024, 1, 5, 10, 0, 0, 0, time.UTC)
			return `{"version":1,"pauses":[` + list(10_000, ",", func(i int) string {
				from := first.Add(time.Duration(i) * time.Hour)
				to := from.Add(time.Minute).Format(time.RFC3339)
				return fmt.Sprintf(`{"project":"shop","from":"%s","to":"%s"}`, from.Format(time.RFC3339), to)
			}) + `]}`
		})},
		{name: "a configuration of 60 KB", store: puts("config.json", func() string {
			return `{` + numbered(1000, ",", `"unknown%d":{"a":[1,2,3,4,5,6,7,8,9]}`) + `}`
		})},
		{name: "5,000 sessions", store: func(_ *bench, p *place) error {
			for i := range 5000 {
				state := number(`{"id":"old-%d","lane":"shop--alice","ended":true}`+"\n", i)
				if err := p.put(number("cache/old-%d.json", i), []byte(state)); err != nil {
					return err
				}
			}
			return nil
		}},
	}
}
