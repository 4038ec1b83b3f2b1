package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkColdStart runs each hook event as a whole process, a Go hello-world before each, and reports the medians and
// what memento costs over it. The budget: 0.8 ms for a hook that writes nothing, 1.8 ms for one that writes durably.
//
//	go test ./cmd/memento -run '^$' -bench ColdStart -benchtime 200x
func BenchmarkColdStart(b *testing.B) {
	dir := b.TempDir()
	hello, memento := build(b, dir, "./testdata/hello"), build(b, dir, ".")
	project := filepath.Join(dir, "shop")
	if err := os.Mkdir(project, 0o755); err != nil {
		b.Fatal(err)
	}
	env := []string{"HOME=" + dir, "USER=alice"}
	run := func(b *testing.B, input []byte, name string, args ...string) float64 {
		cmd := exec.Command(name, args...)
		cmd.Env, cmd.Dir, cmd.Stdin = env, project, bytes.NewReader(input)
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatalf("%s %v: %v", name, args, err)
		}
		return float64(time.Since(start).Microseconds()) / 1000
	}
	event := func(session string, fields map[string]any) []byte {
		all := map[string]any{"session_id": session, "transcript_path": filepath.Join(dir, session+".jsonl"), "cwd": project}
		for k, v := range fields {
			all[k] = v
		}
		data, err := json.Marshal(all)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	// A session in the middle of its work.
	run(b, event("s1", map[string]any{"hook_event_name": "SessionStart", "source": "startup"}), memento, "hook")
	line := `{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user","content":"Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "s1.jsonl"), []byte(line), 0o600); err != nil {
		b.Fatal(err)
	}
	run(b, event("s1", map[string]any{"hook_event_name": "Stop"}), memento, "hook")
	run(b, nil, memento, "done", "find the overflow", "--result", "int32 cents in cart.go:88", "--wip", "widen to int64", "--plan", "a test")

	for _, c := range []struct {
		name  string
		event func(i int) map[string]any
	}{
		{"nothing", func(int) map[string]any { return map[string]any{"hook_event_name": "Notification"} }},
		{"stop", func(int) map[string]any { return map[string]any{"hook_event_name": "Stop"} }},
		{"permission", func(int) map[string]any {
			return map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": `memento done "x" --result "y"`}}
		}},
		{"brief", func(int) map[string]any {
			return map[string]any{"hook_event_name": "PreCompact", "trigger": "auto"}
		}},
		{"resume", func(int) map[string]any {
			return map[string]any{"hook_event_name": "SessionStart", "source": "resume"}
		}},
		{"prompt", func(i int) map[string]any {
			return map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "and now the desktop flow, step " + strconv.Itoa(i)}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var base, with []float64
			for i := range b.N {
				base = append(base, run(b, nil, hello))
				with = append(with, run(b, event("s1", c.event(i)), memento, "hook"))
			}
			report(b, base, with)
		})
	}
	b.Run("command-durable", func(b *testing.B) {
		var base, with []float64
		for i := range b.N {
			base = append(base, run(b, nil, hello))
			with = append(with, run(b, nil, memento, "wip", "step "+strconv.Itoa(i)))
		}
		report(b, base, with)
	})
}

func report(b *testing.B, base, with []float64) {
	slices.Sort(base)
	slices.Sort(with)
	b.ReportMetric(base[len(base)/2], "hello-ms")
	b.ReportMetric(with[len(with)/2], "memento-ms")
	b.ReportMetric(with[len(with)*95/100], "p95-ms")
	b.ReportMetric(with[len(with)/2]-base[len(base)/2], "over-hello-ms")
	b.ReportMetric(0, "ns/op") // the two programs together: says nothing
}

func build(b testing.TB, dir, pkg string) string {
	out := filepath.Join(dir, filepath.Base(pkg)+"-bin")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, msg)
	}
	return out
}
