package search

import (
	"fmt"
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
		"Rechnungen":     "[{rechnungen rechnunge}]",
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
