// Package oracle compares package redact with gitleaks and with gitleaks' rules as regular expressions that are
// compiled when first needed. It is a module of its own, so that nothing of what it needs is required by memento:
//
//	cd internal/redact/oracle && go test -v . -bench .
//
// MEMENTO_LINES may name a folder of text to count false positives in: journals and histories of real sessions.
package oracle

import (
	"bufio"
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lucasjones/reggen"
	"github.com/pelletier/go-toml/v2"
	"github.com/tidwall/gjson"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/redact/sample"
)

// matcher takes secrets out of a text and says how many there were.
type matcher struct {
	name  string
	clean func(string) (string, int)
}

func matchers(t testing.TB) []matcher {
	began := time.Now()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("gitleaks: %d rules made ready in %v", len(d.Config.Rules), time.Since(began).Round(time.Millisecond))
	lazy := rules(t)
	return []matcher{
		{"redact", func(s string) (string, int) { s, k := redact.Text(s); return s, len(k) }},
		{"gitleaks", func(s string) (string, int) {
			n := 0
			for _, f := range d.DetectString(s) {
				s, n = strings.ReplaceAll(s, f.Secret, "[redacted]"), n+1
			}
			return s, n
		}},
		{"lazy regexps", lazy},
	}
}

// rule is one of gitleaks', its expression not compiled yet.
type rule struct {
	ID          string
	Regex       string
	Entropy     float64
	Keywords    []string
	SecretGroup int
	compiled    func() *regexp.Regexp
}

// rules are gitleaks' own, each compiled when one of its keywords stands in a text for the first time.
func rules(t testing.TB) func(string) (string, int) {
	var all struct{ Rules []*rule }
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &all); err != nil {
		t.Fatal(err)
	}
	var list []*rule
	for _, r := range all.Rules {
		if r.Regex != "" {
			r.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.Regex) })
			list = append(list, r)
		}
	}
	return func(s string) (string, int) {
		low, n := strings.ToLower(s), 0
		for _, r := range list {
			if len(r.Keywords) > 0 && !slices.ContainsFunc(r.Keywords,
				func(k string) bool { return strings.Contains(low, k) }) {
				continue
			}
			for _, m := range r.compiled().FindAllStringSubmatch(s, -1) {
				v := m[0]
				if r.SecretGroup > 0 {
					v = m[r.SecretGroup]
				} else if at := slices.IndexFunc(m[1:], func(g string) bool { return g != "" }); at >= 0 {
					v = m[at+1]
				}
				if r.Entropy > 0 && entropy(v) <= r.Entropy {
					continue
				}
				s, n = strings.ReplaceAll(s, v, "[redacted]"), n+1
			}
		}
		return s, n
	}
}

func entropy(s string) (bits float64) {
	count := map[rune]float64{}
	for _, r := range s {
		count[r]++
	}
	for _, n := range count {
		p := n / float64(len(s))
		bits -= p * math.Log2(p)
	}
	return bits
}

// TestRecall prints how many of 210 generated secrets each finds, and holds redact to 95 %.
func TestRecall(t *testing.T) {
	all := sample.Make(sample.Tuned, 1, 2000)
	for _, m := range matchers(t) {
		found, missed := 0, map[string]int{}
		for _, s := range all {
			if clean, _ := m.clean(s.Text); strings.Contains(clean, s.Value) {
				missed[s.Kind]++
			} else {
				found++
			}
		}
		t.Logf("%-12s %d of %d = %.1f %%; missed %v", m.name, found, len(all), 100*float64(found)/float64(len(all)),
			missed)
		if m.name == "redact" && found*100 < len(all)*95 {
			t.Errorf("redact found too few")
		}
	}
}

