//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// each writes what f adds for 0 to n-1.
func each(n int, f func(w *writer, i int)) func(*writer) {
	return func(w *writer) {
		for i := range n {
			if f(w, i); len(w.left) > 1000 {
				w.flush()
			}
		}
	}
}

// transcripts are sessions with very much of one thing.
func transcripts() []extreme {
	todos := func(i int) string {
		var list []string
		for k := range 200 {
			list = append(list, fmt.Sprintf(`{"content":"step %d of the cart's change","status":"%s","activeForm":"x"}`, i+k, [...]string{"pending", "in_progress", "completed"}[(i+k)%3]))
		}
		return `{"todos":[` + strings.Join(list, ",") + `]}`
	}
	rule := func(i int) string {
		return fmt.Sprintf("Never touch module %d of the cart, and always run its tests before part %d.", i, i*7)
	}
	many := func(n int, sep string, f func(i int) string) string {
		var all []string
		for i := range n {
			all = append(all, f(i))
		}
		return strings.Join(all, sep)
	}
	quiet := func(size int) func(*writer) {
		return func(w *writer) {
			for n := 0; n < size; {
				w.turn(12)
				for _, l := range w.left {
					n += len(l)
				}
				w.flush()
			}
		}
	}
	return []extreme{
		{name: "20,000 edited files", lines: each(20_000, func(w *writer, i int) {
			w.uses("Edit", fmt.Sprintf(`{"file_path":"/home/alice/shop/internal/cart/part%d.go"}`, i), false, `"ok"`, `{}`)
		})},
		{name: "4,000 prompts that set rules", lines: each(4000, func(w *writer, i int) { w.says(rule(i)) })},
		{name: "10,000 prompts that set rules", lines: each(10_000, func(w *writer, i int) { w.says(rule(i)) })},
		{name: "10,000 prompts that take back", lines: each(10_000, func(w *writer, i int) {
			w.says([...]string{"Don't push to branch %d.", "You can push to branch %d now.", "Never mind."}[i%3] + strings.Repeat(" ", i%2) + fmt.Sprint(i/3))
		})},
		{name: "10,000 long prompts", lines: each(10_000, func(w *writer, i int) { w.says(w.prose(900) + rule(i)) })},
		{name: "300 prompts of 32 KB of rules", lines: each(300, func(w *writer, i int) {
			w.says(many(400, "\n", func(k int) string { return "- " + rule(i*400+k) }))
		})},
		{name: "5,000 lists of 200 tasks", lines: each(5000, func(w *writer, i int) { w.uses("TodoWrite", todos(i), false, `"ok"`, `{}`) })},
		{name: "20,000 tasks", lines: each(20_000, func(w *writer, i int) {
			w.uses("TaskCreate", fmt.Sprintf(`{"subject":"step %d of the cart"}`, i), false, fmt.Sprintf(`"Task #%d created successfully"`, i), fmt.Sprintf(`{"task":{"id":"%d"}}`, i))
			w.uses("TaskUpdate", fmt.Sprintf(`{"taskId":"%d","status":"completed"}`, i), false, `"ok"`, `{}`)
		})},
		{name: "10,000 failing commands", lines: each(10_000, func(w *writer, i int) { w.fails(fmt.Sprintf("go test ./part%d", i), w.prose(500)) })},
		{name: "10,000 checks that pass", lines: each(10_000, func(w *writer, i int) {
			w.uses("Bash", fmt.Sprintf(`{"command":"go test ./part%d"}`, i), false, `"ok  \tshop/part 0.1s"`, `{}`)
		})},
		{name: "10,000 commits", lines: each(10_000, func(w *writer, i int) {
			w.uses("Bash", fmt.Sprintf(`{"command":"git commit -m 'part %d'"}`, i), false, fmt.Sprintf(`"[main %07x] part %d"`, i, i), `{}`)
		})},
		{name: "20,000 commits in one output", lines: func(w *writer) {
			w.uses("Bash", `{"command":"git commit -am all"}`, false, quote(many(20_000, "\n", func(i int) string { return fmt.Sprintf("[main %07x] part %d", i, i) })), `{}`)
		}},
		{name: "10,000 approved plans", lines: each(10_000, func(w *writer, i int) {
			w.uses("ExitPlanMode", `{}`, false, quote("User has approved your plan.\n\n## Approved Plan:\n# Plan "+fmt.Sprint(i)+"\n1. one\n2. two\n"), `{}`)
		})},
		{name: "5,000 commands that were denied", lines: each(5000, func(w *writer, i int) {
			w.says(fmt.Sprintf("Then do part %d of the cart.", i))
			w.uses("Bash", fmt.Sprintf(`{"command":"memento done \"part %d\" --result ok --ctx \"user: do part %d of the cart\""}`, i, i), true, `"This command requires approval"`, `{}`)
		})},
		{name: "2,000 denied that quote what a tool printed", lines: each(2000, func(w *writer, i int) {
			w.uses("Bash", fmt.Sprintf(`{"command":"memento done \"part %d\" --ctx \"tool: nothing printed it %d\""}`, i, i), true, `"This command requires approval"`, `{}`)
		})},
		{name: "20,000 queued prompts", lines: each(20_000, func(w *writer, i int) {
			w.add("queue-operation", `"operation":"enqueue","content":`+quote(rule(i)))
			w.add("queue-operation", `"operation":"remove"`)
		})},
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
			each(200_000, func(w *writer, i int) { w.add("progress", `"data":{}`) })(w)
			w.parent = root
			w.says("No, do it otherwise.")
		}},
		{name: "20,000 answers in one dialog", lines: func(w *writer) {
			given := `{` + many(20_000, ",", func(i int) string { return fmt.Sprintf(`"Which part %d?":"only part %d"`, i, i) }) + `}`
			w.uses("AskUserQuestion", `{}`, false, `"User has answered your questions"`, `{"questions":[],"answers":`+given+`}`)
		}},
		{name: "50,000 parts in one message", lines: func(w *writer) {
			w.add("user", `"message":{"role":"user","content":[`+many(50_000, ",", func(i int) string { return fmt.Sprintf(`{"type":"text","text":"Never touch part %d."}`, i) })+`]}`)
		}},
		{name: "20,000 results in one line", lines: func(w *writer) {
			w.add("assistant", `"message":{"role":"assistant","content":[`+many(20_000, ",", func(i int) string {
				return fmt.Sprintf(`{"type":"tool_use","id":"r%d","name":"Read","input":{"file_path":"/a/%d"}}`, i, i)
			})+`]}`)
			w.add("user", `"message":{"role":"user","content":[`+many(20_000, ",", func(i int) string {
				return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"r%d","content":"x"}`, i)
			})+`]},"toolUseResult":{"answers":"`+strings.Repeat("x", 1<<20)+`"}`)
		}},
		{name: "a session of 500 MB", lines: quiet(500 << 20)},
		{name: "a line of 4 GB without an end", sparse: 4 << 30},
		{name: "a line of 7 MB without an end", lines: func(w *writer) {
			w.says(w.prose(7 << 20))
			w.left[len(w.left)-1] = strings.TrimSuffix(w.left[len(w.left)-1], "\n")
		}},
		{name: "60 pictures of 7 MB", lines: each(60, func(w *writer, _ int) { w.left = append(w.left, picture(7<<20)); w.flush() })},
		{name: "60 prompts of 5 MB", lines: each(60, func(w *writer, _ int) { w.says(w.prose(5 << 20)); w.flush() })},
		{name: "60 answers of 5 MB", lines: each(60, func(w *writer, _ int) { w.answers(w.prose(5 << 20)); w.flush() })},
	}
}

// stores are memento's folder grown large: what a history and the lists in it hold after years.
func stores() []extreme {
	file := func(p *place, name string, data []byte) error {
		path := filepath.Join(p.store(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o600)
	}
	list := func(n int, f func(i int) string) string {
		var all strings.Builder
		for i := range n {
			if i > 0 {
				all.WriteByte(',')
			}
			all.WriteString(f(i))
		}
		return all.String()
	}
	history := func(sessions int, line func(session, i int) string) func(*bench, *place) error {
		return func(_ *bench, p *place) error {
			var b strings.Builder
			for s := range sessions {
				for i := range 40 {
					b.WriteString(line(s, i))
				}
			}
			return file(p, "history/shop--alice.jsonl", []byte(b.String()))
		}
	}
	said := func(s, i int) string {
		return fmt.Sprintf(`{"ts":"2026-01-05T10:00:00Z","kind":"said","session":"old-%d","text":"Look at part %d of the cart again, and keep the rounding as it is; the tax tables stay untouched, whatever the report of run %d says about their totals, since they come from the ministry.","ref":"u-%d-%d","by":"user"}`+"\n", s, i, i, s, i)
	}
	var stores []extreme
	for _, n := range []int{1000, 10_000} {
		stores = append(stores, extreme{name: fmt.Sprintf("a history of %d sessions", n), store: history(n, said)})
	}
	return append(stores,
		extreme{name: "a history of 400,000 forgotten entries", store: history(10_000, func(s, i int) string {
			return fmt.Sprintf(`{"ts":"2026-01-05T10:00:00Z","kind":"%s","session":"old-%d","text":"part %d of %d","ref":"u-%d-%d"}`+"\n", [...]string{"dropped", "rewound", "done", "files"}[i%4], s, i, s, s, i)
		})},
		extreme{name: "a history of 20,000 subagents' reports", store: history(500, func(s, i int) string {
			return fmt.Sprintf(`{"ts":"2026-01-05T10:00:00Z","kind":"subagent","session":"s1","agent":"a%d-%d","type":"Explore","text":%s}`+"\n", s, i, quote(strings.Repeat("The total is computed in cart.go. ", 60)))
		})},
		extreme{name: "a history of 400 prompts of 200 KB of this session", store: history(10, func(s, i int) string {
			return fmt.Sprintf(`{"ts":"2026-01-05T10:00:00Z","kind":"said","session":"s1","text":%s,"ref":"u-%d-%d","by":"user"}`+"\n", quote(strings.Repeat("Never touch the tax tables. ", 7000)), s, i)
		})},
		extreme{name: "10,000 projects", store: func(_ *bench, p *place) error {
			return file(p, "workspace.json", []byte(`{"version":1,"projects":[`+list(10_000, func(i int) string {
				return fmt.Sprintf(`{"slug":"part%d","id":"dir:/home/alice/part%d","roots":["/home/alice/part%d"],"last":"2026-01-05T10:00:00Z"}`, i, i, i)
			})+`]}`))
		}},
		extreme{name: "10,000 suggestions", store: func(_ *bench, p *place) error {
			return file(p, "inbox.json", []byte(`{"version":1,"next":10001,"waiting":[`+list(10_000, func(i int) string {
				return fmt.Sprintf(`{"n":%d,"kind":"constraint","project":"part%d","title":"never touch part %d","quote":"Never touch part %d of the cart.","by":"user","session":"s0","ref":"u%d","ts":"2026-01-05T10:00:00Z","score":0.7}`, i+1, i%300, i, i, i)
			})+`],"marks":[`+list(8000, func(i int) string { return fmt.Sprintf(`"%016x"`, i*7919) })+`]}`))
		}},
		extreme{name: "10,000 records", store: func(_ *bench, p *place) error {
			v := newVocabulary()
			return v.records(p.store(), "the overflow of the cart", "Cents are counted in int64.", 10_000)
		}},
		extreme{name: "200,000 fingerprints of what was erased", lines: each(3000, func(w *writer, i int) { w.says(fmt.Sprintf("Then do part %d of the cart.", i)) }),
			store: func(_ *bench, p *place) error {
				mark := func(i int) string {
					h := fnv.New64a()
					_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(i)))
					return fmt.Sprintf("%016x", h.Sum64())
				}
				return file(p, "erased.json", []byte(`{"version":1,"refs":[`+list(100_000, func(i int) string { return `"` + mark(i) + `"` })+`],"words":{`+
					list(100_000, func(i int) string { return `"` + mark(-i)[:8] + `":"2026-01-05T10:00:00Z"` })+`}}`))
			}},
		extreme{name: "10,000 pauses", lines: each(3000, func(w *writer, i int) { w.says(fmt.Sprintf("Then do part %d of the cart.", i)) }),
			store: func(_ *bench, p *place) error {
				at := time.Date(2024, 1, 5, 10, 0, 0, 0, time.UTC)
				return file(p, "paused.json", []byte(`{"version":1,"pauses":[`+list(10_000, func(i int) string {
					from := at.Add(time.Duration(i) * time.Hour)
					return fmt.Sprintf(`{"project":"shop","from":"%s","to":"%s"}`, from.Format(time.RFC3339), from.Add(time.Minute).Format(time.RFC3339))
				})+`]}`))
			}},
		extreme{name: "a configuration of 60 KB", store: func(_ *bench, p *place) error {
			return file(p, "config.json", []byte(`{`+list(1000, func(i int) string { return fmt.Sprintf(`"unknown%d":{"a":[1,2,3,4,5,6,7,8,9]}`, i) })+`}`))
		}},
		extreme{name: "5,000 sessions", store: func(_ *bench, p *place) error {
			for i := range 5000 {
				if err := file(p, fmt.Sprintf("state/old-%d.json", i), []byte(fmt.Sprintf(`{"id":"old-%d","lane":"shop--alice","ended":true}`+"\n", i))); err != nil {
					return err
				}
			}
			return nil
		}},
	)
}
