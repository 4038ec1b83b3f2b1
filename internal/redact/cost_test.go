package redact

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// shapes are texts that are costly to look through, by what they repeat: every name, beginning of a token and program
// of the tables, the openings of the grammar, and mixes of them. Each is as long as size, but for a part of a repeat.
func shapes(size int) map[string]string {
	out := map[string]string{}
	add := func(piece string) { out[piece] = strings.Repeat(piece, size/len(piece)) }
	r := rand.New(rand.NewPCG(1, 2))
	mix := func(name string, pieces []string) {
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		out["mix: "+name] = b.String()
	}
	var words, tokens, commands, others []string
	for _, row := range names {
		for w := range strings.SplitSeq(strings.ReplaceAll(row.ends, "=", ""), " ") {
			for _, n := range []string{w, strings.ToUpper(w)} {
				words = append(words, n+" ", n+"=", n+": ", n+" is ", `"`+n+`",`, "--"+n+" ", n+"='", "<"+n+">", "DB_"+
					n+"\n",
					n+"(\"", n+"\n", "${a."+n+":b")
			}
		}
	}
	for n := range strings.SplitSeq(abroad, ";") {
		words = append(words, n, n+" ", n+": ", n+" is ", n+"是", n+" x ")
	}
	eachForm(func(_, begins, _ string) {
		if begins != "" {
			tokens = append(tokens, begins, begins+" ", begins+"a1B2", begins+strings.Repeat("1", 20), "x-"+begins)
		}
	})
	for _, o := range options {
		for p := range strings.FieldsSeq(o.programs) {
			commands = append(commands, p+" ", p+" a ", p+" -"+o.flags+" ", p+" -"+o.flags, p+" "+o.flags+" a b ", p+
				"\n")
		}
	}
	others = append(others, "a/", "a=", "a://", "a://b:", "a://b:c@", "a:b@tcp(", "1000:*:", "h:5432:", "thin:a/",
		"-----BEGIN ", "-----BEGIN EC PRIVATE KEY-----", "-----BEGIN EC PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA1\n",
		"-----BEGIN RSA PUBLIC KEY-----\n", "eyJ", "eyJ.", "eyJaaaaaaaaaaaa.", "-p", " -p", " /p:", "\\n", "\"", "'",
		"[redacted:", "[redacted:a] ", "base64,", "echo ", "echo | ", "echo a | login ", "chpasswd <<< ",
		"DB_PASSWORD=hunter2\n", "DB_PASSWORD=x\n", "pw1 ",
		"Aa1", "Aa1+", "aB3/", "aB3/ ", "Aa1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1vW2xY3zA4 ", "0123456789abcdef",
		"the password for staging is ", "password, type ", "'s password ", "{ password: ", "ENV password ",
		"set -x password ", "login a/", "login a with ", "login a b c d e f g h ",
		"a. ", ". ", "word ", "Word word, ", "x", "a-", "a_b-", "a.b.", "ключ ", "é",
		"the password of the user at the host with a name is wrong ", "Authorization: Bearer ", "Cookie: a=",
		"Cookie: a=b; ", "</key>\n<string>", "secret\": {", "\"secret\", { ", "value=", "default = ", "key-----BEGIN")
	for _, list := range [][]string{words, tokens, commands, others} {
		for _, piece := range list {
			add(piece)
		}
	}
	mix("names", words)
	mix("tokens", tokens)
	mix("commands", commands)
	mix("openings", others)
	mix("names and words", append([]string{"the ", "for ", "is ", "a ", "staging ", "and ", ". ", "\n", "hunter2 "},
		words[:40]...))
	mix("names alone", []string{"password ", "pw ", "hasło ", "key ", "secret ", "token ", "pin ", "mdp ", "密码",
		"login "})
	mix("everything", slices.Concat(words, tokens, commands, others))
	var secrets strings.Builder
	for seed := uint64(1); secrets.Len() < size; seed++ {
		for _, s := range Make(Tuned, seed, 200) {
			secrets.WriteString(s.Text + "\n")
		}
	}
	out["secrets"] = secrets.String()[:size]
	return out
}

