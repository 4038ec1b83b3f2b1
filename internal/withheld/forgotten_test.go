package withheld

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/text"
)

var (
	desk   = machine.Machine{ID: "0123456789ab", Name: "desk"}
	laptop = machine.Machine{ID: "ba9876543210", Name: "laptop"}
)

// addForgotten adds fingerprints that count in all projects.
func addForgotten(dir string, m machine.Machine, phrases, ids []string, wait time.Duration) error {
	return Marks{Phrases: phrases, IDs: ids}.Add(dir, m, wait)
}

func forgotten(t *testing.T, dir string) *Forgotten {
	t.Helper()
	f, err := LoadForgotten(dir)
	do(t, err)
	return f
}

// forgetting returns what is known after Add.
func forgetting(t *testing.T, k Marks) *Forgotten {
	t.Helper()
	dir := folder(t)
	do(t, k.Add(dir, desk, time.Second))
	return forgotten(t, dir)
}

func TestForgotten(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if f := forgotten(t, dir); !f.Empty() || f.Has("x") || f.HasID("u1") || f.Loose([]byte("x")) || f.HasName("x") ||
		f.HasText("x") || f.HasRecord("x", noon) || f.HasTurn("s", noon) {
		t.Errorf("%+v", f)
	}
	for range 2 {
		do(t, addForgotten(dir, desk, []string{"The launch is on “3 May”", "Straße"}, []string{"u1"}, time.Second))
	}
	path := filepath.Join(dir, ForgottenFolder, desk.ID+".jsonl")
	data, err := os.ReadFile(path)
	do(t, err)
	if n := bytes.Count(data, []byte("\n")); n != 6 || !bytes.HasPrefix(data, []byte(`{"version":1,"key":"`)) ||
		bytes.Contains(data, []byte("launch")) {
		t.Errorf("the file has %d lines:\n%s", n, data)
	}
	f := forgotten(t, dir)
	for words, want := range map[string]bool{
		"the  LAUNCH is\non 3 may": true, "Say it: the launch is on *3 May*.": true, "the launch is on 3": false,
		"": false, "die STRASSE": false, "die straße": true, "the launch is on 3\u00a0May": true,
	} {
		if got := f.Has(words); got != want {
			t.Errorf("Has(%q) = %v", words, got)
		}
	}
	for data, want := range map[string]bool{
		`{"said":"the launch is on \"3 May\"`: true, `the launch\nis on 3 May`: true, `the launch\\nis on 3 May`: true,
		"\xffthe launch is on \u201c3 May": true, `stra\u00dfe`: true, `the launch`: false,
	} {
		if got := f.Loose([]byte(data)); got != want {
			t.Errorf("Loose(%q) = %v", data, got)
		}
	}
	if !f.HasID("u1") || f.HasID("u2") || f.HasID("") || f.Empty() {
		t.Error("ids")
	}
	if !f.HasName("shop--decision--the-launch-is-on-3-may.md") ||
		f.HasName("shop--decision--the-launch-is-on-3-mayor") {
		t.Error("names")
	}
}

// A phrase counts in the projects it was forgotten in, and a text only as a whole.
func TestForgottenIn(t *testing.T) {
	t.Parallel()
	f := forgetting(t, Marks{In: []string{"p1", "user"}, Phrases: []string{"blue whale"}, IDs: []string{"u1"},
		Texts: []string{"Order the big boxes"}, Sessions: []string{"s1"}, Until: noon,
		Records: []string{RecordKey("boxes", noon)}})
	for pid, want := range map[string]bool{"": true, "p1": true, "user": true, "p2": false, "p2 p1": true} {
		f := f.In(strings.Fields(pid)...)
		if f.Has("a Blue  Whale") != want || f.HasID("u1") != want || f.HasText("order the *big* boxes") != want ||
			f.HasTurn("s1", noon) != want || f.HasRecord("boxes", noon) != want ||
			f.HasName("p--x--blue-whale") != want {
			t.Errorf("in %q the answers are not %v", pid, want)
		}
	}
	if f.HasText("order the big boxes now") || f.HasTurn("s1", noon.Add(1)) || f.HasTurn("s2", noon) ||
		f.HasRecord("boxes", noon.Add(time.Second)) || f.HasRecord("box", noon) {
		t.Error("others are forgotten, too")
	}
}

