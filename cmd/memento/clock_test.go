package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// watch is a machine whose clock the test sets.
type watch struct {
	t          *testing.T
	home, shop string
	now        time.Time
	zone       *time.Location // of the times that the client writes
	off        bool           // memento's hooks are switched off
	typed      int
}

func newWatch(t *testing.T) *watch {
	top := t.TempDir()
	w := &watch{t: t, home: filepath.Join(top, "home"), shop: filepath.Join(top, "shop"),
		now: time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC), zone: time.UTC}
	for _, dir := range []string{filepath.Join(w.home, ".claude"), filepath.Join(w.shop, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *watch) main(in string, args ...string) {
	w.t.Helper()
	env := map[string]string{"HOME": w.home, "USER": "alice", "CLAUDE_PROJECT_DIR": w.shop}
	if w.off {
		env["MEMENTO_ENABLED"] = "0"
	}
	if code, out, said := inside(env, w.shop, func() time.Time { return w.now }, in, args...); code != 0 {
		w.t.Fatalf("memento %v: %d\n%s%s", args, code, out, said)
	}
}

func (w *watch) hook(session, event string, fields ...string) {
	w.t.Helper()
	all := map[string]string{"hook_event_name": event, "session_id": session, "transcript_path": w.transcript(session),
		"cwd": w.shop}
	for i := 0; i < len(fields); i += 2 {
		all[fields[i]] = fields[i+1]
	}
	data, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	w.main(string(data), "hook")
}

func (w *watch) transcript(session string) string { return filepath.Join(w.home, session+".jsonl") }

// turn adds a prompt and its answer, a minute after the last turn.
func (w *watch) turn(session, words string) {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	w.typed++
	line := fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":%q,"message":{"role":"user","content":%q}}`+"\n",
		w.typed, w.now.In(w.zone).Format(time.RFC3339Nano), words)
	w.now = w.now.Add(20 * time.Millisecond) // the client stamps the line, then runs the hooks, then writes the line
	w.hook(session, "UserPromptSubmit", "prompt", words)
	fixture.Append(w.t, w.transcript(session), line)
	w.now = w.now.Add(time.Second)
	w.hook(session, "Stop")
}

// kept returns the content of all of memento's files.
func (w *watch) kept() string {
	w.t.Helper()
	var all strings.Builder
	for _, content := range fixture.Contents(w.t, filepath.Join(w.home, ".claude", ".memento")) {
		all.WriteString(content)
	}
	return all.String()
}

// TestClock: the clock is wrong when a pause or a forget begins or ends. Once it is right again, memento captures
// everything that it should, and nothing that was typed during the pause or forgotten.
func TestClock(t *testing.T) {
	const day = 24 * time.Hour
	pause := func(w *watch) { w.main("", "pause") }
	unpause := func(w *watch) { w.main("", "pause", "--end") }
	forget := func(w *watch) { w.main("", "forget", "--yes") }
	off := func(w *watch) { w.off = true }
	on := func(w *watch) { w.off = false }
	set := func(by time.Duration) func(*watch) { return func(w *watch) { w.now = w.now.Add(by) } }
	say := func(session, words string) func(*watch) { return func(w *watch) { w.turn(session, words) } }
	secret := say("s1", "Never mention the zeppelin.")
	tests := map[string][]func(*watch){
		"a pause ends while the clock is ahead": {pause, secret, set(400 * day), unpause, set(-400 * day)},
		"a pause begins while the clock is ahead": {set(400 * day), pause, secret, set(-400 * day), secret,
			unpause},
		"the clock is set back and stays so": {pause, secret, set(-day), secret, unpause},
		"a pause of all ends while the clock is ahead": {func(w *watch) { w.main("", "pause", "--all") }, secret,
			set(400 * day), func(w *watch) { w.main("", "pause", "--end", "--all") }, set(-400 * day)},
		"a session begins during the pause with a late clock": {pause, set(-day), say("s2", "Paint the zeppelin."),
			unpause,
			set(day)},
		"switched on again while the clock is ahead": {off, secret, set(400 * day), secret, on,
			say("s1", "Count the wagons."), set(-400 * day)},
		"switched on again while the clock is late": {off, secret, set(-day), secret, on},
		"forget while the clock is ahead, then go on": {secret, set(400 * day), forget,
			say("s1", "Count the wagons."), set(-400 * day)},
		"forget while the clock is late": {secret, set(-day), forget, set(day)},
		"summer time begins during a pause": {pause,
			func(w *watch) { w.zone = time.FixedZone("CEST", 2*3600) }, secret, unpause},
		"the time zone changes during a pause": {pause, secret,
			func(w *watch) { w.zone = time.FixedZone("PST", -8*3600) }, unpause},
		"two pauses, the first ends while the clock is ahead": {pause, secret, set(400 * day), unpause, set(-400 * day),
			pause, secret, unpause},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWatch(t)
			w.hook("s1", "SessionStart", "source", "startup")
			w.turn("s1", "Order labels for the jars.")
			for _, step := range steps {
				step(w)
			}
			w.now = w.now.Add(5 * time.Second)
			for _, session := range []string{"s1", "s2", "s3"} {
				for i := range 6 {
					w.turn(session, fmt.Sprintf("Write chapter %d of the %s handbook.", i, session))
				}
			}
			for range 2 {
				all := w.kept()
				for _, session := range []string{"s1", "s2", "s3"} {
					for i := range 6 {
						if words := fmt.Sprintf("Write chapter %d of the %s handbook.", i,
							session); !strings.Contains(all, words) {
							t.Errorf("deaf: %q is not kept", words)
						}
					}
				}
				if strings.Contains(all, "zeppelin") {
					t.Error("the zeppelin is kept")
				}
				// A session without its memory reads the whole transcript again.
				if err := os.RemoveAll(filepath.Join(w.home, ".claude", ".memento", "cache")); err != nil {
					t.Fatal(err)
				}
				for _, session := range []string{"s1", "s2", "s3"} {
					w.now = w.now.Add(10 * time.Second)
					w.hook(session, "SessionStart", "source", "resume")
					w.hook(session, "Stop")
				}
			}
		})
	}
}
