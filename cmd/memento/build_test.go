package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestMain puts a copy of this test's binary on PATH as memento: under that name it is memento.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "memento" {
		if n, err := strconv.Atoi(os.Getenv(killAt)); err == nil {
			dieAt(n)
		}
		main()
	}
	os.Exit(runTests(m))
}

// runTests returns the exit code of the tests, and removes what they built.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "memento-test-")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { os.RemoveAll(dir); os.RemoveAll(builds) }()
	exe, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		log.Fatal(err)
	}
	self = filepath.Join(dir, "memento")
	if err := os.Chmod(dir, 0o755); err != nil { // some tests run it as another user
		log.Fatal(err)
	}
	if err := os.WriteFile(self, data, 0o755); err != nil {
		log.Fatal(err)
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// built returns the path of a release build of pkg for $GOOS; pkg is a path from this folder. It builds once for all
// tests. Every user may run the binary, and no test may write to it. With -short it is the memento on PATH instead.
func built(t testing.TB, pkg string) string {
	t.Helper()
	if testing.Short() && pkg == "." {
		return self
	}
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
	self     string // the path of the memento on PATH
	building sync.Mutex
	builds   string // the folder of the binaries, "" before the first build
)
