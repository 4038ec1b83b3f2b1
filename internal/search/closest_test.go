package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	x := indexed(t, []Doc{
		doc("a", "Rotate the signing tokens", "The tokens expire; authentication asks again."),
		doc("b", "Die Übersetzung prüfen", "Миграция базы данных"),
		doc("c", "token token token", "a toker"),
		doc("d", "Die Rechnung", "La facture est payée; el cálculo anterior"),
	})
	for q, want := range map[string]string{
		"tokne":          "[{tokne token}]",
		"the tokne":      "[{tokne token}]",
		"tokens":         "[]", // it is there
		"rotatte":        "[{rotatte rotate}]",
		"sgning":         "[{sgning signing}]",
		"autentikatiom":  "[]", // three letters are wrong
		"authentikatoin": "[{authentikatoin authentication}]",
		"ubersetzing":    "[{ubersetzing ubersetzung}]",
		"миграцыя":       "[{миграцыя миграция}]",
		"abc":            "[]", // too short
		"Rechnungen":     "[{rechnungen rechnung}]",
		"payees":         "[]", // English endings are cut off
		"миграции":       "[{миграции миграция}]",
		"zzzzzz":         "[]",
		"tokne1":         "[]", // with a digit
		"迁移":             "[]",
		"":               "[]",
	} {
		ask, changes, err := x.Closest(ParseAsk(q))
		if err != nil || fmt.Sprint(changes) != want {
			t.Errorf("%q: %v, want %s (%v)", q, changes, want, err)
		}
		if hits, err := x.Answer(ask, Keep{}, 5); err != nil || len(changes) > 0 && len(hits) == 0 {
			t.Errorf("%q: nothing found for %q (%v)", q, ask.Words, err)
		}
	}
	ask, _, err := x.Closest(ParseAsk(`"signing tokne"`))
	if err != nil || !HasPhrase("the signing tokens", ask.Phrases[0]) {
		t.Errorf("the phrase became %q (%v)", ask.Phrases, err)
	}
}

func TestSurface(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{"Die Rechnung liegt bei", "rechnunge", "Rechnung"},
		{"They rotate the Tokens.", "token", "Tokens"},
		{"the pre-commit hook", "precommit", "pre-commit"},
		{"nothing here", "token", ""},
	} {
		if got := Surface(c.text, c.word); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.word, c.text, got, c.want)
		}
	}
}

func FuzzClosest(f *testing.F) {
	x := Memory(shop)
	f.Add("tokne")
	f.Add(`"ſtaging" file:x`)
	f.Fuzz(func(t *testing.T, q string) {
		if _, _, err := x.Closest(ParseAsk(q[:min(len(q), 40)])); err != nil {
			t.Error(err)
		}
	})
}

// Closest finds a word behind two mistakes that are apart, unless the first letter is one of them.
func TestClosestTwo(t *testing.T) {
	words := []string{"zeppelin", "konvolut", "parallax", "quorumlack", "migrationplan", "tabernakulum", "rhododendron"}
	x := indexed(t, []Doc{doc("a", "t", strings.Join(words, " "))})
	r := rand.New(rand.NewPCG(5, 5))
	mistake := func(w []byte) []byte {
		i := 1 + r.IntN(len(w)-2)
		letter := byte('a' + r.IntN(26))
		switch r.IntN(4) {
		case 0:
			return slices.Delete(w, i, i+1)
		case 1:
			return slices.Insert(w, i, letter)
		case 2:
			w[i] = letter
		case 3:
			w[i], w[i+1] = w[i+1], w[i]
		}
		return w
	}
	for i := range 1000 {
		word := words[i%len(words)]
		half := len(word) / 2
		wrong := string(mistake([]byte(word[:half]))) + string(mistake([]byte(word[half:])))
		_, changes, err := x.Closest(Ask{Words: wrong})
		if err != nil || wrong[0] == word[0] && len(wrong) >= farFrom && len(wrong) <= farTo && stem(wrong) != word &&
			fmt.Sprint(changes) != fmt.Sprintf("[{%s %s}]", wrong, word) {
			t.Errorf("%s for %s: %v (%v)", wrong, word, changes, err)
		}
	}
}
