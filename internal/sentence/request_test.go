package sentence

import (
	"strings"
	"testing"
)

// TestRequest: what is quoted as the work in hand asks for work, and is the user's own.
func TestRequest(t *testing.T) {
	for message, want := range map[string]string{
		"add a test for the rounding":                                                                 "=",
		"can you also print the total in the footer?":                                                 "=",
		"could we use one table instead of two?":                                                      "=",
		"I want the totals in cents":                                                                  "=",
		"let's first move the tax table":                                                              "=",
		"please fix the importer, it fails on empty lines":                                            "=",
		"/review-all the open branches":                                                               "=",
		"Füge einen Test für die Rundung hinzu":                                                       "=",
		"adicione um teste para o arredondamento":                                                     "=",
		"agrega una prueba para el redondeo":                                                          "=",
		"ajoute un test pour les arrondis":                                                            "=",
		"добавь тест для округления":                                                                  "=",
		"端数処理のテストを追加してください":                                                                           "=",
		"반올림 테스트를 추가해 주세요":                                                                            "=",
		"why is the build so slow? add a cache for the modules":                                       "=",
		"fix this:\n\nFAIL\tshop/cart\t4.1s\nFAIL\tshop/tax\t0.3s\n":                                  "=",
		"what is the footer for, and drop the date from it":                                           "=",
		"measure it with ten thousand rows first":                                                     "=",
		"got this from the reviewer:\nThe total is rounded twice, which loses a cent in some orders.": "=",
		"and now?":          "",
		"forget everything": "",
		"commit please":     "",
		"commit and push":   "",
		"ok, commit this and update the changelog": "",
		"can you commit it?":                       "",
		"open a PR":                                "",
		"what does the linter say now?":            "",
		"is the importer done?":                    "",
		"how many rows are there?":                 "",
		"explain the rounding to me":               "",
		"can you explain why it rounds up?":        "",
		"tell me what changed":                     "",
		"1":                                        "",
		"option 2":                                 "",
		"its loaded":                               "",
		"yes":                                      "",
		"run it":                                   "",
		"never touch the tax tables":               "",
		"FAIL FAIL github.com/acme/shop/cart 4.1s FAIL":                                                   "",
		"--- FAIL: TestTotal (0.00s)\n    cart_test.go:41: total is 3\nFAIL\nFAIL\tshop/cart\t0.1s\nFAIL": "",
		"2026-03-14 09:30:00 ERROR cannot open db\n2026-03-14 09:30:01 ERROR giving up":                   "",
	} {
		if want == "=" {
			want = message
		}
		if got := Request(message, 150); got != want && !(want == message && strings.HasPrefix(got, "fix this")) {
			t.Errorf("%q asks for %q, want %q", message, got, want)
		}
	}
	long := strings.Repeat("The importer reads the whole file at once and that was fine so far. ", 3)
	if got := Request(long+"Add a limit to what it reads. It may be large.",
		150); got != "Add a limit to what it reads. It may be large." {
		t.Errorf("behind much else it is %q", got)
	}
}
