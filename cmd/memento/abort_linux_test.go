package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// failing maps each system call of Go's runtime to an error that it may return. TestHookFaults covers calls on files.
var failing = map[string]string{
	"mmap": "ENOMEM", "munmap": "EINVAL", "madvise": "ENOMEM", "clone": "EAGAIN", "clone3": "EAGAIN",
	"epoll_create1": "ENFILE", "epoll_ctl": "ENOSPC",
	"epoll_pwait": "EBADF", "eventfd2": "EMFILE", "pipe2": "EMFILE", "futex": "ENOSYS", "sigaltstack": "ENOMEM",
	"sched_getaffinity": "EINVAL",
	"prctl":             "EINVAL", "dup3": "EMFILE",
}

// TestNoHookEndsWith2 makes each system call of Go's runtime fail in a hook, and takes memory, files and threads from
// hooks. No hook ends with exit code 2 after memento's first line, which calls prctl. Before that line Go's runtime
// starts, and exits with 2 on an error.
func TestNoHookEndsWith2(t *testing.T) {
	fixture.Long(t, "lets each system call fail")
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not on PATH: install the package strace")
	}
	shared, err := os.MkdirTemp("", "memento-abort-") // a folder that other users may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(shared) })
	if err := os.Chmod(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	bin := built(t, ".")
	if out, err := exec.Command(strace, "-f", "--seccomp-bpf", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot trace here: %v: %s", err, out)
	}
	var transcript bytes.Buffer
	for i := range 2000 { // enough to make the heap grow
		fmt.Fprintf(&transcript,
			`{"type":"user","uuid":"u%d","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user",`+
				`"content":[{"type":"text","text":"Keep the answer to question %d in mind."}]}}`+"\n", i, i)
	}
	long := filepath.Join(shared, "t.jsonl")
	if err := os.WriteFile(long, transcript.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	prompt := `{"session_id":"s1","transcript_path":"/nonexistent/t.jsonl","cwd":"/",` +
		`"hook_event_name":"UserPromptSubmit","prompt":"Fix the login."}`
	stop := `{"session_id":"s1","transcript_path":` + quoteJSON(long) + `,"cwd":"/","hook_event_name":"Stop"}`
	events := map[string]string{"UserPromptSubmit": prompt, "Stop": stop}

	count := map[string]int{}
	// run traces a hook with strace and reports whether strace made a call fail. A shell starts the hook by the line
	// shell, if that is not "".
	run := func(what, event, shell string, options ...string) (injected bool) {
		t.Helper()
		home, err := os.MkdirTemp(shared, "home-")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(home, 0o777); err != nil {
			t.Fatal(err)
		}
		log := filepath.Join(home, "log")
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		args := append([]string{"-f", "--seccomp-bpf", "-qq", "-o", log}, options...)
		if shell != "" {
			args = append(args, "sh", "-c", shell, bin)
		} else {
			args = append(args, bin, "hook")
		}
		cmd := exec.CommandContext(ctx, strace, args...)
		cmd.Env, cmd.Dir = []string{"HOME=" + home, "USER=alice", "PATH=" + os.Getenv("PATH")}, home
		cmd.Stdin = strings.NewReader(events[event])
		err = cmd.Run()
		if ctx.Err() != nil {
			t.Fatalf("%s: it hangs", what)
		}
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		os.RemoveAll(home)
		before, _, injected := strings.Cut(string(data), "(INJECTED)")
		line := before[strings.LastIndexByte(before, '\n')+1:]
		when := "early"
		if strings.Contains(before, "PR_SET_DUMPABLE") {
			when = "late"
		}
		if shell == "" && !injected {
			return false // the hook makes fewer calls
		}
		count[when]++
		if code != 0 {
			count[when+" "+strconv.Itoa(code)]++
		}
		if when == "late" && code == 2 {
			t.Errorf("%s ended with 2; %s", what, line)
		}
		return true
	}
	for call, errno := range failing {
		for n := 1; run(fmt.Sprintf("%s number %d failing with %s", call, n, errno), "Stop", "",
			"-e", "trace=prctl,"+call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", call, errno, n)); n++ {
		}
	}
	limited := func(event, limit string, n int, as string) {
		run(fmt.Sprintf("%s under ulimit %s %d", event, limit, n), event,
			fmt.Sprintf(`ulimit %s %d; exec %s"$0" hook`, limit, n, as), "-e", "trace=prctl")
	}
	as := ""
	if os.Geteuid() == 0 { // no limit on threads holds for root
		as = "setpriv --reuid=54321 --regid=54321 --clear-groups -- "
	}
	for event := range events {
		for kb := 50_000; kb < 1_500_000; kb += kb / 6 {
			limited(event, "-v", kb, "")
		}
		for n := 4; n < 16; n++ {
			limited(event, "-n", n, "")
		}
		if _, err := exec.LookPath("setpriv"); as != "" && err != nil {
			t.Log("SKIPPED: too few threads, as there is no setpriv to become another user with: install the " +
				"package util-linux")
			continue
		}
		for n := 1; n < 8; n++ {
			limited(event, "-u", n, as)
		}
	}
	t.Logf("%d faults after memento's first line, %d before; how they ended, but for 0: %v", count["late"],
		count["early"], count)
	if count["late"] < 50 || count["late -1"]+count["late 134"] == 0 {
		t.Errorf("no fault had the runtime give up: %v", count)
	}
}
