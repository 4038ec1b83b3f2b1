// Package capture turns what happened in a session into facts in its journal, without any model's help: what the user
// typed, and what tools were called for and answered. It invents nothing and rewords nothing; a fact is a part of the
// transcript. It does not decide when to look (hook) or what is shown (journal).
package capture

import (
	"errors"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// Trust says what to make of a prompt that was submitted but that the transcript does not show.
type Trust int

const (
	// TrustTranscript waits for the transcript: another hook may have blocked the prompt.
	TrustTranscript Trust = iota
	// TrustMissing takes it as said when there is no transcript at all to ask.
	TrustMissing
	// TrustPrompt takes it as said: Claude is at work on it.
	TrustPrompt
	// TrustEnd takes all of them as said: the session is over. A prompt that another hook blocked is none: the client
	// notes that, and the note was read.
	TrustEnd
)

// CatchUp brings the journal up to date with what was typed in the session st since it last looked, or with as much of
// that as it can take in within a moment (see patience): the next call goes on there. Doing it twice changes nothing.
// On error the journal and st stay as the last part left them that was taken in whole. Nobody hears of it; the next
// Listen hands it on. The caller holds st.
func CatchUp(store journal.Store, st *session.Memory, trust Trust) error {
	return Listen(store, st, trust, nil)
}

// Listen is CatchUp that hands on what was said to heard, unless that is nil, before anything is written; see Said.
// After a crash the same is said again. An error of heard's that is safefile.ErrBusy keeps nothing out of the journal:
// what was said is said again, with what came since, by the next call. Any other is heard's own matter.
func Listen(store journal.Store, st *session.Memory, trust Trust, heard func([]Said) error) error {
	if nothingNew(store, st, trust) {
		return nil
	}
	l := &listening{store: store, trust: trust, heard: heard, inTime: soon()}
	for {
		next := *st
		next.Work = st.Work.Clone()
		more, err := l.catchUp(&next)
		if err != nil {
			return err
		}
		if *st = next; !more || !l.inTime() {
			return nil
		}
	}
}

// listening is one call of Listen.
type listening struct {
	store  journal.Store
	trust  Trust
	heard  func([]Said) error // nil when nobody listens
	inTime func() bool
	past   *past // what the history has, read once for all parts; nil until it is needed
}

// catchUp takes in the next part of the transcript of st. more reports that there is another, which was not left for
// lack of time. On error nothing was taken in, and st is of no use.
func (l *listening) catchUp(st *session.Memory) (more bool, err error) {
	p, err := l.read(st)
	if err != nil {
		return false, err
	}
	v := l.judge(p)
	p.tell(v) // before anything is written
	if !v.nothing {
		if err := l.apply(p, v); err != nil {
			return false, err
		}
	}
	st.Read = p.next
	return p.more, nil
}

// nothingNew reports whether there is nothing to take in: what was read was handed on, no prompt waits, the transcript
// is what it was, and the journal is in order. Most events find it so.
func nothingNew(store journal.Store, st *session.Memory, trust Trust) bool {
	if len(st.Pending) > 0 || st.Unheard != nil || st.Stray || st.Known != st.Cut ||
		!transcript.Unchanged(st.Transcript, st.Read) {
		return false
	}
	if trust == TrustTranscript {
		return !store.Damaged()
	}
	j, err := store.Read()
	return err == nil && !astray(j, st) || err != nil && !errors.Is(err, journal.ErrCorrupt)
}
