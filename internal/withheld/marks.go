package withheld

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Marks is what one command forgets. The zero value is nothing.
type Marks struct {
	// In lists the shared projects from which it goes; nil for all.
	In []string
	// Phrases go with every text that holds one of them.
	Phrases []string
	// Texts go with every text that equals one of them, in any spacing, case and quote marks.
	Texts []string
	// IDs of prompts.
	IDs []string
	// Sessions of which all turns up to Until go.
	Sessions []string
	Until    time.Time
	// Records that go whole, as RecordKey returns them, or other things that have no words of their own.
	Records []string
}

// RecordKey returns the name under which Marks knows a record. The project is not part of it.
func RecordKey(slug string, created time.Time) string {
	return slug + "\n" + created.UTC().Format(time.RFC3339)
}

// Add adds fingerprints to the file of machine m in dir, memento's folder, and forces them to the disk. It leaves out
// what the file has. Errors: safefile.ErrBusy, safefile.ErrRefused, ErrForgottenUnreadable, a phrase that is too long,
// the disk's; the file is unchanged then.
func (k Marks) Add(dir string, m machine.Machine, wait time.Duration) error {
	unlock, err := safefile.LockIn(dir, ForgottenFolder, wait)
	if err != nil {
		return err
	}
	defer unlock()
	w, err := openForgotten(dir, m)
	if err != nil {
		return err
	}
	lines, err := k.lines(w.key)
	if err != nil {
		return err
	}
	return w.add(lines)
}

// LiftForgotten makes the fingerprints of words count no more, on all machines, and returns how many there were. The
// words may be kept again from then on; those that are gone stay gone. Errors: as of Marks.Add.
func LiftForgotten(dir string, m machine.Machine, words string, wait time.Duration) (int, error) {
	unlock, err := safefile.LockIn(dir, ForgottenFolder, wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	all, err := LoadForgotten(dir)
	if err != nil {
		return 0, err
	}
	lift, macs := fingerprint{}, map[string]string{}
	for key := range all.keys {
		macs[key] = macOf(key, text.Fold(words))
	}
	for h := range all.live() {
		if h.line.MAC != "" && h.line.Of == "" && h.line.MAC == macs[h.key] {
			lift.Lift = append(lift.Lift, h.line.N)
		}
	}
	n := len(lift.Lift)
	if n == 0 {
		return 0, nil
	}
	w, err := openForgotten(dir, m)
	if err != nil {
		return 0, err
	}
	slices.Sort(lift.Lift)
	return n, w.add([]fingerprint{lift})
}

// lines returns the lines that say k under a key.
func (k Marks) lines(key string) (out []fingerprint, err error) {
	in := slices.Compact(slices.Sorted(slices.Values(k.In)))
	add := func(line fingerprint) {
		line.In = in
		out = append(out, line)
	}
	roller := newRoller(key)
	addWords := func(folded, of, n string) {
		if len(folded) < minPhrase || of == kindText && len(folded) > maxPhrase { // a text's prompt goes by its id
			return
		}
		if len(folded) > maxPhrase {
			err = fmt.Errorf("more than %d bytes cannot be forgotten as one phrase", maxPhrase)
		}
		add(fingerprint{MAC: macOf(key, folded), Len: len(folded), Roll: roller.roll(folded), Of: of, N: n})
	}
	for _, p := range k.Phrases {
		n := newN()
		addWords(text.Fold(p), "", n)
		addWords(naming.Phrase(p), kindName, n)
	}
	for _, t := range k.Texts {
		addWords(text.Fold(t), kindText, newN())
	}
	for _, id := range k.IDs {
		add(fingerprint{ID: hashID(id)})
	}
	for _, id := range k.Sessions {
		until := k.Until.UTC()
		add(fingerprint{Session: hashID(id), Until: &until})
	}
	for _, r := range k.Records {
		add(fingerprint{Record: macOf(key, r)})
	}
	return out, err
}

// newN returns a name for the lines of one phrase.
func newN() string {
	n := make([]byte, lineBytes)
	rand.Read(n) // never fails
	return hex.EncodeToString(n)
}

// macOf returns the HMAC-SHA-256 of words under a key in hex, in hex.
func macOf(key, words string) string {
	k, _ := hex.DecodeString(key)
	h := hmac.New(sha256.New, k)
	h.Write([]byte(words))
	return hex.EncodeToString(h.Sum(nil))
}

// forgottenFile is a machine's own file, open for adding. The caller holds the lock.
type forgottenFile struct {
	path  string
	key   string
	isNew bool
	known *Forgotten // what the file says
	all   *Forgotten // what all files say
}

// openForgotten reads m's file. A new file takes the key of another machine's, so that looking for words stays as fast.
// A file without a key is damaged, and is set aside.
func openForgotten(dir string, m machine.Machine) (w forgottenFile, err error) {
	files, err := ForgottenFiles(dir)
	if err != nil {
		return w, err
	}
	folder := filepath.Join(dir, ForgottenFolder)
	if err := safefile.Dir(folder); err != nil {
		return w, err
	}
	name := m.ID + forgottenEnds
	w.path = filepath.Join(folder, name)
	data, exists := files[name]
	w.known = newForgotten()
	if err := w.known.read(data); err != nil {
		return w, err
	}
	if w.all, err = ReadForgotten(files); err != nil {
		return w, err
	}
	if w.key = lastKey(data); w.key != "" {
		return w, nil
	}
	if exists {
		if _, err := safefile.SetAside(w.path, "corrupt", time.Now()); err != nil {
			return w, err
		}
		w.known = newForgotten()
	}
	w.isNew = true
	for _, other := range slices.Sorted(maps.Keys(files)) {
		if w.key = lastKey(files[other]); w.key != "" {
			return w, nil
		}
	}
	key := make([]byte, keyBytes)
	rand.Read(key) // never fails
	w.key = hex.EncodeToString(key)
	return w, nil
}

// lastKey returns the key under which a line at the end of the file counts, "" for none.
func lastKey(data []byte) (key string) {
	for line := range bytes.Lines(data) {
		if l, ok := parseFingerprint(line); ok && l.Key != "" {
			key = l.Key
		}
	}
	return key
}

// add appends the lines that the file does not have.
func (w forgottenFile) add(lines []fingerprint) error {
	known := map[string]bool{}
	for h := range w.all.live() {
		if _, own := w.known.lines[h.name()]; own {
			h.line.N = ""
			known[h.name()] = true
		}
	}
	var out []byte
	if w.isNew {
		out = appendLine(out, fingerprint{Version: 1, Key: w.key})
	}
	added := 0
	for _, l := range lines {
		bare := held{w.key, l}
		bare.line.N = ""
		name := bare.name()
		if known[name] {
			continue
		}
		known[name] = true
		out = appendLine(out, l)
		added++
	}
	if added == 0 {
		return nil
	}
	if len(w.all.lines)+added > maxLines {
		return fmt.Errorf("%s: %w: more than %d lines", w.path, ErrForgottenUnreadable, maxLines)
	}
	return safefile.Append(w.path, out, true)
}

func appendLine(out []byte, l fingerprint) []byte {
	data, _ := json.Marshal(l) // strings, numbers and times always marshal
	return append(append(out, data...), '\n')
}
