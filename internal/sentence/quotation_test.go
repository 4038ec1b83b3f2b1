package sentence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What a summary quotes as the user's words is found in the forms that summaries take, and nothing else it quotes.
func TestQuotations(t *testing.T) {
	for _, c := range []struct {
		summary string
		want    []string
	}{
		{`The user said "keep the old API".`, []string{"keep the old API"}},
		{`- **User correction**: “keep the old API” - done`, []string{"keep the old API"}},
		{`The user asked "keep the old API", "and drop the tests"`, []string{"keep the old API", "and drop the tests"}},
		{"6. **All user messages:**\n   - \"keep the old API\"\n   - \"and drop the tests\" (later)\n7. Pending:\n   - \"write the docs\"",
			[]string{"keep the old API", "and drop the tests"}},
		// one within another ends it: what is left stands in the message all the same
		{"## User messages\n> \"please make the \"Pay\" button blue\"", []string{`please make the "Pay`}},
		{`ユーザーは「価格表は絶対に変更しないで」と言った`, []string{"価格表は絶対に変更しないで"}},
		{`El usuario pidió: «no cambies la tabla de precios»`, []string{"no cambies la tabla de precios"}},
		{`Der Benutzer sagte: „die Preise bleiben so“`, []string{"die Preise bleiben so"}},
		{"<analysis>The user said \"keep the old API\".</analysis>\n<summary>Nothing.</summary>", nil},

		{`The test prints "keep the old API".`, nil},
		{`The user chose a theme. The log says "keep the old API".`, nil},
		{`In user_id.go stands "keep the old API"`, nil},
		{`The user chose "Dark mode"`, nil}, // the name of a choice
		{`User (implicit) - "keep the old API"`, nil},
		{`echo "keep the old API`, nil},
		{`The user said "`, nil},
		{`I told the user "the tests pass on main now"`, nil},
		{`Claude asked the user: "Which database do you prefer?"`, nil},
		{`The user sees "Please log in again"`, nil},
		{`Error shown to the user: "Your session has expired"`, nil},
		{"## Questions to the user:\n- \"Which database do you prefer?\"", nil},
		{`A user agent "Mozilla/5.0 (X11; Linux)" is refused`, nil},
		{"The fix:\n```ts\nadd({user: \"John Smith the third\"})\n```", nil},
		{"User messages:\n- \"keep the old API\"\n\n**Next steps**\n- \"write the docs now\"", []string{"keep the old API"}},
		// of a mark with a space on either side nobody knows whether it opens or closes
		{`The user said "keep the old API " and the log "it was kept here"`, nil},
	} {
		if got := Quotations(c.summary); !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q, not %q", c.summary, got, c.want)
		}
	}
}

// A quotation counts as typed though a word was mended or left out; words that no message holds do not.
func TestUntyped(t *testing.T) {
	typed := []string{"hi", "pls keep the old API, as it is nwo, and dont touch the tax tables", "価格表は絶対に変更しないでください"}
	for _, c := range []struct {
		quote string
		want  bool
	}{
		{"keep the old API", false},
		{"Please keep the old API as it is now, and don't touch the tax tables", false},
		{"keep the old API... and dont touch [the tables]", false},
		{"価格表は絶対に変更しないで", false},
		{"drop the old endpoints today", true},
		{"move the API to Go today", true},
		{"価格表を今すぐ変更して", true},
	} {
		got := Untyped([]string{c.quote}, slices.Values(typed))
		if (len(got) > 0) != c.want {
			t.Errorf("%q: untyped is %v", c.quote, !c.want)
		}
	}
	for _, c := range []struct{ typed, quote string }{
		{"fix the login|then add tests to it", "fix the login, then add tests to it"},          // typed one after the other
		{"unit tests|end-to-end tests|load tests", "unit tests, end-to-end tests, load tests"}, // chosen together
		{"価格表は絶対に変更しないでください", "never change the table of prices"},                              // a translation
	} {
		if got := Untyped([]string{c.quote}, strings.SplitSeq(c.typed, "|")); got != nil {
			t.Errorf("of %q: untyped is %q", c.typed, got)
		}
	}
	private := append(typed, "and [private] too")
	if got := Untyped([]string{"drop the old endpoints today"}, slices.Values(private)); got != nil {
		t.Errorf("with a part unknown: %q", got)
	}
}

// The work grows with the length of a summary, not with its square: that of these would take hours.
func TestQuotationsOfLongSummary(t *testing.T) {
	const size = 1 << 20
	for _, piece := range []string{`"a `, "“ ", `“ "a" `, `"a b c" `, `"[] a b c" `,
		"user: \"", "「", "user ", "[", "\n# user"} {
		Quotations(`The user said "` + strings.Repeat(piece, size/len(piece)) + `".`)
		Quotations(`The user said ` + strings.Repeat(piece, size/len(piece)))
	}
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `The user said "keep the old API %d". `, i)
	}
	if got := Quotations(b.String()); len(got) != 256 {
		t.Errorf("%d quotations, not 256", len(got))
	}
}

func FuzzQuotations(f *testing.F) {
	f.Add(`The user said "keep the old API", then "drop [it] all".`)
	f.Add("User messages:\n- “a b c”\n- \"d e f\"")
	f.Fuzz(func(t *testing.T, summary string) {
		for _, q := range Quotations(summary) {
			if len(Untyped([]string{q}, slices.Values([]string{"x", q}))) > 0 {
				t.Errorf("%q is not found in itself", q)
			}
		}
	})
}
