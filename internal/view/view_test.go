package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// hostile is what somebody may have put into any text, in the hope that a page runs it.
const hostile = "</script><script>document.title=pwned=1</script><img src=x onerror=pwned=1>" +
	"<!--<script>\u2028\u2029&lt;{turns}{head}"

// house is memento's folder with a project, shop, whose texts all end with words.
func house(t *testing.T, words string) Source {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s := Source{Store: record.Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: func() time.Time { return noon },
		Wait: time.Second}}
	must(os.MkdirAll(s.Dir, 0o700))
	lane := project.NewLane(s.Dir, "shop", "", "alice")
	at := func(minute int, e log.Entry) log.Entry {
		e.Time = noon.Add(time.Duration(minute) * time.Minute)
		return e
	}
	counted := history.Compaction{Session: "s1", Trigger: "auto", Number: 1,
		Facts: 6, Kept: 1, Lost: []string{"staging only"}}
	left := []log.Entry{
		at(0, log.Entry{Kind: "opened", Session: "s1", Text: "Fix the checkout " + words, Of: "u1"}),
		at(0, log.Entry{ID: "u0", Kind: log.Typed, Session: "s1", Aside: true,
			Text: "Never touch the tax tables " + words + " without asking me."}),
		at(0, log.Entry{ID: "u3", Kind: log.Typed, Session: "s1", Aside: true, Text: "We cache in Redis " + words}),
		at(3, log.Entry{ID: "u7", Kind: log.Typed, Session: "s0", Text: "Typed before turns were kept " + words}),
		at(4, log.Entry{ID: "u8", Kind: log.Typed, Session: "s0", Text: "Taken back"}),
		at(5, log.Entry{Kind: log.Rewound, Session: "s0", Of: "u8"})}
	lost := counted.Entry()
	lost.Time = noon.Add(90 * time.Second)
	left = append(left, lost)
	history.Bind(lane, left)
	turns := log.Store{Dir: s.Dir, Wait: s.Wait}
	must(turns.Keep("shop", left, "", nil))
	must(turns.Add("shop", "s1", []log.Entry{
		{ID: "u1", Kind: log.Typed, Time: noon, Text: "Fix the checkout " + words, Asked: "Which one? " + words},
		{Of: "u1", Kind: log.Answered, Time: noon, Text: "Found it " + words + " [x](javascript:pwned=1) ![x](x)"},
		{Of: "u1", Kind: log.Compacted, Time: noon},
		{Of: "u1", Kind: log.Ran, Text: "npm test " + words, Line: "1 failing " + words, Failed: true},
		{Of: "u1", Kind: log.Committed, Text: "abc1234 Widen " + words},
		{Of: "u1", Kind: log.Edited, Text: "src/" + words + ".ts"},
		{ID: "u2", Kind: log.Typed, Time: noon.Add(2 * time.Minute), Text: "Go on"},
	}))
	must(turns.Add("other", "s9", []log.Entry{{ID: "u9", Kind: log.Typed, Time: noon, Text: "Another project's"}}))
	_, err := s.Create(record.Record{Project: "shop", Slug: "tax", Kind: "decision", Title: "Tax " + words,
		Tags: []string{"tax"}, Body: "## Decision\n\nRound half up " + words + "\n"})
	must(err)
	must(rule.Store{Dir: s.Dir, Now: noon, Wait: s.Wait}.Refresh("shop"))
	must(pace.Others{Names: map[string]string{"0123456789ab": "laptop " + words},
		Missions: []pace.Mission{{Machine: "0123456789ab", Mission: "Ship it " + words,
			Opened: noon.Format(time.RFC3339), Branch: "b " + words, Wip: "w " + words, Summary: "s " + words,
			Plan: []string{"p " + words}, Done: []string{"d " + words}}}}.Save(s.Dir, "shop"))
	return s
}

// page gathers the page of the project shop.
func (s Source) page(t *testing.T, words string) *Page {
	t.Helper()
	p := &Page{Version: "1", Written: noon.Format(time.RFC3339)}
	j := &journal.Journal{Mission: "Fix the checkout " + words, Session: "s1", Branch: "main " + words,
		MissionOpened: noon.Format(time.RFC3339), Wip: "w " + words, Summary: "s " + words,
		Plan:  []string{"p " + words},
		Files: []string{"f " + words}, Done: []journal.Entry{{Act: "a " + words, Result: "r " + words}},
		Error: &journal.Failure{Cmd: "c " + words, Line: "l " + words}}
	p.AddProject("shop", j, []string{"r " + words}, []string{"t " + words},
		[]journal.Failure{{Cmd: "c " + words}, {Cmd: "c2 " + words}}, "[MEMENTO] Mission "+words, true)
	if err := s.Gather(p, "shop"); err != nil {
		t.Fatal(err)
	}
	p.Sort()
	return p
}

