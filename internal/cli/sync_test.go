package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
)

// engine is a Companion that records the options it was given.
type engine struct {
	got    SyncOptions
	until  bool // the sync has a deadline
	report pace.Result
	status pace.Status
	err    error
}

func (e *engine) Sync(ctx context.Context, o SyncOptions, say func(string)) (pace.Result, error) {
	e.got = o
	_, e.until = ctx.Deadline()
	if e.err == nil {
		say("one\x1b[2J step")
	}
	return e.report, e.err
}

func (e *engine) Status(o SyncOptions) (pace.Status, error) { e.got = o; return e.status, nil }

func (e *engine) Purge(o SyncOptions) error { e.got = o; return e.err }
func (e *engine) Off(o SyncOptions) error   { e.got = o; return e.err }

// refused is an error of a companion with its own hint.
type refused struct{}

func (refused) Error() string { return "desk refused the push" }
func (refused) Hint() string  { return "memento sync once more" }

// synced runs memento-sync with args and e plugged in.
func synced(t *testing.T, e Companion, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, s strings.Builder
	to := newPerson(t).streams(strings.NewReader(""), &o, &s)
	to.Companion = e
	code = Main(args, to)
	return code, o.String(), s.String()
}

func TestSync(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, line string
		engine     engine
		code       int
		out, errs  string
	}{
		{"both ways", "sync", engine{report: pace.Result{Remote: "u", Sent: pace.Count{Records: 3, Turns: 41},
			Received: pace.Count{Records: 1}, From: []string{"desk"}}}, 0,
			"sent 3 records and 41 turns, received 1 record from desk\n", "memento: one"},
		{"one way", "sync",
			engine{report: pace.Result{Remote: "u", Sent: pace.Count{Records: 1, Turns: 2, Rules: 3}}}, 0,
			"sent 1 record, 2 turns and 3 rules\n", ""},
		{"only received", "sync", engine{report: pace.Result{Remote: "u", Received: pace.Count{Journals: 1},
			From: []string{"desk", "train\n"}}}, 0, "sent nothing, received 1 journal from desk, train\n", ""},
		{"nothing", "sync", engine{report: pace.Result{Remote: "u"}}, 0, "nothing new, here or there\n", ""},
		{"set up, and empty", "sync u --all", engine{report: pace.Result{Remote: "u", IsFirst: true}}, 0,
			"sync is set up; there is nothing to send or to receive yet\n", "the remote will hold"},
		{"a dry run", "sync u --all --dry-run", engine{report: pace.Result{Remote: "u", Sent: pace.Count{Turns: 1}}}, 0, "would send 1 turn\n", "the remote would hold, of every project"},
		{"the first time", "sync u --project shop --project kiosk --answers", engine{report: pace.Result{Remote: "u"}},
			0,
			"nothing new", "of shop, kiosk: records, what you said"},
		{"again after --off", "sync u --project shop", engine{status: pace.Status{All: true, Answers: true},
			report: pace.Result{Remote: "u"}}, 0, "nothing new",
			"of shop: records, what you said, rules, decisions, journals, the ids of what you forgot.\n" +
				"memento: Claude's answers stay here"},
		{"another machine forgot", "sync", engine{report: pace.Result{Remote: "u", Received: pace.Count{Forgotten: 1},
			Erased: 2, From: []string{"desk"}}}, 0,
			"sent nothing, received 1 erased id from desk\nerased in 2 places here what another machine forgot\n", ""},
		{"two versions", "sync", engine{report: pace.Result{Remote: "u", Conflicts: []string{"shop--a"}}}, 0,
			"1 record changed on both sides, and both versions are kept: shop--a\n", ""},
		{"an error", "sync", engine{err: fmt.Errorf("pushing: %w", refused{})}, 1, "",
			"memento: sync: pushing: desk refused the push\nmemento: hint: memento sync once more\n"},
		{"off", "sync --off", engine{}, 0, "sync is off; what the remote has stays there\n", ""},
		{"no status", "sync --status", engine{}, 0, "sync is off: nothing leaves this machine", ""},
		{"a status", "sync --status", engine{status: pace.Status{On: true, Remote: "u", Projects: []string{"shop"},
			Answers: true, Machine: "desk"}}, 0,
			"projects shop, with Claude's answers\n", ""},
		{"another command", "list", engine{}, exitUsage, "", "memento: memento-sync: list is a command of memento\n"},
		{"its version", "version", engine{}, 0, "memento " + Version, ""},
	} {
		code, out, errs := synced(t, &tt.engine, strings.Fields(tt.line)...)
		if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: exit %d, printed %q and %q; want %d, %q and %q", tt.name, code, out, errs, tt.code, tt.out,
				tt.errs)
		}
		if strings.Contains(out+errs, "\x1b") {
			t.Errorf("%s: printed a control character", tt.name)
		}
	}
}

func TestSyncOptions(t *testing.T) {
	t.Parallel()
	e := &engine{}
	if code, _, errs := synced(t, e, "sync", "u", "--project", "shop", "--answers", "--dry-run"); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if o := e.got; o.Remote != "u" || len(o.Projects) != 1 || o.Projects[0] != "shop" || o.All || !o.Answers ||
		!o.DryRun || o.Config.Dir == "" || o.Home == "" || o.Now == nil {
		t.Errorf("the engine got %+v", o)
	}
	if synced(t, e, "sync", "--answers=false"); !e.got.NoAnswers || e.got.Answers {
		t.Errorf("--no-answers: the engine got %+v", e.got)
	}
	if _, out, errs := synced(t, e, "sync", "--auto"); e.got.Auto || out != "" || errs != "" {
		t.Errorf("--auto, and never set up: printed %q and %q, the engine got %+v", out, errs, e.got)
	}
}

