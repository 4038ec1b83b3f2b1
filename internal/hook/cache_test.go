package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// TestCacheDeleted: the cache is deleted before each event of a session, or before one of them. The blocks, the journal
// and what is kept of the user's words are the same as with the cache.
func TestCacheDeleted(t *testing.T) {
	want := playCached(t, func(int) bool { return false })
	if !strings.Contains(want, "Never round before the sum.") || !strings.Contains(want, "npm test") {
		t.Fatalf("the session has no facts: %s", want)
	}
	check := func(name string, isDeleted func(event int) bool) {
		t.Run(name, func(t *testing.T) {
			if got := playCached(t, isDeleted); got != want {
				t.Errorf("it is\n%s\nwant\n%s", got, want)
			}
		})
	}
	check("before each event", func(int) bool { return true })
	for n := range 14 {
		check(fmt.Sprintf("before event %d", n), func(event int) bool { return event == n })
	}
}

// playCached plays a session of several turns with a compaction, and returns its blocks, and its journal and the user's
// words at the end. The cache is deleted before each event for which isDeleted returns true.
func playCached(t *testing.T, isDeleted func(event int) bool) string {
	w := newWorld(t)
	dir := filepath.Join(w.home, ".claude", ".memento")
	var out strings.Builder
	events := 0
	next := func() {
		if isDeleted(events) {
			if err := os.RemoveAll(filepath.Join(dir, safefile.Cache)); err != nil {
				t.Fatal(err)
			}
		}
		events++
	}
	turn := func(n int, words string) {
		id, parent := fmt.Sprint("u", n), fmt.Sprint("a", n-1)
		next()
		w.prompt(words)
		w.append(w.line(id, parent, words) + call(w, fmt.Sprint("c", n), id, n%2 == 0) + w.answer(fmt.Sprint("a", n),
			fmt.Sprint("r-c", n)))
		next()
		w.event("Stop")
	}
	start := func(source string) {
		next()
		fmt.Fprintf(&out, "%s: %s\n", source, w.start(source))
	}
	start("startup")
	turn(1, firstPrompt)
	turn(2, "Never round before the sum.")
	turn(3, "The receipts need the VAT id too.")
	next()
	w.event("PreCompact")
	w.append(`{"type":"system","subtype":"compact_boundary","uuid":"b1","timestamp":"` + w.now.Format(
		"2006-01-02T15:04:05.000Z") + `"}` + "\n")
	start("compact")
	turn(4, "Now the printer, please.")
	next()
	w.event("SessionEnd")
	next()
	w.start("resume") // without the cache nobody knows what the session ended with, and it gets the block
	next()
	w.event("PreCompact")
	start("compact")
	body := fixture.Read(t, filepath.Join(dir, "shop--alice.json"))
	body = regexp.MustCompile(`"at": {[^}]*}`).ReplaceAllString(body, "")
	fmt.Fprintf(&out, "journal: %s\nsaid: %s\n", body, w.said())
	return strings.ReplaceAll(out.String(), w.home, "HOME")
}

// call is what the client writes of a call of a tool and its result.
func call(w *world, id, parent string, fails bool) string {
	result := "ok"
	if fails {
		result = "Exit code 1\\n3 failing"
	}
	at := w.now.Format("2006-01-02T15:04:05.000Z")
	return fmt.Sprintf(`{"parentUuid":%q,"type":"assistant","message":{"role":"assistant",`+
		`"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"npm test"}}]},"uuid":"q-%s",`+
		`"timestamp":%q}`+"\n",
		parent, id, id, at) +
		fmt.Sprintf(`{"parentUuid":"q-%s","type":"user","message":{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":%q,"is_error":%t,"content":"%s"}]},"uuid":"r-%s","timestamp":%q}`+"\n",
			id, id, fails, result, id, at)
}