func html(t *testing.T, p *Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// data returns the JSON in the page's elements.
func data(t *testing.T, page string) (blocks []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`<script type="application/json" id="[a-z0-9-]+">(.*?)</script>`).
		FindAllStringSubmatch(page, -1) {
		if !json.Valid([]byte(m[1])) {
			t.Errorf("no JSON: %.200s", m[1])
		}
		blocks = append(blocks, m[1])
	}
	return blocks
}

func TestGather(t *testing.T) {
	p := house(t, "").page(t, "")
	got, _ := json.Marshal(p.Sessions)
	want := `[{"id":"s0","project":"shop","from":"2026-03-14T12:03:00Z","to":"2026-03-14T12:03:00Z",` +
		`"begins":"Typed before turns were kept","model":"Claude","turns":1,"block":0},` +
		`{"id":"s1","project":"shop","from":"2026-03-14T12:00:00Z","to":"2026-03-14T12:02:00Z",` +
		`"begins":"Fix the checkout","model":"Claude","missions":["Fix the checkout"],"turns":2,"commits":1,` +
		`"failed":1,"compacted":1,` +
		`"compactions":[{"turn":1,"time":"2026-03-14T12:01:30Z","trigger":"auto","facts":6,"kept":1,` +
		`"lost":["staging only"]}],"block":1}]`
	if string(got) != want {
		t.Errorf("sessions\n%s, want\n%s", got, want)
	}
	if len(p.Rules) != 1 || len(p.Records) != 1 || len(p.Waiting) != 1 || len(p.Machines) != 1 ||
		len(p.Projects[0].Failing) != 2 || p.Projects[0].Tokens != 5 {
		t.Errorf("%d rules, %d records, %d waiting, %d machines; %+v", len(p.Rules), len(p.Records),
			len(p.Waiting), len(p.Machines), p.Projects[0])
	}
	blocks := data(t, html(t, p))
	if len(blocks) != 3 || !strings.Contains(blocks[2], `"r":[["npm test ","1 failing ",true]]`) ||
		strings.Contains(blocks[2], "Taken back") || strings.Contains(strings.Join(blocks, ""), "Another") {
		t.Errorf("blocks %q", blocks)
	}
}

// TestHostile: whatever stands in a text, the page has the elements that memento gave it, and one script that runs.
func TestHostile(t *testing.T) {
	p := house(t, hostile).page(t, hostile)
	page := html(t, p)
	calm := html(t, house(t, "").page(t, ""))
	for _, mark := range []string{"<script", "</script", "<img", "<!--", "\u2028", "\u2029", "onerror"} {
		if mark == "onerror" { // it is in the data, as text
			continue
		}
		if n, want := strings.Count(page, mark), strings.Count(calm, mark); n != want {
			t.Errorf("%d times %q, want %d", n, mark, want)
		}
	}
	whole := strings.Join(data(t, page), "")
	for _, field := range []string{"Fix the checkout", "Which one?", "Found it", "npm test", "1 failing",
		"abc1234 Widen",
		"Round half up", "laptop", "Ship it", "[MEMENTO] Mission", "turns were kept"} {
		if !strings.Contains(whole, field+` \u003c/script\u003e`) {
			t.Errorf("the words behind %q are not there, or not escaped", field)
		}
	}
	if !strings.Contains(whole, `src/\u003c/script`) || !strings.Contains(whole, "asking me.") {
		t.Error("file or rule is missing")
	}
	for _, name := range []string{"{policy}", "{style}", "{script}"} {
		if strings.Contains(page, name) {
			t.Errorf("%s was left", name)
		}
	}
}

// TestSelfContained: the policy allows the page's own script and style, by what they are, and the page names no
// address.
func TestSelfContained(t *testing.T) {
	page := html(t, &Page{})
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)[1]
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindStringSubmatch(page)[1]
	want := "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style) +
		"'; base-uri 'none'; form-action 'none'"
	if policy != want {
		t.Errorf("policy %s, want %s", policy, want)
	}
	for _, no := range []string{"http://", "https://", "//cdn", "innerHTML", "outerHTML", "insertAdjacentHTML",
		"document.write", "eval(", "fetch(", "XMLHttpRequest", "style=", "onclick="} {
		if strings.Contains(strings.ReplaceAll(page, markedScript, ""), no) {
			t.Errorf("the page has %s", no)
		}
	}
}

