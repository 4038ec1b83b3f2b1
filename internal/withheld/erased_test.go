package withheld

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/text"
)

// list returns what is known after some erasures.
func list(t testing.TB, erasures ...Erasure) *Erased {
	t.Helper()
	dir := t.TempDir() + "/.memento"
	for _, e := range erasures {
		if err := e.Add(dir, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	l, err := LoadErased(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestErased(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	l, err := LoadErased(dir)
	if err != nil || !l.Empty() || l.Has("x") || l.HasID("x") || l.HasTurn("s", noon) ||
		l.HasRecord("x", noon) || l.Loose([]byte("x")) {
		t.Fatalf("%+v, %v", l, err)
	}
	all := Erasure{IDs: []string{"u1", "toolu_1"}, Until: noon,
		Sessions: []string{"s1"}, Records: []string{RecordKey("boxes", noon)}, Phrase: "Blue whale", ByPerson: true}
	for range 2 {
		do(t, all.Add(dir, time.Second))
	}
	l, err = LoadErased(dir)
	do(t, err)
	if !l.HasID("u1") || !l.HasID("toolu_1") || l.HasID("u2") || l.HasID("") || l.Forgets() != 2 ||
		len(l.file.Phrases) != 2 || len(l.file.Records) != 1 {
		t.Errorf("%+v", l)
	}
	if !l.HasTurn("s1", noon) || l.HasTurn("s1", noon.Add(1)) || l.HasTurn("s2", noon) ||
		!l.HasRecord("boxes", noon) || l.HasRecord("boxes", noon.Add(time.Second)) || l.HasRecord("box", noon) {
		t.Error("of sessions and records it has others")
	}
	if !l.Has("A blue “whale”, said again since") || l.Has("The launch is on 4 May") {
		t.Error("of words it has others")
	}
	data, err := os.ReadFile(ErasedPath(dir))
	for _, words := range []string{"launch", "u1", "whale", "boxes", "s1"} {
		if err != nil || strings.Contains(strings.ToLower(string(data)), words) {
			t.Errorf("it holds %s, %v", data, err)
		}
	}
	if err := (Erasure{Phrase: strings.Repeat("x", maxPhrase+1)}).Add(dir, time.Second); err == nil {
		t.Error("a phrase without a limit is noted")
	}
	do(t, os.WriteFile(ErasedPath(dir), data[:len(data)/2], 0o600))
	if _, err := LoadErased(dir); err == nil {
		t.Error("a damaged list reads as a whole one")
	}
	if err := all.Add(dir, time.Second); err == nil {
		t.Error("a damaged list is written over")
	}
}

// A phrase is found in any spacing, case and quote marks, also in JSON and in a record's name.
func TestPhrase(t *testing.T) {
	t.Parallel()
	l := list(t, Erasure{Phrase: "The launch is on “3 May”"}, Erasure{Phrase: "Straße"})
	for words, want := range map[string]bool{
		"the  LAUNCH is\non 3 may": true, "Say it: the launch is on *3 May*.": true, "the launch is on 3": false,
		"": false, "die STRASSE": false, "die straße": true, "the launch is on 3\u00a0May": true,
	} {
		if got := l.Has(words); got != want {
			t.Errorf("Has(%q) = %v", words, got)
		}
	}
	for data, want := range map[string]bool{
		`{"said":"the launch is on \"3 May\"`: true, `the launch\nis on 3 May`: true, `the launch\\nis on 3 May`: true,
		"\xffthe launch is on \u201c3 May": true, `stra\u00dfe`: true, `the launch`: false,
	} {
		if got := l.Loose([]byte(data)); got != want {
			t.Errorf("Loose(%q) = %v", data, got)
		}
	}
	if !l.Has("shop--decision--the-launch-is-on-3-may.md") || !l.Has("> the\n> launch is on 3 > May") {
		t.Error("names and quotations")
	}
}

// A phrase counts in the places it was forgotten in, under the present name of a project, until it is lifted.
func TestPlaces(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	do(t, Erasure{Phrase: "blue whale", In: []string{"shop", naming.User}}.Add(dir, time.Second))
	do(t, Erasure{Phrase: "red fox"}.Add(dir, time.Second))
	check := func(want map[string]bool) {
		t.Helper()
		l, err := LoadErased(dir)
		do(t, err)
		for places, has := range want {
			l := l.In(strings.Fields(places)...)
			if l.Has("a Blue  Whale") != has || l.Has("p--x--blue-whale") != has || !l.Has("a red fox") {
				t.Errorf("in %q the answers are not %v", places, has)
			}
		}
	}
	check(map[string]bool{"": true, "shop": true, "user": true, "stall": false, "stall shop": true})
	do(t, Rename(dir, "shop", "stall", false, time.Second))
	check(map[string]bool{"shop": true, "stall": true})
	do(t, Rename(dir, "shop", "stall", true, time.Second))
	check(map[string]bool{"stall": true, "user": true})
	for i, want := range []int{2, 0} { // the phrase, and its form in a name
		if n, err := Lift(dir, "“blue” whale", time.Second); err != nil || n != want {
			t.Errorf("%d: lifted %d, %v", i, n, err)
		}
	}
	check(map[string]bool{"": false, "stall": false})
}

// pieces make texts near to a phrase.
var pieces = []string{"a", "b", "ab", " ", "\n", "\u00a0", "İ", "ß", "SS", "e\u0301", "é", "“", "'", "*", "`", "漢字",
	"。", "-", "\\", "\\n", "\\u0041", "\\\"", "\xff", "🐳", "K", "Σ", "ς"}

// textOf makes a text from random bytes.
func textOf(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		b.WriteString(pieces[int(c)%len(pieces)])
	}
	return b.String()
}

// FuzzErased compares the answers with those that the phrase itself gives.
func FuzzErased(f *testing.F) {
	f.Add([]byte("ab"), []byte("cabd"))
	f.Add([]byte{6, 3, 7, 11}, []byte{0, 6, 5, 7, 11, 1})
	f.Fuzz(func(t *testing.T, some, data []byte) {
		phrase, words := textOf(some), textOf(data)
		folded := Fold(phrase)
		l := &Erased{file: erasedFile{Key: strings.Repeat("5c", keyBytes)}}
		if len(folded) < minPhrase || l.file.addPhrase(phrase, nil) != nil {
			return
		}
		holds := func(s string) bool {
			return slices.ContainsFunc(forms(phrase), func(form string) bool { return strings.Contains(Fold(s), form) })
		}
		if got, want := l.Has(words), holds(words); got != want {
			t.Errorf("Has(%q) of %q = %v", words, phrase, got)
		}
		loose := strings.ToValidUTF8(words, "\ufffd")
		if got, want := l.Loose([]byte(words)), holds(loose) || holds(text.Unescape(loose)); got != want {
			t.Errorf("Loose(%q) of %q = %v", words, phrase, got)
		}
		if name := naming.Phrase(phrase); strings.Contains(name, "-") && !l.Has("shop--debt--"+name+".md") {
			t.Errorf("a record called %q is not found by %q", name, phrase)
		}
	})
}

// The fingerprints are made of the phrase as a person types it, and it is looked for in folded words.
func TestFoldTwice(t *testing.T) {
	t.Parallel()
	for r := rune(0); r < 0x30000; r++ {
		if s := "a" + string(r) + "b"; text.Fold(text.Fold(s)) != text.Fold(s) {
			t.Errorf("folding %q once gives %q, and twice %q", s, text.Fold(s), text.Fold(text.Fold(s)))
		}
	}
}

// Ids and sessions travel, and nothing else; what comes from another machine adds to the list.
func TestSend(t *testing.T) {
	t.Parallel()
	a := list(t, Erasure{IDs: []string{"u1"}, Sessions: []string{"s1"}, Until: noon, Phrase: "blue whale"})
	b := list(t, Erasure{IDs: []string{"u2"}, Sessions: []string{"s1"}, Until: noon.Add(time.Hour)})
	if sent := a.Send(); bytes.Count(sent, []byte("\n")) != 2 {
		t.Errorf("it sends %s", sent)
	}
	dir := folder(t)
	for _, lines := range [][]byte{a.Send(), b.Send(), a.Send()} {
		do(t, Receive(dir, lines, time.Second))
	}
	got, err := LoadErased(dir)
	do(t, err)
	if !got.HasID("u1") || !got.HasID("u2") || !got.HasTurn("s1", noon.Add(time.Hour)) || got.Has("a blue whale") {
		t.Errorf("it has %+v", got)
	}
	if _, err := a.With([]byte(strings.Repeat("\n", maxEntries+1))); err == nil {
		t.Error("more lines than any machine sends are read")
	}
}

// FuzzJoinSent: whatever a remote holds, joining is a union of sets.
func FuzzJoinSent(f *testing.F) {
	f.Add([]byte("id 0123456789abcdef\n"), []byte("session 0123456789abcdef 2026-03-14T12:00:00Z\nx"),
		[]byte("session 0123456789abcdef 2026-03-15T12:00:00Z\nid 0123456789ABCDEF\n"))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		join := func(a, b []byte) []byte {
			out, err := JoinSent(a, b)
			do(t, err)
			return out
		}
		ab := join(a, b)
		if !bytes.Equal(ab, join(b, a)) || !bytes.Equal(ab, join(ab, a)) ||
			!bytes.Equal(join(ab, c), join(a, join(b, c))) {
			t.Errorf("joined it is %q", ab)
		}
	})
}