// Files that would take hours to look for are refused.
func TestForgottenBounds(t *testing.T) {
	t.Parallel()
	key := func(i int) string { return fmt.Sprintf(`{"key":"%064x"}`+"\n", i) }
	mac := func(n int) string {
		return fmt.Sprintf(`{"mac":"%064x","len":%d,"roll":"0000","n":"0000000000000000"}`+"\n", n, n)
	}
	for name, line := range map[string]func(i int) string{
		"keys":    func(i int) string { return key(i) + mac(9) },
		"lengths": func(i int) string { return key(1) + mac(i+2) },
		"lines":   func(i int) string { return key(1) + fmt.Sprintf(`{"id":"%d"}`+"\n", i) },
	} {
		var all strings.Builder
		for i := range map[string]int{"keys": 100, "lengths": 5000, "lines": 210_000}[name] {
			all.WriteString(line(i))
		}
		data := []byte(all.String())
		if _, err := ReadForgotten(map[string][]byte{desk.ID +
			".jsonl": data[:min(len(data), maxForgotten)]}); err == nil {
			t.Errorf("%s are not bounded", name)
		}
	}
}

// What is lifted counts no more, in whatever order the lines are read, until it is forgotten again.
func TestLift(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	do(t, addForgotten(dir, desk, []string{"blue whale", "red fox"}, nil, time.Second))
	do(t, addForgotten(dir, laptop, []string{"Blue Whale"}, nil, time.Second))
	before := forgotten(t, dir)
	for i, want := range []int{2, 0} {
		if n, err := LiftForgotten(dir, laptop, "“blue” whale", time.Second); err != nil || n != want {
			t.Errorf("%d: lifted %d, %v", i, n, err)
		}
	}
	f := forgotten(t, dir)
	if f.Has("a blue whale") || f.HasName("x--blue-whale") || !f.Has("a red fox") {
		t.Error("it is not lifted, or the other is")
	}
	if !before.Within(f) || f.Within(before) || !f.Within(before.Join(f)) || before.Join(f).Has("blue whale") ||
		f.Join(before).Has("blue whale") {
		t.Error("joined it is forgotten")
	}
	files, err := ForgottenFiles(dir)
	do(t, err)
	for name, data := range files {
		lines := bytes.SplitAfter(bytes.TrimSpace(data), []byte("\n"))
		for i := 1; i < len(lines)/2; i++ { // the first line has the key
			lines[i], lines[len(lines)-i] = lines[len(lines)-i], lines[i]
		}
		for i := range lines {
			lines[i] = append(bytes.TrimSpace(lines[i]), '\n')
		}
		files[name] = bytes.Join(lines, nil)
	}
	if again, err := ReadForgotten(files); err != nil || again.Has("blue whale") || !again.Has("red fox") {
		t.Errorf("in another order: %v", err)
	}
	do(t, addForgotten(dir, desk, []string{"blue whale"}, nil, time.Second))
	if !forgotten(t, dir).Has("a blue whale") {
		t.Error("it cannot be forgotten again")
	}
}