// BenchmarkShapes is the cost of the mixes, 64 KB each, and of the shape that costs the most, when it is too short for
// its repeats to be skipped. A hook has 250 ms for 5 MB, which are 50 ns a byte.
func BenchmarkShapes(b *testing.B) {
	look := func(s string) float64 {
		forget()
		start := time.Now()
		Text(s)
		return float64(time.Since(start)) / float64(len(s))
	}
	for name, s := range shapes(64 << 10) {
		if rest, ok := strings.CutPrefix(name, "mix: "); ok {
			b.Run(rest, func(b *testing.B) {
				sum := 0.0
				for b.Loop() {
					sum += look(s)
				}
				b.ReportMetric(sum/float64(b.N), "ns/byte")
			})
		}
	}
	b.Run("worst", func(b *testing.B) {
		worst, by := 0.0, ""
		for b.Loop() {
			for name, s := range shapes(8 << 10) {
				if cost := min(look(s), look(s), look(s)); cost > worst {
					worst, by = cost, name
				}
			}
		}
		b.ReportMetric(worst, "ns/byte")
		b.Logf("%q", by)
	})
}

// TestRepeats holds what is skipped in a text that repeats itself to what is found when nothing is skipped.
func TestRepeats(t *testing.T) {
	pieces := slices.Sorted(maps.Keys(shapes(1)))
	r := rand.New(rand.NewPCG(3, 4))
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for n := range 120 {
		piece := pieces[r.IntN(len(pieces))]
		for range r.IntN(3) {
			piece += pieces[r.IntN(len(pieces))]
		}
		if n%2 == 1 { // nothing but padding ends what was encoded
			for piece = ""; len(piece) < 40+n; piece += letters[r.IntN(64):][:1] {
			}
			piece += "=="[:1+r.IntN(2)]
		}
		s := strings.Repeat(piece, 50_000/len(piece)) + " password is hunter2x9 " + strings.Repeat(piece, 100)
		s = "a beginning\n" + s
		got := find(s, []part{{0, len(s)}})
		whole := matcher{s: s, repeats: repeats{check: len(s)}}
		if _, want := whole.find(0, len(s), nil); !slices.Equal(got, want) {
			t.Errorf("%d secrets are found in repeats of %q, %d when each is looked at", len(got), piece, len(want))
		}
	}
}

// TestAround holds a second look at what changed alone to what a second look at everything finds.
func TestAround(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		secrets := Make(Tuned, seed, 60)
		var b strings.Builder
		for _, x := range secrets {
			b.WriteString(x.Text)
			for range r.IntN(3) * r.IntN(300) {
				b.WriteString([]string{"and then the customer ", "password ", "is ", "\n", "pays. "}[r.IntN(5)])
			}
		}
		s := b.String()
		for range rounds {
			var changed []int
			if s, changed = replace(s, find(s, []part{{0, len(s)}})); len(changed) == 0 {
				break
			}
			if got, want := find(s, around(s, changed)), find(s, []part{{0, len(s)}}); !slices.Equal(got, want) {
				t.Errorf("seed %d: %v is found around the changes, %v in everything", seed, got, want)
			}
		}
	}
}

// TestSteps holds the matcher to a number of bytes that it looks at for each byte of a text, whatever the text and its
// length.
func TestSteps(t *testing.T) {
	fixture.Long(t, "counts steps over many texts")
	const most = 256 // two letters and a sign can announce a value of maxBare bytes
	n := 0
	testOnlySteps = &n
	defer func() { testOnlySteps = nil }()
	worst, by := 0.0, ""
	for _, size := range []int{1 << 10, 8 << 10} {
		for name, s := range shapes(size) {
			n = 0
			Text(s)
			cost := float64(n) / float64(len(s))
			if cost > most {
				t.Errorf("%.0f bytes are looked at for each of %d bytes of %q", cost, size, name)
			}
			if cost > worst {
				worst, by = cost, name
			}
		}
	}
	t.Logf("at most %.0f, of %q", worst, by)
}

// forget makes Text look at a long text again.
func forget() { lastJudged.Store(nil) }
