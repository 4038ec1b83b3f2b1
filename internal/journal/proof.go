package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"math/rand"
	"path/filepath"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// A journal is a file that others may write: a person, or Claude with a file tool. So "verified": true in it proves
// nothing. What the transcript confirmed memento marks with a proof, a hash of the words under a key of the store's,
// and shows everything else as unverified. A proof travels with its words: into the history and back, and under
// another name of the project.

// keySize is the length of the key in bytes.
const keySize = 32

// seal makes and checks the proofs of one store. The zero seal makes none, and finds none right.
type seal struct{ path string }

func sealOf(lane project.Lane) seal {
	return seal{filepath.Join(lane.Dir, "proof.key")}
}

// key returns the store's key, "" without one. With create set, a missing one is made.
func (s seal) key(create bool) string {
	if s.path == "" {
		return ""
	}
	data, err := safefile.Read(s.path, keySize)
	if create && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrTooLarge) || err == nil &&
		len(data) != keySize) {
		data = nil
		// the runtime's generator, seeded by the system: crypto/rand would cost every hook its start
		for len(data) < keySize {
			data = binary.LittleEndian.AppendUint64(data, rand.Uint64())
		}
		// of two at once the last one counts, and what the first one proved is looked up again
		err = safefile.Replace(s.path, data, 0o600)
	}
	if err != nil || len(data) != keySize {
		return ""
	}
	return string(data)
}

// proof is how memento marks that the transcript confirmed ctx; "" without a key.
func proof(key, ctx string) string {
	if key == "" {
		return ""
	}
	inner := sha256.Sum256([]byte(key + "inner" + ctx))
	outer := sha256.Sum256([]byte(key + "outer" + string(inner[:])))
	return hex.EncodeToString(outer[:8])
}

// prove gives e its proof, if it was confirmed just now.
func (j *Journal) prove(e *Entry) {
	if e.proof = ""; e.Claims() && !e.Unconfirmed() {
		e.proof = proof(j.seal.key(true), e.Ctx)
	}
}

// check says of the entries, as they were read, which are confirmed: those with a proof that is right. Of one that says
// of itself that it is not, that is believed; of the others nothing is known.
func (j *Journal) check(s seal) {
	j.seal = s
	key := ""
	for i := range j.Done {
		e := &j.Done[i]
		no := e.Verified != nil && !*e.Verified
		if e.Verified = nil; e.proof != "" && key == "" {
			key = s.key(false)
		}
		if right := !no && e.proof != "" && e.proof == proof(key, e.Ctx); right || no && e.Claims() {
			e.Verified = &right
		}
	}
}

// Claims reports whether the entry's context says what somebody said or printed. Only one that begins with "note:" does
// not: what a reader may take for a claim is one.
func (e Entry) Claims() bool { return history.Claims(e.Ctx) }

// Unconfirmed reports whether the entry claims what memento did not find in the transcript.
func (e Entry) Unconfirmed() bool { return e.Claims() && (e.Verified == nil || !*e.Verified) }

// Judge lets found say of each claim that nobody has looked up yet whether the transcript has it.
func (j *Journal) Judge(found func(ctx string) bool) {
	for i := range j.Done {
		if e := &j.Done[i]; e.Claims() && e.Verified == nil {
			ok := found(e.Ctx)
			e.Verified = &ok
			j.prove(e)
		}
	}
}

// Snapshot returns the journal that a history line of kind "mission" holds. Errors: ErrCorrupt.
func Snapshot(lane project.Lane, l history.Line) (*Journal, error) { return snapshot(sealOf(lane), l) }

func snapshot(s seal, l history.Line) (*Journal, error) {
	j, err := Decode([]byte(l.Journal()))
	if err == nil {
		j.check(s)
	}
	return j, err
}

// Line renders the entry in one line, with what is known of where it comes from.
func (e Entry) Line() string { return history.DoneLine(e.Act, e.Result, e.Ctx, e.Unconfirmed()) }
