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
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// A person, or Claude with a file tool, may write a journal's file, so "verified": true in that file proves nothing.
// memento adds a proof to each context that the transcript confirmed: a hash of the context under a key that each store
// has. It shows every other context as unverified. A proof goes with its entry into history and back, and stays right
// when the project is renamed.

// keySize is the length of a store's key in bytes.
const keySize = 32

// seal makes and checks the proofs of one store. The zero seal makes no proof and accepts none.
type seal struct{ path string }

func sealOf(lane project.Lane) seal {
	return seal{filepath.Join(lane.Dir, "proof.key")}
}

// key returns the store's key, "" when there is none. With create it makes a missing key.
func (s seal) key(create bool) string {
	if s.path == "" {
		return ""
	}
	data, err := safefile.Read(s.path, keySize)
	if create && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrTooLarge) || err == nil &&
		len(data) != keySize) {
		data = nil
		// math/rand is seeded by the system; linking crypto/rand would make every hook start later
		for len(data) < keySize {
			data = binary.LittleEndian.AppendUint64(data, rand.Uint64())
		}
		// when two processes make a key at once, the last one stays, and proofs under the other are looked up again
		err = safefile.Replace(s.path, data, 0o600)
	}
	if err != nil || len(data) != keySize {
		return ""
	}
	return string(data)
}

// proof returns the proof that the transcript confirmed ctx, "" without a key.
func proof(key, ctx string) string {
	if key == "" {
		return ""
	}
	inner := sha256.Sum256([]byte(key + "inner" + ctx))
	outer := sha256.Sum256([]byte(key + "outer" + string(inner[:])))
	return hex.EncodeToString(outer[:8])
}

// prove gives e a proof if e.Verified says that the transcript confirmed its context.
func (j *Journal) prove(e *Entry) {
	if e.proof = ""; history.Claims(e.Ctx) && !e.Unconfirmed() {
		e.proof = proof(j.seal.key(true), e.Ctx)
	}
}

// check sets Verified of each entry that was read: true with a right proof, false where the file says false, and nil
// for all others.
func (j *Journal) check(s seal) {
	j.seal = s
	key := ""
	for i := range j.Done {
		e := &j.Done[i]
		no := e.Verified != nil && !*e.Verified
		if e.Verified = nil; e.proof != "" && key == "" {
			key = s.key(false)
		}
		if right := !no && e.proof != "" && e.proof == proof(key, e.Ctx); right || no && history.Claims(e.Ctx) {
			e.Verified = &right
		}
	}
}

// Unconfirmed reports whether the entry's context is a claim that memento did not find in the transcript.
func (e Entry) Unconfirmed() bool {
	return history.Claims(e.Ctx) && (e.Verified == nil || !*e.Verified)
}

// Verify sets Verified of each claim that nobody has looked up. found reports whether the transcript holds a context.
func (j *Journal) Verify(found func(ctx string) bool) {
	for i := range j.Done {
		if e := &j.Done[i]; history.Claims(e.Ctx) && e.Verified == nil {
			ok := found(e.Ctx)
			e.Verified = &ok
			j.prove(e)
		}
	}
}

// Snapshot returns the journal that an entry of kind "mission" holds. Errors: ErrCorrupt.
func Snapshot(lane project.Lane, l log.Entry) (*Journal, error) { return snapshot(sealOf(lane), l) }

func snapshot(s seal, l log.Entry) (*Journal, error) {
	j, err := decode([]byte(l.Body))
	if err == nil {
		j.check(s)
	}
	return j, err
}

// Line returns the entry in one line, with its context and whether that is unverified.
func (e Entry) Line() string { return history.DoneLine(e.Act, e.Result, e.Ctx, e.Unconfirmed()) }