// TestBlocks: each block is JSON with the turns of a session in their order.
func TestBlocks(t *testing.T) {
	p := many(40, 50)
	for _, s := range p.Sessions {
		var turns []turn
		if err := json.Unmarshal(p.turns[s.Block], &turns); err != nil || len(turns) != s.Turns {
			t.Fatalf("block %d: %d turns, %v", s.Block, len(turns), err)
		}
		for i, one := range turns {
			if one.N != i+1 {
				t.Errorf("block %d: turn %d at %d", s.Block, one.N, i)
			}
		}
	}
}

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p := &Page{}
	path, err := p.SaveIn(dir, "shop")
	if info, stat := os.Stat(path); err != nil || stat != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v, %v", err, stat, info)
	}
	if err := Erase(dir); err != nil || fixture.Exists(path) {
		t.Errorf("erased: %v, there %v", err, fixture.Exists(path))
	}
	if path, err = p.SaveIn(dir, "shop"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		now  time.Time
		left bool
	}{{time.Now(), true}, {time.Now().Add(2 * time.Hour), false}} {
		if err := Sweep(dir, time.Hour, test.now); err != nil || fixture.Exists(path) != test.left {
			t.Errorf("swept at %v: %v, there %v", test.now, err, fixture.Exists(path))
		}
	}
	if err := Erase(filepath.Join(dir, "none")); err != nil {
		t.Errorf("no folder: %v", err)
	}
}

// many returns a page with sessions of so many turns each, with texts as people and Claude write them.
func many(sessions, turns int) *Page {
	p := &Page{Version: "1", Written: noon.Format(time.RFC3339)}
	words := strings.Fields("the order total overflows when a cart holds more than one thousand euros so widen it " +
		"check " +
		"invoice rounding tax table session cookie expires login retry queue worker deploy staging cache index " +
		"migrate " +
		"schema column test fails timeout race lock file path parser token limit budget block summary")
	seed := uint32(7)
	text := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			seed = seed*1664525 + 1013904223
			b.WriteString(words[seed>>16%uint32(len(words))] + " ")
		}
		return b.String()
	}
	p.AddProject("shop", &journal.Journal{Mission: "Keep the shop running"}, nil, nil, nil,
		"[MEMENTO] Mission: Keep it", true)
	for s := range sessions {
		at := noon.Add(-time.Duration(s) * 6 * time.Hour)
		id := fmt.Sprintf("%08x-0000-4000-8000-%012x", s*7919, s)
		of := &told{missions: []string{strings.TrimSpace(text(60))}}
		if s%3 == 0 {
			of.compactions = []history.Compaction{{TS: at.Add(time.Hour).Format(time.RFC3339), Session: id,
				Trigger: "auto", Number: 1, Facts: 21, Kept: 7}}
		}
		var all []past.Turn
		for n := range turns {
			t := past.Turn{Session: id, N: n + 1, Time: at.Add(time.Duration(n) * time.Minute), Prompt: text(120),
				Answer: text(1300)}
			if n%4 == 1 {
				t.Ran = []past.Ran{{Cmd: "go test ./" + text(12), Line: "ok " + text(30), Failed: n%8 == 1}}
				t.Commits, t.Files = []string{fmt.Sprintf("%07x %s", seed, text(40))},
					[]string{"internal/cart/total.go"}
			}
			all = append(all, t)
		}
		p.addSession("shop", all, of)
	}
	return p
}

// TestPages writes the pages on which the browser looks, into the folder that MEMENTO_PAGES names.
func TestPages(t *testing.T) {
	dir := os.Getenv("MEMENTO_PAGES")
	if dir == "" {
		t.Skip("MEMENTO_PAGES names no folder")
	}
	hostilePage := house(t, hostile).page(t, hostile)
	for name, p := range map[string]*Page{"hostile": hostilePage, "calm": house(t, "").page(t, ""), "empty": {},
		"demo":  demo(),
		"10000": many(200, 50), "60000": many(600, 100), "long": many(1, 20000)} {
		if err := p.Save(filepath.Join(dir, name+".html")); err != nil {
			t.Fatal(err)
		}
	}
}
