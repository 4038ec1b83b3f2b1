package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(tidy{m}, map[string]func(){"memento": main}) }

// tidy runs the tests, and then removes the binaries that built made.
type tidy struct{ m *testing.M }

func (t tidy) Run() int {
	code := t.m.Run()
	if builds != "" {
		os.RemoveAll(builds)
	}
	return code
}

// built returns the path of a release build of pkg for $GOOS; pkg is a path from this folder. It builds once for all
// tests. Every user may run the binary, and no test may write to it.
func built(t testing.TB, pkg string) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	if builds == "" {
		dir, err := os.MkdirTemp("", "memento-test-")
		if err != nil {
			t.Fatal(err)
		}
		builds = dir
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(builds, os.Getenv("GOOS"), filepath.Base(pkg), "memento")
	if _, err := os.Stat(out); err == nil {
		return out
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, msg)
	}
	return out
}

var (
	building sync.Mutex
	builds   string // the folder of the binaries, "" before the first build
)
