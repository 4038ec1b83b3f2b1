package forget

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

const phrase = "the launch is on 3 May"

// desk is memento's folder with two projects. shop has the phrase in every place that can hold it, and other words.
func desk(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".memento")
	transcript := filepath.Join(filepath.Dir(dir), "t.jsonl")
	put := func(path, content string) {
		t.Helper()
		fixture.Write(t, path, content)
	}
	long := "Write the banner for the jars, in red, with the prices and the opening hours below them, and say that " +
		"the launch is on 3 May."
	journal := `{"mission":"` + long[:100] +
		`…","mission_opened":"2026-03-14T09:00:00Z","mission_closed":null,"mission_ref":"u1","mission_by":"user",` +
		`"project":"shop",` +
		`"summary":"print a page (tool: x); tell that the LAUNCH is on 3 May; tell Ann -> the…; weigh the jars",` +
		`"wip":"\"Write the banner for the jars, in red, with …\"","wip_by":"auto",` +
		`"done":[{"act":"tell Ann","result":"the launch is “on 3 May”"},{"act":"weigh the jars","result":"120 g"}],` +
		`"plan":["the launch is on 3 May: lids"],"plan_by":"claude",` +
		`"said":[{"text":"The launch is on 3 May.","ref":"u2"},{"text":"organic first","ref":"u3"},{"text":"hours ` +
		`below them, and say…","ref":"u1"}],"note by hand":"the launch is on 3 May","team":"red","session":"s1"}`
	put(filepath.Join(dir, "shop--alice.json"), journal)
	fixture.Left(t, dir, "shop",
		`{"ts":"2026-03-14T09:00:00Z","id":"u1","kind":"typed","session":"s1","text":"`+long+`"}`,
		`{"ts":"2026-03-14T09:00:01Z","id":"u2","kind":"typed","session":"s1","text":"The launch is on 3 May."}`,
		`{"ts":"2026-03-14T09:00:02Z","id":"u3","kind":"typed","session":"s1","text":"organic first", "odd":  [1]}`,
		`{"ts":"2026-03-14T09:00:03Z","kind":"done","body":{"act":"count","result":"the launch is on 3 May"}}`,
		`{"ts":"2026-03-14T09:00:04Z","kind":"mission","reason":"parked","session":"s0","text":"Sell the lids",`+
			`"body":{"mission":"Sell the lids","wip":"the launch is on 3 May","done":[{"act":"find lids",`+
			`"result":"44"}]}}`,
		`{"ts":"2026-03-14T09:00:05Z","kind":"mission","reason":"parked","session":"s9","text":"Note: the launch is `+
			`on 3 May","body":{"mission":"Note: the launch is on 3 May","plan":["buy string"],"done":[{"act":"buy `+
			`tape","result":"3 rolls"}]}}`,
		`{"ts":"2026-03-14T09:00:06Z","kind":"rewound","session":"s1","of":"u2"}`,
		`not JSON, and the launch is on 3 May`, `not JSON either`,
		`{"ts":"2026-03-14T09:00:01Z","kind":"cut","text":"the launch is on 3 May, so hurry"}`)
	put(filepath.Join(dir, "cache", "s1.json"), `{"id":"s1","lane":"shop--alice","transcript":"`+transcript+
		`","started":"2026-03-14T09:00:00Z",`+
		`"work":{"tasks":[{"id":"1","text":"the launch is on 3 May"},{"id":"2","text":"labels"}],"looked":["the `+
		`launch is on 3 May.md","a.md"],"asked":"\"the launch is on 3 May\"","ran":4},`+
		`"record":"shop--session-the-launch-is-on-3-may","brought":["shop--the-launch-is-on-3-may 00",`+
		`"shop--print-the-banner 00"],"kept":"memento show the-launch","late":["shop--the-launch-is-on-3-may `+
		`/a.jsonl","shop--explore /b.jsonl"],"block":"Mission: the launch is on 3 May","compactions":2}`)
	put(filepath.Join(dir, "waiting", "s1.prompts"), `{"session":"s1","lane":"shop--alice",`+
		`"pending":[{"text":"Is it true that the launch is on 3 May?","at":"2026-03-14T09:00:00Z"},`+
		`{"text":"go on","at":"2026-03-14T09:00:00Z"}]}`)
	put(filepath.Join(dir, "cache", "s8.json"),
		`{"id":"s8","lane":"shop--alice","started":"2026-03-14T09:00:00Z","work":{"asked":"the launch is on 3 May"}}`+
			"\n"+
			// an earlier version, and the newest
			`{"id":"s8","lane":"shop--alice","started":"2026-03-14T09:00:00Z","work":{"asked":"buy tape"}}`+"\n")
	put(filepath.Join(dir, "cache", "s7.json"), `{"id":"s7","lane":"shop--al`+phrase)
	put(filepath.Join(dir, "shop--alice.json.corrupt-20260314T090000Z"), `{"mission":"the launch\n is on\u00203 May`)
	put(filepath.Join(dir, "shop--alice.json.corrupt-20260315T090000Z"), `{"mission":"the end`)
	for _, folder := range []string{"", "log/shop/2026-03", "cache", "waiting", ".completed", "cache/index"} {
		put(filepath.Join(dir, folder, ".memento-tmp-1"), `{"kind":"said","text":"the launch is on 3 May"}`)
		// a dead process's, by now
		if err := os.Chtimes(filepath.Join(dir, folder, ".memento-tmp-1"), noon, noon); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(dir, "shop--print-the-banner.md"),
		"---\nid: shop--print-the-banner\nkind: decision\ntitle: Print the banner\nproject: shop\nstatus: "+
			"active\nstage: accepted\ncreated: 2026-03-14T09:26:53Z\n"+
			"updated: 2026-03-14T09:26:53Z\ntags: [banner, the launch is on 3 May]\nsession: s1\nchanges:\n  - "+
			"{date: 2026-03-14T09:26:53Z, summary: created}\n---\n## Context\n\nThe launch\nis on 3 May.\n\nSee "+
			"shop--the-launch-is-on-3-may too.\n\n"+
			"Write the banner for the jars, in red, with the prices, and say that the launch is o…\n\n## "+
			"Decision\n\nRed.\n")
	put(filepath.Join(dir, ".completed", "shop--the-launch-is-on-3-may.md"),
		"---\nkind: runbook\ntitle: The launch is on 3 May\ntags: [x]\n---\nBe there.\n")
	put(filepath.Join(dir, ".completed", "shop--named-so.md"),
		"---\nkind: runbook\ntitle: Buy string, as the launch is on 3 May\ntags: [x]\n---\nBe there.\n")
	put(filepath.Join(dir, "shop--damaged.md"), "---\nkind: *x\n---\nthe launch is on 3 May\n")
	put(filepath.Join(dir, "shop--whole.md.older-20260314T090000Z"), "the launch is on 3 May")
	put(filepath.Join(dir, "user--style.md"),
		"---\nkind: preference\ntitle: Style\ntags: [x]\n---\n- short\n- the launch is on 3 May\n- plain\n")
	put(filepath.Join(dir, "cache", "index", "base"), "the launch is on 3 May")
	put(filepath.Join(dir, "kiosk--alice.json"), `{"mission":"the launch is on 3 May"}`)
	put(filepath.Join(dir, "config.json"), `{"remind":"never"}`)
	return dir
}

