package rule

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// house is a store with a log.
type house struct {
	Store
	t *testing.T
	n int
}

func newHouse(t *testing.T) *house {
	t.Helper()
	return &house{Store: Store{Dir: t.TempDir(), Now: noon, Wait: time.Second}, t: t}
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// said notes what was typed in a session on a day of March.
func (h *house) said(session string, day int, words ...string) {
	h.t.Helper()
	for _, text := range words {
		h.n++
		at := time.Date(2026, 3, day, 9, h.n, 0, 0, time.UTC)
		e := log.Entry{ID: fmt.Sprint("u", h.n), Kind: log.Typed, Time: at, Text: text}
		h.must(h.log().Add("shop", session, []log.Entry{e}))
	}
	h.must(h.Refresh("shop"))
}

func (h *house) find(words string) Rule {
	h.t.Helper()
	found, err := h.Find("shop", NumberOf(words))
	h.must(err)
	return found[0]
}

// is compares what is kept, over and waits: words with bars between them.
func (h *house) is(kept, over, waiting string) {
	h.t.Helper()
	list := h.Rules("shop")
	var waits []string
	for _, w := range h.Waiting("shop") {
		waits = append(waits, w.Text)
	}
	for name, of := range map[string][2]string{"kept": {words(list.Kept), kept}, "over": {words(list.Over), over},
		"waiting": {strings.Join(waits, "|"), waiting}} {
		if of[0] != of[1] {
			h.t.Errorf("%s is %q, want %q", name, of[0], of[1])
		}
	}
}

func words(rules []Rule) string {
	var out []string
	for _, r := range rules {
		out = append(out, r.Text)
	}
	return strings.Join(out, "|")
}

const (
	tax   = "Never touch the tax tables without asking me."
	staff = "The staging database is wiped on Sundays."
)

// What holds on by its form is kept at once, what was said twice a day later; the rest waits, and requests do not.
func TestForms(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, tax, "Build the checkout.", staff, "ok")
	h.is(tax, "", staff)
	h.said("s2", 1, staff) // on the same day
	h.is(tax, "", staff)
	h.said("s3", 3, "the staging database is wiped on Sundays")
	h.is(staff+"|"+tax, "", "")
	h.said("s4", 5, "Please never touch the tax tables without asking me first!")
	got := h.Rules("shop").Kept[1]
	if got.Sessions != 2 || got.N != NumberOf(tax) || got.Last.Day() != 5 || got.By != BySaid {
		t.Errorf("%+v", got)
	}
}

// A person's word counts more than a form, and the newest most. Drop stops all wordings, keep takes it back.
func TestDecisions(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, tax, staff)
	h.must(h.Keep("shop", ByUser, "", h.find(staff)))
	h.is(staff+"|"+tax, "", "")
	h.must(h.Drop("shop", h.find(tax)))
	h.is(staff, "", "")
	h.said("s2", 20, "Please never touch the tax tables without asking me first!")
	h.is(staff, "", "")
	h.Now = noon.AddDate(0, 0, 9)
	h.must(h.Keep("shop", ByUser, "", h.find(tax)))
	h.is(tax+"|"+staff, "", "")
	h.must(h.Keep("", ByUser, "", h.find(staff)))
	if got := (Store{Dir: h.Dir}).Rules("barn").Kept; words(got) != staff || !got[0].User {
		t.Errorf("elsewhere is kept %+v", got)
	}
	h.must(h.Keep("shop", ByUser, "decision", h.find(tax)))
	h.is(staff, "", "")
	if _, err := h.Find("shop", 123456); !errors.Is(err, ErrNumber) {
		t.Error(err)
	}
}

// The last decision counts, also after one of a clock that was ahead: of another machine, or of this one.
func TestClockAhead(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, staff)
	h.Now = noon.AddDate(0, 1, 0)
	h.must(h.Keep("shop", ByUser, "", h.find(staff)))
	h.Now = noon
	h.must(h.Drop("shop", h.find(staff)))
	h.is("", "", "")
	h.must(h.Keep("shop", ByUser, "", h.find(staff)))
	h.is(staff, "", "")
}

