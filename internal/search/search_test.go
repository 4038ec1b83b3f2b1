package search

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

func doc(id, title, body string, tags ...string) Doc {
	return Doc{Meta: Meta{ID: id, Title: title, Tags: tags, Kind: "decision", Project: "shop", Status: "active",
		Stamp: safefile.Stamp{Size: int64(len(body)), Time: int64(len(id))}}, Body: body}
}

func found(t testing.TB, x *Index, q string) []string {
	t.Helper()
	hits, err := x.Query(q, Keep{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func indexed(t testing.TB, docs []Doc) *Index {
	t.Helper()
	dir := t.TempDir()
	if err := Update(dir, time.Second, docs, nil); err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// Update adds records to an index, or replaces them, and takes those in removed out.
func Update(dir string, wait time.Duration, changed []Doc, removed []string) error {
	return update(dir, wait, records, build(changed, removed...))
}

// build returns a segment with docs, each a group with an ID of its own, and without those in removed.
func build(docs []Doc, removed ...string) []byte {
	w := newWriter()
	for _, d := range docs {
		w.group(hash(d.ID), d.ID, d.Stamp)
		w.add(d)
	}
	for _, id := range removed {
		w.remove(id)
	}
	return w.finish()
}

func tokens(s string, query bool) []string {
	var out []string
	words(s, query, func(w word) { out = append(out, w.text()) })
	return out
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{
		{"Running the migrations", "run the migration"},
		{"studies studied study studying", "studi studi studi studi"},
		{"went goes gone", "go go go"},
		{"tries tried try", "tri tri tri"},
		{"bus class analysis", "bus class analysis"},
		{"MAX_RETRY_COUNT", "maxretrycount max retri count"},
		{"v1.2.3", "v1.2.3 v1 2 3"},
		{"getUserID", "get user id getuserid"},
		{"HTTPServer", "http server httpserver"},
		{"internal/search/query.go:12", "internal/search/query.go:12 internal search query.go queri go 12"},
		{"re-index re_index reIndex", "reindex re index reindex re index re index reindex"},
		{"2026-03-14 5-HT", "2026-03-14 2026 03 14 5ht 5 ht"},
		{"C++ and C#", "c++ c and c# c"},
		{"it's the user's; don't", "it the user don"},
		{"l'école Straße ÅNGSTRÖM", "l ecol strass angstrom"},
		{"cafe\u0301 café", "caf caf"},
		{"ＡＢＣ１２", "abc12"},
		{"Миграция базы", "миграция базы"},
		{"数据库迁移", "数 数据 据 据库 库 库迁 迁 迁移 移"},
		{"修复auth模块", "修 修复 复 auth 模 模块 块"},
		{"a\x00b\xff\xfec", "a b c"},
		{"...---///", ""},
		{"", ""},
	} {
		if got := strings.Join(tokens(c.in, false), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	if got := strings.Join(tokens("迁移 库", true), " "); got != "迁移 库" {
		t.Errorf("as a query: %q", got)
	}
	if got := tokens(strings.Repeat("x", 1<<20), false); len(got) != 1 || len(got[0]) > maxToken+utf8.UTFMax {
		t.Errorf("a megabyte without a space: %d tokens of %d bytes", len(got), len(got[0]))
	}
}

var shop = []Doc{
	doc("shop--paseto", "Tokens are PASETO, not JWT",
		"Context: auth broke before the deploy.\n\nWe chose PASETO v4.local because JWT lets the\nheader name the "+
			"algorithm.", "auth"),
	doc("shop--pool", "Connection pool exhausted",
		"Trigger: `pq: too many clients`. Raise MAX_OPEN_CONNS in config/db.yaml\nand restart getUserID workers.", "db",
		"postgres"),
	doc("shop--staging", "Deploy to staging first",
		"Never deploy on Fridays. Run the smoke tests in staging, then v1.2.3 goes out."),
	doc("shop--zh", "数据库迁移", "先在测试环境运行数据库迁移，然后再部署。"),
	doc("shop--fr", "Thème de l'été", "Le café est réservé aux employés du siège."),
	doc("shop--empty", "", ""),
}

func TestQuery(t *testing.T) {
	x := indexed(t, shop)
	for _, c := range []struct{ q, first string }{
		{"which token format did we choose", "shop--paseto"},
		{"jwt", "shop--paseto"},
		{"connections pools", "shop--pool"},
		{"max_open_conns", "shop--pool"},
		{"open conns", "shop--pool"},
		{"maxOpenConns", "shop--pool"},
		{"max-open-conns", "shop--pool"},
		{"get_user_id", "shop--pool"},
		{"getuserid", "shop--pool"},
		{"db.yaml", "shop--pool"},
		{"config/db.yaml", "shop--pool"},
		{"v1.2.3", "shop--staging"},
		{`"smoke tests"`, "shop--staging"},
		{`"unclosed staging`, "shop--staging"},
		{"NEAR(staging) AND -tests OR *", "shop--staging"},
		{"迁移", "shop--zh"},
		{"部署", "shop--zh"},
		{"theme ete", "shop--fr"},
		{"CAFE", "shop--fr"},
		{"cafe\u0301", "shop--fr"},
		{"the not", "shop--paseto"}, // stopwords are all there is
		{"deploy\x00 fridays\x00", "shop--staging"},
		{strings.Repeat("postgres is full of clients ", 4000), "shop--pool"},
		{"", ""},
		{" \n\t", ""},
		{"\x00\xff", ""},
		{"?!*()\"'", ""},
		{"zebra", ""},
	} {
		got := found(t, x, c.q)
		if c.first == "" && len(got) != 0 || c.first != "" && (len(got) == 0 || got[0] != c.first) {
			t.Errorf("%.60q: %v, want %s first", c.q, got, c.first)
		}
	}
	hits, err := x.Query("deploy", Keep{Each: func(m Meta) bool { return m.ID != "shop--staging" }}, 10)
	if err != nil || len(hits) != 1 || hits[0].ID != "shop--paseto" {
		t.Errorf("filtered: %v %v", hits, err)
	}
	if hits, _ := x.Query("deploy", Keep{}, 1); len(hits) != 1 {
		t.Errorf("limited to 1: %d", len(hits))
	}
	if hits, _ := x.Query("deploy", Keep{}, 0); len(hits) != 0 {
		t.Errorf("limited to 0: %d", len(hits))
	}
	m := hits[0].Meta
	if want := shop[0].Meta; m.Title != want.Title || m.Kind != want.Kind || m.Project != want.Project ||
		m.Status != want.Status ||
		!slices.Equal(m.Tags, want.Tags) || m.Stamp != want.Stamp {
		t.Errorf("%+v, want %+v", m, want)
	}
}

func TestPassage(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "Line %d says nothing of interest to anybody who looks for something.\n", i)
		if i == 120 {
			b.WriteString("The zebra migrated to the savanna in spring.\n")
		}
	}
	body := b.String()
	hits, err := indexed(t, []Doc{doc("a", "", body), doc("b", "", "zebra")}).Query("zebra savanna", Keep{}, 5)
	if err != nil || len(hits) != 2 || hits[0].ID != "a" {
		t.Fatal(hits, err)
	}
	if got := body[hits[0].From:hits[0].To]; !strings.Contains(got, "The zebra migrated to the savanna") ||
		len(got) > 400 {
		t.Errorf("%q", got)
	}
	if hits[0].Share != 1 || hits[0].Words != 2 {
		t.Errorf("share %v of %d words", hits[0].Share, hits[0].Words)
	}
}

// TestClear: only a query that is about one record alone brings it unasked.
func TestClear(t *testing.T) {
	x := indexed(t, shop)
	for q, want := range map[string]bool{
		"":                           false,
		"deploy":                     false,
		"ok thanks":                  false,
		"deploy to staging":          false, // two words
		"the smoke tests in staging": true,
		"what did we settle about the connection pool":                               true,  // two, both in the title
		"what did we settle about staging on a friday":                               false, // one of them is not
		"why did we choose paseto over jwt for the token algorithm":                  true,
		"please write a haiku about staging tests of the moon and the stars tonight": false,
	} {
		hits, err := x.Query(q, Keep{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(hits) > 0 && hits[0].Clear(); got != want {
			t.Errorf("%q: %v, want %v (%+v)", q, got, want, hits)
		}
	}
}

// After updates in any order, the index answers as one that was built anew.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	now := map[string]Doc{}
	for i := range 400 {
		id := fmt.Sprintf("r%d", i*7919%150)
		var changed []Doc
		var removed []string
		if i%5 == 4 {
			removed = []string{id}
			delete(now, id)
		} else {
			d := doc(id, "Title "+id, fmt.Sprintf("common body number%d of %s\nsecond line", i, id))
			d.Stamp.Time, d.Updated = int64(i), int64(i)
			changed, now[id] = []Doc{d}, d
		}
		if err := Update(dir, time.Second, changed, removed); err != nil {
			t.Fatal(err)
		}
		if i%50 != 49 {
			continue
		}
		x, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		docs := slices.Collect(maps.Values(now))
		files, _ := folder(docs)
		if changed, removed := x.diff(Source{Files: files}); len(changed)+len(removed) > 0 || x.Len() != len(now) {
			t.Fatalf("after %d: changed %v removed %v, %d of %d", i, changed, removed, x.Len(), len(now))
		}
		whole := indexed(t, docs)
		for _, q := range []string{"common", fmt.Sprintf("number%d", i-1), "title " + id, "second line r3"} {
			got, _ := x.Query(q, Keep{}, 1000)
			want, _ := whole.Query(q, Keep{}, 1000)
			if len(got) != len(want) {
				t.Fatalf("after %d, %q: %d hits, want %d", i, q, len(got), len(want))
			}
			for k := range got {
				if got[k].ID != want[k].ID || got[k].Score-want[k].Score > 1e-9 {
					t.Fatalf("after %d, %q, hit %d: %v, want %v", i, q, k, got[k], want[k])
				}
			}
		}
		x.Close()
	}
	if _, err := os.Stat(filepath.Join(dir, Folder, records.tail)); err != nil {
		t.Error("the tail was never used: ", err)
	}
}

// With any byte of the index wrong or missing, a query answers right or returns ErrCorrupt, and Refresh mends the
// index.
func TestDamage(t *testing.T) {
	fixture.Long(t, "damages each byte of an index")
	dir := t.TempDir()
	files, get := folder(shop)
	if err := Update(dir, time.Second, shop[:4], nil); err != nil {
		t.Fatal(err)
	}
	if err := Update(dir, time.Second, shop[4:], nil); err != nil {
		t.Fatal(err)
	}
	whole := indexed(t, shop)
	want := found(t, whole, "deploy staging theme 迁移")
	right, err := whole.Query("deploy staging theme 迁移", Keep{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{records.base, records.tail} {
		path := filepath.Join(dir, Folder, name)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(good) {
			bad := slices.Clone(good)
			if i%3 == 2 {
				bad = bad[:i]
			} else {
				bad[i] ^= 1 << (i % 8)
			}
			fixture.Write(t, path, string(bad))
			x, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			var changed []string
			err = func() (err error) { defer rescue(&err); changed, _ = x.diff(Source{Files: files}); return nil }()
			var hits []Hit
			if err == nil {
				hits, err = x.Query("deploy staging theme 迁移", Keep{}, 10)
			}
			x.Close()
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			if err == nil && len(changed) == 0 && fmt.Sprint(hits) != fmt.Sprint(right) {
				t.Fatalf("%s, byte %d: %v, want %v, and nobody is told", name, i, hits, right)
			}
			if i%97 != 0 {
				continue
			}
			if err != nil {
				if err := Drop(dir); err != nil {
					t.Fatal(err)
				}
			}
			x, _, err = Follow(dir, time.Second, Source{Files: files, Get: get})
			if err != nil {
				t.Fatal(err)
			}
			if got := found(t, x, "deploy staging theme 迁移"); !slices.Equal(got, want) {
				t.Fatalf("%s, byte %d: healed to %v, want %v", name, i, got, want)
			}
			x.Close()
			if err := Drop(dir); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(Update(dir, time.Second, shop[:4], nil),
				Update(dir, time.Second, shop[4:], nil)); err != nil {
				t.Fatal(err)
			}
			if good, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			if i >= len(good) {
				break
			}
		}
		fixture.Write(t, path, string(good))
	}
}

// A process that was killed after it wrote a new base leaves an old tail, and Open ignores that tail; one that was
// killed as it appended leaves half a change, which is lost with nothing else.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	add := func(d Doc) error { return Update(dir, time.Second, []Doc{d}, nil) }
	if err := errors.Join(add(shop[0]), add(doc("old", "", "deploy deploy"))); err != nil {
		t.Fatal(err)
	}
	tail := filepath.Join(dir, Folder, records.tail)
	old, err := os.ReadFile(tail)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{len(old), len(old) / 2} {
		if err := errors.Join(Drop(dir), Update(dir, time.Second, shop, nil)); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, tail, string(old))
		x, err := Open(dir)
		if err != nil || slices.Contains(found(t, x, "deploy"), "old") || x.Len() != len(shop) {
			t.Errorf("with a tail of another base: %v", err)
		}
		x.Close()
		if err := add(doc("new", "", "deploy zebra")); err != nil {
			t.Fatal(err)
		}
		fixture.Append(t, tail, string(old[:cut]))
		for _, id := range []string{"more", "most"} {
			if err := add(doc(id, "", "zebra")); err != nil {
				t.Fatal(err)
			}
		}
		if x, err = Open(dir); err != nil || len(found(t, x, "zebra")) != 3 || x.Len() != len(shop)+3 {
			t.Errorf("after half a change: %v, %d records", err, x.Len())
		}
		x.Close()
	}
}

// folder returns what Source has of a folder with these documents.
func folder(docs []Doc) (files map[string]safefile.Stamp, get func(id string) ([]Doc, error)) {
	files, at := map[string]safefile.Stamp{}, map[string]Doc{}
	for _, d := range docs {
		files[d.ID], at[d.ID] = d.Stamp, d
	}
	return files, func(id string) ([]Doc, error) {
		if d, ok := at[id]; ok {
			return []Doc{d}, nil
		}
		return nil, os.ErrNotExist
	}
}

func TestFresh(t *testing.T) {
	dir := t.TempDir()
	files, get := folder(shop)
	fewer, _ := folder(shop[1:])
	more, _ := folder(append(slices.Clone(shop), doc("gone", "", "")))
	for _, step := range []struct {
		name  string
		files map[string]safefile.Stamp
		want  int
	}{{"missing", files, 6}, {"unchanged", files, 6}, {"removed", fewer, 5}, {"back", files, 6},
		{"unreadable", more, 6}, {"none", nil, 0}} {
		x, _, err := Follow(dir, time.Second, Source{Files: step.files, Get: get})
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if x.Len() != step.want {
			t.Errorf("%s: %d records, want %d", step.name, x.Len(), step.want)
		}
		x.Close()
	}
	if x, err := Open(t.TempDir()); err != nil || x.Len() != 0 {
		t.Errorf("no index: %v", err)
	} else if hits, err := x.Query("anything", Keep{}, 5); err != nil || len(hits) != 0 {
		t.Errorf("no index: %v %v", hits, err)
	}
}

// No update is lost when many processes write at once.
func TestWriters(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			for k := range 4 {
				id := fmt.Sprintf("w%d-%d", i, k)
				err := safefile.ErrBusy
				for errors.Is(err, safefile.ErrBusy) {
					err = Update(dir, time.Second, []Doc{doc(id, id, "written by many")}, nil)
				}
				if err != nil {
					t.Error(err)
				}
				x, err := Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := x.Query("many", Keep{}, 10); err != nil {
					t.Error(err)
				}
				x.Close()
			}
		})
	}
	all.Wait()
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if x.Len() != 128 || len(found(t, x, "many")) != 128 {
		t.Errorf("%d records, %d found, want 128", x.Len(), len(found(t, x, "many")))
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "deploy \"to staging\"", "a\x00b", "数据库", "v1.2.3/../x_y-z'", "İ ß ǅ ﬁ",
		strings.Repeat("a_", 70), "\"\"\"", "c++ c#"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, body, q string) {
		words(body, false, func(w word) {
			if w.text() == "" || len(w.raw) > maxToken+8 || w.at < 0 || w.at >= len(body) {
				t.Fatalf("%q: %+v", body, w)
			}
		})
		d := Doc{Meta: Meta{ID: "x", Title: q, Tags: []string{q, body}}, Body: body}
		x := &Index{segments: []*segment{opened(build([]Doc{shop[1], shop[2]}))}}
		x.put(opened(build([]Doc{d, shop[0]})))
		var m Meta
		if err := x.Each(Keep{Each: func(m Meta) bool { return m.ID == "x" }}, func(found Meta) bool {
			m = found
			return true
		}); err != nil || m.Title != q || len(m.Tags) != 2 || m.Tags[1] != body || x.Len() != 4 {
			t.Fatalf("%+v, %v", m, err)
		}
		hits, err := x.Query(q, Keep{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if h.ID == "x" {
				if h.From < 0 || h.To < h.From || h.To > len(body) || h.Share < 0 || h.Share > 1.000001 {
					t.Fatalf("%+v", h)
				}
			}
		}
	})
}

// reseal corrects the checksums of a file that has the form of a segment.
func reseal(file []byte) {
	if len(file) < headerSize {
		return
	}
	at := headerSize + int(le.Uint64(file[len(magic)+16:])&(1<<20-1))
	if at > len(file) {
		return
	}
	sums := file[headerSize:at]
	for page := range slices.Chunk(file[at:], pageSize) {
		if len(sums) >= 4 {
			le.PutUint32(sums, sum(page))
			sums = sums[4:]
		}
	}
	le.PutUint32(file[headerSize-8:], sum(file[headerSize:at]))
	le.PutUint32(file[headerSize-4:], sum(file[:headerSize-4]))
}

// Reading a foreign file, with right or wrong checksums, does no harm.
func FuzzSegment(f *testing.F) {
	f.Add(build(shop), "deploy staging", true)
	f.Add(build(nil), "x", false)
	f.Fuzz(func(t *testing.T, file []byte, q string, sealed bool) {
		if sealed {
			file = slices.Clone(file)
			reseal(file)
		}
		useAll(file, q)
	})
}

// useAll calls every function on a file, and reports whether one of them returned ErrCorrupt.
func useAll(file []byte, q string) (told bool) {
	s, err := load(strings.NewReader(string(file)), int64(len(file)))
	if err != nil {
		return true
	}
	x := &Index{segments: []*segment{s}}
	var errs []error
	add := func(err error) { errs = append(errs, err) }
	_, err = x.Query(q, Keep{Share: 0.3}, 5)
	add(err)
	_, err = x.Query(q, Keep{Since: 1}, 5)
	add(err)
	_, err = x.Count(nil)
	add(errors.Join(err, x.Each(Keep{}, func(Meta) bool { return true })))
	add(func() (err error) { defer rescue(&err); x.diff(Source{}); return nil }())
	_, err = x.merge(build([]Doc{doc("new", q, q)}, q))
	add(err)
	return errors.Join(errs...) != nil
}

// A file with one changed byte and right checksums does no harm.
func TestSealed(t *testing.T) {
	fixture.Long(t, "changes each byte of an index")
	good, told := build(shop), 0
	if useAll(good, "deploy staging") {
		t.Fatal("it is told of one of ours")
	}
	for i := range good {
		for _, v := range [...]byte{0, 1, good[i] + 1, good[i] ^ 0x80, 0xff} {
			file := slices.Clone(good)
			file[i] = v
			reseal(file)
			if useAll(file, "deploy staging theme 迁移") {
				told++
			}
		}
	}
	if told < len(good)/4 {
		t.Errorf("of %d bytes changed only %d times somebody was told", len(good), told)
	}
}
