package block

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// message returns a message whose sentences have these weights.
func message(ts string, weights []int, sentences ...string) Message {
	m := Message{Text: strings.Join(sentences, " "), TS: ts}
	at := 0
	for i, s := range sentences {
		m.Parts = append(m.Parts, sentence.Part{Begin: at, End: at + len(s), Weight: weights[i]})
		at += len(s) + 1
	}
	return m
}

const march = "2026-03-14T12:00:00Z"

// rule, talk are weights of a message of one sentence.
var rule, talk = []int{sentence.RuleWeight}, []int{0}

// saidLine returns the line of the user's words in a block.
func saidLine(block string) string {
	_, rest, _ := strings.Cut(block, "\n"+saidLabel)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// What was said is shown newest first, whatever it is worth, the sentences of one message together and in their order.
// What was said on an earlier day than the newest shows its day.
func TestSaid(t *testing.T) {
	words := Words{All: []Message{
		{Text: "only 3", Asked: "How many?", TS: "2026-03-11T12:00:00Z", Parts: []sentence.Part{{End: 6}}},
		message("2026-03-12T10:00:00Z", rule, "never push"),
		message(march, []int{0, 2, -2}, "I tried it.", "Use tabs.", "Why?"),
		message("2026-03-14T12:30:00Z", talk, "you can push"),
	}}
	j := journal.Journal{Mission: "fix auth", Project: "shop"}
	got := Render(&j, View{Path: path, Budget: 1000, Said: words})
	want := `"you can push" · "I tried it. Use tabs. Why?" · by 2026-03-12: "never push" · ` +
		`by 2026-03-11: "only 3" (asked: "How many?")`
	if saidLine(got) != want {
		t.Errorf("the block is\n%s, want in it\n%s", got, want)
	}
	var facts []string
	for _, f := range Facts(&j, got) {
		facts = append(facts, strings.Join(f, "+"))
	}
	if got, want := strings.Join(facts, "|"),
		"fix auth|you can push|I tried it. Use tabs. Why?|never push|only 3+How many?"; got != want {
		t.Errorf("its facts are %s, want %s", got, want)
	}
	if got, want := Brief(&j, 1500, View{Said: words}),
		"The user said: \"Use tabs.\"\nThe user said on 2026-03-12: \"never push\""; !strings.HasSuffix(got, want) {
		t.Errorf("the brief is\n%s, want in it\n%s", got, want)
	}
}

// Rules have room before all else that was said; of the rest what weighs more, then what is newer. What the mission or
// the newest request shows is not quoted twice, and neither are words that were said again.
func TestSaidByValue(t *testing.T) {
	words := Words{Now: "Read the hosts from the table. Then sort them."}
	for n := range 80 {
		words.All = append(words.All, message(march, talk, fmt.Sprint("remark number ", n)))
	}
	words.All[0] = message(march, rule, "never on Friday")
	words.All = append(words.All, message(march, rule, "fix auth."), message(march, rule, "never on Friday"),
		message(march, []int{0, 0}, "Read the hosts from the table.", "Then sort them."))
	got := Render(&journal.Journal{Mission: "Fix auth. Staging only!"}, View{Path: path, Budget: 250, Said: words})
	line := saidLine(got)
	if strings.Count(got, "never on Friday") != 1 || strings.Count(got, "the hosts") != 1 ||
		strings.Contains(line, "fix auth") {
		t.Errorf("the block is\n%s", got)
	}
	if !strings.Contains(line, "number 79") || strings.Contains(line, "number 1\"") ||
		!strings.Contains(got, "more: `memento show --said`)") {
		t.Errorf("without room for all the block is\n%s", got)
	}
}

// A sentence that says half of a statement never stands without the one before it, in whichever message that is.
func TestSaidWhole(t *testing.T) {
	words := Words{All: []Message{message("2026-03-01T10:00:00Z", talk, "Put the totals into a file of their own."),
		message(march, rule, "Always do it that way.")}}
	words.All[1].Parts[0].Back = true
	j := &journal.Journal{Mission: "fix auth"}
	if got, want := saidLine(Render(j, View{Path: path, Budget: 300, Said: words})),
		`"Always do it that way." · by 2026-03-01: "Put the totals into a file of their own."`; got != want {
		t.Errorf("the block says\n%s, want\n%s", got, want)
	}
	if got, want := Brief(j, 1500, View{Said: words}), `"Always do it that way."`; !strings.Contains(got, want) {
		t.Errorf("the brief is\n%s", got)
	}
	words.All[0] = message(march, talk, strings.Repeat("totals ", 90))
	if got := Render(j, View{Path: path, Budget: 100, Said: words}); strings.Contains(got, "that way") {
		t.Errorf("without room the block is\n%s", got)
	}
}

// The newest request stands under the header, in whole sentences where it is long.
func TestNowLine(t *testing.T) {
	long := strings.Repeat("and the list of hosts ", 12) + "is wrong."
	for request, want := range map[string]string{
		"read the hosts from the table":                      `Now: "read the hosts from the table"`,
		long + " Then look at the second list of the hosts.": `Now: "` + long + `"`,
		`say "hello"` + "\nto them":                          `Now: "say ”hello” to them"`,
	} {
		got := strings.Split(Render(&journal.Journal{Mission: "fix auth", Wip: `"an older request"`},
			View{Path: path, Budget: 350, Said: Words{Now: request, Age: 8}}), "\n")
		if len(got) != 2 || got[1] != want ||
			!strings.HasPrefix(got[0], "[MEMENTO] Mission (8 prompts ago): fix auth") {
			t.Errorf("the block of %q is\n%s, want\n%s", request, strings.Join(got, "\n"), want)
		}
	}
	words := Words{Now: "読み取りを直してください" + strings.Repeat("長", 300)}
	if got := Render(&journal.Journal{}, View{Path: path, Budget: 350, Said: words}); got != "" &&
		(!strings.Contains(got, "\nNow: \"読み取り") || strings.Count(got, "長") > 60) {
		t.Errorf("the block is\n%s", got)
	}
}

// What the summariser no longer sees is added word for word, oldest first, as long as there is room.
func TestBriefBefore(t *testing.T) {
	j := &journal.Journal{Mission: "fix auth", MissionBy: journal.ByUser}
	w := Words{Before: 2, All: []Message{message(march, talk, "use ash4d"),
		message(march, talk, "title max\n20 words"), message(march, talk, "since then")}}
	got := Brief(j, 8000, View{Said: w})
	if want := "\nWhat the user typed before the last compaction, in their words:\n- \"use ash4d\"\n" +
		"- \"title max 20 words\""; !strings.HasSuffix(got, want) {
		t.Errorf("the brief is\n%s, want at its end\n%s", got, want)
	}
	w = Words{Before: 100}
	for n := range 100 {
		w.All = append(w.All, message(march, talk, fmt.Sprint(n, strings.Repeat(" word", 60))))
	}
	got = Brief(j, 8000, View{Said: w})
	if text.Runes(got) > 8000 || !strings.Contains(got, "\n- \"0 word") || strings.Contains(got, "\n- \"99 word") {
		t.Errorf("the brief has %d characters", text.Runes(got))
	}
}

// A mission in a script whose every character is a token leaves the rules room; without rules it has more of it.
func TestLongMission(t *testing.T) {
	for _, mission := range []string{strings.Repeat("価格表の取り込みを書き直して店舗の担当者が毎回確認できるようにする。", 12)[:3*396],
		strings.Repeat("가격표 가져오기를 다시 작성하고 ", 22), strings.Repeat("rewrite the importer ", 19)} {
		j := journal.Journal{Mission: mission, Project: "shop"}
		words := Words{}
		for n := range 10 {
			m := message(march, rule, fmt.Sprintf("規則%dを常に守る", n))
			words.All = append(words.All, m)
		}
		for _, said := range []Words{words, {}} {
			got := Render(&j, View{Path: path, Budget: 350, Said: said})
			if n := strings.Count(got, "規則"); n < min(8, len(said.All)) || text.Quarters(got) > 4*350 ||
				!strings.Contains(got, string([]rune(mission)[:150])) {
				t.Errorf("%d rules are shown in %d tokens:\n%s", n, text.Quarters(got)/4, got)
			}
		}
		aside := Aside(&j, words, 120)
		if n := strings.Count(aside, "規則"); n < 3 || text.Quarters(aside) > 4*120 {
			t.Errorf("a subagent is told %d rules in %d tokens:\n%s", n, text.Quarters(aside)/4, aside)
		}
	}
}

// TestHeld: the counts are those of the block, and not of the journal.
func TestHeld(t *testing.T) {
	for block, want := range map[string]string{
		"": "", "[MEMENTO] No active mission | path:/m": "",
		"[MEMENTO] Mission: Fix it | path:/m":                                      "your mission is",
		"[MEMENTO] Mission (9 prompts ago): Fix it | path:/m":                      "your mission is",
		"[MEMENTO] Previous mission (of an earlier session): x | path:/m":          "the mission before is",
		"[MEMENTO] No active mission | path:/m\nUser said: \"it rains\" · \"now\"": "2 sentences of yours are",
		"[MEMENTO] Mission: Fix it | path:/m\nNow: \"x\"\nUser said: \"never a\"\nWIP: the parser\n" +
			"Error: `go test ./...` -> FAIL\nPlan: a | b": "your mission, 2 sentences of yours, the failing test, " +
			"the work in hand and 2 next steps are",
		"[MEMENTO] Mission: Fix it | path:/m\nError: `npm test` -> 401\nError: `go vet` -> bad": "your mission and " +
			"2 failing commands are",
	} {
		if got := Held(block); got != want {
			t.Errorf("%q, want %q of\n%s", got, want, block)
		}
	}
}

func TestAside(t *testing.T) {
	j := &journal.Journal{Mission: "rename carts to baskets", MissionBy: journal.ByUser, Session: "s1"}
	said := Words{All: []Message{message("2026-03-12T10:00:00Z", rule, "older rule"),
		message(march, talk, "just talk"), message(march, rule, "newer rule"),
		message("", rule, "Rename carts to baskets")}}
	if got, want := Aside(j, said, 120), "[MEMENTO] The mission of this session: rename carts to baskets\n"+
		"The user said: \"newer rule\" · by 2026-03-12: \"older rule\""; got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	j.MissionClosed = "2026-03-14T10:00:00Z"
	if got := Aside(j, said, 120); got != "" {
		t.Errorf("without a mission it says %q", got)
	}
}

// Of a small block remarks get the last 100 tokens no more, and what was asked for stands before them. A pasted newest
// message does not hide the one typed before it.
func TestRemarks(t *testing.T) {
	words := Words{Now: strings.Repeat("a line that was pasted ", 100)}
	for n := range 30 {
		words.All = append(words.All, message(march, talk, fmt.Sprint("remark number ", n, ", which says little")))
	}
	words.All[2].Parts[0].Asks = true
	words.All = append(words.All, message(march, []int{-4}, "Could the two lists stand side by side, please?"),
		Message{Text: words.Now})
	got := Render(&journal.Journal{Mission: "fix auth"}, View{Path: path, Budget: 350, Said: words})
	line := saidLine(got)
	if n := text.Quarters(got) / 4; n > 265 || n < 230 || !strings.Contains(line, "number 2,") ||
		!strings.Contains(line, "side by side") || strings.Contains(line, "number 3,") {
		t.Errorf("in %d tokens the block is\n%s", n, got)
	}
}
