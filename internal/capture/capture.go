// Package capture brings a session's journal up to date from its transcript, without a model: with the user's words and
// with the calls and answers of tools. It invents and rewords nothing: every fact is a part of the transcript. When to
// read is the business of hook, what to show that of block; neither may come in.
package capture

import (
	"errors"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// Trust says when a submitted prompt counts as said although the transcript does not show it.
type Trust int

const (
	// TrustTranscript waits for the transcript: another hook may have blocked the prompt.
	TrustTranscript Trust = iota
	// TrustMissing takes the prompt as said when there is no transcript.
	TrustMissing
	// TrustPrompt takes the newest prompt as said: Claude works on it.
	TrustPrompt
	// TrustEnd takes all prompts as said: the session is over. The transcript has named those that a hook blocked.
	TrustEnd
)

// CatchUp brings the journal up to date with the transcript of the session st, or with as much of that as patience
// allows: the next call goes on there. A second call changes nothing. On error the journal and st stay as the last
// whole part left them. The caller holds st.
func CatchUp(store journal.Store, st *session.Memory, trust Trust) error {
	if nothingNew(store, st, trust) {
		return nil
	}
	l := &catching{store: store, trust: trust, inTime: Soon()}
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

// catching is one call of CatchUp.
type catching struct {
	store  journal.Store
	trust  Trust
	inTime func() bool
	past   *past // the lane's history, read once for all parts; nil until it is needed
}

// catchUp takes in the next part of the transcript of st. more says that the part ended because of its size and another
// follows. On error nothing was written, and st is of no use.
func (l *catching) catchUp(st *session.Memory) (more bool, err error) {
	p, err := l.read(st)
	if err != nil {
		return false, err
	}
	v := l.judge(p)
	if err := l.keep(p, v); err != nil {
		return false, err
	}
	if !v.nothing {
		if err := l.apply(p, v); err != nil {
			return false, err
		}
	}
	st.Read = p.next
	return p.more, nil
}

// nothingNew reports whether there is nothing to take in: no prompt waits, the transcript is
// unchanged, and the journal is in order. That is so at most events.
func nothingNew(store journal.Store, st *session.Memory, trust Trust) bool {
	if len(st.Pending) > 0 || st.Stray || st.MayRepeat != st.Cut ||
		!transcript.Unchanged(st.Transcript, st.Read) {
		return false
	}
	if trust == TrustTranscript { // a damaged journal is mended by who reads it
		return true
	}
	j, err := store.Read()
	return err == nil && !takenOver(j, st) || err != nil && !errors.Is(err, journal.ErrCorrupt)
}
