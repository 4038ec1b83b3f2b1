// Package suggest keeps what may be worth a record and nobody asked for: it weighs what was said (triage), and holds
// what passes until the user or Claude accepts or declines it. Of these nothing becomes a record by itself; what the
// user typed behind "Remember that" does.
package suggest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

const (
	// MaxWaiting is how many suggestions of a project wait; beyond that the oldest go.
	MaxWaiting = 50
	// maxAll is how many suggestions of all projects wait; beyond that the oldest go.
	maxAll = 1000
	// maxFile is how large the inbox may be, in bytes; a larger file is no inbox.
	maxFile = 4 << 20
	// maxMarks is how many sentences are remembered as asked already.
	maxMarks = 8000
)

// Who said something.
const (
	ByUser      = "user"
	ByAssistant = "assistant"
)

// Suggestion is a sentence that waits for a yes or a no.
type Suggestion struct {
	N       int // stays as long as it waits
	Kind    string
	Project string // as records name it
	Title   string // words of Quote
	Quote   string // the sentence, exact
	By      string // ByUser or ByAssistant
	Session string
	Ref     string    // uuid of the transcript's line
	Time    time.Time // when it was said
	Score   float64   // what the triage gave it, 0 to 1

	raw string // as it stands in the file
}

// ErrNumber is the reason when no suggestion has this number.
var ErrNumber = errors.New("nothing waits in the inbox under this number")

// Box is the inbox: inbox.json in memento's folder. It is no cache: see Erase and Rename. What changes it waits for its
// lock, and leaves it as it was on any error: safefile.ErrBusy, safefile.ErrRefused, or what the disk said. Only one
// that was damaged is set aside even then.
type Box struct {
	Dir  string // memento's folder
	Now  time.Time
	Wait time.Duration
}

// Kinds are those that are suggested.
func Kinds() []string { return sentence.KindsOfRecord() }

// Path returns where the inbox of dir is kept.
func Path(dir string) string { return filepath.Join(dir, "inbox.json") }

// Waiting returns how many suggestions wait in the inbox of dir for this project, 0 when it cannot be read.
func Waiting(dir, project string) (n int) {
	data, err := safefile.Read(Path(dir), maxFile)
	if err != nil || !gjson.ValidBytes(data) {
		return 0
	}
	gjson.GetBytes(data, "waiting").ForEach(func(_, e gjson.Result) bool {
		if e.IsObject() && e.Get("project").Str == project {
			n++
		}
		return true
	})
	return n
}

// List returns what waits for a project, "" for all, in the order it came. An inbox that is missing or damaged holds
// nothing. Errors: safefile.ErrRefused, or what the disk said.
func (b Box) List(project string) ([]Suggestion, error) {
	f, err := b.read()
	if err != nil && !errors.Is(err, errDamaged) {
		return nil, err
	}
	return slices.DeleteFunc(f.waiting, func(e Suggestion) bool { return project != "" && e.Project != project }), nil
}

// Add puts suggestions into the inbox, but for what was asked before, and returns how many came in.
func (b Box) Add(entries []Suggestion) (added int, err error) {
	err = b.change(func(f *file) error {
		for _, e := range entries {
			if f.asked(e.Project, e.Quote) {
				continue
			}
			f.marks = append(f.marks, fingerprint(e.Project, e.Quote))
			e.N, e.raw = f.next, ""
			f.next++
			f.waiting = append(f.waiting, e)
			added++
			f.bound(e.Project)
		}
		return nil
	})
	return added, err
}

// Once calls f unless these words were heard in this line of a transcript before, or, should the line be old, were
// asked or kept for this project at any time; and remembers both when f returns nil. f runs under the inbox's lock: of
// two sessions that read the same words one calls it.
func (b Box) Once(project, words, line string, old bool, f func() error) error {
	return b.change(func(in *file) error {
		if in.heard(project, words, line, old) {
			return nil
		}
		if err := f(); err != nil {
			return err
		}
		for _, w := range []string{words, line + "\x00" + words} {
			if !in.asked(project, w) {
				in.marks = append(in.marks, fingerprint(project, w))
			}
		}
		in.marks = in.marks[max(0, len(in.marks)-maxMarks):]
		in.drop(func(e Suggestion) bool { return e.Project == project && text.Same(e.Quote, words) })
		return nil
	})
}

// Heard reports whether Once would not call f; it takes no lock.
func (b Box) Heard(project, words, line string, old bool) bool {
	f, err := b.read()
	return err == nil && f.heard(project, words, line, old)
}

