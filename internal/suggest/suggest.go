// Package suggest keeps the inbox: sentences that may be worth a record, until the user or Claude accepts or declines
// them. It remembers fingerprints of the sentences it had, so that nobody is asked twice.
//
// It does not judge what a sentence means (package sentence does) and writes no record.
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
	// MaxWaiting is the number of suggestions kept for a project; older ones are dropped.
	MaxWaiting      = 50
	maxAll          = 1000    // suggestions of all projects; older ones are dropped
	maxFile         = 4 << 20 // bytes; a larger file counts as damaged
	maxFingerprints = 8000
)

// Who said something.
const (
	ByUser      = "user"
	ByAssistant = "assistant"
)

// Suggestion is a sentence that waits for a yes or a no.
type Suggestion struct {
	N       int // its number; it never changes
	Kind    string
	Project string // as records name it
	Title   string // words of Quote
	Quote   string // the sentence, exact
	By      string // ByUser or ByAssistant
	Session string
	Ref     string    // uuid of the transcript's line
	Time    time.Time // when it was said
	Score   float64   // how sure the triage was, 0 to 1

	raw string // its bytes in the file, "" for a new one
}

// ErrNumber is the reason when no suggestion has this number.
var ErrNumber = errors.New("no suggestion")

// Box is the inbox: inbox.json in memento's folder. A method that changes it takes its lock. Errors: safefile.ErrBusy,
// safefile.ErrRefused, or the disk's; on an error the inbox is unchanged, but a damaged one may have been set aside.
type Box struct {
	Dir  string // memento's folder
	Now  time.Time
	Wait time.Duration
}

// Kinds returns the kinds of records that are suggested.
func Kinds() []string { return sentence.KindsOfRecord() }

// Path returns the path of the inbox in dir.
func Path(dir string) string { return filepath.Join(dir, "inbox.json") }

// Name tells the suggestion apart from all others, those of an inbox that was lost too.
func (s Suggestion) Name() string {
	return strconv.Itoa(s.N) + " " + s.Time.UTC().Format(time.RFC3339Nano)
}

// Waiting returns the names of the suggestions for a project in the inbox of dir, nil if the inbox cannot be read.
func Waiting(dir, project string) (all []string) {
	data, err := safefile.Read(Path(dir), maxFile)
	if err != nil || !gjson.ValidBytes(data) {
		return nil
	}
	gjson.GetBytes(data, "waiting").ForEach(func(_, e gjson.Result) bool {
		if e.IsObject() && e.Get("project").Str == project {
			all = append(all, Suggestion{N: int(e.Get("n").Int()), Time: e.Get("ts").Time()}.Name())
		}
		return true
	})
	return all
}

// List returns the suggestions for a project, or for all if project is "", the oldest first. A missing or damaged inbox
// has none. Errors: safefile.ErrRefused, or the disk's.
func (b Box) List(project string) ([]Suggestion, error) {
	f, err := b.read()
	if err != nil && !errors.Is(err, errDamaged) {
		return nil, err
	}
	return slices.DeleteFunc(f.waiting, func(e Suggestion) bool { return project != "" && e.Project != project }), nil
}

