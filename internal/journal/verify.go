package journal

import (
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
)

// distrust forgets which contexts the transcript confirmed. Somebody else wrote the journal, and anybody may write
// "verified": true.
func (j *Journal) distrust() {
	for i := range j.Done {
		if e := &j.Done[i]; e.Verified != nil && *e.Verified {
			e.Verified = nil
		}
	}
}

// Unconfirmed reports whether the entry's context is a claim that memento did not find in the transcript.
func (e Entry) Unconfirmed() bool {
	return history.Claims(e.Ctx) && (e.Verified == nil || !*e.Verified)
}

// Snapshot returns the journal that an entry of kind "mission" holds. Errors: ErrCorrupt.
func Snapshot(l log.Entry) (*Journal, error) { return decode([]byte(l.Body)) }

// Line returns the entry in one line, with its context and whether that is unverified.
func (e Entry) Line() string { return history.DoneLine(e.Act, e.Result, e.Ctx, e.Unconfirmed()) }
