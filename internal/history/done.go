package history

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Unverified marks a context that the transcript does not confirm.
const Unverified = "unverified"

// Data is what nobody typed, as it stands outside quotation marks.
func Data(s string) string {
	return strings.ReplaceAll(text.Data(s), "("+Unverified+")", "["+Unverified+"]")
}

// DoneLine is a thing done in one line, with what is known of where it comes from.
func DoneLine(act, result, ctx string, unconfirmed bool) string {
	s := Data(act)
	if result != "" {
		s += " -> " + Data(result)
	}
	if ctx != "" {
		s += " | ctx: " + Data(ctx)
		if unconfirmed {
			s += " (" + Unverified + ")"
		}
	}
	return s
}

// Claims reports whether the context of a thing done says what somebody said or printed. Only one that begins with
// "note:" does not: what a reader may take for a claim is one.
func Claims(ctx string) bool { return ctx != "" && !strings.HasPrefix(text.Line(ctx), "note:") }
