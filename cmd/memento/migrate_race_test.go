package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/cli"
)

// TestMigrateTwice: of two migrations at once one succeeds completely, and the other fails with an error.
func TestMigrateTwice(t *testing.T) {
	home := t.TempDir()
	shop := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "USER": "alice"}
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := cli.Main(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out,
			Getenv: func(k string) string { return env[k] }, Dir: shop, Now: time.Now})
		return code, out.String()
	}
	if code, out := run("save", "debt", "A"); code != 0 {
		t.Fatal(out)
	}
	from := "shop"
	for range 10 {
		names := []string{from + "x", from + "y"}
		var codes [2]int
		var wg sync.WaitGroup
		for i, to := range names {
			wg.Add(1)
			go func() {
				defer wg.Done()
				codes[i], _ = run("workspace", "rename", from, to)
			}()
		}
		wg.Wait()
		if codes[0]+codes[1] != 1 {
			t.Fatalf("exit codes %v", codes)
		}
		from = names[codes[0]] // the migration that succeeded
		if _, err := os.Stat(filepath.Join(home, ".claude", ".memento", from+"--a.md")); err != nil {
			t.Fatal(err)
		}
	}
}
