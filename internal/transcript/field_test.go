package transcript

import "testing"

// literal reads the same text from a string as a parser.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{"", "go", `say \"stop\" \\ now\/later\n\t\r\b\f`, `\u00e9\ud83d\ude80\ud800`,
		"größer als zuvor", "a line\nbroken", `a bad \escape and \u12`, "12345678\x0087654321",
		"\xff\xfe, then more than eight"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw := []byte(`"` + s + `"`)
		if quoted(raw, 0) != len(raw) {
			return
		}
		want := parse(raw)
		if got, ok := literal(raw); got != want.Str || ok != want.Exists() {
			t.Errorf("%s is read as %q (%t), want %q (%t)", raw, got, ok, want.Str, want.Exists())
		}
	})
}