// TestSyncPace: a sync notes how it ended. One that a hook started prints nothing, and waits after a failure.
func TestSyncPace(t *testing.T) {
	t.Parallel()
	p, now := newPerson(t), time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	e := &engine{report: pace.Result{Remote: "u", New: map[string]int{"shop": 1}}, status: pace.Status{On: true}}
	run := func(args ...string) (int, string) {
		var out strings.Builder
		s := p.streams(strings.NewReader(""), &out, &out)
		s.Companion, s.Now = e, func() time.Time { return now }
		e.got = SyncOptions{}
		return Main(append([]string{"sync"}, args...), s), out.String()
	}
	if run("u", "--all"); e.until {
		t.Error("a person's sync has a deadline")
	}
	now = now.Add(time.Hour)
	if code, said := run("--auto"); code != 0 || !e.got.Auto || !e.until || strings.Contains(said, "nothing new") {
		t.Errorf("--auto: exit %d, %q, the engine got %+v", code, said, e.got)
	}
	if run("--auto"); !e.got.Auto {
		t.Error("the end of a short session did not sync")
	}
	e.err, now = refused{}, now.Add(time.Hour)
	run("--auto")
	if _, said := run("--status"); !strings.Contains(said, ": desk refused the push\nhint     memento sync once more") {
		t.Errorf("the status after a failure: %s", said)
	}
	now = now.Add(time.Minute)
	if run("--auto"); e.got.Auto {
		t.Error("right after a failure another one ran")
	}
	e.err, now = context.DeadlineExceeded, now.Add(time.Hour)
	run("--auto")
	if _, said := run("--status"); !strings.Contains(said, "the remote did not answer in 5m0s") {
		t.Errorf("the status after a remote that never answers: %s", said)
	}
	e.err, now = safefile.ErrBusy, now.Add(time.Hour)
	run("--auto")
	if _, said := run("--status"); !strings.Contains(said, "did not answer") {
		t.Errorf("the status after a sync that met another one: %s", said)
	}
	if run(); !e.got.Now().Equal(now) {
		t.Error("a person's sync did not run")
	}
	e.err = nil
	run()
	if _, said := run("--status"); strings.Contains(said, "failed") {
		t.Errorf("the status after a good sync: %s", said)
	}
	run("--off")
	if now = now.Add(time.Hour); e.got.Remote != "" {
		t.Error("--off named a remote")
	}
	if run("--auto"); e.got.Auto {
		t.Error("it synced after --off")
	}
}

// TestSyncRefuses: a wrong call starts nothing, neither the engine nor memento-sync.
func TestSyncRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"a", "b"}, {"--", "-oProxyCommand=x"}, {"--", "--upload-pack=x", "--all"}, {"", "--all"}, {"u"},
		{"u\n", "--all"}, {"u", "--all", "--project", "shop"}, {"--status", "--off"},
		{"u", "--status"}, {"--off", "--all"}, {"--status", "--dry-run"}, {"--bad"},
	} {
		args = append([]string{"sync"}, args...)
		e := &engine{err: errors.New("started")}
		if code, out, errs := synced(t, e, args...); code != exitUsage || out != "" ||
			!strings.Contains(errs, "memento: hint: ") {
			t.Errorf("memento-sync %q: exit %d, %q", args, code, errs)
		}
		var errs strings.Builder
		s := newPerson(t).streams(strings.NewReader(""), &strings.Builder{}, &errs)
		s.RunCompanion = func([]string) (int, error) { t.Errorf("%q started memento-sync", args); return 0, nil }
		if code := Main(args, s); code != exitUsage {
			t.Errorf("memento %q: exit %d, %s", args, code, errs.String())
		}
	}
}

// TestRunCompanion: memento hands a call on as it is, and ends as memento-sync did.
func TestRunCompanion(t *testing.T) {
	t.Parallel()
	run := func(with func([]string) (int, error)) (int, string) {
		var out, errs strings.Builder
		s := newPerson(t).streams(strings.NewReader(""), &out, &errs)
		s.RunCompanion = with
		code := Main([]string{"sync", "--project", "a b", "--", "u"}, s)
		return code, out.String() + errs.String()
	}
	var got []string
	code, said := run(func(args []string) (int, error) { got = args; return 75, nil })
	want := `["sync" "--project" "a b" "--" "u"]`
	if code != 75 || said != "" || fmt.Sprintf("%q", got) != want {
		t.Errorf("exit %d, said %q, passed on %q; want 75, nothing, %s", code, said, got, want)
	}
	const missing = "memento: sync: memento-sync is not installed beside memento\nmemento: hint: "
	for _, with := range []func([]string) (int, error){nil, func([]string) (int, error) { return 0, fs.ErrNotExist }} {
		if code, said := run(with); code != exitFail || !strings.Contains(said, missing) {
			t.Errorf("missing: exit %d, %s", code, said)
		}
	}
	code, said = run(func([]string) (int, error) { return 0, fs.ErrPermission })
	if code != exitFail || !strings.Contains(said, "running memento-sync: ") {
		t.Errorf("not to be run: exit %d, %s", code, said)
	}
}
