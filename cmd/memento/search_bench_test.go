package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shelfOf writes n records of some 300 words into memento's folder below home, and returns phrases that stand in some of them.
func shelfOf(b testing.TB, home string, n int) (phrases []string) {
	b.Helper()
	dir := filepath.Join(home, ".claude", ".memento")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 2, 50000)
	for i := range n {
		var s strings.Builder
		fmt.Fprintf(&s, "---\nid: shop--r%d\nkind: decision\ntitle: Record w%d w%d of %d\nproject: shop\nstatus: active\ncreated: 2026-03-14T09:26:53Z\nupdated: 2026-03-14T10:26:53Z\ntags: [auth]\nchanges:\n  - {date: 2026-03-14T09:26:53Z, summary: created}\n---\n## Context\n\n",
			i, zipf.Uint64(), zipf.Uint64(), i)
		for k := range 200 + r.IntN(200) {
			fmt.Fprintf(&s, "w%d", zipf.Uint64())
			s.WriteByte(" \n"[k%14/13])
		}
		s.WriteString("\n")
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("shop--r%d.md", i)), []byte(s.String()), 0o600); err != nil {
			b.Fatal(err)
		}
		if i%(n/10) == 0 {
			phrases = append(phrases, strings.Join(strings.Fields(s.String())[60:66], " "))
		}
	}
	return phrases
}

// BenchmarkRecords runs what looks records up as whole processes, each beside a Go hello-world, or beside the same hook without
// records. The budget: a search over 10,000 records in 25 ms at the median; a prompt's look-up in 1,000 and a session's start with
// them 4 ms more than without.
//
//	go test ./cmd/memento -run '^$' -bench Records -benchtime 100x
func BenchmarkRecords(b *testing.B) {
	bin := b.TempDir()
	hello, memento := build(b, bin, "./testdata/hello"), build(b, bin, ".")
	type house struct{ home, project string }
	settle := func(n int) (h house, phrases []string) {
		h.home = b.TempDir()
		h.project = filepath.Join(h.home, "shop")
		if err := os.Mkdir(h.project, 0o755); err != nil {
			b.Fatal(err)
		}
		if n > 0 {
			phrases = shelfOf(b, h.home, n)
		}
		return h, phrases
	}
	run := func(h house, input []byte, name string, args ...string) (float64, string) {
		cmd := exec.Command(name, args...)
		var out bytes.Buffer
		cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout = []string{"HOME=" + h.home, "USER=alice"}, h.project, bytes.NewReader(input), &out
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatalf("%s %v: %v", name, args, err)
		}
		return float64(time.Since(start).Microseconds()) / 1000, out.String()
	}
	for _, n := range []int{1000, 10000} {
		h, phrases := settle(n)
		_, _ = run(h, nil, memento, "index", "--rebuild")
		b.Run(fmt.Sprint("search-", n), func(b *testing.B) {
			var base, with []float64
			for i := range b.N {
				ms, _ := run(h, nil, hello)
				base = append(base, ms)
				ms, out := run(h, nil, memento, "search", "--json", phrases[i%len(phrases)])
				if with = append(with, ms); !strings.Contains(out, `"id":"shop--r`) {
					b.Fatalf("nothing found: %s", out)
				}
			}
			report(b, base, with)
		})
		b.Run(fmt.Sprint("save-", n), func(b *testing.B) {
			var base, with []float64
			for i := range b.N {
				ms, _ := run(h, nil, hello)
				base = append(base, ms)
				ms, _ = run(h, nil, memento, "save", "debt", fmt.Sprint("Saved ", i, " ", time.Now().UnixNano()), "--set", "description=It waits.")
				with = append(with, ms)
			}
			report(b, base, with)
		})
	}

	empty, _ := settle(0)
	full, phrases := settle(1000)
	_, _ = run(full, nil, memento, "index", "--rebuild")
	event := func(h house, name string, i int, fields map[string]any) []byte {
		all := map[string]any{"session_id": "s1", "hook_event_name": name, "transcript_path": filepath.Join(h.home, "s1.jsonl"), "cwd": h.project}
		for k, v := range fields {
			all[k] = v
		}
		data, err := json.Marshal(all)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	for _, c := range []struct {
		name  string
		event func(h house, i int) []byte
	}{
		{"prompt", func(h house, i int) []byte {
			return event(h, "UserPromptSubmit", i, map[string]any{"prompt": fmt.Sprintf("what of %s, step %d", phrases[i%len(phrases)], i)})
		}},
		{"start", func(h house, i int) []byte {
			return event(h, "SessionStart", i, map[string]any{"source": "startup", "session_id": fmt.Sprint("t", i)})
		}},
	} {
		b.Run("hook-"+c.name+"-1000", func(b *testing.B) {
			for _, h := range []house{empty, full} {
				_, _ = run(h, event(h, "SessionStart", 0, map[string]any{"source": "startup"}), memento, "hook")
			}
			var base, with []float64
			for i := range b.N {
				ms, _ := run(empty, c.event(empty, i), memento, "hook")
				base = append(base, ms)
				ms, _ = run(full, c.event(full, i), memento, "hook")
				with = append(with, ms)
			}
			report(b, base, with)
		})
	}
}
