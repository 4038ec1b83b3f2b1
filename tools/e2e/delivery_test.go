package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// stand returns what memento status says of the last block.
func (w *world) stand() string {
	w.t.Helper()
	var status struct{ Delivery string }
	if out := w.shell(memento(), "status", "--json"); json.Unmarshal([]byte(out), &status) != nil {
		w.t.Fatalf("status is no JSON: %s", out)
	}
	return status.Delivery
}

// TestDelivery puts something between memento and the model: after the first compaction the block is lost, after the
// second the client replaces it by a preview. Each time the second prompt after it brings the block again, once.
func TestDelivery(t *testing.T) {
	const lost = `echo x >>"$HOME/compactions"; [ "$(wc -l <"$HOME/compactions")" -eq 1 ] && exit; `
	// the preview is of the lines in the first 2 KB
	const before, after = `$(printf '%1700s' . | tr ' ' '.')`, `$(printf '%12000s' . | tr ' ' '.')`
	t.Run("text", func(t *testing.T) {
		testAgain(t, "never", 0, lost+`printf '%s\n' "`+before+`" "$out" "`+after+`"`)
	})
	t.Run("JSON", func(t *testing.T) {
		const field, text = `"additionalContext":"`, `[^"\\]*\(\\.[^"\\]*\)*`
		padded := `\1'"` + before + `"'\\n\2\\n'"` + after + `"'`
		testAgain(t, "auto", 1, lost+`printf '%s\n' "$out" | sed 's/\(`+field+`\)\(`+text+`\)/`+padded+`/'`)
	})
	t.Run("JSON behind a shell profile's output", func(t *testing.T) {
		w := newWorld(t)
		w.between("auto", `printf '%s\n' "Welcome back." "$out"`)
		const quoting = `Find out why the log says "no rows". Never touch the migrations.` // JSON quotes it another way
		r := w.bare(Session{Prompts: []string{quoting, "/compact", "Go on.", "And now?", "Thanks."}})
		want(t, "the request after the compaction", r.Of(Main)[1].Text(), "Welcome back.", "[MEMENTO] Mission: ")
		for _, words := range r.Said("UserPromptSubmit")[1:] {
			never(t, "what stands beside a prompt", words, "[MEMENTO] Mission: ")
		}
		if got := w.stand(); got != "whole" {
			t.Errorf("the request has the block, and delivery is %q", got)
		}
	})
}

// between wires memento into the settings. After a compaction, compacted, lines of a shell script, prints memento's
// answer $out its own way. notify is memento's setting.
func (w *world) between(notify, compacted string) {
	t := w.t
	t.Helper()
	between := filepath.Join(filepath.Dir(w.home), "between")
	script := `#!/bin/sh
in=$(cat)
out=$(printf %s "$in" | MEMENTO_NOTIFY=` + notify + ` '` + memento() + `' hook)
case $in in
*'"source":"compact"'*) ` + compacted + ` ;;
*) printf '%s\n' "$out" ;;
esac
`
	if err := os.WriteFile(between, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(command string, args ...string) []object {
		return []object{{"hooks": []object{{"type": "command", "command": command, "args": append([]string{}, args...),
			"timeout": 5}}}}
	}
	hooks := object{"SessionStart": run(between)}
	for _, event := range []string{"UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"} {
		hooks[event] = run(memento(), "hook")
	}
	settings, err := json.Marshal(object{"hooks": hooks})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(w.home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, filepath.Join(w.home, ".claude", "settings.json"), string(settings))
}

// testAgain runs the sessions of TestDelivery, with memento's notice to the person in each of notices hook outputs.
func testAgain(t *testing.T, notify string, notices int, compacted string) {
	w := newWorld(t)
	w.between(notify, compacted)
	r := w.bare(Session{Prompts: []string{mission, "/compact", "Go on.",
		"Before you go on, write down which of the three callers of Refresh pass the expiry in local time, and " +
			"which in UTC.", "/compact", "Go on with the tests.", "And now?", "Thanks."}})
	main := r.Of(Main)
	if len(main) != 6 {
		t.Fatalf("%d requests of the main model, not 6", len(main))
	}
	said := r.Said("UserPromptSubmit")
	if len(said) != 6 {
		t.Fatalf("%d UserPromptSubmit hooks, not 6: %q", len(said), said)
	}
	never(t, "the request after the first compaction", main[1].Text(), "[MEMENTO] Mission: ")
	want(t, "what stands beside the next prompt", said[2], "[MEMENTO] Mission: "+mission, "did not reach Claude")
	want(t, "its request", main[2].Tail(), said[2])
	want(t, "the request after the second compaction", main[3].Text(), "Output too large")
	if told := r.Notices(); len(told) != notices {
		t.Errorf("%d notices, not %d: %q", len(told), notices, told)
	}
	want(t, "what stands beside the next prompt", said[4], "[MEMENTO] Mission: "+mission, "cut short")
	want(t, "its request", main[4].Tail(), said[4])
	never(t, "what stands beside the prompt after that", said[5], "[MEMENTO] Mission: ")
	if got := w.stand(); got != "whole" {
		t.Errorf("in the end delivery is %q", got)
	}
}
