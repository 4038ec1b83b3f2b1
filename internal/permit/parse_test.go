package permit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestLiteralsParse makes lines of what shells read in special ways, and compares literals with mvdan.cc/sh, which
// reads bash's whole grammar: each line that literals takes is one simple command there, with the same literal words.
// literals refuses only few lines that the parser finds harmless.
func TestLiteralsParse(t *testing.T) {
	parts := strings.Split("a|bc|7|done|if|time|=|==|a=|a:|:|-|--x|@|+|%|,|.|/|_|prüfung|✓|\u00a0|\u200b| | |  "+
		"|'|\"|\\|'a b'|\"a b\"|\\ |\\'|\\\"|\\\\|\\a|\\$|$|$x|$(id)|`|`id`|*|?|[a]|{a,"+
		"b}|{|}|~|!|^|#|&|;|<|>|(|)|'$x'|\"\\$x\"|\"\\\\\"|\"\\a\"|\"!\"|'it'\\''s'|''|\"\"", "|")
	parts = append(parts, "|", "|&", "2>", "<(", "=(", "+=", "[0]=", "$'", `$"`, "!(", "@(", "\\=", "a+=b", "coproc",
		"function")
	n := 60_000
	if testing.Short() {
		n = 5_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	taken, wider := 0, 0
	for range n {
		line := "memento done "
		for range 1 + random.IntN(7) {
			line += parts[random.IntN(len(parts))]
		}
		line = strings.Trim(line, " ")
		words, ok := literals(line)
		want, parsed := parsed(line)
		if ok && (!parsed || !slices.Equal(words, want)) {
			t.Errorf("%q is read as %q, and parsed as %q, %v", line, words, want, parsed)
		}
		if ok {
			taken++
		} else if parsed {
			wider++
		}
	}
	if taken < n/10 {
		t.Errorf("only %d of %d lines were taken", taken, n)
	}
	t.Logf("taken: %d of %d; refused, though literal: %d", taken, n, wider)
}

// parsed returns the words of line, if line is one simple command of literal words and nothing else. The line has no
// space at either end.
func parsed(line string) ([]string, bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	s := file.Stmts[0]
	if s.Semicolon.IsValid() || s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 {
		return nil, false
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		return nil, false
	}
	// The parser must have used the whole line. This also refuses comments and any syntax that a later parser may add
	// to a statement.
	if call.Pos().Offset() != 0 || call.End().Offset() != uint(len(line)) {
		return nil, false
	}
	var words []string
	for _, w := range call.Args {
		text, ok := parsedWord(w)
		if !ok {
			return nil, false
		}
		words = append(words, text)
	}
	return words, true
}

// parsedWord returns the text of a word in which no shell would expand anything.
func parsedWord(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if !parsedBare(&b, p.Value) {
				return "", false
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return "", false
			}
			for _, part := range p.Parts {
				lit, ok := part.(*syntax.Lit)
				if !ok || !parsedDouble(&b, lit.Value) {
					return "", false
				}
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// parsedBare writes unquoted text to b, which holds the word so far. It refuses characters with a meaning in any
// shell, and an `=` where zsh replaces it by a command's path.
func parsedBare(b *strings.Builder, text string) bool {
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
			continue
		case r == '=':
			if sofar := b.String(); sofar == "" || strings.HasSuffix(sofar, ":") || strings.HasSuffix(sofar, "=") {
				return false
			}
		case strings.ContainsRune("|&;<>()$`*?[]{}~#!^", r):
			return false
		}
		b.WriteRune(r)
	}
	return !escaped
}

// parsedDouble writes the text between double quotes to b. A backslash escapes four characters and is plain text
// before any other.
func parsedDouble(b *strings.Builder, text string) bool {
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
			if !strings.ContainsRune("\\\"$`", r) {
				b.WriteByte('\\')
			}
		case r == '\\':
			escaped = true
			continue
		case r == '$', r == '`':
			return false
		}
		b.WriteRune(r)
	}
	return !escaped
}
