package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestTerminal runs a shell: what it prints is found although it moves the cursor, and is in the recording.
func TestTerminal(t *testing.T) {
	tty, err := open(exec.Command("/bin/sh", "-c",
		`read words; printf '\033[1mgot\033[0m\033[5C%s\n' "$words"; read x`), 40, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.close()
	tty.mark("start")
	if err := tty.enter("größe"); err != nil {
		t.Fatal(err)
	}
	if err := tty.wait("got größe"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(tty.cast("a title", time.Second))), "\n")
	if !strings.Contains(lines[0], `"width":40`) || !strings.Contains(lines[0], `"idle_time_limit":1`) ||
		!strings.HasSuffix(lines[1], `,"m","start"]`) || !strings.Contains(strings.Join(lines[2:], ""), "größe") {
		t.Errorf("the recording is\n%s", strings.Join(lines, "\n"))
	}
}

// TestSqueeze shortens ten seconds of work to one: what came before stays, and what comes later follows at once.
func TestSqueeze(t *testing.T) {
	now := time.Now()
	term := &terminal{began: now.Add(-12 * time.Second), events: []moment{{at: time.Second}, {at: 2 * time.Second},
		{at: 7 * time.Second}, {at: 12 * time.Second}}}
	term.squeeze(now.Add(-10*time.Second), time.Second)
	term.add("o", "later")
	for i, want := range []time.Duration{1000, 2000, 2500, 3000, 3000} {
		if got := term.events[i].at; (got - want*time.Millisecond).Abs() > 100*time.Millisecond {
			t.Errorf("event %d is at %v, not %v ms", i, got, int(want))
		}
	}
	term.squeeze(time.Now(), time.Hour)
	if got := term.events[3].at; (got - 3*time.Second).Abs() > 100*time.Millisecond {
		t.Errorf("short work was made %v", got)
	}
}