// Newer words about the same thing win.
func TestOver(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, "Remember that the release is on Friday.", "Always use yarn in this project.")
	h.said("s2", 2, "Remember that the release is on Monday.", "Always use pnpm in this project.")
	h.is("Always use pnpm in this project.|Remember that the release is on Monday.",
		"Always use yarn in this project.|Remember that the release is on Friday.", "")
}

// What leads to a statement does not hide that it says something else of the same thing.
func TestOverBehindWords(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, "Remember that the customer number has 8 digits.")
	h.said("s2", 2, "From now on the customer number has 9 digits.")
	h.is("From now on the customer number has 9 digits.", "Remember that the customer number has 8 digits.", "")
}

// What Claude keeps is as old as its words, not as the choice; and what the user says again is over no longer.
func TestAge(t *testing.T) {
	h := newHouse(t)
	const newer = "The staging database is wiped on Mondays."
	h.said("s1", 1, staff)
	h.said("s2", 3, newer)
	h.must(h.Keep("shop", ByClaude, "", h.find(newer)))
	h.Now = noon.AddDate(0, 0, 1)
	h.must(h.Keep("shop", ByClaude, "", h.find(staff)))
	h.is(newer, staff, "")
	if got := h.Rules("shop").Kept[0]; got.Last.Day() != 3 || got.Sessions != 1 {
		t.Errorf("%+v", got)
	}
	h.must(h.ReplaceBy("shop", NumberOf(staff), NumberOf(newer)))
	h.said("s3", 20, "Remember that the staging database is wiped on Sundays.")
	h.is("Remember that the staging database is wiped on Sundays.", newer+"|"+staff, "")
	h.said("s4", 21, tax)
	h.must(h.Keep("shop", ByClaude, "", h.find(tax)))
	h.said("s5", 22, tax)
	if got := h.Rules("shop").Kept[0]; got.Text != tax || got.Sessions != 2 {
		t.Errorf("%+v", got)
	}
}

// Two wordings of one session are one session's, and what the older wording replaces is over too.
func TestWordings(t *testing.T) {
	h := newHouse(t)
	const one, two, older = "Runtime moves to Python 3.13 as well.", "It has to run on Python 3.13.",
		"It has to run on Python 3.12."
	h.said("s1", 1, older)
	h.said("s2", 3, two, one)
	h.must(h.Keep("shop", ByClaude, "", h.find(one), h.find(two), h.find(older)))
	h.is(one, older, "")
	if got := h.Rules("shop").Kept[0]; got.Sessions != 1 {
		t.Errorf("%+v", got)
	}
}

// What forbids something replaces nothing that names another number.
func TestNoRule(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, "Remember that it has to run on Python 3.12.")
	h.said("s2", 3, "Always use uv run, not python.")
	h.is("Always use uv run, not python.|Remember that it has to run on Python 3.12.", "", "")
}

// What Claude keeps by a quotation answers no ask.
func TestQuotedAnswersNothing(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, staff, "Our lids come from two makers.")
	h.must(h.Offer("shop", "s2", h.Waiting("shop")))
	h.said("s2", 2, "The boxes are blue.")
	h.must(h.Keep("shop", ByClaude, "", h.find("The boxes are blue.")))
	if left, _, unanswered := h.Unjudged("shop"); len(left) != 2 || unanswered != 1 {
		t.Errorf("%d are left, %d asks are not answered", len(left), unanswered)
	}
	_, err := h.KeepOffered("shop", "s2", NumberOf(staff))
	h.must(err)
	if left, _, unanswered := h.Unjudged("shop"); len(left) != 0 || unanswered != 0 {
		t.Errorf("%d are left, %d asks are not answered", len(left), unanswered)
	}
}

