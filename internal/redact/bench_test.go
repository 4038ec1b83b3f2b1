package redact

import (
	"strings"
	"testing"
)

// journal is a journal of 6 KB as most are: nothing in it is a secret, some of it looks so.
func journal() string {
	var b strings.Builder
	b.WriteString(`{"mission": "Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables.", ` +
		`"mission_ref": "5f0c3f8e-9a41-4d0b-8a4f-2b9d6c1e7a30", "done": [`)
	for b.Len() < 6000 {
		b.WriteString(`{"act": "renew the token before it expires", "result": "src/auth/session.ts:88 now reads the ` +
			`password from the vault; 42 passing (3s)", "ctx": "tool: [main 1a2b3c4d] ` +
			`https://github.com/acme/shop/pull/12 the API key stays in process.env.STRIPE_KEY", "ts": ` +
			`"2026-01-05T10:00:00Z", "by": "auto", "ref": "toolu_01AbCdEfGhIjKlMnOpQrSt"},`)
	}
	b.WriteString(`{"act": "last"}]}`)
	return b.String()
}

// BenchmarkJournal is what a hook pays to look through a journal of 6 KB; the budget is 0.3 ms.
func BenchmarkJournal(b *testing.B) {
	clean := journal()
	if _, kinds := JSON(clean); kinds != nil {
		b.Fatalf("the journal holds %v", kinds)
	}
	var dirty strings.Builder
	for _, s := range Make(Tuned, 1, 30) {
		dirty.WriteString(s.Text)
		dirty.WriteString("\n")
	}
	words := strings.Repeat("and then the customer pays, and the order goes to the shop. ", 100)
	b.Run("clean", func(b *testing.B) {
		b.SetBytes(int64(len(clean)))
		for b.Loop() {
			JSON(clean)
		}
	})
	b.Run("words", func(b *testing.B) {
		b.SetBytes(int64(len(words)))
		for b.Loop() {
			Text(words)
		}
	})
	b.Run("30 secrets", func(b *testing.B) {
		b.SetBytes(int64(dirty.Len()))
		for b.Loop() {
			Text(dirty.String())
		}
	})
}
