package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// BenchmarkCold opens an index of 10,000 records, compares it with what there is, and asks once: what a process does
// besides reading the folder.
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
		if changed, removed, err := x.Diff(files, nil); err != nil || len(changed)+len(removed) > 0 {
			b.Fatal("stale")
		}
		if hits, err := x.Query(queries[i%len(queries)], Keep{}, 10); err != nil || len(hits) != 10 {
			b.Fatal(len(hits), err)
		}
		x.Close()
	}
}
