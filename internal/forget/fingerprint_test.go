package forget

import (
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// fingerprints returns what a machine knows that forgot a phrase.
func fingerprints(t *testing.T, words string) *withheld.Erased {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".memento")
	if err := (withheld.Erasure{Phrase: words}).Add(dir, time.Second); err != nil {
		t.Fatal(err)
	}
	f, err := withheld.LoadErased(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// alike compares two stores byte for byte.
func alike(t *testing.T, what, a, b string) {
	t.Helper()
	inside := func(dir string) map[string]string {
		out := map[string]string{}
		for path, data := range fixture.Contents(t, dir) {
			if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
				path = rel
			}
			if !strings.HasSuffix(path, ".lock") && path != "erased.json" {
				out[path] = strings.ReplaceAll(data, filepath.Dir(dir), "DIR")
			}
		}
		return out
	}
	x, y := inside(a), inside(b)
	for path := range maps.Keys(x) {
		if x[path] != y[path] {
			t.Errorf("%s: %s is by the phrase\n%s\nby fingerprints\n%s", what, path, x[path], y[path])
		}
		delete(y, path)
	}
	for path := range y {
		t.Errorf("%s: %s is left by fingerprints only", what, path)
	}
}

// TestFingerprints: fingerprints erase the same bytes as the phrase, and show no word of it.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	for _, words := range []string{phrase, "the  LAUNCH is on “3 May”", "launch", "weigh the jars", "organic", "nowhere at all",
		"banner"} {
		a, b := desk(t), desk(t)
		if _, err := eraser(t, a, words).Run(); err != nil {
			t.Fatal(err)
		}
		by := eraser(t, b, words)
		by.What = Known(fingerprints(t, words))
		found, err := by.Run()
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 { // a person's phrase always empties the cache
			if err := os.RemoveAll(filepath.Join(b, "cache")); err != nil {
				t.Fatal(err)
			}
		}
		alike(t, words, a, b)
		for _, f := range found {
			if strings.Contains(text.Fold(f.Words), text.Fold(words)) {
				t.Errorf("it shows %q", f.Words)
			}
		}
	}
}

var vocabulary = strings.Fields("the launch is on 3 May weigh jars Straße İzmir 東京 don't “quoted” *bold* a b — caf\u00e9 " +
	"e\u0301t\u00e9 tax TABLES file.go path/to/x 1,000 EUR never touch shop--debt")

// sentence returns some random words.
func sentence(r *rand.Rand, least, most int) string {
	var out []string
	for range least + r.Intn(most-least+1) {
		out = append(out, vocabulary[r.Intn(len(vocabulary))])
	}
	return strings.Join(out, []string{" ", "  ", "\n", "\u00a0"}[r.Intn(4)])
}

// randomDesk is memento's folder with random words in it.
func randomDesk(t *testing.T, seed int64) string {
	t.Helper()
	r := rand.New(rand.NewSource(seed))
	dir := filepath.Join(t.TempDir(), ".memento")
	quoted := func(most int) string { return fmt.Sprintf("%q", sentence(r, 1, most)) }
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf(`{"ts":"2026-03-14T09:00:%02dZ","kind":%q,"session":"s1","text":%s,"ref":"u%d"}`, i,
			[]string{"said", "done", "cut", "opened"}[r.Intn(4)], quoted(8), r.Intn(6)))
	}
	fixture.Left(t, dir, "shop", lines...)
	fixture.Write(t, filepath.Join(dir, "shop--alice.json"), fmt.Sprintf(`{"mission":%s,"mission_opened":`+
		`"2026-03-14T09:00:00Z","mission_closed":null,"mission_ref":"u1","project":"shop","wip":%s,"plan":[%s,%s],"done":[`+
		`{"act":%s,"result":%s,"ref":"u2"}],"said":[{"text":%s,"ref":"u3"}],"summary":%s}`, quoted(9), quoted(4), quoted(4),
		quoted(4), quoted(5), quoted(5), quoted(9), quoted(9)))
	for i := range 3 {
		fixture.Write(t, filepath.Join(dir, fmt.Sprintf("shop--d%d.md", i)), fmt.Sprintf("---\ntitle: %s\nkind: "+
			"decision\ntags: [a]\ncreated: 2026-03-14T09:00:00Z\n---\n## Context\n\n%s\n\n%s\n\n## Decision\n\n- %s\n- %s\n",
			text.Line(sentence(r, 2, 3)), sentence(r, 3, 9), sentence(r, 3, 9), text.Line(sentence(r, 2, 4)),
			text.Line(sentence(r, 2, 4))))
	}
	var said []log.Entry
	for i := range 6 {
		said = append(said, turn(fmt.Sprintf("u%d", i), time.Duration(i)*time.Minute, sentence(r, 1, 12),
			sentence(r, 1, 12))...)
	}
	if err := (log.Store{Dir: dir, Wait: time.Second}).Add("shop", "s1", said); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Whatever the words, fingerprints erase what the phrase does.
