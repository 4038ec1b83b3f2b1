package rule

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// home is memento's folder, with histories.
type home struct {
	*testing.T
	Store
	n int
}

func open(t *testing.T) *home {
	t.Helper()
	return &home{T: t, Store: Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: noon, Wait: time.Second}}
}

func (h *home) lane(slug string) project.Lane { return project.NewLane(h.Dir, slug, "", "alice") }

// write adds an entry of a session to the log, 90 minutes after the last one.
func (h *home) write(slug, session string, e log.Entry) {
	h.Helper()
	h.n++
	e.Session, e.Time = session, noon.Add(time.Duration(h.n)*90*time.Minute)
	h.keep(slug, e)
}

// keep adds entries to a history.
func (h *home) keep(slug string, all ...log.Entry) {
	h.Helper()
	history.Bind(h.lane(slug), all)
	if err := (log.Store{Dir: h.Dir, Wait: time.Second}).Keep(slug, all, "", nil); err != nil {
		h.Fatal(err)
	}
}

// say adds a message to a history and returns its uuid.
func (h *home) say(slug, session, words string) string {
	h.Helper()
	ref := fmt.Sprintf("u%d", h.n+1)
	h.write(slug, session, log.Entry{Kind: log.Typed, Text: words, ID: ref})
	return ref
}

// texts refreshes the rules of a project and returns their texts.
func (h *home) texts(slug string) string {
	h.Helper()
	if err := h.Refresh(h.lane(slug)); err != nil {
		h.Fatal(err)
	}
	rules, _ := h.Rules(slug)
	var out []string
	for _, r := range rules {
		out = append(out, r.Text)
	}
	return strings.Join(out, "|")
}

// nth returns the n-th of the rules, and then of the dropped ones.
func (h *home) nth(slug string, n int) Rule { return slices.Concat(h.Rules(slug))[n-1] }

func (h *home) want(slug, want string) {
	h.Helper()
	if got := h.texts(slug); got != want {
		h.Errorf("the rules of %s are %s, want %s", slug, got, want)
	}
}

const (
	tabs    = "Always use tabs for indentation in this project."
	deploys = "Never deploy the shop on Fridays."
	german  = "Always answer me in German."
)

func TestRefresh(t *testing.T) {
	h := open(t)
	h.want("shop", "")
	if _, err := os.Stat(filepath.Join(h.Dir, Folder)); err == nil {
		t.Error("a folder was made for nothing")
	}
	h.say("shop", "s1", "Fix the header. "+tabs)
	h.want("shop", tabs)
	before, err := os.Stat(h.path("shop"))
	if err != nil {
		t.Fatal(err)
	}
	h.want("shop", tabs)
	if after, _ := os.Stat(h.path("shop")); !os.SameFile(before, after) {
		t.Error("nothing is new, and the file was written again")
	}
	// answers a question
	h.write("shop", "s2", log.Entry{Kind: log.Typed, Text: "yes, " + deploys, Asked: "Shall I deploy?", ID: "u9"})
	h.write("shop", "s2", log.Entry{Kind: "done", Body: `{"act":"Never touch the taxes."}`})
	h.say("shop", "s2", tabs)
	h.want("shop", tabs)
	rules, _ := h.Rules("shop")
	if r := rules[0]; r.Said != 2 || r.Sessions != 2 || r.Session != "s2" || r.Last <= r.First || r.User {
		t.Errorf("%+v", r)
	}
	h.say("barn", "s3", deploys)
	h.want("shop", tabs)
	h.want("barn", deploys)
}

// TestLost: a file that is damaged or of another version's judgement is made again from the histories; decisions stay
// with the latter.
func TestLost(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", tabs)
	h.say("shop", "s1", deploys)
	h.texts("shop")
	if err := h.Drop("shop", h.nth("shop", 1)); err != nil {
		t.Fatal(err)
	}
	left := h.texts("shop")
	data, err := os.ReadFile(h.path("shop"))
	if err != nil || left == "" || strings.Contains(left, "|") {
		t.Fatal(left, err)
	}
	fixture.Write(t, h.path("shop"), strings.Replace(string(data), `"judged":1`, `"judged":9,"colour":"red"`, 1))
	h.want("shop", left)
	if data, _ = os.ReadFile(h.path("shop")); !strings.Contains(string(data), `"colour":"red"`) {
		t.Errorf("another version's field is gone: %s", data)
	}
	fixture.Write(t, h.path("shop"), `{"version":1,"rules":[`)
	if got := h.texts("shop"); strings.Count(got, "|") != 1 {
		t.Errorf("damaged, it holds %s", got)
	}
	if _, aside, _ := Files(h.Dir); len(aside) != 1 {
		t.Errorf("the damaged file was not set aside: %v", aside)
	}
}

