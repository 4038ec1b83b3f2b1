package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
)

// TestInstallOffersThePast: at a terminal install offers to take in the sessions of both clients from before, once, and
// not those that its hooks wrote down. A no is no failure.
func TestInstallOffersThePast(t *testing.T) {
	home := t.TempDir()
	shop, exe := filepath.Join(home, "shop"), filepath.Join(home, "bin", "memento")
	fixture.Write(t, exe, "")
	fixture.Write(t, filepath.Join(shop, ".git", "HEAD"), "ref: refs/heads/main\n")
	fixture.Write(t, filepath.Join(home, ".claude/projects/-shop/s1.jsonl"),
		`{"type":"user","uuid":"u1","sessionId":"s1","cwd":"`+shop+
			`","permissionMode":"default","timestamp":"2026-11-02T09:00:00Z","message":{"role":"user",`+
			`"content":"Fix the cart."}}`+"\n")
	fixture.Write(t, filepath.Join(home, ".codex/sessions/2026/11/03/rollout-2026-11-03T09-00-00-s2.jsonl"),
		`{"timestamp":"2026-11-03T09:00:00Z","type":"session_meta","payload":{"id":"s2","cwd":"`+shop+`"}}`+"\n"+
			`{"timestamp":"2026-11-03T09:00:01Z","type":"event_msg","payload":{"type":"item_completed","item":`+
			`{"type":"UserMessage","id":"p1","content":[{"type":"text","text":"Test the cart."}]}}}`+"\n")
	install := func(answer string) (code int, out, err string) {
		var o, e strings.Builder
		s := person{home, shop}.streams(strings.NewReader(answer), &o, &e)
		s.Terminal, s.Exe = true, exe
		return Main([]string{"install"}, s), o.String(), e.String()
	}
	hooks := log.Store{Dir: filepath.Join(home, ".claude", ".memento")}
	const known = "0199c0de-0000-7000-8000-000000000001"
	if err := hooks.Add("shop", known, []log.Entry{{Kind: log.Typed, ID: "u9", Text: "Ship."}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".claude/projects/-shop/", ".codex/sessions/2026/11/03/rollout-2026-11-03T09-00-00-"} {
		fixture.Write(t, filepath.Join(home, path+known+".jsonl"), "{}\n")
	}
	if code, out, err := install("n\n"); code != 0 || !strings.Contains(out, "takes in 2 sessions from before") ||
		!strings.Contains(err, "Nothing was taken in.") {
		t.Errorf("%d\n%s\n%s", code, out, err)
	}
	if code, out, err := install("y\n"); code != 0 || !strings.Contains(out, "taken in: 2 sessions, 2 turns") {
		t.Errorf("%d\n%s\n%s", code, out, err)
	}
	if code, out, err := install(""); code != 0 || strings.Contains(out+err, "Take in") {
		t.Errorf("%d\n%s\n%s", code, out, err)
	}
}