// Files of other machines come in without a loss, and the own file stays.
func TestTakeForgotten(t *testing.T) {
	t.Parallel()
	here, there := folder(t), folder(t)
	do(t, addForgotten(here, desk, []string{"blue whale"}, nil, time.Second))
	do(t, addForgotten(there, laptop, []string{"red fox"}, nil, time.Second))
	exchange := func() {
		t.Helper()
		files, err := ForgottenFiles(there)
		do(t, err)
		files["forgotten/"+desk.ID+".jsonl"] = []byte("bad")
		files["../x.jsonl"] = []byte("bad")
		do(t, TakeForgotten(here, desk, files, time.Second))
	}
	exchange()
	old, err := ForgottenFiles(there)
	do(t, err)
	do(t, addForgotten(there, laptop, []string{"green frog"}, nil, time.Second))
	exchange()
	do(t, TakeForgotten(here, desk, old, time.Second)) // an old version takes nothing back
	f := forgotten(t, here)
	if !f.Has("blue whale") || !f.Has("red fox") || !f.Has("green frog") || !forgotten(t, there).Within(f) {
		t.Errorf("%v", f.lines)
	}
	// The machine lost its file and began anew: both versions count.
	other := folder(t)
	do(t, addForgotten(other, laptop, []string{"grey owl"}, nil, time.Second))
	a, err := ForgottenFiles(here)
	do(t, err)
	b, err := ForgottenFiles(other)
	do(t, err)
	name := laptop.ID + ".jsonl"
	ab, err := JoinForgotten(a[name], b[name])
	do(t, err)
	ba, err := JoinForgotten(b[name], a[name])
	do(t, err)
	if f, err := ReadForgotten(map[string][]byte{name: ab}); !bytes.Equal(ab, ba) || err != nil || !f.Has("grey owl") ||
		!f.Has("green frog") {
		t.Errorf("%v\n%s\n%s", err, ab, ba)
	}
	if again, err := JoinForgotten(ab, a[name]); err != nil || !bytes.Equal(again, ab) {
		t.Errorf("once more: %v\n%s", err, again)
	}
}

// A new file takes over the key of another machine's.
func TestOneKey(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	do(t, addForgotten(dir, desk, []string{"blue whale"}, nil, time.Second))
	do(t, addForgotten(dir, laptop, []string{"red fox"}, nil, time.Second))
	if f := forgotten(t, dir); len(f.keys) != 1 {
		t.Errorf("%d keys", len(f.keys))
	}
	do(t, os.WriteFile(filepath.Join(dir, ForgottenFolder, desk.ID+".jsonl"), []byte("\x00\x00"), 0o600))
	do(t, addForgotten(dir, desk, []string{"green frog"}, nil, time.Second))
	if f := forgotten(t, dir); !f.Has("green frog") || f.Damaged() != 0 {
		t.Errorf("%+v", f)
	}
	if aside, _ := filepath.Glob(filepath.Join(dir, ForgottenFolder, "*.corrupt-*")); len(aside) != 1 {
		t.Errorf("aside is %q", aside)
	}
}

// Lines of a newer memento are kept and forget nothing; hostile ones do no harm.
func TestStrangeLines(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("ab", keyBytes)
	mac := macOf(key, "whale")
	line := func(more string) string {
		return fmt.Sprintf(`{"mac":%q,"len":5,"roll":%q,"n":"0123456789abcdef"%s}`, mac,
			newRoller(key).roll("whale"), more)
	}
	head := `{"version":1,"key":"` + key + `"}` + "\n"
	for _, tt := range []struct {
		name, lines string
		has         bool
		damaged     int
	}{
		{"plain", line(""), true, 0},
		{"torn before it", `{"mac":"` + "\n" + line(""), true, 1},
		{"a new field", line(`,"but":"records"`), false, 0},
		{"a new kind", line(`,"of":"voice"`), false, 0},
		{"two kinds", line(`,"id":"x"`), false, 0},
		{"no project", line(`,"in":[""]`), false, 0},
		{"a list", `["` + mac + `"]`, false, 0},
		{"too short", strings.Replace(line(""), `"len":5`, `"len":1`, 1), false, 0},
		{"too long", strings.Replace(line(""), `"len":5`, `"len":99999999999`, 1), false, 0},
		{"below zero", strings.Replace(line(""), `"len":5`, `"len":-5`, 1), false, 0},
		{"a long line", line(`,"in":["` + strings.Repeat("x", maxLine) + `"]`), false, 1},
	} {
		f, err := ReadForgotten(map[string][]byte{desk.ID + ".jsonl": []byte(head + tt.lines)})
		if err != nil || f.Has("a whale") != tt.has || f.Damaged() != tt.damaged {
			t.Errorf("%s: %v, %+v", tt.name, err, f)
		}
	}
	if f, err := ReadForgotten(map[string][]byte{desk.ID + ".jsonl": []byte(line("")),
		"x.jsonl": []byte(head)}); err != nil ||
		f.Has("whale") || f.Damaged() != 1 {
		t.Errorf("without a key: %v, %+v", err, f)
	}
	many := head + strings.Repeat("x\n", maxLines)
	if _, err := ReadForgotten(map[string][]byte{desk.ID + ".jsonl": []byte(many)}); err == nil {
		t.Error("too many lines are read")
	}
}

