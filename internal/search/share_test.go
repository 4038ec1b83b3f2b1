package search

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// manyTurns makes up sessions whose words have the frequencies of natural text. Only one turn of a session has its
// name.
func manyTurns(sessions, turns int) pastOf {
	r := rand.New(rand.NewPCG(7, 7))
	zipf := rand.NewZipf(r, 1.2, 4, 5000)
	text := func(n int) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, "w%d", zipf.Uint64())
			b.WriteByte(" \n"[k%14/13])
		}
		return b.String()
	}
	p := pastOf{}
	for i := range sessions {
		var all [][2]string
		for n := range turns {
			answer := text(40)
			if n == i%turns {
				answer += fmt.Sprintf("w1 name%d w2 other%d", i, i)
			}
			all = append(all, [2]string{text(10), answer})
		}
		p[Session{Project: "shop", ID: fmt.Sprint("s", i)}] = all
	}
	return p
}

// TestShare: an inquiry with Share finds what one without finds, as far as it has this Share, with the same figures.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	p := manyTurns(60, 12)
	p.follow(t, dir, nil)
	for i := range 3 { // these are in the tail afterwards
		at := Session{Project: "shop", ID: fmt.Sprint("s", i)}
		p[at] = append(p[at], [2]string{"w9 w8 once more", fmt.Sprintf("name%d w1 w2", i)})
	}
	x, _ := p.follow(t, dir, nil)
	if len(x.segments) != 2 || x.segments[0].ndead == 0 {
		t.Fatal("the index has no tail, or the base no dead documents")
	}
	found := 0
	for i := range 200 {
		q := fmt.Sprintf("w1 name%d w2", i%60)
		if i >= 60 {
			q = fmt.Sprintf("w%d w%d w%d unknown", i, 3*i, i/2+20)
		}
		for _, share := range []float64{0.6, 0.75, 1} {
			all, err := x.Query(q, Keep{}, 2000)
			if err != nil {
				t.Fatal(err)
			}
			some, err := x.Query(q, Keep{Share: share}, 2000)
			if err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(h Hit) bool { return h.Share < share })
			if fmt.Sprintf("%.9v", some) != fmt.Sprintf("%.9v", all) {
				t.Fatalf("%q with %v:\n%v\nwant\n%v", q, share, some, all)
			}
			found += len(some)
		}
	}
	if found < 150 {
		t.Errorf("only %d documents found: the test tests little", found)
	}
}

// A file whose lists have tables, with one changed byte and right checksums, does no harm.
func TestShareSealed(t *testing.T) {
	dir := t.TempDir()
	manyTurns(8, 30).follow(t, dir, nil)
	good, err := os.ReadFile(filepath.Join(dir, Folder, turns.base))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	if !strings.HasPrefix(string(good), magic) || useAll(slices.Clone(good), "w0 w1 name3") {
		t.Fatal("the file is damaged")
	}
	told := 0
	for range 500 {
		file := slices.Clone(good)
		file[r.IntN(len(file))] ^= byte(1 + r.IntN(255))
		reseal(file)
		if useAll(file, "w0 w1 name3 w5") {
			told++
		}
	}
	if told == 0 {
		t.Error("nobody was told of any change")
	}
}

// counter counts what is read.
type counter struct {
	io.ReaderAt
	bytes, calls int
}

func (c *counter) ReadAt(b []byte, off int64) (int, error) {
	c.bytes, c.calls = c.bytes+len(b), c.calls+1
	return c.ReaderAt.ReadAt(b, off)
}

// TestShareReads: an inquiry with Share reads little of a large index, also when the query has frequent words.
func TestShareReads(t *testing.T) {
	dir := t.TempDir()
	manyTurns(400, 12).follow(t, dir, nil)
	f, err := os.Open(filepath.Join(dir, Folder, turns.base))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for q, most := range map[string]int{
		"w1 name7 w2":                    120 << 10,
		"w1 name7 other7 w0 w3 w5 w20":   230 << 10,
		"nobody has this":                8 << 10,
		"w0 w1 w2":                       90 << 10, // too frequent
		"nobody has these words, but w0": 32 << 10,
	} {
		c := &counter{ReaderAt: f}
		s, err := load(c, info.Size())
		if err != nil {
			t.Fatal(err)
		}
		x := &Index{segments: []*segment{s}}
		hits, err := x.Query(q, Keep{Share: 0.75}, 10)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(q, "name7") && len(hits) == 0 {
			t.Errorf("%q finds nothing", q)
		}
		if c.bytes > most || c.calls > 60 {
			t.Errorf("%q reads %d of %d bytes in %d calls, want at most %d in 60", q, c.bytes, info.Size(), c.calls,
				most)
		}
	}
}

// BenchmarkShare is a hook's look-up among 100,000 turns.
func BenchmarkShare(b *testing.B) {
	dir := b.TempDir()
	x, err := OpenTurns(dir)
	if err != nil {
		b.Fatal(err)
	}
	if x, _, err = x.Follow(dir, time.Second, manyTurns(3300, 30).sessions()); err != nil {
		b.Fatal(err)
	}
	x.Close()
	for i := 0; b.Loop(); i++ {
		if x, err = OpenTurns(dir); err != nil {
			b.Fatal(err)
		}
		if hits, err := x.Query(fmt.Sprintf("w1 name%d w2 w30", i%3300), Keep{Share: 0.75}, 10); err != nil ||
			len(hits) == 0 {
			b.Fatal(hits, err)
		}
		x.Close()
	}
}
