//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func read(path string) ([]byte, error) { return os.ReadFile(path) }

func write(path string, data []byte) error { return os.WriteFile(path, data, 0o600) }

// writeTranscript writes a made-up session of size bytes, always the same one, and beside it the more bytes that follow on it.
// The session is the one that the benchmarks of cmd/memento use. It is test code there and cannot be imported, so a test that
// writes it is laid beside it at build time.
func (b *bench) writeTranscript(name string, size, more int) (path, follows string, err error) {
	dump := filepath.Join(b.dir, "dump")
	if _, err := os.Stat(dump); err != nil {
		there, here := filepath.Join(b.root, "cmd", "memento", "bench_dump_test.go"), filepath.Join(b.root, "bench", "testdata", "dump_test.go")
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{there: here}})
		if err != nil {
			return "", "", err
		}
		list := filepath.Join(b.dir, "overlay.json")
		if err := write(list, overlay); err != nil {
			return "", "", err
		}
		if err := b.compile(b.root, "test", "-c", "-overlay", list, "-o", dump, "./cmd/memento"); err != nil {
			return "", "", err
		}
	}
	path = filepath.Join(b.dir, name+".jsonl")
	cmd := exec.Command(dump, "-test.run", "^TestDump$")
	cmd.Dir = b.dir
	cmd.Env = []string{"MEMENTO_BENCH_PATH=" + path, "MEMENTO_BENCH_SIZE=" + strconv.Itoa(size), "MEMENTO_BENCH_MORE=" + strconv.Itoa(more), "HOME=" + b.dir}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("writing a transcript: %w\n%s", err, out)
	}
	return path, path + ".more", nil
}