func TestFingerprintsOfAny(t *testing.T) {
	t.Parallel()
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	changed := 0
	for seed := range int64(rounds) {
		r := rand.New(rand.NewSource(seed + 1000))
		words := sentence(r, 1, 2)
		if _, ok := Phrase(words); !ok {
			continue
		}
		a, b := randomDesk(t, seed), randomDesk(t, seed)
		by := func(dir string) *Eraser {
			e := eraser(t, dir, words)
			e.Past = is("shop")
			return e
		}
		found, err := by(a).Run()
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 {
			changed++
		}
		e := by(b)
		e.What = Known(fingerprints(t, words))
		if _, err := e.Run(); err != nil {
			t.Fatal(err)
		}
		alike(t, fmt.Sprintf("%d: %q", seed, words), a, b)
	}
	if changed < rounds/3 {
		t.Errorf("only %d of %d stores hold the words", changed, rounds)
	}
}

func is(s string) func(string) bool { return func(other string) bool { return other == s } }

// A person's forget notes the phrase, also where nothing was found, or the prompts of an entry. Nothing notes them in a
// dry run.
func TestNoted(t *testing.T) {
	t.Parallel()
	dir := desk(t)
	load := func() *withheld.Erased {
		t.Helper()
		l, err := withheld.LoadErased(dir)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	e := eraser(t, dir, phrase)
	e.In, e.Dry = []string{"p1"}, true
	if _, err := e.Run(); err != nil || load().Forgets() != 0 {
		t.Errorf("a dry run notes it: %v", err)
	}
	e.Dry = false
	if _, err := e.Run(); err != nil || !load().In("p1").Has(phrase) || load().In("p2").Has(phrase) ||
		load().Forgets() != 1 {
		t.Errorf("the phrase is not noted: %v", err)
	}
}

// A whole project takes its sessions and decisions along, and nothing that comes later.
func TestNotedWhole(t *testing.T) {
	t.Parallel()
	a, b := randomDesk(t, 1), randomDesk(t, 1)
	later := turn("u9", 2*time.Hour, "later", "")
	if err := (log.Store{Dir: b, Wait: time.Second}).Add("shop", "s1", later); err != nil {
		t.Fatal(err)
	}
	w := Whole{Dir: a, Chosen: shop, Records: is("shop"), Past: is("shop"), Now: noon.Add(time.Hour), Wait: time.Second}
	if _, _, err := w.Run(); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, withheld.ErasedPath(b), fixture.Read(t, withheld.ErasedPath(a)))
	known, err := withheld.LoadErased(b)
	if err != nil {
		t.Fatal(err)
	}
	e := &Eraser{Dir: b, Chosen: shop, Records: is("shop"), Past: is("shop"), What: Known(known), Now: noon,
		Wait: time.Second}
	if _, err := e.Run(); err != nil {
		t.Fatal(err)
	}
	var said []string
	turns, err := past.Read(log.Store{Dir: b}, "shop", "s1")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range turns {
		said = append(said, one.Prompt)
	}
	if !slices.Equal(said, []string{"later"}) {
		t.Errorf("left are the turns %q", said)
	}
}
