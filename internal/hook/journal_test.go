package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// played is a session of two turns, and the path of its journal.
func played(t *testing.T) (w *world, path string) {
	w = newWorld(t)
	w.start("startup")
	w.prompt(firstPrompt)
	w.append(w.line("u1", "", firstPrompt) + w.answer("a1", "u1"))
	w.event("Stop")
	w.prompt("Never round before the sum.")
	w.append(w.line("u2", "a1", "Never round before the sum.") + w.answer("a2", "u2"))
	w.event("Stop")
	return w, filepath.Join(w.home, ".claude", ".memento", "shop--alice.json")
}

// TestJournalTorn: a power cut may leave any earlier version of the journal, or half of one. The log has the last one.
func TestJournalTorn(t *testing.T) {
	_, path := played(t)
	whole := fixture.Read(t, path)
	for name, left := range map[string]string{"empty": "", "torn": whole[:len(whole)/2], "zeroes": "\x00\x00\x00"} {
		t.Run(name, func(t *testing.T) {
			w, path := played(t)
			fixture.Write(t, path, left)
			if got := w.start("compact"); !strings.Contains(got, "never touch the tax tables") ||
				!strings.Contains(got, "Never round before the sum.") {
				t.Errorf("the block is %s", got)
			}
			if got := fixture.Read(t, path); !strings.Contains(got, "never touch the tax tables") {
				t.Errorf("the journal is %s", got)
			}
		})
	}
	w, path := played(t)
	old := fixture.Read(t, path)
	w.prompt("The receipts need the VAT id too.")
	w.append(w.line("u3", "a2", "The receipts need the VAT id too.") + w.answer("a3", "u3"))
	w.event("Stop")
	fixture.Write(t, path, old) // as if the process was killed between log and journal
	w.prompt("Now the printer, please.")
	w.append(w.line("u4", "a3", "Now the printer, please.") + w.answer("a4", "u4"))
	w.event("Stop")
	if got := w.start("compact"); !strings.Contains(got, "VAT id") || !strings.Contains(got, "the printer") {
		t.Errorf("the block is %s", got)
	}
}

// TestJournalRemoved: a journal that somebody removed stays away, also when the cache is gone, and the log says so
// once.
func TestJournalRemoved(t *testing.T) {
	for _, isCached := range []bool{true, false} {
		w, path := played(t)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for n, words := range []string{"Paint the fence in the garden green.", "And the gate."} {
			if !isCached {
				if err := os.RemoveAll(filepath.Join(filepath.Dir(path), safefile.Cache)); err != nil {
					t.Fatal(err)
				}
			}
			w.prompt(words)
			id := string(rune('3' + n))
			w.append(w.line("u"+id, "a"+string(rune('2'+n)), words) + w.answer("a"+id, "u"+id))
			w.event("Stop")
		}
		if got := fixture.Read(t, path); strings.Contains(got, "tax tables") || strings.Contains(got, "round before") ||
			!strings.Contains(got, "Paint the fence") {
			t.Errorf("cached %v: the journal is %s", isCached, got)
		}
		if n := strings.Count(fixture.Logged(t, filepath.Dir(path)), `"kind":"cleared"`); n != 1 {
			t.Errorf("cached %v: the log says %d times that it was removed", isCached, n)
		}
	}
}

// TestJournalEdited: what somebody writes into the journal is respected, and stands in the log, also when the cache is
// gone.
func TestJournalEdited(t *testing.T) {
	for _, isCached := range []bool{true, false} {
		w, path := played(t)
		fixture.Write(t, path, strings.Replace(fixture.Read(t, path), `"plan": []`,
			`"plan": ["half of the sums"], "mine": [1, 2]`, 1))
		if !isCached {
			if err := os.RemoveAll(filepath.Join(filepath.Dir(path), safefile.Cache)); err != nil {
				t.Fatal(err)
			}
		}
		w.prompt("The receipts need the VAT id too.")
		w.append(w.line("u3", "a2", "The receipts need the VAT id too.") + w.answer("a3", "u3"))
		w.event("Stop")
		fixture.Write(t, path, "") // a power cut
		w.start("compact")
		if got := fixture.Read(t, path); !strings.Contains(got, "half of the sums") ||
			!strings.Contains(got, `"mine": [1, 2]`) {
			t.Errorf("cached %v: the journal is %s", isCached, got)
		}
		if n := strings.Count(fixture.Logged(t, filepath.Dir(path)), `"kind":"by hand"`); n != 1 {
			t.Errorf("cached %v: the log has %d edits", isCached, n)
		}
	}
}