func TestRewound(t *testing.T) {
	h := open(t)
	ref := h.say("shop", "s1", tabs)
	h.want("shop", tabs)
	h.write("shop", "s1", log.Entry{Kind: log.Rewound, Of: ref})
	h.want("shop", "")
	h.write("shop", "s1", log.Entry{Kind: log.Restored, Of: ref})
	h.want("shop", tabs)
	h.write("shop", "s1", log.Entry{Kind: log.Typed, Text: deploys, ID: "~1"}) // before the transcript shows it
	h.write("shop", "s1", log.Entry{Kind: log.Typed, Text: deploys, ID: "u99", Was: "~1"})
	if got := h.texts("shop"); strings.Count(got, "|") != 1 {
		t.Fatal(got)
	}
	h.write("shop", "s1", log.Entry{Kind: log.Rewound, Of: "u99"})
	h.want("shop", tabs)
}

// TestPieces: what there is no time for is read later, and nothing is read twice.
func TestPieces(t *testing.T) {
	h := open(t)
	for i := range 7 {
		h.say("shop", fmt.Sprint("s", i), fmt.Sprintf("Always keep the file number%d.go small.", i))
	}
	left := 0
	h.InTime = func() bool { left--; return left >= 0 }
	for range 6 { // what was written within a second is looked at again
		left = 2
		h.texts("shop")
	}
	c, _, err := h.read("shop")
	if err != nil || len(c.lines) != 7 {
		t.Errorf("%d candidates, %v", len(c.lines), err)
	}
}

func TestOwn(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", german)
	h.want("shop", german)
	h.want("barn", "")
	h.say("barn", "s2", "Please answer me in German, always.")
	h.texts("barn")
	if got := h.texts("dock"); !strings.Contains(got, "answer me in German") {
		t.Errorf("said in two projects, and the third has %q", got)
	}
	one := open(t)
	one.say("shop", "s1", german)
	one.texts("shop")
	if err := one.Keep("shop", one.nth("shop", 1)); err != nil {
		t.Fatal(err)
	}
	one.want("dock", german)
	rules, _ := one.Rules("shop")
	if !rules[0].Accepted {
		t.Errorf("%+v", rules)
	}
	if err := one.Drop("dock", one.nth("dock", 1)); err != nil {
		t.Fatal(err)
	}
	one.want("dock", "")
	one.want("shop", "")
}

// TestDrop: what was dropped does not come again, also in other words, until it is kept.
func TestDrop(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", deploys)
	h.texts("shop")
	if err := h.Drop("shop", h.nth("shop", 1)); err != nil {
		t.Fatal(err)
	}
	h.want("shop", "")
	h.say("shop", "s2", "Please never deploy the shop on a Friday!")
	h.want("shop", "")
	h.say("shop", "s3", tabs)
	h.want("shop", tabs)
	_, dropped := h.Rules("shop")
	if len(dropped) != 1 || dropped[0].Text != deploys {
		t.Errorf("%+v", dropped)
	}
	if err := h.Keep("shop", h.nth("shop", 2)); err != nil {
		t.Fatal(err)
	}
	if got := h.texts("shop"); !strings.HasPrefix(got, "Please never deploy") && !strings.HasPrefix(got, deploys) {
		t.Errorf("kept after all, it is not the first: %s", got)
	}
	if _, dropped := h.Rules("shop"); len(dropped) != 0 {
		t.Errorf("%+v", dropped)
	}
}

