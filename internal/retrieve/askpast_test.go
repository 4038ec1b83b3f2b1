package retrieve

import (
	"strings"
	"testing"
)

func TestAsksPast(t *testing.T) {
	for s, want := range map[string]string{
		"Hello. And then, what did we decide about the 'tax'?":      "tax",
		"What did we decide about the retry budget?":                "retry budget",
		"Use the same margins, as we discussed for the invoice":     "margins",
		"Mend the error from yesterday in the exporter":             "exporter",
		"Was haben wir zum Zahlungsziel entschieden?":               "zahlungsziel",
		"Nimm den Zeilenabstand wie besprochen":                     "zeilenabstand",
		"Comme convenu, change la police des factures":              "factures",
		"¿Qué decidimos sobre el impuesto?":                         "impuesto",
		"Cosa abbiamo deciso sul formato delle date?":               "formato",
		"Что мы решили про кэш?":                                    "кэш",
		"上次的缓存策略是什么":                                                "缓存",
		"didn't we already mend the retry budget?":                  "retry budget",
		"What did we do about the retry budget?":                    "retry budget",
		"Why did we choose PASETO for the retry budget?":            "paseto retry budget",
		"O que a gente combinou sobre o limite de tentativas?":      "limite tentativas",
		"Por que escolhemos PASETO para os tokens?":                 "paseto tokens",
		"Conforme combinamos, margem de 4 mm nas faturas":           "margem 4 mm faturas",
		"Como resolvemos o erro do exportador?":                     "exportador",
		"Qué decidimos sobre el límite de reintentos?":              "límite reintentos",
		"Qu'est-ce qu'on avait décidé pour la marge des factures ?": "marge factures",
		"Wie haben wir den Fehler im Exporter gelöst?":              "exporter",
		"Waarom hebben we PASETO gekozen voor de tokens?":           "paseto tokens",
		"Как мы решили проблему с кэшем в экспорте?":                "кэшем экспорте",
		"What did we decide about error handling?":                  "error handling",
	} {
		about, ok := asksPast(s)
		if !ok || !strings.Contains(about, want) {
			t.Errorf("%q: %q %t", s, about, ok)
		}
	}
	for _, s := range []string{
		"Write a test for the exporter", "Discuss the options with me", "Decide which cache to use",
		"The retry budget is 3", "Bitte den Zeilenabstand vergrössern", "", "\xff",
		"We discussedness the cache", "We decided to use PASETO from now on", "Did we push?", "Remember the cart between two visits",
		"O que a gente precisa mudar no exportador?", "Decidimos usar PASETO",
		"Wir haben entschieden, PASETO zu nehmen", "Commit what we have and push", "on a décidé d'utiliser PASETO",
		strings.Repeat("x. ", 9000) + "as we discussed",
	} {
		if about, ok := asksPast(s); ok {
			t.Errorf("%q asks for %q", s, about)
		}
	}
}
