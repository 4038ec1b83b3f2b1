package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// released builds the binary of this checkout in the same way as a release.
func released(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memento")
	cmd := exec.Command("sh", "../../plugin/build", "--binary", file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return fixture.Read(t, file)
}

// TestScriptUpgradesUnderSessions: hooks run in a loop while install.sh replaces the binary again and again. Every
// hook is answered.
func TestScriptUpgradesUnderSessions(t *testing.T) {
	fixture.Long(t, "runs install.sh many times")
	t.Parallel()
	s := newShell(t, "sh")
	r := newRelease(t)
	binary := released(t)
	was := fixture.Tree(t, s.home)
	upgrade := func(n int) {
		t.Helper()
		// Bytes behind the end of a program change only its checksum.
		r.offer(s, fmt.Sprintf("1.0.%d", n), binary+strings.Repeat("\n", n))
		s.env = []string{r.env()}
		s.run(0)
	}
	upgrade(0)

	var runs atomic.Int64
	var sessions sync.WaitGroup
	over := make(chan bool)
	for n := range 3 {
		sessions.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				cmd := exec.Command(s.bin(), "hook")
				cmd.Env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH")}
				cmd.Dir = s.dir
				cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"5d0f-%d",`+
					`"transcript_path":"/nowhere/t.jsonl","cwd":%q,"hook_event_name":"UserPromptSubmit",`+
					`"prompt":"Widen the cents to int64."}`, n, s.dir))
				var errs bytes.Buffer
				cmd.Stderr = &errs
				if err := cmd.Run(); err != nil || errs.Len() != 0 {
					t.Errorf("a hook failed: %v, %s", err, errs.String())
					return
				}
				runs.Add(1)
			}
		})
	}
	for n := 1; n <= 2; n++ {
		before := runs.Load()
		upgrade(n)
		fixture.Await(t, "hooks after the exchange", func() bool { return t.Failed() || runs.Load() > before+3 })
	}
	// Hooks do not notice an upgrade that is undone, either.
	before := runs.Load()
	settings := filepath.Join(s.home, ".claude", "settings.json")
	wired := fixture.Read(t, settings)
	fixture.Put(t, settings, "{ // mine\n}", 0o600)
	r.offer(s, "1.1.0", binary+"another")
	s.env = []string{r.env()}
	s.run(1)
	s.says("failed, so the earlier binary was put back")
	fixture.Put(t, settings, wired, 0o600)
	fixture.Await(t, "hooks after the exchange was taken back",
		func() bool { return t.Failed() || runs.Load() > before+3 })
	close(over)
	sessions.Wait()
	t.Logf("%d hooks ran", runs.Load())
	if got := fixture.Read(t, s.bin()); got != binary+strings.Repeat("\n", 2) {
		t.Error("the last upgrade is not there")
	}
	s.run(0, "--uninstall")
	if _, err := os.Stat(settings); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still wired: %v", err)
	}
	os.RemoveAll(filepath.Join(s.home, ".claude")) // the journals
	fixture.Same(t, "uninstalling", was, fixture.Tree(t, s.home))
}

// TestScriptOnThisCheckout installs and uninstalls the real program, with the settings of a person who has some.
func TestScriptOnThisCheckout(t *testing.T) {
	fixture.Long(t, "runs install.sh many times")
	t.Parallel()
	file, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t, "sh")
	s.file = file
	path := filepath.Join(s.home, ".claude", "settings.json")
	fixture.Put(t, path, original, 0o640)
	was := fixture.Tree(t, s.home)
	s.run(0)
	w := fixture.Read(t, path)
	if !strings.Contains(w, `zoë & co/.local/bin/memento"`) || !strings.Contains(s.out, "[MEMENTO] Mission: ") {
		t.Errorf("said %s\nwired %s", s.out, w)
	}
	installed := fixture.Tree(t, s.home)
	s.run(0, "--dry-run")
	s.says(path + " would be unchanged\n")
	fixture.Same(t, "a dry run", installed, fixture.Tree(t, s.home))
	s.run(0)
	if again := fixture.Read(t, path); again != w {
		t.Errorf("a second run changed it: %s", again)
	}
	s.run(0, "--uninstall")
	if strings.Contains(s.out, "stays: The binary") { // the next line removes the binary
		t.Errorf("said %s", s.out)
	}
	fixture.Same(t, "uninstalling", was, fixture.Tree(t, s.home))

	fixture.Put(t, path, "{ // mine\n}", 0o640)
	was = fixture.Tree(t, s.home)
	s.run(1)
	s.says("memento: install: wiring ")
	fixture.Same(t, "settings that cannot be edited", was, fixture.Tree(t, s.home))
}
