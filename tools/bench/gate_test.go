package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestGate runs the gate on this build.
func TestGate(t *testing.T) {
	b := gateBench(t)
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	all, err := b.gate(&limits, b.memento)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.isOver() {
			t.Error(r)
		} else {
			t.Log(r)
		}
	}
}

// TestGateCatches links packages as a careless change could, and checks that the gate stops each. Only the time of 0.2
// ms gives the table away, so a busy machine can hide it: ./test.sh leaves this case out.
func TestGateCatches(t *testing.T) {
	b := gateBench(t)
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, pkg, value string }{
		{"net-http", "net/http", "http.Get"},
		{"yaml", "gopkg.in/yaml.v3", "yaml.Unmarshal"},
		{"table", "hash/crc32", "crc32.MakeTable(crc32.Castagnoli)"}, // 0.2 ms, and three allocations
		{"regexps", "regexp", "[]*regexp.Regexp{" +
			"regexp.MustCompile(`(?i)\\b(token|secret|password)\\b\\s*[:=]\\s*(\\S{16,})`), " +
			"regexp.MustCompile(`[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*`)}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "table" && !isComparable {
				t.Skip("times are not judged on this system")
			}
			source := filepath.Join(b.dir, c.name+".go")
			const heavy = "package main\n\nimport %q\n\nvar heavy = %s\n\nfunc init() { _ = heavy }\n"
			code := fmt.Sprintf(heavy, c.pkg, c.value)
			if err := os.WriteFile(source, []byte(code), 0o600); err != nil {
				t.Fatal(err)
			}
			added := filepath.Join(b.root, "cmd", "memento", "heavy.go")
			overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{added: source}})
			if err != nil {
				t.Fatal(err)
			}
			list, binary := filepath.Join(b.dir, c.name+".json"), filepath.Join(b.dir, c.name)
			if err := os.WriteFile(list, overlay, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := b.buildProgram(b.root, binary, "./cmd/memento", "-overlay", list); err != nil {
				t.Fatal(err)
			}
			start := limits
			start.events = start.events[:1]
			all, err := b.gate(&start, binary)
			if err != nil {
				t.Fatal(err)
			}
			caught := false
			for _, r := range all {
				caught = caught || r.isOver()
				t.Log(map[bool]string{true: "caught: ", false: ""}[r.isOver()], r)
			}
			if !caught {
				t.Errorf("the gate lets %s through", c.name)
			}
		})
	}
}

func gateBench(t *testing.T) *bench {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{root: root, dir: t.TempDir(), log: io.Discard, until: time.Now().Add(time.Hour)}
	// Programs are started from a disk, and write into memory: two hours later the same write to a disk took half as
	// much processor time again.
	if b.homes, err = os.MkdirTemp("/dev/shm", "memento-gate-"); err == nil {
		t.Cleanup(func() { _ = os.RemoveAll(b.homes) })
	}
	return b
}