// TestLines prints what each finds in real lines, where hardly anything is a secret.
func TestLines(t *testing.T) {
	dir := os.Getenv("MEMENTO_LINES")
	if dir == "" {
		t.Skip("MEMENTO_LINES names no folder of text")
	}
	var texts []string
	lines := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.Contains(path, "/state/") || filepath.Ext(path) == ".lock" {
			return err
		}
		data, err := os.ReadFile(path)
		add := func(raw []byte) {
			strs(gjson.ParseBytes(raw), func(s string) {
				texts = append(texts, s)
				lines += strings.Count(s, "\n") + 1
			})
		}
		if filepath.Ext(path) == ".jsonl" {
			for in := bufio.NewReader(bytes.NewReader(data)); ; {
				line, err := in.ReadBytes('\n')
				add(line)
				if err != nil {
					break
				}
			}
		} else {
			add(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range matchers(t) {
		n := 0
		for _, s := range texts {
			clean, found := m.clean(s)
			if n += found; found > 0 && testing.Verbose() && os.Getenv("MEMENTO_SHOW") == "1" {
				t.Logf("%s: %.200q", m.name, clean)
			}
		}
		t.Logf("%-12s %d in %d lines = %.2f in 1,000", m.name, n, lines, 1000*float64(n)/float64(lines))
	}
}

func strs(v gjson.Result, f func(string)) {
	if v.Type == gjson.String {
		f(v.Str)
		return
	}
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, e gjson.Result) bool { strs(e, f); return true })
	}
}

// journal is 6 KB of what a journal holds.
func journal() string {
	var b strings.Builder
	for b.Len() < 6000 {
		b.WriteString("renew the token before it expires -> src/auth/session.ts:88 now reads the password from the vault; 42 passing (3s) " +
			"tool: [main 1a2b3c4d] https://github.com/acme/shop/pull/12 the API key stays in process.env.STRIPE_KEY\n")
	}
	return b.String()
}

// BenchmarkJournal is what each costs on 6 KB, once it is ready; "first" is a process of its own, as every hook is.
func BenchmarkJournal(b *testing.B) {
	s := journal()
	for _, m := range matchers(b) {
		b.Run(m.name, func(b *testing.B) {
			for b.Loop() {
				m.clean(s)
			}
		})
	}
	b.Run("gitleaks, first", func(b *testing.B) {
		for b.Loop() {
			d, err := detect.NewDetectorDefaultConfig()
			if err != nil {
				b.Fatal(err)
			}
			d.DetectString(s)
		}
	})
	b.Run("lazy regexps, first", func(b *testing.B) {
		for b.Loop() {
			rules(b)(s)
		}
	})
}

// TestRules makes up secrets from gitleaks' own expressions, keeps those that gitleaks itself finds, and prints how
// many of them redact leaves standing: its formats are an outside view of ours.
func TestRules(t *testing.T) {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Rules []*rule }
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &all); err != nil {
		t.Fatal(err)
	}
	made, left, names := 0, 0, []string{}
	for _, r := range all.Rules {
		if r.Regex == "" {
			continue
		}
		g, err := reggen.NewGenerator(r.Regex)
		if err != nil {
			continue
		}
		g.SetSeed(1)
		tries, missed, example := 0, 0, ""
		for range 40 {
			s := g.Generate(8)
			if strings.ContainsAny(s, "\u017f\u212a\r\f\v") { // what (?i) and \s allow and nobody writes
				continue
			}
			for _, f := range d.DetectString(s) {
				if f.RuleID != r.ID {
					continue
				}
				tries++
				if strings.Contains(redact.Clean(s), f.Secret) {
					missed++
					example = s
				}
			}
		}
		made, left = made+tries, left+missed
		if missed > 0 {
			names = append(names, r.ID)
			if os.Getenv("MEMENTO_SHOW") == "1" {
				t.Logf("%s: %d of %d missed: %.160q", r.ID, missed, tries, example)
			}
		}
	}
	t.Logf("%d of %d secrets made from gitleaks' rules are found (%.1f %%); missed some of %v", made-left, made,
		100*float64(made-left)/float64(made), names)
}