func (f *file) heard(project, words, line string, old bool) bool {
	return f.asked(project, line+"\x00"+words) || old && f.asked(project, words)
}

// Asked tells which of these words were asked or kept for this project before; it takes no lock.
func (b Box) Asked(project string, words []string) (asked []bool) {
	f, err := b.read()
	asked = make([]bool, len(words))
	for i, w := range words {
		asked[i] = err == nil && f.asked(project, w)
	}
	return asked
}

// Take calls accept with the suggestion n and takes it out of the inbox when that returns nil. Errors: ErrNumber,
// accept's.
func (b Box) Take(n int, accept func(Suggestion) error) error {
	return b.change(func(f *file) error {
		at := slices.IndexFunc(f.waiting, func(e Suggestion) bool { return e.N == n })
		if at < 0 {
			return fmt.Errorf("%w: %d", ErrNumber, n)
		}
		if err := accept(f.waiting[at]); err != nil {
			return err
		}
		f.waiting = slices.Delete(f.waiting, at, at+1)
		return nil
	})
}

// Decline takes suggestions out of the inbox for good: all of them, or none and ErrNumber.
func (b Box) Decline(numbers ...int) error {
	return b.change(func(f *file) error {
		for _, n := range numbers {
			if f.drop(func(e Suggestion) bool { return e.N == n }) == 0 {
				return fmt.Errorf("%w: %d", ErrNumber, n)
			}
		}
		return nil
	})
}

// Withdraw takes out what was said in the prompts with these uuids, as though it had never been asked: the user went
// back behind them. Without any such suggestion nothing is written.
func (b Box) Withdraw(session string, refs []string) error {
	mine := func(e Suggestion) bool { return e.Session == session && slices.Contains(refs, e.Ref) }
	if f, err := b.read(); err != nil || !slices.ContainsFunc(f.waiting, mine) {
		return nil
	}
	return b.change(func(f *file) error {
		for _, e := range f.waiting {
			if mine(e) {
				for _, name := range f.called(e.Project) {
					m := fingerprint(name, e.Quote)
					f.marks = slices.DeleteFunc(f.marks, func(have string) bool { return have == m })
				}
			}
		}
		f.drop(mine)
		return nil
	})
}

// fingerprint names words in a project: the same by spacing, case and quote marks have the same. It cannot be read
// back.
func fingerprint(project, words string) string {
	h := fnv.New64a()
	h.Write([]byte(project))
	h.Write([]byte{0})
	h.Write([]byte(strings.TrimRight(text.Fold(words), ".!。！ ")))
	return fmt.Sprintf("%016x", h.Sum64())
}

// file is what inbox.json holds.
type file struct {
	raw     string // all of it, as it was read
	next    int    // the number of the next suggestion
	waiting []Suggestion
	marks   []string // oldest first
}

var errDamaged = errors.New("the inbox is damaged")

// read returns the inbox; a missing one is empty. What is no JSON object is errDamaged.
func (b Box) read() (*file, error) {
	f := &file{raw: `{"version":1}`, next: 1}
	data, err := safefile.Read(Path(b.Dir), maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case errors.Is(err, safefile.ErrTooLarge):
		return f, errDamaged
	case err != nil:
		return f, err
	}
	all := gjson.ParseBytes(data)
	if !gjson.ValidBytes(data) || !all.IsObject() {
		return f, errDamaged
	}
	f.raw = string(data)
	all.Get("waiting").ForEach(func(_, v gjson.Result) bool {
		if !v.IsObject() {
			return true
		}
		e := Suggestion{raw: v.Raw}
		_, _ = jsonx.Read([]byte(v.Raw), maxDepth, &e, (*Suggestion).fields) // of another form, it says what it can
		f.waiting = append(f.waiting, e)
		f.next = max(f.next, e.N+1)
		return true
	})
	f.next = max(f.next, int(min(all.Get("next").Int(), 1<<30)))
	f.marks = strings.Fields(all.Get("marks").Str)
	return f, nil
}

