package withheld

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// What a person forgets on one machine must not come back from another one. So each machine keeps, in a file that only
// it writes, fingerprints of what was forgotten there, and the files travel. A fingerprint is an HMAC-SHA-256 of the
// folded words (text.Fold) under the file's key. Whoever holds the file can test a guess, and nobody can read the words
// in it. A file is a set of lines: their order, and lines that stand twice, mean nothing.

// ForgottenFolder is the folder of the fingerprints in memento's folder.
const ForgottenFolder = "forgotten"

const (
	maxForgotten  = 32 << 20 // bytes of a file
	maxLines      = 200_000  // of all files
	maxLine       = 16 << 10 // bytes
	maxKeys       = 64       // of all files: a new file takes the key of another one
	maxLengths    = 4000     // different lengths of phrases under a key: each is looked for by itself
	maxPhrase     = 1 << 20  // bytes of a folded phrase
	minPhrase     = 2        // bytes of a folded phrase
	keyBytes      = 32
	lineBytes     = 8 // random bytes that tell two fingerprints of one phrase apart
	kindName      = "name"
	kindText      = "text"
	forgottenEnds = ".jsonl"
)

// ErrForgottenUnreadable means that the fingerprints are more than memento reads. Nobody may merge stores then.
var ErrForgottenUnreadable = errors.New("the fingerprints of what was forgotten cannot be read")

