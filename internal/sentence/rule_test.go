package sentence

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"fmt"

	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

//go:embed testdata/sentences.tsv
var sentences string

// score counts how a judge did on sentences that somebody labelled.
type score struct{ hit, false_, missed, all int }

func (s *score) add(isRule, judged bool) {
	s.all++
	switch {
	case isRule && judged:
		s.hit++
	case judged:
		s.false_++
	case isRule:
		s.missed++
	}
}

func (s score) precision() float64 { return float64(s.hit) / float64(max(1, s.hit+s.false_)) }
func (s score) recall() float64    { return float64(s.hit) / float64(max(1, s.hit+s.missed)) }
func (s score) String() string {
	return fmt.Sprintf("%4d sentences, %3d rules: precision %.2f, recall %.2f", s.all, s.hit+s.missed, s.precision(),
		s.recall())
}

// scores are kept by a name: a language, a half.
type scores map[string]*score

func (s scores) add(name string, isRule, judged bool) {
	if s[name] == nil {
		s[name] = &score{}
	}
	s[name].add(isRule, judged)
}

func (s scores) log(t *testing.T) {
	t.Helper()
	var names []string
	for name := range s {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Logf("%-12s %s", name, s[name])
	}
}

// atLeast fails the test when a score is under its floor.
func (s scores) atLeast(t *testing.T, name string, precision, recall float64) {
	t.Helper()
	got := s[name]
	if got == nil {
		t.Fatalf("nothing was measured of %s", name)
	}
	if got.precision() < precision || got.recall() < recall {
		t.Errorf("%s: %s; the floor is precision %.2f, recall %.2f", name, got, precision, recall)
	}
}

// TestRuleOnSentences holds the judgement to what it reached on 200 sentences by a developer's hand, half of which it
// was not tuned on. The floors are a little under what was measured.
func TestRuleOnSentences(t *testing.T) {
	all := scores{}
	i := 0
	for _, l := range strings.Split(strings.TrimSpace(sentences), "\n") {
		label, rest, _ := strings.Cut(l, "\t")
		lang, sentence, ok := strings.Cut(rest, "\t")
		if strings.HasPrefix(l, "#") || !ok {
			continue
		}
		i++
		half := "tuned on"
		if i%2 == 0 {
			half = "kept back"
		}
		got := setsRule(sentence)
		for _, name := range [...]string{"all", half, lang} {
			all.add(name, label == "rule", got)
		}
	}
	all.log(t)
	if i != 200 {
		t.Errorf("there are %d sentences", i)
	}
	all.atLeast(t, "all", .95, .85)
	all.atLeast(t, "kept back", .95, .78)
	for _, lang := range [...]string{"de", "en", "es", "ja", "ko", "pt"} {
		all.atLeast(t, lang, .88, .75)
	}
}