func TestBound(t *testing.T) {
	h := open(t)
	var all []log.Entry
	for i := range 3 * maxCandidates {
		all = append(all, log.Entry{ID: fmt.Sprint("u", i), Kind: log.Typed, Session: fmt.Sprint("s", i/100),
			Time: noon.Add(time.Duration(i) * time.Hour),
			Text: fmt.Sprintf("add the column number%d to the table number%d", i, i*7)})
	}
	h.keep("shop", all...)
	for range 3*maxCandidates/maxMessages + 1 {
		h.texts("shop")
	}
	c, _, err := h.read("shop")
	if err != nil || len(c.lines) > maxCandidates || len(c.lines) == 0 {
		t.Errorf("%d candidates, %v", len(c.lines), err)
	}
	if last := c.lines[len(c.lines)-1]; last.Session != fmt.Sprint("s", (3*maxCandidates-1)/100) {
		t.Errorf("the newest is of %s", last.Session)
	}
}

func TestConcerning(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", "No deploys on Fridays, ever.")
	h.say("shop", "s1", tabs)
	h.texts("shop")
	none := func(Rule) bool { return false }
	ask := func(prompt string) string {
		var out []string
		for _, r := range h.Concerning("shop", prompt, 2, none) {
			out = append(out, r.Text)
		}
		return strings.Join(out, "|")
	}
	for prompt, want := range map[string]string{
		"please deploy the release this friday": "No deploys on Fridays, ever.",
		"deploy the docs":                       "",
		"what is the indentation of the tabs?":  tabs,
		"":                                      "",
	} {
		if got := ask(prompt); got != want {
			t.Errorf("%q brings %q, want %q", prompt, got, want)
		}
	}
	if got := h.Concerning("shop", "deploy on friday", 2, func(Rule) bool { return true }); len(got) != 0 {
		t.Errorf("skipped: %v", got)
	}
}

func TestErase(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", tabs)
	ref := h.say("shop", "s1", deploys)
	h.say("shop", "s1", german)
	h.texts("shop")
	if err := h.Keep("shop", h.nth("shop", 1)); err != nil {
		t.Fatal(err)
	}
	any := func(string) bool { return true }
	no := func(string) bool { return false }
	erase := func(name string, chosen func(string) bool, phrase string, from func(string) bool) []Gone {
		t.Helper()
		data, err := os.ReadFile(h.path(name))
		if err != nil {
			t.Fatal(err)
		}
		has := func(s string) bool { return phrase != "" && strings.Contains(s, phrase) }
		left, gone, ok := Erase(h.path(name), data, chosen, has, func(s Source) bool { return from(s.Ref) })
		if !ok || len(gone) == 0 && string(left) != string(data) || strings.Contains(string(left), cmpPhrase(phrase)) {
			t.Errorf("%s: %v, %v is left: %s", name, ok, gone, left)
		}
		fixture.Write(t, h.path(name), string(left))
		return gone
	}
	data, err := os.ReadFile(h.path("shop"))
	if err != nil {
		t.Fatal(err)
	}
	if _, gone, _ := Erase(h.path("shop"), data, no, any, func(Source) bool { return true }); gone != nil {
		t.Errorf("of other lanes went %v", gone)
	}
	if gone := erase("shop", any, "", func(id string) bool { return id == ref }); len(gone) != 1 ||
		gone[0].Words != deploys {
		t.Errorf("by its prompt went %v", gone)
	}
	if gone := erase("shop", any, "German", no); len(gone) == 0 {
		t.Error("nothing went")
	}
	if gone := erase(ownName, any, "German", no); len(gone) == 0 {
		t.Error("of the user's own nothing went")
	}
	if _, _, ok := Erase(h.path("shop"), []byte("{"), any, no, func(Source) bool { return false }); ok {
		t.Error("a damaged file was erased from")
	}
}

// cmpPhrase returns a phrase that nothing holds for "".
func cmpPhrase(phrase string) string {
	if phrase == "" {
		return "\x00"
	}
	return phrase
}

func TestEraseLanes(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", tabs)
	h.say("shop", "s1", german)
	h.say("barn", "s2", german)
	h.texts("shop")
	h.texts("barn")
	mine := func(lane string) bool { return lane == "shop--alice" }
	dry, err := h.EraseLanes(mine, true)
	if err != nil || len(dry) != 2 {
		t.Errorf("%v, %v", dry, err)
	}
	changed, err := h.EraseLanes(mine, false)
	if err != nil || !slices.Equal(changed, dry) {
		t.Errorf("%v, %v", changed, err)
	}
	if _, err := os.Stat(h.path("shop")); !os.IsNotExist(err) {
		t.Errorf("the file of the project: %v", err)
	}
	if data, err := os.ReadFile(h.path(ownName)); err != nil || strings.Contains(string(data), "shop") ||
		!strings.Contains(string(data), "barn--alice") {
		t.Errorf("the user's own: %s, %v", data, err)
	}
}

