package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// BenchmarkCold opens an index of 10,000 records, compares it with the files, and runs one query, as a search process
// does after it has read the folder.
func BenchmarkCold(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 2, 50000)
	var docs []Doc
	var queries []string
	for i := range 10000 {
		var s strings.Builder
		for k := range 200 + r.IntN(200) {
			fmt.Fprintf(&s, "w%d", zipf.Uint64())
			s.WriteByte(" \n"[k%14/13])
		}
		d := doc(fmt.Sprintf("shop--%d", i), fmt.Sprintf("w%d w%d", zipf.Uint64(), zipf.Uint64()), s.String())
		docs = append(docs, d)
		if i%1000 == 0 {
			queries = append(queries, strings.Join(strings.Fields(d.Body)[20:26], " "))
		}
	}
	dir := b.TempDir()
	if err := Update(dir, time.Second, docs, nil); err != nil {
		b.Fatal(err)
	}
	files, _ := folder(docs)
	for i := 0; b.Loop(); i++ {
		x, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		if changed, removed, err := x.diff(Source{Files: files}); err != nil || len(changed)+len(removed) > 0 {
			b.Fatal("stale")
		}
		if hits, err := x.Query(queries[i%len(queries)], Keep{}, 10); err != nil || len(hits) != 10 {
			b.Fatal(len(hits), err)
		}
		x.Close()
	}
}

// BenchmarkMerge merges a base of 10,000 records with its tail, as about one save in a hundred does.
func BenchmarkMerge(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 2, 50000)
	var docs []Doc
	for i := range 10000 {
		var s strings.Builder
		for k := range 200 + r.IntN(200) {
			fmt.Fprintf(&s, "w%d", zipf.Uint64())
			s.WriteByte(" \n"[k%14/13])
		}
		docs = append(docs, doc(fmt.Sprintf("shop--%d", i), fmt.Sprintf("w%d w%d", zipf.Uint64(), zipf.Uint64()),
			s.String()))
	}
	base, tail := build(docs[150:]).file, build(docs[:150])
	for b.Loop() {
		x, err := load(bytes.NewReader(base), int64(len(base)))
		if err != nil {
			b.Fatal(err)
		}
		if name, file, err := (&Index{files: records, segments: []*segment{x}}).merge(tail, nil); err != nil ||
			name != records.base || len(file) < len(base) {
			b.Fatal(name, len(file), err)
		}
	}
}
