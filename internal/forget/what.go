package forget

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// What selects the words to erase: every text that holds a phrase, and the parts made from those texts.
type What struct {
	words  string           // the phrase as the person typed it
	phrase string           // folded, "" for none
	whole  []string         // folded texts that go, to recognise their shortened copies
	slug   string           // the phrase in the form of a name, "" when that form is too short
	names  []string         // folded ids of records that go
	kept   *journal.Erasure // for journals and histories

	known *withheld.Erased // selects instead of a phrase; nil for none
}

// fold is text.Fold for which a phrase that was quoted with ">" and broken over lines is the same phrase, also where
// the lines were joined.
func fold(s string) string {
	if !strings.Contains(s, ">") {
		return text.Fold(s)
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "> \t")
	}
	words := strings.Fields(text.Fold(strings.Join(lines, "\n")))
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.Trim(w, ">") == "" }), " ")
}

// telling is the length, in characters, from which words identify one text. Shorter words, such as "yes", occur too
// often.
const telling = 12

// minPhrase is the least length of a folded phrase, in characters.
const minPhrase = 2

// Phrase selects every text that holds words, in any spacing, case and quote marks. It returns false when the phrase is
// too short.
func Phrase(words string) (*What, bool) {
	w := newWhat()
	w.words, w.phrase, w.slug = words, fold(words), naming.Phrase(words)
	return w, text.Runes(w.phrase) >= minPhrase
}

// Known selects what was erased before: texts that hold a forgotten phrase, erased prompts, turns and records. For one
// project give l.In of it.
func Known(l *withheld.Erased) *What {
	w := newWhat()
	w.known = l
	return w
}

func newWhat() *What {
	kept := &journal.Erasure{Sources: map[string]bool{}}
	w := &What{kept: kept}
	kept.Has, kept.Loose, kept.Went = w.Has, w.Loose, w.add
	return w
}

// add adds a text that goes.
func (w *What) add(words string) {
	if f := fold(words); f != "" && !slices.Contains(w.whole, f) {
		w.whole = append(w.whole, f)
	}
}

// Has reports whether s must go: s holds the words, or is the shortened copy of a text that goes.
func (w *What) Has(s string) bool {
	f := fold(s)
	if f == "" || isTime(s) {
		return false
	}
	switch {
	case w.known != nil && (w.known.Has(f) || strings.Contains(f, "--") && w.known.HasName(f)),
		w.phrase != "" && strings.Contains(f, w.phrase), w.named(f),
		w.slug != "" && strings.Contains(f, "--") && asWord(f, w.slug), w.isPiece(f):
		return true
	}
	const least = 24 // characters: a shorter beginning may be another text's
	stem, _, cut := strings.Cut(f, text.Ellipsis)
	if stem = strings.TrimSpace(stem); !cut || text.Runes(stem) < least {
		return false
	}
	return slices.ContainsFunc(w.whole, func(all string) bool { return strings.HasPrefix(all, stem) })
}

// isPiece reports whether s, folded, was cut from a text that goes and holds a part of the phrase: a sentence ends with
// its line, the phrase goes on.
func (w *What) isPiece(s string) bool {
	if w.phrase == "" || text.Runes(s) < telling {
		return false
	}
	return slices.ContainsFunc(w.whole, func(all string) bool {
		at, phrase := strings.Index(all, s), strings.Index(all, w.phrase)
		return at >= 0 && phrase >= 0 && at < phrase+len(w.phrase) && phrase < at+len(s)
	})
}

// isTime reports whether s is a time.
func isTime(s string) bool {
	if len(s) < 10 || s[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// named reports whether s, folded, holds the name of a record that goes.
func (w *What) named(s string) bool {
	return slices.ContainsFunc(w.names, func(id string) bool { return strings.Contains(s, id) })
}

// quotes reports whether s must go, or names a record that goes.
func (w *What) quotes(s string) bool {
	if w.Has(s) {
		return true
	}
	f := fold(s)
	if w.known != nil {
		return w.known.HasName(f)
	}
	return w.slug != "" && asWord(f, w.slug)
}

// asWord reports whether word stands in s with neither a letter nor a digit beside it: in a name, a path.
func asWord(s, word string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		if from += i; naming.IsAlone(s, from, from+len(word)) {
			return true
		}
		from++
	}
}

// before returns the few words of s, folded, before the words to erase.
func (w *What) before(s string) string {
	if s == "" {
		return ""
	}
	head, _, isThere := strings.Cut(fold(s), w.phrase)
	if w.known != nil || !isThere { // a part of the words may stand anywhere
		head = ""
	}
	head, _ = text.Cut(head, 40)
	return strings.TrimSpace(strings.TrimSpace(strings.TrimSuffix(head, text.Ellipsis)) + " " + text.Ellipsis)
}

// Loose reports whether data, which need not be valid JSON, holds the words.
func (w *What) Loose(data []byte) bool {
	if w.known != nil {
		return w.known.Loose(data)
	}
	s := strings.ToValidUTF8(string(data), "\ufffd")
	return strings.Contains(fold(s), w.phrase) || strings.Contains(fold(text.Unescape(s)), w.phrase)
}

// Left lists the files in dir, memento's folder, that still hold the words: the names and folders of projects, and the
// settings. Memento does not erase from these.
func (w *What) Left(dir string) (out []string) {
	for _, path := range [...]string{project.WorkspacePath(dir), filepath.Join(dir, "config.json")} {
		if data, err := safefile.Read(path, maxOther); err == nil && w.Loose(data) {
			out = append(out, path)
		}
	}
	return out
}
