package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkUnasked runs the events that write records, or tell of them, as whole processes beside 100, 1,000 and 10,000 records, a
// Go hello-world before each: a session's end with its record and without (a kind that is switched off), the first one of a day,
// which collects what is due, and a subagent's beginning and end.
//
//	go test ./cmd/memento -run '^$' -bench Unasked -benchtime 40x
func BenchmarkUnasked(b *testing.B) {
	dir := b.TempDir()
	hello, memento := build(b, dir, "./testdata/hello"), build(b, dir, ".")
	for _, size := range []int{100, 1000, 10000} {
		home := filepath.Join(dir, fmt.Sprint(size))
		project, store := filepath.Join(home, "shop"), filepath.Join(home, ".claude", ".memento")
		for _, d := range []string{project, store} {
			if err := os.MkdirAll(d, 0o700); err != nil {
				b.Fatal(err)
			}
		}
		run := func(b *testing.B, input []byte, name string, args ...string) float64 {
			cmd := exec.Command(name, args...)
			cmd.Env, cmd.Dir, cmd.Stdin = []string{"HOME=" + home, "USER=alice"}, project, bytes.NewReader(input)
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatalf("%s %v: %v", name, args, err)
			}
			return float64(time.Since(start).Microseconds()) / 1000
		}
		kinds := []string{"decision", "session", "subagent", "runbook", "constraint"}
		stamp := time.Now().UTC().Add(-48 * time.Hour).Format(time.RFC3339)
		for i := range size {
			kind, state := kinds[i%len(kinds)], "active"
			name := fmt.Sprintf("shop--number-%d", i)
			if kind == "session" { // all but the newest few are retired by then
				name, state = fmt.Sprintf("shop--session-number-%d", i), "retired"
			}
			text := fmt.Sprintf("---\nid: %s\nkind: %s\ntitle: Number %d\nproject: shop\nstatus: %s\ncreated: %s\nupdated: %s\ntags: [t]\nsession: x%d\n---\n## Context\n\n%s\n",
				name, kind, i, state, stamp, stamp, i, strings.Repeat("The carts of the shop hold what nobody bought yet. ", 8))
			if err := os.WriteFile(filepath.Join(store, name+".md"), []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
		}
		event := func(i int, fields map[string]any) []byte {
			id := fmt.Sprintf("s%d", i)
			all := map[string]any{"session_id": id, "transcript_path": filepath.Join(home, id+".jsonl"), "cwd": project}
			for k, v := range fields {
				all[k] = v
			}
			data, err := json.Marshal(all)
			if err != nil {
				b.Fatal(err)
			}
			return data
		}
		next := 0
		begin := func(b *testing.B) int { // a session with a mission of its own
			next++
			line := fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":%q,"message":{"role":"user","content":"Fix number %d of the checkout: orders above 1,000 EUR are lost."}}`+"\n", next, time.Now().UTC().Format(time.RFC3339), next)
			if err := os.WriteFile(filepath.Join(home, fmt.Sprintf("s%d.jsonl", next)), []byte(line), 0o600); err != nil {
				b.Fatal(err)
			}
			run(b, event(next, map[string]any{"hook_event_name": "SessionStart", "source": "startup"}), memento, "hook")
			run(b, event(next, map[string]any{"hook_event_name": "Stop"}), memento, "hook")
			return next
		}
		run(b, nil, memento, "search", "carts") // builds the index
		setting := func(on bool) {
			data := fmt.Sprintf(`{"kinds":{"session":{"auto_capture":%t},"subagent":{"auto_capture":%t}}}`, on, on)
			if err := os.WriteFile(filepath.Join(store, "config.json"), []byte(data), 0o600); err != nil {
				b.Fatal(err)
			}
		}
		for _, c := range []struct {
			name  string
			off   bool
			daily bool
			event func(i int) map[string]any
		}{
			{"end without its record", true, false, func(int) map[string]any { return map[string]any{"hook_event_name": "SessionEnd", "reason": "other"} }},
			{"end", false, false, func(int) map[string]any { return map[string]any{"hook_event_name": "SessionEnd", "reason": "other"} }},
			{"first end of a day", false, true, func(int) map[string]any { return map[string]any{"hook_event_name": "SessionEnd", "reason": "other"} }},
			{"subagent begins", false, false, func(i int) map[string]any {
				return map[string]any{"hook_event_name": "SubagentStart", "agent_id": fmt.Sprint("a", i), "agent_type": "Explore"}
			}},
			{"subagent ends without its record", true, false, func(i int) map[string]any {
				return map[string]any{"hook_event_name": "SubagentStop", "agent_id": fmt.Sprint("b", i), "agent_type": "Explore", "last_assistant_message": fmt.Sprintf("Number %d is in cart.go.\n\n%s", i, strings.Repeat("It is compared there. ", 50))}
			}},
			{"subagent ends", false, false, func(i int) map[string]any {
				return map[string]any{"hook_event_name": "SubagentStop", "agent_id": fmt.Sprint("c", i), "agent_type": "Explore", "last_assistant_message": fmt.Sprintf("Number %d is in cart.go.\n\n%s", i, strings.Repeat("It is compared there. ", 50))}
			}},
		} {
			b.Run(fmt.Sprintf("%d/%s", size, c.name), func(b *testing.B) {
				setting(!c.off)
				var base, with []float64
				for range b.N {
					i := begin(b)
					if path := filepath.Join(store, "state", "collected"); c.daily {
						os.Remove(path)
					} else if err := os.WriteFile(path, []byte(time.Now().UTC().Format(time.DateOnly)+"\n"), 0o600); err != nil {
						b.Fatal(err)
					}
					base = append(base, run(b, nil, hello))
					with = append(with, run(b, event(i, c.event(i)), memento, "hook"))
				}
				report(b, base, with)
			})
		}
	}
}
