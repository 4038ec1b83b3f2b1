//go:build unix

package abort

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime/debug"
	"syscall"
	"testing"
)

// faults are ways in which Go's runtime gives up so that no recover in main helps.
var faults = map[string]func(){
	"stack overflow":   overflow,
	"concurrent write": writeAtOnce,
	"goroutine":        func() { go func() { panic("nobody recovers") }(); select {} },
	"panic":            func() { panic("nobody recovers") },
	"SIGQUIT":          func() { _ = syscall.Kill(os.Getpid(), syscall.SIGQUIT); select {} },
	"SIGSEGV":          func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV); select {} },
}

func overflow() {
	defer func() { _ = recover() }()
	debug.SetMaxStack(1 << 20) // the default is 1 GB, which takes seconds to fill
	descend(0)
}

func descend(n int) int { return descend(n+1) + n }

func writeAtOnce() {
	m := map[int]int{}
	for i := range 8 {
		go func() {
			for {
				m[i]++
			}
		}()
	}
	select {}
}

func TestMain(m *testing.M) {
	if f := faults[os.Getenv("FAULT")]; f != nil {
		f()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A hook in which the runtime gives up ends with SIGABRT, without a core file and without output. Other programs end
// as usual in Go.
func TestAbort(t *testing.T) {
	for name := range faults {
		for _, args := range [][]string{{"hook"}, {"doctor"}} {
			t.Run(name+" in "+args[0], func(t *testing.T) {
				t.Parallel()
				// The shell raises the limit on core files, which is often high on a developer's machine.
				cmd := exec.Command("sh", "-c", `ulimit -c unlimited 2>/dev/null; exec "$0" "$@"`, os.Args[0])
				cmd.Args = append(cmd.Args, args...)
				cmd.Dir, cmd.Env = t.TempDir(), []string{"FAULT=" + name}
				var said bytes.Buffer
				cmd.Stdout, cmd.Stderr = &said, &said
				err := cmd.Run()
				var exit *exec.ExitError
				if !errors.As(err, &exit) {
					t.Fatalf("it ended with %v", err)
				}
				status := exit.Sys().(syscall.WaitStatus)
				if args[0] != "hook" {
					if status.ExitStatus() != 2 || said.Len() == 0 {
						t.Errorf("a command ended with %v and %d bytes of traceback", exit, said.Len())
					}
					return
				}
				if !status.Signaled() || status.Signal() != syscall.SIGABRT {
					t.Errorf("the hook ended with %v", exit)
				}
				if files, err := os.ReadDir(cmd.Dir); err != nil || len(files) > 0 || status.CoreDump() {
					t.Errorf("it left %v (%v), core file: %t", files, err, status.CoreDump())
				}
				if said.Len() > 0 {
					t.Errorf("it said %.300s", said.String())
				}
			})
		}
	}
}

func TestIsHook(t *testing.T) {
	inClient := func(string) string { return "/home/u/shop" }
	outside := func(string) string { return "" }
	for _, c := range []struct {
		args   []string
		getenv func(string) string
		want   bool
	}{
		{[]string{"memento", "hook"}, outside, true},
		{[]string{"memento", "hook", "x"}, outside, true},
		{[]string{"memento"}, inClient, true},
		{[]string{"memento"}, outside, false},
		{[]string{"memento", "doctor"}, inClient, false},
		{nil, inClient, false},
	} {
		if got := isHook(c.args, c.getenv); got != c.want {
			t.Errorf("isHook(%q) = %t", c.args, got)
		}
	}
}
