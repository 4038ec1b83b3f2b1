package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/replica"
)

func TestPrintSync(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		is   replica.Result
		dry  bool
		want string
	}{
		{"both ways", replica.Result{Sent: replica.Count{Records: 3, Turns: 41}, Received: replica.Count{Records: 1},
			From: []string{"desk"}}, false,
			"sent 3 records and 41 turns, received 1 record from desk\n"},
		{"one way", replica.Result{Sent: replica.Count{Records: 1, Turns: 2, Rules: 3}}, false,
			"sent 1 record, 2 turns and 3 rules\n"},
		{"only received", replica.Result{Received: replica.Count{Journals: 1},
			From: []string{"desk", "train\x1b[2J\n"}}, false, "sent nothing, received 1 journal from desk, train"},
		{"nothing", replica.Result{}, false, "nothing new, here or there\n"},
		{"set up, and empty", replica.Result{IsFirst: true}, false,
			"sync is set up; there is nothing to send or to receive yet\n"},
		{"a dry run", replica.Result{Sent: replica.Count{Turns: 1}}, true, "would send 1 turn\n"},
		{"another machine forgot", replica.Result{Received: replica.Count{Forgotten: 1}, Erased: 2,
			From: []string{"desk"}}, false,
			"sent nothing, received 1 erased id from desk\nerased in 2 places here what another machine forgot\n"},
		{"two versions", replica.Result{Conflicts: []string{"shop--a"}}, false,
			"1 record changed on both sides, and both versions are kept: shop--a\n"},
	} {
		var out strings.Builder
		printSync(&output{Streams: Streams{Out: &out}}, tt.is, tt.dry)
		if got := out.String(); !strings.Contains(got, tt.want) || strings.Contains(got, "\x1b") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSyncPace: a sync notes how it ended. One that a hook started prints nothing, and waits after a failure.
func TestSyncPace(t *testing.T) {
	t.Parallel()
	p, now := newPerson(t), time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	remote := filepath.Join(t.TempDir(), "memory.git")
	fixture.Git(t, p.home, "init", "-q", "--bare", remote)
	run := func(args ...string) (int, string) {
		var out strings.Builder
		s := p.streams(strings.NewReader(""), &out, &out)
		s.Now = func() time.Time { return now }
		code := Main(append([]string{"sync"}, args...), s)
		return code, out.String()
	}
	held := func() pace.Pace { is, _ := pace.Load(filepath.Join(p.home, ".claude", ".memento")); return is }
	if code, said := run("--auto"); code != 0 || said != "" {
		t.Errorf("--auto, and never set up: %d, %q", code, said)
	}
	code, said := run(remote, "--all")
	if code != 0 || !strings.Contains(said, "the remote will hold, of every project: records, what you said") ||
		!strings.Contains(said, "Claude's answers stay here") || !strings.Contains(said, "sync is set up") {
		t.Errorf("set up: %d, %q", code, said)
	}
	now = now.Add(time.Hour)
	if code, said := run("--auto"); code != 0 || said != "" || !held().Last.Equal(now) {
		t.Errorf("--auto: %d, %q, %v", code, said, held())
	}
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	if code, said := run("--auto"); code != exitFail || !strings.Contains(said, "\nmemento: hint: ") {
		t.Errorf("a remote that is gone: %d, %q", code, said)
	}
	if _, said := run("--status"); !strings.Contains(said, ": there is no repository at the remote's address") ||
		!strings.Contains(said, "hint     create an empty, private one there") {
		t.Errorf("the status after a failure: %s", said)
	}
	now = now.Add(time.Minute)
	if run("--auto"); held().Failures != 1 {
		t.Error("right after a failure another one ran")
	}
	if run(); held().Failures != 2 {
		t.Error("a person's sync did not run")
	}
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}
	run()
	if _, said := run("--status"); strings.Contains(said, "failed") || !strings.Contains(said, remote) {
		t.Errorf("the status after a good sync: %s", said)
	}
	for _, want := range []string{"sync is off; this keeps what it has: " + remote + "\n", "sync is off\n"} {
		if _, said := run("--off"); said != want {
			t.Errorf("--off: %s, want %s", said, want)
		}
	}
	if _, said := run("--status"); !strings.Contains(said, "sync is off: nothing leaves this machine") {
		t.Errorf("the status after --off: %s", said)
	}
	if code, said := run(); code != exitFail || !strings.Contains(said, "memento: hint: memento sync REMOTE --all") {
		t.Errorf("after --off: %d, %s", code, said)
	}
}

// TestSyncRefuses: a wrong call starts nothing.
func TestSyncRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"a", "b"}, {"--", "-oProxyCommand=x"}, {"--", "--upload-pack=x", "--all"}, {"", "--all"}, {"u"},
		{"u\n", "--all"}, {"u", "--all", "--project", "shop"}, {"--status", "--off"},
		{"u", "--status"}, {"--off", "--all"}, {"--status", "--dry-run"}, {"--bad"},
	} {
		p := newPerson(t)
		out, errs, code := p.run(append([]string{"sync"}, args...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, "memento: hint: ") ||
			fixture.Exists(filepath.Join(p.home, ".claude")) {
			t.Errorf("memento sync %q: exit %d, %q", args, code, errs)
		}
	}
}