func TestRename(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", tabs)
	h.say("shop", "s1", german)
	h.texts("shop")
	if err := h.Drop("shop", h.nth("shop", 1)); err != nil {
		t.Fatal(err)
	}
	left := h.texts("shop")
	if err := (log.Store{Dir: h.Dir, Wait: time.Second}).Rename("shop", "store"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := h.Rename("shop", "store"); err != nil {
			t.Fatal(err)
		}
	}
	h.want("store", left)
	for _, name := range []string{"store", ownName} {
		if data, _ := os.ReadFile(h.path(name)); strings.Contains(string(data), "shop--") {
			t.Errorf("%s still names the old project: %s", name, data)
		}
	}
	if n, err := h.Of("shop"); n != 0 || err != nil {
		t.Errorf("%d are left, %v", n, err)
	}
}

// turn stores a turn of a session from before, which stands in no history, and takes in its words as a backfill does.
func (h *home) turn(slug, session, words string) {
	h.Helper()
	h.n++
	said := []log.Entry{{ID: fmt.Sprintf("p%d", h.n), Kind: log.Typed, Text: words,
		Time: noon.Add(-time.Duration(h.n) * 24 * time.Hour)}}
	if err := (log.Store{Dir: h.Dir, Wait: time.Second}).Add(slug, session, said); err != nil {
		h.Fatal(err)
	}
	if err := h.Take(slug, h.lane(slug), SaidIn(session, said), nil); err != nil {
		h.Fatal(err)
	}
}

// judgedBefore makes the file of a project one of another version's judgement.
func (h *home) judgedBefore(slug string) {
	h.Helper()
	if err := h.change(slug, func(c *contents) bool { c.judged = judged - 1; return true }); err != nil {
		h.Fatal(err)
	}
}

// TestJudgedAgain: rules from sessions before the installation outlive a change of the judgement, also when the time
// suffices for one session at a call, and when the file is lost.
func TestJudgedAgain(t *testing.T) {
	h := open(t)
	h.turn("shop", "old1", tabs)
	h.turn("shop", "old2", deploys)
	h.say("shop", "s1", "Fix the header. "+tabs)
	h.want("shop", tabs+"|"+deploys)
	h.judgedBefore("shop")
	h.want("shop", tabs+"|"+deploys)
	rules, _ := h.Rules("shop")
	if rules[0].Sessions != 2 || rules[0].Said != 2 {
		t.Errorf("%+v", rules[0])
	}

	h.judgedBefore("shop")
	calls := 0
	h.InTime = func() bool { calls++; return calls%4 != 0 }
	for range 20 {
		if err := h.Refresh(h.lane("shop")); err != nil {
			t.Fatal(err)
		}
	}
	h.InTime = nil
	h.want("shop", tabs+"|"+deploys)
	if c := h.head("shop"); c.again != "" {
		t.Errorf("it is not done: %q", c.again)
	}

	fixture.Write(t, h.path("shop"), "no file of memento's")
	h.want("shop", tabs+"|"+deploys)
}

// TestTakenFirst: the first session after a backfill does not lose what the backfill took in.
func TestTakenFirst(t *testing.T) {
	h := open(t)
	h.turn("shop", "old1", deploys)
	h.say("shop", "s1", "Fix the header.")
	h.want("shop", deploys)
}

// TestUntil: what other sessions said is read however often the file was written meanwhile.
func TestUntil(t *testing.T) {
	h := open(t)
	h.say("shop", "s1", tabs)
	h.want("shop", tabs)
	h.say("shop", "s2", deploys)
	lane := h.lane("shop")
	if err := h.Refresh(lane, "s1"); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(h.path(nameOf("shop")), later, later); err != nil {
		t.Fatal(err)
	}
	if got := h.texts("shop"); !strings.Contains(got, deploys) {
		t.Errorf("of the other session it has %q", got)
	}
}