// pieces make texts near to a phrase.
var pieces = []string{"a", "b", "ab", " ", "\n", "\u00a0", "İ", "ß", "SS", "e\u0301", "é", "“", "'", "*", "`", "漢字",
	"。",
	"-", "\\", "\\n", "\\u0041", "\\\"", "\xff", "🐳", "K", "Σ", "ς"}

// textOf makes a text from random bytes.
func textOf(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		b.WriteString(pieces[int(c)%len(pieces)])
	}
	return b.String()
}

// FuzzForgotten compares the answers with those that the phrase itself gives.
func FuzzForgotten(f *testing.F) {
	f.Add([]byte("ab"), []byte("cabd"))
	f.Add([]byte{6, 3, 7, 11}, []byte{0, 6, 5, 7, 11, 1})
	f.Fuzz(func(t *testing.T, phrase, data []byte) { compare(t, textOf(phrase), textOf(data)) })
}

func compare(t *testing.T, phrase, words string) {
	t.Helper()
	folded := text.Fold(phrase)
	if len(folded) < minPhrase || len(folded) > maxPhrase {
		return
	}
	key := hex.EncodeToString(sha256.New().Sum(nil))
	lines, err := Marks{Phrases: []string{phrase}}.lines(key)
	do(t, err)
	known := newForgotten()
	for _, l := range lines {
		h := held{key, l}
		known.lines[h.name()] = h
	}
	if got, want := known.Has(words), strings.Contains(text.Fold(words), folded); got != want {
		t.Errorf("Has(%q) of %q = %v", words, phrase, got)
	}
	loose := strings.ToValidUTF8(words, "\ufffd")
	if got, want := known.Loose([]byte(words)), strings.Contains(text.Fold(loose), folded) ||
		strings.Contains(text.Fold(text.Unescape(loose)), folded); got != want {
		t.Errorf("Loose(%q) of %q = %v", words, phrase, got)
	}
	if name := naming.Phrase(phrase); name != "" && !known.HasName("shop--debt--"+name+".md") {
		t.Errorf("a record called %q is not found by %q", name, phrase)
	}
}

// Of many innocent words none are found, whatever the phrases, and every phrase that is put among them is.
func TestNoFalseHit(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	letters := []rune("abcdefghij  \n.,éß漢字")
	words := func(least, most int) string {
		var b strings.Builder
		for range least + r.Intn(most-least+1) {
			b.WriteRune(letters[r.Intn(len(letters))])
		}
		return b.String()
	}
	var phrases []string
	for range 200 {
		phrases = append(phrases, words(14, 40)+"q") // the text has no q
	}
	f := forgetting(t, Marks{Phrases: phrases})
	innocent := words(1<<20, 1<<20)
	if testing.Short() {
		innocent = innocent[:1<<16]
	}
	if f.Has(innocent) || f.Loose([]byte(innocent)) {
		t.Error("innocent words are found")
	}
	for _, p := range phrases {
		at := strings.IndexByte(innocent[r.Intn(len(innocent)/2):len(innocent)-1<<14], ' ')
		if !f.Has(innocent[at:at+1<<12-r.Intn(50)] + strings.ToUpper(p) + innocent[:100]) {
			t.Errorf("%q is not found", p)
		}
	}
}

// A roll has 65,536 values, so that phrases of one length share theirs with other words; the HMAC decides.
func TestSharedRoll(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("5c", keyBytes)
	roll := newRoller(key)
	want, other := roll.roll("whale"), ""
	for i := 0; other == ""; i++ {
		if s := fmt.Sprintf("%05d", i); roll.roll(s) == want {
			other = s
		}
	}
	lines, err := Marks{Phrases: []string{"whale"}}.lines(key)
	do(t, err)
	f := newForgotten()
	f.lines["x"] = held{key, lines[0]}
	if !f.Has("a whale") || f.Has("a "+other) {
		t.Errorf("Has takes %q for a whale", other)
	}
}