// fingerprint is a line of a file. A line has a key, a fingerprint of words, an id, a session, a record, or a lift.
type fingerprint struct {
	Version int        `json:"version,omitempty"`
	Key     string     `json:"key,omitempty"`  // of the following lines, hex
	MAC     string     `json:"mac,omitempty"`  // of the folded words, hex
	Len     int        `json:"len,omitempty"`  // bytes of the folded words
	Roll    string     `json:"roll,omitempty"` // 16 bits of a rolling hash of the folded words, hex
	Of      string     `json:"of,omitempty"`   // "" for a phrase, kindName, kindText
	N       string     `json:"n,omitempty"`    // names the lines of a phrase for a lift
	ID      string     `json:"id,omitempty"`
	Session string     `json:"session,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Record  string     `json:"record,omitempty"`
	In      []string   `json:"in,omitempty"`   // shared projects, none for all
	Lift    []string   `json:"lift,omitempty"` // the N of lines that no longer count
}

// Forgotten knows what was forgotten on some machines. It does not change, and is not for several goroutines at once.
type Forgotten struct {
	keys    map[string]bool
	lines   map[string]held // by what they say, see held.name
	lengths map[string]bool // keys and lengths of phrases
	damaged int
	pids    []string // names of the shared project of which it answers, none for all
	finder  *finder  // made by the first question
}

// held is a line and the key it was written under.
type held struct {
	key  string // hex
	line fingerprint
}

// ForgottenFiles reads the files of all machines in dir, memento's folder, by their names. Errors: the disk's,
// safefile.ErrRefused, ErrForgottenUnreadable.
func ForgottenFiles(dir string) (map[string][]byte, error) {
	folder := filepath.Join(dir, ForgottenFolder)
	entries, err := safefile.ListFolder(folder)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if !isForgottenFile(e.Name()) {
			continue
		}
		data, err := safefile.Read(filepath.Join(folder, e.Name()), maxForgotten)
		if errors.Is(err, safefile.ErrTooLarge) {
			return nil, fmt.Errorf("%w: %w", ErrForgottenUnreadable, err)
		}
		if err != nil {
			return nil, err
		}
		files[e.Name()] = data
	}
	return files, nil
}

// isForgottenFile reports whether a file in the folder has the name of a machine.
func isForgottenFile(name string) bool {
	id, ok := strings.CutSuffix(name, forgottenEnds)
	return ok && machine.IsID(id)
}

// TakeForgotten writes the files of other machines, by their names, to dir, memento's folder. It leaves the file of own
// alone, and loses no line that is in dir. Errors: as of Marks.Add; some files may be written then.
func TakeForgotten(dir string, own machine.Machine, files map[string][]byte, wait time.Duration) error {
	unlock, err := safefile.LockIn(dir, ForgottenFolder, wait)
	if err != nil {
		return err
	}
	defer unlock()
	here, err := ForgottenFiles(dir)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		name := filepath.Base(path)
		if !isForgottenFile(name) || name == own.ID+forgottenEnds {
			continue
		}
		data, err := JoinForgotten(here[name], files[path])
		if err != nil {
			return err
		}
		if bytes.Equal(data, here[name]) {
			continue
		}
		if err := safefile.Dir(filepath.Join(dir, ForgottenFolder)); err != nil {
			return err
		}
		if err := safefile.Replace(filepath.Join(dir, ForgottenFolder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// JoinForgotten returns a file that says what two versions of a machine's file say. Of two versions of which one says
// all, it returns that one; else the result does not depend on their order. Errors: ErrForgottenUnreadable.
func JoinForgotten(a, b []byte) ([]byte, error) {
	x, y := newForgotten(), newForgotten()
	if err := errors.Join(x.read(a), y.read(b)); err != nil {
		return nil, err
	}
	if bytes.Compare(a, b) > 0 {
		a, b, x, y = b, a, y, x
	}
	switch {
	case len(a) == 0 || x.Within(y) && !(y.Within(x) && len(a) < len(b)):
		return b, nil
	case len(b) == 0 || y.Within(x):
		return a, nil
	}
	return slices.Concat(bytes.TrimRight(a, "\n"), []byte("\n"+noKey+"\n"), b), nil
}

// Travelling returns what of a machine's file other machines may read: nothing of projects that are not chosen.
func Travelling(file []byte, chosen func(pid string) bool) (out []byte) {
	for raw := range bytes.Lines(file) {
		l, ok := parseFingerprint(bytes.TrimSpace(raw))
		in := slices.DeleteFunc(slices.Clone(l.In), func(pid string) bool { return !chosen(pid) })
		switch {
		case !ok || len(in) == len(l.In):
			out = append(out, raw...)
		case len(in) > 0:
			l.In = in
			out = appendLine(out, l)
		}
	}
	return out
}

// LoadForgotten reads the files of all machines in dir, memento's folder. Without a file it is Empty. Errors: as of
// ForgottenFiles.
func LoadForgotten(dir string) (*Forgotten, error) {
	files, err := ForgottenFiles(dir)
	if err != nil {
		return nil, err
	}
	return ReadForgotten(files)
}

// ReadForgotten reads files by their names or paths. It skips files without a machine's name. Lines that it does not
// understand forget nothing. Errors: ErrForgottenUnreadable when there are too many lines.
func ReadForgotten(files map[string][]byte) (*Forgotten, error) {
	f := newForgotten()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if !isForgottenFile(filepath.Base(path)) {
			continue
		}
		if err := f.read(files[path]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return f, nil
}

func newForgotten() *Forgotten {
	return &Forgotten{keys: map[string]bool{}, lines: map[string]held{}, lengths: map[string]bool{}}
}

// read adds the lines of a file.
func (f *Forgotten) read(data []byte) error {
	if len(data) > maxForgotten {
		return fmt.Errorf("%w: more than %d bytes", ErrForgottenUnreadable, maxForgotten)
	}
	key := ""
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		l, ok := parseFingerprint(line)
		if !ok && hasKey(line) {
			if key = ""; string(line) == noKey {
				continue
			}
		}
		switch {
		case !ok && len(line) <= maxLine && json.Valid(line):
			f.lines[string(line)] = held{} // of a newer memento
		case !ok || l.Key == "" && key == "":
			f.damaged++
		case l.Key != "":
			key = l.Key
			f.keys[key] = true
		default:
			h := held{key, l}
			f.lines[h.name()] = h
			if l.MAC != "" && l.Of != kindText {
				f.lengths[fmt.Sprint(key, l.Len)] = true
			}
		}
		if len(f.keys) > maxKeys || len(f.lengths) > maxLengths {
			return fmt.Errorf("%w: more than %d keys, or %d lengths", ErrForgottenUnreadable, maxKeys, maxLengths)
		}
		if len(f.lines)+len(f.keys)+f.damaged > maxLines {
			return fmt.Errorf("%w: more than %d lines", ErrForgottenUnreadable, maxLines)
		}
	}
	return nil
}

// name returns what the line says, under its key where that matters.
func (h held) name() string {
	data, _ := json.Marshal(h.line)
	if h.line.MAC == "" && h.line.Record == "" {
		return string(data)
	}
	return h.key + string(data)
}

// noKey ends what stands under the key before it: the lines of another version, or under a key that nobody can read.
const noKey = `{"key":""}`

// hasKey reports whether a line says under which key the following ones are.
func hasKey(line []byte) bool {
	var has struct{ Key json.RawMessage }
	return json.Unmarshal(line, &has) == nil && has.Key != nil
}

// parseFingerprint reads a line. It returns false for a line with a field or a value that this memento does not know:
// to guess what it means could erase too much.
func parseFingerprint(line []byte) (l fingerprint, ok bool) {
	if len(line) > maxLine {
		return l, false
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if d.Decode(&l) != nil || d.More() {
		return l, false
	}
	if slices.ContainsFunc(l.In, func(pid string) bool { return pid == "" }) {
		return l, false
	}
	kinds := 0
	for _, is := range [...]bool{l.Key != "", l.MAC != "", l.ID != "", l.Session != "", l.Record != "", l.Lift != nil} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return l, false
	case l.Key != "":
		return l, isHex(l.Key, keyBytes)
	case l.MAC != "":
		return l, isHex(l.MAC, sha256.Size) && isHex(l.N, lineBytes) && isHex(l.Roll, rollBytes) &&
			l.Len >= minPhrase &&
			l.Len <= maxPhrase && (l.Of == "" || l.Of == kindName || l.Of == kindText)
	case l.Session != "":
		return l, l.Until != nil
	}
	return l, true
}

// isHex reports whether s is n bytes in lower-case hex.
func isHex(s string, n int) bool { return len(s) == 2*n && strings.Trim(s, "0123456789abcdef") == "" }

// live yields the lines that are not lifted.
func (f *Forgotten) live() func(yield func(held) bool) {
	lifted := map[string]bool{}
	for _, h := range f.lines {
		for _, n := range h.line.Lift {
			lifted[n] = true
		}
	}
	return func(yield func(held) bool) {
		for _, h := range f.lines {
			if h.line.N != "" && lifted[h.line.N] {
				continue
			}
			if !yield(h) {
				return
			}
		}
	}
}

// Empty reports whether nothing was ever forgotten. Then every question is answered with no.
func (f *Forgotten) Empty() bool { return len(f.lines) == 0 }

// Damaged returns the number of lines that say nothing.
func (f *Forgotten) Damaged() int { return f.damaged }

// Join returns what f or other knows. Of a Forgotten that In returned it joins all projects.
func (f *Forgotten) Join(other *Forgotten) *Forgotten {
	out := &Forgotten{keys: maps.Clone(f.keys), lines: maps.Clone(f.lines), damaged: f.damaged + other.damaged}
	maps.Copy(out.keys, other.keys)
	maps.Copy(out.lines, other.lines)
	return out
}

// Within reports whether other knows all that f knows.
func (f *Forgotten) Within(other *Forgotten) bool {
	for name := range f.lines {
		if _, ok := other.lines[name]; !ok {
			return false
		}
	}
	return true
}

// In returns what f knows about a shared project: what was forgotten there, under any of its names, and in all
// projects. Without a name it returns what f knows about all.
func (f *Forgotten) In(pids ...string) *Forgotten {
	return &Forgotten{keys: f.keys, lines: f.lines, damaged: f.damaged, pids: pids}
}

// covers reports whether a line counts for the project that f answers for.
func (f *Forgotten) covers(l fingerprint) bool {
	return len(l.In) == 0 || len(f.pids) == 0 ||
		slices.ContainsFunc(f.pids, func(pid string) bool { return slices.Contains(l.In, pid) })
}

// Has reports whether words hold a forgotten phrase, in any spacing, case and quote marks.
func (f *Forgotten) Has(words string) bool {
	q := f.questions()
	return len(q.phrases) > 0 && findAny(q.phrases, text.Fold(words), false)
}

// HasName reports whether words hold a forgotten phrase in the form of a record's name, with neither a letter nor a
// digit beside it.
func (f *Forgotten) HasName(words string) bool {
	q := f.questions()
	return len(q.names) > 0 && findAny(q.names, text.Fold(words), true)
}

// HasText reports whether words, whole, are a forgotten text.
func (f *Forgotten) HasText(words string) bool {
	q := f.questions()
	if len(q.texts) == 0 {
		return false
	}
	folded := text.Fold(words)
	for key := range q.texts[len(folded)] {
		if q.macs[macOf(key, folded)] {
			return true
		}
	}
	return false
}

// Loose reports whether data, which need not be valid JSON, holds a forgotten phrase.
func (f *Forgotten) Loose(data []byte) bool {
	q := f.questions()
	if len(q.phrases) == 0 {
		return false
	}
	s := strings.ToValidUTF8(string(data), string(utf8.RuneError))
	return f.Has(s) || strings.Contains(s, `\`) && f.Has(text.Unescape(s))
}

// HasID reports whether the prompt with this id was forgotten.
func (f *Forgotten) HasID(id string) bool {
	return id != "" && len(f.lines) > 0 && f.questions().ids[hashID(id)]
}

// HasTurn reports whether a turn of this session, of this time, was forgotten with its session.
func (f *Forgotten) HasTurn(session string, at time.Time) bool {
	q := f.questions()
	if session == "" || len(q.sessions) == 0 {
		return false
	}
	until, ok := q.sessions[hashID(session)]
	return ok && !at.After(until)
}

// HasRecords reports whether HasRecord ever says yes.
func (f *Forgotten) HasRecords() bool { return len(f.questions().records) > 0 }

// HasRecord reports whether the record with this slug, created at this time, was forgotten whole.
func (f *Forgotten) HasRecord(slug string, created time.Time) bool {
	q, key := f.questions(), RecordKey(slug, created)
	return len(q.records) > 0 && !created.IsZero() &&
		slices.ContainsFunc(q.keys, func(k string) bool { return q.records[macOf(k, key)] })
}