// Claude keeps only what it was asked about in its own session, each once.
func TestOffered(t *testing.T) {
	h := newHouse(t)
	const lids = "Our lids come from two makers."
	h.said("s1", 1, staff, lids)
	n := NumberOf(staff)
	if _, err := h.KeepOffered("shop", "s2", n); !errors.Is(err, ErrNotOffered) {
		t.Error(err)
	}
	h.must(h.Offer("shop", "s2", h.Waiting("shop")[:2]))
	if _, err := h.KeepOffered("shop", "s3", n); !errors.Is(err, ErrNotOffered) {
		t.Error("another session:", err)
	}
	h.Now = h.Now.Add(time.Second)
	if kept, err := h.KeepOffered("shop", "s2", n); err != nil || len(kept) != 1 {
		t.Error(kept, err)
	}
	if got := h.Rules("shop").Kept; len(got) != 1 || got[0].By != ByClaude {
		t.Errorf("%+v", got)
	}
	if got := h.Offered("shop", "s2"); len(got) != 1 || got[0] == n {
		t.Errorf("open are %v", got)
	}
	h.must(h.Offer("shop", "s2", nil))
	if got := h.Offered("shop", "s2"); got != nil {
		t.Errorf("open are %v", got)
	}
	if err := h.ReplaceBy("shop", NumberOf(lids), n); !errors.Is(err, ErrNotLater) {
		t.Error(err)
	}
	h.said("s4", 16, "The staging database is never wiped any more, it moved.")
	h.must(h.ReplaceBy("shop", n, NumberOf("The staging database is never wiped any more, it moved.")))
	h.is("The staging database is never wiped any more, it moved.", staff, lids)
}

// What the user took back holds no more; coming back to it brings it back. The view may go at any moment.
func TestTakenBack(t *testing.T) {
	h := newHouse(t)
	for i, step := range []struct{ kind, kept string }{{"", tax}, {log.Rewound, ""}, {log.Restored, tax}} {
		if h.Now = noon.AddDate(0, 0, i); step.kind == "" {
			h.said("s1", 1, tax)
		} else {
			h.must(h.log().Add("shop", "s1", []log.Entry{{Kind: step.kind, Of: "u1", Time: h.Now}}))
		}
		for range 2 {
			h.must(h.Refresh("shop"))
			h.is(step.kept, "", "")
			h.must(os.RemoveAll(filepath.Join(h.Dir, "cache")))
		}
	}
}

// What was pasted, copied by a fork, or sent again by a machine was not said twice.
func TestNotTwice(t *testing.T) {
	h := newHouse(t)
	template := "The cart counts in cents. The tax is rounded last. The lids come in pairs."
	h.said("s1", 1, template, staff, "commit and push all changes")
	copied := log.Entry{ID: "u2", Kind: log.Typed, Time: noon.AddDate(0, 0, 2), Text: staff}
	h.must(h.log().Add("shop", "s2", []log.Entry{copied}))
	h.said("s3", 5, template, "commit and push all the changes")
	if got := h.Rules("shop").Kept; got != nil {
		t.Errorf("kept are %s", words(got))
	}
}

// A phrase that is forgotten leaves no rule, and another machine's decisions come in as a set.
func TestTravel(t *testing.T) {
	h, other := newHouse(t), newHouse(t)
	h.said("s1", 1, tax, staff)
	h.must(h.Keep("shop", ByUser, "", h.find(staff)))
	sent, err := h.log().SendDecisions("shop")
	h.must(err)
	for range 2 {
		h.must(other.log().ReceiveDecisions("shop", sent))
		other.is(staff+"|"+tax, "", "")
	}
	_, err = other.log().Erase(log.Erasure{Chosen: func(string) bool { return true },
		Forgotten: fixture.Forgotten(func(words string) bool { return strings.Contains(words, "tax") })})
	h.must(err)
	h.must(other.log().ReceiveDecisions("shop", sent))
	other.is(staff, "", "")
}

func TestConcerning(t *testing.T) {
	h := newHouse(t)
	h.said("s1", 1, tax, "I prefer short answers.")
	none := func(Rule) bool { return false }
	if got := h.Concerning("shop", "round the tax tables up, would you", 2, none); words(got) != tax {
		t.Errorf("%q", words(got))
	}
	if got := h.Concerning("shop", "paint the header blue", 2, none); got != nil {
		t.Errorf("%q", words(got))
	}
}
