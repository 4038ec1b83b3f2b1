package history

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Unverified is the label of a context that the transcript does not confirm.
const Unverified = "unverified"

// Data returns s, which nobody typed, in the form for text outside quotation marks: it cannot look like a label of
// memento's.
func Data(s string) string {
	return strings.ReplaceAll(text.Data(s), "("+Unverified+")", "["+Unverified+"]")
}

// DoneLine returns an entry in one line, with its context and whether that is unconfirmed.
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

// Claims reports whether ctx, the context of an entry, says what somebody said or a tool printed. Every context does,
// except one that begins with "note:": a reader may take anything else for a claim.
func Claims(ctx string) bool { return ctx != "" && !strings.HasPrefix(text.Line(ctx), "note:") }