// TestRuleOnCorpus measures the judgement on sentences of real sessions that were labelled by hand, where
// MEMENTO_CORPUS names a folder with labels.jsonl and the transcripts.
func TestRuleOnCorpus(t *testing.T) {
	corpus := os.Getenv("MEMENTO_CORPUS")
	if corpus == "" {
		t.Skip("MEMENTO_CORPUS is not set: the judgement is not measured on real sessions")
	}
	labels, err := os.ReadFile(filepath.Join(corpus, "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string]map[string]string{} // of a transcript, by uuid
	all := scores{}
	for _, l := range bytes.Split(bytes.TrimSpace(labels), []byte("\n")) {
		v := gjson.ParseBytes(l)
		name, sentence := v.Get("transcript").Str, v.Get("text").Str
		if messages[name] == nil {
			messages[name] = typedBy(t, filepath.Join(corpus, name))
		}
		got := false
		want := text.Fold(sentence)
		for _, s := range judge(messages[name][v.Get("uuid").Str]) {
			if text.Fold(s.Text) == want || strings.Contains(text.Fold(s.Text), want) || len(s.Text) > 20 &&
				strings.Contains(want, text.Fold(s.Text)) {
				got = got || s.Weight >= RuleWeight
			}
		}
		half := "tuned on"
		if sum := sha256.Sum256([]byte(name)); sum[31]%2 == 1 {
			half = "kept back"
		}
		isRule := v.Get("label").Str == "rule"
		sure := "unsure"
		if v.Get("sure").Bool() {
			sure = "sure"
		}
		for _, g := range [...]string{"all", half, v.Get("lang").Str, sure, half + " " + sure} {
			all.add(g, isRule, got)
		}
		all.add("alone", isRule, setsRule(sentence))
		if os.Getenv("RULE_VERBOSE") != "" && half == "tuned on" && got != isRule {
			t.Logf("%s judged %v (%d): %.150s", v.Get("label").Str, got, weightOf(sentence), sentence)
		}
	}
	all.log(t)
	all.atLeast(t, "all", .73, .56)
	all.atLeast(t, "kept back", .73, .40)
}

// What a person pastes sets no rule, whatever words it holds; what they type around it does.
func TestRulesAroundPasted(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		want    []string
	}{
		"log":         {"it dies on start:\n2026-03-14T09:26:53Z ERROR config must not be empty\n2026-03-14T09:26:54Z WARN always falling back to the default, never set\nfix that, but keep the default", []string{"fix that, but keep the default"}},
		"stack trace": {"this is what I get\nTypeError: value must never be null\n    at Object.run (/srv/app/index.js:20:3)\n    at always (/srv/app/loop.js:7:1)", nil},
		"wrapped":     {"ERROR 1042 the pool is empty, 12/12 in use\nthe worker must be restarted\nERROR 1043 the pool is empty, 12/12 in use\n\nNever restart the worker by hand.", []string{"Never restart the worker by hand."}},
		"code":        {"// this must always be called first\nfunc start() {\nwhat does that comment mean?", nil},
		"fence": {"look at this\n```\nnever do that\n```\nuse tabs, not spaces",
			[]string{"use tabs, not spaces"}},
		"review":    {"The variable userCount at line 40 should never be negative because parseInput() returns an unsigned value.\nThe helper formatDate() must always receive a time zone, otherwise the fallback in loadConfig() is used.\nConsider only validating once, instead of validating in every caller of the function.\n\ncan you fix both?", nil},
		"announced": {"got this feedback:\nThe button must always be visible.\n\nwe only support desktop, don't add media queries", []string{"we only support desktop, don't add media queries"}},
		"tool":      {"⎿  Stop hook says: you must always commit first\nwhy is that?", nil},
		"document":  {"Build this. Keep it small.\n# Plan\nWe describe it.\n## Step one\nThe parser must never fail.\n## Step two\nAlways log.\n\nAsk me before you start.", []string{"Keep it small.", "Ask me before you start."}},
		"list":      {"a few rules:\n- use pnpm, not npm\n- no default exports\n- tests live next to the code, never in their own folder\n- commit messages in English only\n- at most 100 columns\n- always run the linter", []string{"- use pnpm, not npm", "- no default exports", "- tests live next to the code, never in their own folder", "- commit messages in English only", "- at most 100 columns", "- always run the linter"}},
		"address":   {"use the template at https://example.com/a/very/long/path/to/some/template-2024-11-30-final.html instead", []string{"use the template at https://example.com/a/very/long/path/to/some/template-2024-11-30-final.html instead"}},
	} {
		if got := rulesIn(c.message); !slices.Equal(got, c.want) {
			t.Errorf("%s: the rules are %q, want %q", name, got, c.want)
		}
	}
}

// A message that begins with what was pasted is quoted by what was typed.
func TestTypedPart(t *testing.T) {
	for message, want := range map[string]string{
		"fix the parser": "fix the parser",
		"\nit fails:\nERROR 12 at /srv/x\nERROR 13":                                                     "\nit fails:\nERROR 12 at /srv/x\nERROR 13",
		"2026-03-14T09:26:53Z ERROR no route\n2026-03-14T09:26:54Z ERROR no route\n\nwhy that?\nfix it": "why that?\nfix it",
		"$ make\n$ make all\n":                      "$ make\n$ make all\n",
		"ERROR 1042 pool empty\nso?\nERROR 1043 no": "ERROR 1042 pool empty\nso?\nERROR 1043 no",
	} {
		if got := TypedPart(message); got != want {
			t.Errorf("of %q, typed was %q, want %q", message, got, want)
		}
	}
}

// Words that set a rule in one sentence report something in another.
func TestRuleInContext(t *testing.T) {
	tellsApart(t, "setsRule", setsRule,
		[]string{"use tabs, not spaces", "no, remove this again, keep the old one", "option 2, but without the cache",
			"don't open the PR yet", "let's store it as JSON for now", "we want whatever is simplest, and only that",
			"can you keep the old endpoint as well", "Ändere die Tabelle nicht", "n'utilise pas axios",
			"не трогай миграции", "testleri her zaman çalıştır", "只用标准库", "do it like we do in the other module"},
		[]string{"I don't know", "no problem", "it should have been there", "não funciona", "no funciona",
			"how do I run only one test?", "it never stops", "I only get an empty page", "не работает",
			"do you always get this error?", "let's run it again", "I want to see the diff"})
}

func BenchmarkJudge(b *testing.B) {
	message := strings.Repeat("Please keep the public API as it is, and never touch the vendored code. ", 10)
	for b.Loop() {
		judge(message)
	}
}

// A message of megabytes is judged by its ends.
func TestJudgeLong(t *testing.T) {
	long := "Never restart the worker.\n" +
		strings.Repeat("The worker writes one line for every job it takes. ", 50_000) + "\nKeep the queue as it is."
	if got, want := rulesIn(long), []string{"Never restart the worker.", "Keep the queue as it is."}; !slices.Equal(got,
		want) {
		t.Errorf("the rules are %q, want %q", got, want)
	}
}

// typedBy returns what was typed in a transcript, packed or not, by uuid.
func typedBy(t *testing.T, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	var r io.Reader
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		r = f
	} else {
		f, err := os.Open(path + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewReaderSize(r, 1<<20)
	for {
		l, err := lines.ReadBytes('\n')
		if bytes.Contains(l, []byte(`"user"`)) || bytes.Contains(l, []byte(`"queued_command"`)) {
			v := gjson.ParseBytes(l)
			content := v.Get("message.content")
			if v.Get("attachment").Exists() {
				content = v.Get("attachment.prompt")
			}
			words := content.Str
			if content.IsArray() {
				var parts []string
				content.ForEach(func(_, b gjson.Result) bool {
					parts = append(parts,
						b.Get("text").String())
					return true
				})
				words = strings.Join(parts, "\n")
			}
			out[v.Get("uuid").Str] = words
		}
		if err != nil {
			return out
		}
	}
}
