package retrieve

import (
	"strings"
	"testing"
)

func TestAsksPast(t *testing.T) {
	for s, want := range map[string]string{
		"Hello. And then, what did we decide about the 'tax'?":  "tax",
		"What did we decide about the retry budget?":            "retry budget",
		"Use the same margins, as we discussed for the invoice": "margins",
		"Mend the error from yesterday in the exporter":         "exporter",
		"Was haben wir zum Zahlungsziel entschieden?":           "zahlungsziel",
		"Nimm den Zeilenabstand wie besprochen":                 "zeilenabstand",
		"Comme convenu, change la police des factures":          "factures",
		"¿Qué decidimos sobre el impuesto?":                     "impuesto",
		"Cosa abbiamo deciso sul formato delle date?":           "formato",
		"Что мы решили про кэш?":                                "кэш",
		"上次的缓存策略是什么":                                            "缓存",
	} {
		about, ok := asksPast(s)
		if !ok || !strings.Contains(about, want) {
			t.Errorf("%q: %q %t", s, about, ok)
		}
	}
	for _, s := range []string{
		"Write a test for the exporter", "Discuss the options with me", "Decide which cache to use",
		"The retry budget is 3", "Bitte den Zeilenabstand vergrössern", "", "\xff",
		"We discussedness the cache", strings.Repeat("x. ", 9000) + "as we discussed",
	} {
		if about, ok := asksPast(s); ok {
			t.Errorf("%q asks for %q", s, about)
		}
	}
}
