package corpus

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// BenchmarkPreCompact runs PreCompact as a whole process before each compaction of the corpus, with nothing captured before,
// and reports how long it takes. One round goes through all of them. The budget: 25 ms at the median, 120 at most.
//
//	MEMENTO_CORPUS=… go test ./internal/corpus -run '^$' -bench PreCompact -benchtime 3x
func BenchmarkPreCompact(b *testing.B) {
	dir := os.Getenv("MEMENTO_CORPUS")
	if dir == "" {
		b.Skip("MEMENTO_CORPUS names no folder of transcripts")
	}
	top := b.TempDir()
	hello, memento := build(b, top, "../../cmd/memento/testdata/hello", "hello"), build(b, top, "../../cmd/memento", "memento")
	packed, err := filepath.Glob(filepath.Join(dir, "*__*.jsonl*"))
	if err != nil || len(packed) == 0 {
		b.Fatalf("%s holds no transcript: %v", dir, err)
	}
	// Each compaction is a transcript cut before it, and a home that knows nothing.
	type cut struct{ home, path, session, cwd string }
	var cuts []cut
	var bytesRead int64
	for _, name := range packed {
		lines := transcript(b, dir, plain(filepath.Base(name)))
		for i, l := range lines {
			v := gjson.ParseBytes(l)
			if !bytes.Contains(l, []byte(`"compact_boundary"`)) || v.Get("subtype").Str != "compact_boundary" || v.Get("isSidechain").Bool() {
				continue
			}
			home := filepath.Join(top, "home"+filepath.Base(name)+time.Duration(i).String())
			c := cut{home: home, path: filepath.Join(home, "t.jsonl"), session: v.Get("sessionId").Str, cwd: v.Get("cwd").Str}
			if err := os.MkdirAll(home, 0o700); err != nil {
				b.Fatal(err)
			}
			head := bytes.Join(lines[:i], nil)
			if err := os.WriteFile(c.path, head, 0o600); err != nil {
				b.Fatal(err)
			}
			bytesRead += int64(len(head))
			cuts = append(cuts, c)
		}
	}
	run := func(c cut, config string, args ...string) time.Duration {
		in, err := json.Marshal(map[string]any{"hook_event_name": "PreCompact", "trigger": "auto", "session_id": c.session, "transcript_path": c.path, "cwd": c.cwd})
		if err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env, cmd.Dir, cmd.Stdin = []string{"HOME=" + c.home, "USER=alice", "CLAUDE_CONFIG_DIR=" + config}, c.home, bytes.NewReader(in)
		began := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	var base, with []time.Duration
	for range b.N {
		for _, c := range cuts {
			config, err := os.MkdirTemp(c.home, "config")
			if err != nil {
				b.Fatal(err)
			}
			base = append(base, run(c, config, hello))
			with = append(with, run(c, config, memento, "hook"))
		}
	}
	b.ReportMetric(ms(quantile(base, .5)), "hello-ms")
	b.ReportMetric(ms(quantile(with, .5)), "median-ms")
	b.ReportMetric(ms(quantile(with, .95)), "p95-ms")
	b.ReportMetric(ms(quantile(with, 1)), "max-ms")
	b.ReportMetric(ms(quantile(with, .5)-quantile(base, .5)), "over-hello-ms")
	b.ReportMetric(float64(bytesRead)/float64(len(cuts))/1e6, "MB/transcript")
	b.ReportMetric(0, "ns/op") // the programs together: says nothing
}

// plain is the name of a transcript without the ending of what packed it.
func plain(name string) string {
	if filepath.Ext(name) == ".gz" {
		return name[:len(name)-len(".gz")]
	}
	return name
}

func build(b *testing.B, dir, pkg, name string) string {
	out := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, msg)
	}
	return out
}