func shop(lane string) bool { return strings.HasPrefix(lane, "shop--") }

func eraser(t *testing.T, dir, words string) *Eraser {
	t.Helper()
	return &Eraser{Dir: dir, Chosen: shop, Records: func(p string) bool { return p == "shop" || p == "user" },
		Past: func(p string) bool { return p == "shop" }, Phrase: words, Now: noon, Wait: time.Second}
}

// holding lists the files that hold the words, plain or as JSON, in any case.
func holding(t *testing.T, dir, words string) string {
	t.Helper()
	var out []string
	for name, data := range fixture.Contents(t, dir) {
		if strings.Contains(text.Fold(text.Unescape(data)), text.Fold(words)) ||
			strings.Contains(text.Fold(data), text.Fold(words)) {
			out = append(out, path.Base(name))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// leftID matches what fixture.Left puts before a line, the id of an entry made of a part of one, and what says that an
// entry was erased.
var leftID = regexp.MustCompile(`(?m)^\{"id":"\w+","kind":"erased"}\n|^\{("id":"left[-0-9]*",)?`)

// rest checks that all other words are unchanged.
func rest(t *testing.T, dir string) {
	t.Helper()
	want := strings.Join([]string{ // in the files of s0, s1, s9 and the project
		`"kind":"mission","ts":"2026-03-14T09:00:04Z","lane":"--alice","session":"s0","text":"Sell the lids",` +
			`"reason":"parked","body":{"mission":"Sell the lids","done":[{"act":"find lids","result":"44"}]}}`,
		`"lane":"--alice","ts":"2026-03-14T09:00:02Z","id":"u3","kind":"typed","session":"s1","text":"organic ` +
			`first", "odd":  [1]}`,
		`not JSON either`,
		`"kind":"mission","ts":"2026-03-14T09:00:05Z","lane":"--alice","session":"s9","text":"…","reason":"closed",` +
			`"body":{"mission":"…","plan":["buy string"],"done":[{"act":"buy tape","result":"3 rolls"}],` +
			`"mission_opened":null,"mission_closed":null}}`,
		`"kind":"mission","ts":"2026-03-14T09:00:04Z","lane":"--alice","session":"s0","text":"Sell the lids",` +
			`"reason":"parked","body":{"mission":"Sell the lids","done":[{"act":"find lids","result":"44"}]}}`,
		`"kind":"mission","ts":"2026-03-14T09:00:05Z","lane":"--alice","session":"s9","text":"…","reason":"closed",` +
			`"body":{"mission":"…","plan":["buy string"],"done":[{"act":"buy tape","result":"3 rolls"}],` +
			`"mission_opened":null,"mission_closed":null}}`, ``,
	}, "\n")
	if got := leftID.ReplaceAllString(fixture.Logged(t, dir), ""); got != want {
		t.Errorf("history is\n%s\nwant\n%s", got, want)
	}
	fixture.Fields(t, fixture.Read(t, filepath.Join(dir, "shop--alice.json")), map[string]string{
		"mission": "null", "mission_opened": "null", "mission_ref": "", "mission_by": "", "wip": "", "plan": "[]",
		"done.#": "1", "done.0.act": `"weigh the jars"`, "said.#": "1", "said.0.text": `"organic first"`,
		"summary": `"print a page (tool: x); tell Ann -> the…; weigh the jars"`, "team": `"red"`, "session": `"s1"`,
	})
	if got := fixture.Read(t, filepath.Join(dir, "waiting", "s1.prompts")); !strings.Contains(got,
		`"pending":[{"text":"go on"`) {
		t.Errorf("of the words that wait stay %s", got)
	}
	record := fixture.Read(t, filepath.Join(dir, "shop--print-the-banner.md"))
	for _, words := range []string{"\ntitle: Print the banner\n", "\ntags: [banner]\n",
		"---\n## Context\n\n## Decision\n\nRed.\n"} {
		if !strings.Contains(record, words) {
			t.Errorf("the record has no %q: %s", words, record)
		}
	}
	if got := fixture.Read(t, filepath.Join(dir, "user--style.md")); !strings.HasSuffix(got,
		"---\n- short\n- plain\n") {
		t.Errorf("the user's record is %s", got)
	}
	for _, name := range []string{".completed/shop--the-launch-is-on-3-may.md", ".completed/shop--named-so.md",
		"shop--damaged.md", "shop--whole.md.older-20260314T090000Z", "cache/index/base", "cache/s1.json",
		"cache/s8.json"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if removed := fixture.Read(t, filepath.Join(dir, "removed.json")); strings.Count(removed, ":") < 6 ||
		strings.Contains(removed, "launch") {
		t.Errorf("the titles that do not come back are %s", removed)
	}
	if fixture.Read(t, filepath.Join(dir, "kiosk--alice.json")) != `{"mission":"the launch is on 3 May"}` ||
		fixture.Read(t, filepath.Join(dir, "shop--alice.json.corrupt-20260315T090000Z")) != `{"mission":"the end` {
		t.Error("files that are not meant changed")
	}
}

func TestErase(t *testing.T) {
	dir := desk(t)
	dry := eraser(t, dir, phrase)
	dry.Dry = true
	before := holding(t, dir, phrase)
	would, err := dry.Run()
	if err != nil || holding(t, dir, phrase) != before || len(would) < 15 {
		t.Fatalf("looking found %d and left %s of %s: %v", len(would), holding(t, dir, phrase), before, err)
	}
	found, err := eraser(t, dir, "  The LAUNCH “is” on 3  may").Run()
	if err != nil {
		t.Fatal(err)
	}
	if left := holding(t, dir, phrase); left != "kiosk--alice.json" {
		t.Errorf("left in %s", left)
	}
	rest(t, dir)
	kinds := map[string]int{}
	for _, f := range found {
		kinds[f.Kind]++
		if strings.Contains(text.Fold(f.Words), text.Fold(phrase)) {
			t.Errorf("it says the words: %+v", f)
		}
	}
	if kinds["said"] < 3 || kinds["done"] < 2 || kinds["mission"] < 2 || kinds["state"] != 0 ||
		kinds["set aside"] != 2 || kinds["record decision"] != 4 || kinds["record runbook"] != 2 {
		t.Errorf("found %v", kinds)
	}
	gate, err := withheld.Open(dir, withheld.Session{}, time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	gone := gate.HasID
	if !gone("u1") || !gone("u2") || gone("u3") || gone("u9") ||
		!gate.Has("is it true that the launch is on 3 may?") ||
		!gate.Has("so the launch is on 3 may") || // a phrase typed anew
		gate.Has("go on") {
		t.Errorf("marks are %s", fixture.Read(t, withheld.ErasedPath(dir)))
	}
	again, err := eraser(t, dir, phrase).Run()
	if err != nil || len(again) > 0 {
		t.Errorf("the second time it found %+v, %v", again, err)
	}
}

// After a run that was killed at any step, the same run again does the rest.
func TestKilled(t *testing.T) {
	killed := errors.New("killed")
	defer safefile.TestOnlyFault(nil)
	step := 2
	if testing.Short() {
		step = 20
	}
	for at := 0; ; at += step {
		dir := desk(t)
		n, name := 0, ""
		safefile.TestOnlyFault(func(op, path string) error {
			if n++; n > at { // and every later step: nobody is there to clean up
				name = op + " " + filepath.Base(path)
				return killed
			}
			return nil
		})
		_, err := eraser(t, dir, phrase).Run()
		safefile.TestOnlyFault(nil)
		if err == nil && at > 100 {
			return
		}
		if !errors.Is(err, killed) {
			t.Fatalf("step %d: %v", at, err)
		}
		if _, err := eraser(t, dir, phrase).Run(); err != nil {
			t.Fatal(err)
		}
		if left := holding(t, dir, phrase); left != "kiosk--alice.json" {
			t.Errorf("killed before %s: left in %s", name, left)
		}
		rest(t, dir)
		if gone, err := withheld.LoadErased(dir); err != nil || !gone.HasID("u1") || !gone.HasID("u2") {
			t.Errorf("killed before %s: marks are missing", name)
		}
	}
}

// Times, ids and fingerprints are no words.
func TestMachinery(t *testing.T) {
	for _, words := range []string{"2026-03-14", "u3", "0f", "s1", "pending", "done", "work", "user", "said", "created",
		"accepted", "decision", "title"} {
		dir := desk(t)
		found, err := eraser(t, dir, words).Run()
		if err != nil || len(found) > 0 {
			t.Errorf("%q erased %+v, %v", words, found, err)
		}
	}
}

// A run does not write to a file that another process has locked.
func TestBusy(t *testing.T) {
	dir := desk(t)
	unlock, err := safefile.LockIn(dir, "shop--alice", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	e := eraser(t, dir, phrase)
	e.Wait = 10 * time.Millisecond
	if _, err := e.Run(); !errors.Is(err, safefile.ErrBusy) {
		t.Errorf("beside a writer: %v", err)
	}
	unlock()
	if _, err := eraser(t, dir, phrase).Run(); err != nil {
		t.Fatal(err)
	}
	rest(t, dir)
}

// A run takes the lane's lock for a journal even when there is no folder of locks yet, since a session may begin
// meanwhile. A dry run makes none.
func TestLockMade(t *testing.T) {
	dir := desk(t)
	if err := os.RemoveAll(filepath.Join(dir, "locks")); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		e := eraser(t, dir, "weigh the jars") // an entry without a source, so withheld got nothing
		e.Dry = dry
		if _, err := e.Run(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(filepath.Join(dir, "locks", "shop--alice.lock")); (err == nil) == dry {
			t.Errorf("dry %v: the lock: %v", dry, err)
		}
	}
}

// TestLinkedFolders: a run does not follow a link in the place of one of memento's folders, since the files there
// belong to somebody else.
func TestLinkedFolders(t *testing.T) {
	for _, folder := range []string{"log", "cache"} {
		dir := desk(t)
		elsewhere := filepath.Join(t.TempDir(), "elsewhere")
		if err := os.Rename(filepath.Join(dir, folder), elsewhere); err != nil {
			t.Fatal(err)
		}
		fixture.Link(t, elsewhere, filepath.Join(dir, folder))
		before := holding(t, elsewhere, phrase)
		for _, dry := range []bool{true, false} {
			e := eraser(t, dir, phrase)
			e.Dry = dry
			if _, err := e.Run(); !errors.Is(err, safefile.ErrRefused) && (folder == "log" || !dry) {
				t.Errorf("%s, dry %v: %v", folder, dry, err)
			}
		}
		if after := holding(t, elsewhere, phrase); after != before || before == "" {
			t.Errorf("%s: of %s is left %s", folder, before, after)
		}
	}
}