// Add puts suggestions into the inbox, except sentences that it had before. It returns the number added.
func (b Box) Add(entries []Suggestion) (added int, err error) {
	err = b.change(func(f *contents) error {
		for _, e := range entries {
			if f.asked(e.Project, e.Quote) {
				continue
			}
			f.fingerprints = append(f.fingerprints, fingerprint(e.Project, e.Quote))
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

// Once calls f for words that a line of a transcript asks to remember, unless an earlier call for this line did. For an
// old line, words that the project's inbox had at any time are enough to skip f. Once remembers the words and the line
// if f returns nil. f runs under the inbox's lock, so that only one of two sessions with the same words calls it.
func (b Box) Once(project, words, line string, old bool, f func() error) error {
	return b.change(func(in *contents) error {
		if in.wouldSkip(project, words, line, old) {
			return nil
		}
		if err := f(); err != nil {
			return err
		}
		for _, w := range []string{words, line + "\x00" + words} {
			if !in.asked(project, w) {
				in.fingerprints = append(in.fingerprints, fingerprint(project, w))
			}
		}
		in.fingerprints = in.fingerprints[max(0, len(in.fingerprints)-maxFingerprints):]
		in.drop(func(e Suggestion) bool { return e.Project == project && text.Same(e.Quote, words) })
		return nil
	})
}

// WouldSkip reports whether Once would skip f. It takes no lock.
func (b Box) WouldSkip(project, words, line string, old bool) bool {
	f, err := b.read()
	return err == nil && f.wouldSkip(project, words, line, old)
}

func (f *contents) wouldSkip(project, words, line string, old bool) bool {
	return f.asked(project, line+"\x00"+words) || old && f.asked(project, words)
}

// Asked reports for each of words whether the project's inbox had it before. It takes no lock.
func (b Box) Asked(project string, words []string) (asked []bool) {
	f, err := b.read()
	asked = make([]bool, len(words))
	for i, w := range words {
		asked[i] = err == nil && f.asked(project, w)
	}
	return asked
}

// Accept calls accept with suggestion n and removes the suggestion if accept returns nil. Errors: ErrNumber, accept's.
func (b Box) Accept(n int, accept func(Suggestion) error) error {
	return b.change(func(f *contents) error {
		at := slices.IndexFunc(f.waiting, func(e Suggestion) bool { return e.N == n })
		if at < 0 {
			return fmt.Errorf("%w %d", ErrNumber, n)
		}
		if err := accept(f.waiting[at]); err != nil {
			return err
		}
		f.decide(f.waiting[at])
		f.waiting = slices.Delete(f.waiting, at, at+1)
		return nil
	})
}

// Decline removes suggestions for good. If one number is unknown, it removes none and returns ErrNumber.
func (b Box) Decline(numbers ...int) error {
	return b.change(func(f *contents) error {
		for _, n := range numbers {
			at := slices.IndexFunc(f.waiting, func(e Suggestion) bool { return e.N == n })
			if at < 0 {
				return fmt.Errorf("%w %d", ErrNumber, n)
			}
			f.decide(f.waiting[at])
			f.waiting = slices.Delete(f.waiting, at, at+1)
		}
		return nil
	})
}

// Withdraw removes the suggestions from the prompts with these uuids, which the user has rewound, and forgets their
// fingerprints.
func (b Box) Withdraw(session string, refs []string) error {
	mine := func(e Suggestion) bool { return e.Session == session && slices.Contains(refs, e.Ref) }
	if f, err := b.read(); err != nil || !slices.ContainsFunc(f.waiting, mine) {
		return nil
	}
	return b.change(func(f *contents) error {
		for _, e := range f.waiting {
			if mine(e) {
				for _, name := range f.called(e.Project) {
					m := fingerprint(name, e.Quote)
					f.fingerprints = slices.DeleteFunc(f.fingerprints, func(have string) bool { return have == m })
				}
			}
		}
		f.drop(mine)
		return nil
	})
}

// fingerprint returns a hash of words in a project. Words that differ only in spacing, case or quotation marks have the
// same one.
func fingerprint(project, words string) string {
	h := fnv.New64a()
	h.Write([]byte(project))
	h.Write([]byte{0})
	h.Write([]byte(strings.TrimRight(text.Fold(words), ".!。！ ")))
	return fmt.Sprintf("%016x", h.Sum64())
}

// contents is the content of inbox.json.
type contents struct {
	raw          string // the whole file
	next         int    // the number of the next suggestion
	waiting      []Suggestion
	fingerprints []string // of the sentences it had, oldest first
	decidedOf    map[string][]string
}

var errDamaged = errors.New("the inbox is damaged")

// read reads the inbox; a missing one is empty. It returns errDamaged for a file that is not a JSON object.
func (b Box) read() (*contents, error) {
	f := &contents{raw: `{"version":1}`, next: 1}
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
		_, _ = jsonx.Read([]byte(v.Raw), maxDepth, &e, (*Suggestion).fields) // fields of another form stay empty
		f.waiting = append(f.waiting, e)
		f.next = max(f.next, e.N+1)
		return true
	})
	f.next = max(f.next, int(min(all.Get("next").Int(), 1<<30)))
	f.fingerprints = strings.Fields(all.Get("marks").Str)
	return f, nil
}

// change runs edit on the inbox under its lock and writes the result. It first sets a damaged inbox aside.
func (b Box) change(edit func(*contents) error) error {
	unlock, err := safefile.LockIn(b.Dir, "inbox", b.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := b.read()
	if errors.Is(err, errDamaged) {
		_, err = safefile.SetAside(Path(b.Dir), "corrupt", b.Now)
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

// called returns the name of a project and its former names. A fingerprint contains the name of its time.
func (f *contents) called(project string) []string {
	out := []string{project}
	gjson.Get(f.raw, "former").ForEach(func(_, e gjson.Result) bool {
		if was := e.Get("was").Str; e.Get("project").Str == project && !slices.Contains(out, was) {
			out = append(out, was)
		}
		return true
	})
	return out
}

// asked reports whether the inbox had these words before, under any name of the project, or another machine's had.
func (f *contents) asked(project, words string) bool {
	return slices.Contains(f.decided(project), fingerprint("", words)) ||
		slices.ContainsFunc(f.called(project), func(name string) bool {
			return slices.Contains(f.fingerprints, fingerprint(name, words))
		})
}

// drop removes the suggestions for which gone returns true.
func (f *contents) drop(gone func(Suggestion) bool) { f.waiting = slices.DeleteFunc(f.waiting, gone) }

// bound drops the oldest suggestions and fingerprints. The fingerprints of dropped suggestions stay.
func (f *contents) bound(project string) {
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
	f.fingerprints = f.fingerprints[max(0, len(f.fingerprints)-maxFingerprints):]
}

// fields names the JSON fields of a suggestion; Text fields are somebody's words.
func (e *Suggestion) fields(t *jsonx.Table) {
	t.Custom("n", func(v gjson.Result) string { e.N = int(v.Int()); return "" },
		func() string { return strconv.Itoa(e.N) })
	t.Wordless("kind", &e.Kind).Or(`""`)
	t.Wordless("project", &e.Project).Or(`""`)
	t.Text("title", &e.Title).Or(`""`)
	t.Text("quote", &e.Quote).Or(`""`)
	t.Wordless("by", &e.By).Or(`""`)
	t.Wordless("session", &e.Session).Or(`""`)
	t.Wordless("ref", &e.Ref).Or(`""`)
	t.Custom("ts", func(v gjson.Result) string { e.Time, _ = time.Parse(time.RFC3339, v.Str); return "" },
		func() string { return jsonx.Quote(e.Time.UTC().Format(time.RFC3339)) })
	t.Custom("score", func(v gjson.Result) string { e.Score = v.Float(); return "" },
		func() string { return strconv.FormatFloat(e.Score, 'f', 2, 64) })
}

// encode returns the bytes of the file. Fields that memento does not know stay.
func (f *contents) encode() string {
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
		{"marks", `"` + strings.Join(f.fingerprints, " ") + `"`}} {
		out, _ = sjson.SetRaw(out, v[0], v[1])
	}
	return out
}

// In reports whether a record with this title and body says the same as the suggestion.
func (e Suggestion) In(title, body string) bool { return sentence.SaidIn(title, body, e.Quote) }

// Strongest returns the n suggestions with the highest scores, in the order of all.
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

// Body returns the body of a record with the words in its main section. If that section is a list, the words are one
// item. Words that contain a heading or a code fence become a Markdown quotation.
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