// change lets edit change the inbox under its lock, and writes what came of it. A damaged one is set aside first.
func (b Box) change(edit func(*file) error) error {
	unlock, err := safefile.LockIn(b.Dir, "inbox", b.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := b.read()
	if errors.Is(err, errDamaged) {
		_, err = safefile.SetAside(Path(b.Dir), "corrupt", b.now())
	}
	if err != nil {
		return err
	}
	before := f.encode()
	if err := edit(f); err != nil {
		return err
	}
	after := f.encode()
	if after == before {
		return nil
	}
	return safefile.Replace(Path(b.Dir), []byte(after), 0o600)
}

func (b Box) now() time.Time {
	if b.Now.IsZero() {
		return time.Now()
	}
	return b.Now
}

// called lists what a project is called and was called before: marks are of the name of their time.
func (f *file) called(project string) []string {
	out := []string{project}
	gjson.Get(f.raw, "former").ForEach(func(_, e gjson.Result) bool {
		if was := e.Get("was").Str; e.Get("project").Str == project && !slices.Contains(out, was) {
			out = append(out, was)
		}
		return true
	})
	return out
}

// asked reports whether these words were asked or kept for this project before, whatever it was called then.
func (f *file) asked(project, words string) bool {
	return slices.ContainsFunc(f.called(project), func(name string) bool {
		return slices.Contains(f.marks,
			fingerprint(name, words))
	})
}

// drop takes out the suggestions that gone says so of, and returns how many.
func (f *file) drop(gone func(Suggestion) bool) int {
	n := len(f.waiting)
	f.waiting = slices.DeleteFunc(f.waiting, gone)
	return n - len(f.waiting)
}

// bound lets the oldest suggestions of a project go, and the oldest marks. Those of the ones that go stay.
func (f *file) bound(project string) {
	n := 0
	for _, e := range f.waiting {
		if e.Project == project {
			n++
		}
	}
	f.drop(func(e Suggestion) bool {
		if e.Project == project {
			n--
		}
		return e.Project == project && n >= MaxWaiting
	})
	f.waiting = f.waiting[max(0, len(f.waiting)-maxAll):]
	f.marks = f.marks[max(0, len(f.marks)-maxMarks):]
}

// fields names the fields of a suggestion, and which of them are somebody's words.
func (e *Suggestion) fields(t *jsonx.Table) {
	t.Custom("n", func(v gjson.Result) string { e.N = int(v.Int()); return "" },
		func() string { return strconv.Itoa(e.N) })
	t.Mark("kind", &e.Kind).Or(`""`)
	t.Mark("project", &e.Project).Or(`""`)
	t.Text("title", &e.Title).Or(`""`)
	t.Text("quote", &e.Quote).Or(`""`)
	t.Mark("by", &e.By).Or(`""`)
	t.Mark("session", &e.Session).Or(`""`)
	t.Mark("ref", &e.Ref).Or(`""`)
	t.Custom("ts", func(v gjson.Result) string { e.Time, _ = time.Parse(time.RFC3339, v.Str); return "" },
		func() string { return jsonx.Quote(e.Time.UTC().Format(time.RFC3339)) })
	t.Custom("score", func(v gjson.Result) string { e.Score = v.Float(); return "" },
		func() string { return strconv.FormatFloat(e.Score, 'f', 2, 64) })
}

// encode returns the file. What it had besides stays as it stood.
func (f *file) encode() string {
	var list strings.Builder
	list.WriteByte('[')
	for i, e := range f.waiting {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString("\n")
		if e.raw == "" {
			e.raw = string(jsonx.Write(&e, (*Suggestion).fields, ""))
		}
		list.WriteString(e.raw)
	}
	list.WriteString("]")
	out := f.raw
	for _, v := range [...][2]string{{"next", strconv.Itoa(f.next)}, {"waiting", list.String()},
		{"marks", `"` + strings.Join(f.marks, " ") + `"`}} {
		out, _ = sjson.SetRaw(out, v[0], v[1])
	}
	return out
}

// In reports whether a record of this title and body says the same.
func (e Suggestion) In(title, body string) bool { return sentence.SaidIn(title, body, e.Quote) }

// Strongest returns the n suggestions that score most, in the order they came.
func Strongest(all []Suggestion, n int) []Suggestion {
	for len(all) > n {
		weakest := 0
		for i, e := range all {
			if e.Score < all[weakest].Score {
				weakest = i
			}
		}
		all = slices.Delete(all, weakest, weakest+1)
	}
	return all
}

// Body returns the body of a record of this kind with the words in its main section. They stand there as they are, as
// one point where the section is a list, and behind marks of quotation where they hold a heading or a fence of their
// own.
func Body(kind, quote string) string {
	k, _ := schema.Named(kind)
	p, words := k.MainPart(), quote
	if p.List {
		words = "- " + strings.ReplaceAll(words, "\n", "\n  ")
	}
	body, err := markdown.SetSection("", p.Heading, words)
	if err != nil {
		body, _ = markdown.SetSection("", p.Heading, "> "+strings.ReplaceAll(quote, "\n", "\n> "))
	}
	return body
}