// The marks are made of the phrase as a person types it, and it is looked for in folded words.
func TestFoldTwice(t *testing.T) {
	t.Parallel()
	for r := rune(0); r < 0x30000; r++ {
		if s := "a" + string(r) + "b"; text.Fold(text.Fold(s)) != text.Fold(s) {
			t.Errorf("folding %q once gives %q, and twice %q", s, text.Fold(s), text.Fold(text.Fold(s)))
		}
	}
}

// 200 phrases of 30 lengths in 50 MB.
func BenchmarkHas(b *testing.B) {
	dir := b.TempDir()
	var phrases []string
	for i := range 200 {
		phrases = append(phrases, fmt.Sprintf("%0*d", 8+i%30, i))
	}
	if err := addForgotten(dir, desk, phrases, nil, time.Second); err != nil {
		b.Fatal(err)
	}
	f, err := LoadForgotten(dir)
	if err != nil {
		b.Fatal(err)
	}
	words := strings.Repeat("Never touch the tax tables; weigh the jars, and tell Ann about café No. ", 50<<20/72)
	b.SetBytes(int64(len(words)))
	for b.Loop() {
		if f.Has(words) {
			b.Fatal("it is found")
		}
	}
}

// A phrase is found wherever it begins, also across two of the parts in which long words are read.
func TestAcrossParts(t *testing.T) {
	t.Parallel()
	f := forgetting(t, Marks{Phrases: []string{"blue whale", "a red fox in the snow"}})
	for n := 4<<10 - 30; n < 4<<10+3; n++ {
		for _, p := range []string{"blue whale", "a red fox in the snow"} {
			before := strings.Repeat("x", n)
			if !f.Has(before+p) || !f.Has(before+p+before) || f.Has(before+p[:8]+before) {
				t.Errorf("%d characters before %q", n, p)
			}
		}
	}
}

// FuzzReadForgotten: whatever a remote's files hold, reading them ends, and joining is a union.
func FuzzReadForgotten(f *testing.F) {
	key := strings.Repeat("ab", keyBytes)
	lines, err := Marks{Phrases: []string{"blue whale"}, IDs: []string{"u1"}, Sessions: []string{"s"},
		Until: noon}.lines(key)
	if err != nil {
		f.Fatal(err)
	}
	seed := appendLine(nil, fingerprint{Version: 1, Key: key})
	for _, l := range lines {
		seed = appendLine(seed, l)
	}
	f.Add(seed, appendLine(seed, fingerprint{Lift: []string{lines[0].N}}))
	f.Add([]byte("{}"), []byte(`{"new":1}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		name := desk.ID + ".jsonl"
		x, err := ReadForgotten(map[string][]byte{name: a})
		do(t, err)
		y, err := ReadForgotten(map[string][]byte{name: b})
		do(t, err)
		ab, err := JoinForgotten(a, b)
		do(t, err)
		ba, err := JoinForgotten(b, a)
		do(t, err)
		z, err := ReadForgotten(map[string][]byte{name: ab})
		do(t, err)
		if !bytes.Equal(ab, ba) || !x.Within(z) || !y.Within(z) || !z.Within(x.Join(y)) ||
			!x.Join(y).Within(y.Join(x)) {
			t.Errorf("joined it is %q", ab)
		}
		if x.Join(y).Has("a blue whale") != z.Has("a blue whale") {
			t.Error("a joined file answers otherwise")
		}
	})
}

// Words that are too long for a fingerprint fail as a phrase, and do not stop an entry.
func TestTooLong(t *testing.T) {
	t.Parallel()
	dir, long := folder(t), strings.Repeat("x", maxPhrase+1)
	if err := addForgotten(dir, desk, []string{long}, nil, time.Second); err == nil || !forgotten(t, dir).Empty() {
		t.Errorf("a long phrase: %v", err)
	}
	do(t, Marks{Texts: []string{long}, IDs: []string{"u1"}}.Add(dir, desk, time.Second))
	if !forgotten(t, dir).HasID("u1") {
		t.Error("the prompt of a long text is not noted")
	}
}
