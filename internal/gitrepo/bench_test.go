package gitrepo

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// large makes the files of a store with 10,000 records and 5,000 sessions.
func large(tb testing.TB) map[string][]byte {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	text := func(words int) []byte {
		var b strings.Builder
		for range words {
			fmt.Fprintf(&b, "%x ", random.Uint32N(1<<20))
		}
		return []byte(b.String())
	}
	files := map[string][]byte{"memento.json": []byte(`{"version":1}`)}
	for i := range 10_000 {
		files[fmt.Sprintf("projects/%016x/records/%02x/record-%05d.md", i%20, i%64, i)] = text(100)
	}
	for i := range 5_000 {
		files[fmt.Sprintf("projects/%016x/said/2026-%02d/%08x.jsonl", i%20, i%12+1, i)] = text(800)
	}
	return files
}

func store(tb testing.TB, r *Repo, contents map[string][]byte) ID {
	tb.Helper()
	files := map[string]ID{}
	for path, data := range contents {
		id, err := r.Put(data)
		if err != nil {
			tb.Fatal(err)
		}
		files[path] = id
	}
	id, err := r.Commit(files, nil, "desk", "sync", noon)
	if err != nil {
		tb.Fatal(err)
	}
	if err := r.SetRef("main", id); err != nil {
		tb.Fatal(err)
	}
	return id
}

func BenchmarkFirst(b *testing.B) {
	contents := large(b)
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(filepath.Join(b.TempDir(), "repo"))
		if err != nil {
			b.Fatal(err)
		}
		store(b, r, contents)
		r.Close()
	}
}

// BenchmarkLarge measures what a sync does in a process of its own: nothing is cached.
func BenchmarkLarge(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "repo")
	r, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	main := store(b, r, large(b))
	r.Close()
	each := func(name string, do func(b *testing.B, r *Repo)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				r, err := Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				do(b, r)
				b.StopTimer()
				r.Close()
				b.StartTimer()
			}
		})
	}
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			r, err := Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := r.Ref("main"); err != nil {
				b.Fatal(err)
			}
			r.Close()
		}
	})
	each("Files", func(b *testing.B, r *Repo) {
		if files, err := r.Files(main); err != nil || len(files) != 15_001 {
			b.Fatal(len(files), err)
		}
	})
	n := 0
	b.Run("Commit", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			r, err := Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			files, err := r.Files(main)
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			n++
			files["projects/0000000000000003/records/03/record-00003.md"], err = r.Put(fmt.Appendf(nil, "version %d",
				n))
			if err != nil {
				b.Fatal(err)
			}
			if main, err = r.Commit(files, []ID{main}, "desk", "sync", noon); err != nil {
				b.Fatal(err)
			}
			if err := r.SetRef("main", main); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			r.Close()
			b.StartTimer()
		}
	})
	each("AllBlobs", func(b *testing.B, r *Repo) {
		files, _ := r.Files(main)
		for _, id := range files {
			if _, err := r.Read(id); err != nil {
				b.Fatal(err)
			}
		}
	})
	each("Keep", func(b *testing.B, r *Repo) {
		if err := r.Keep(main); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkExchange measures a remote in a folder on the same disk.
func BenchmarkExchange(b *testing.B) {
	if Git() == "" {
		b.Skip("SKIPPED: no git on PATH")
	}
	dir := b.TempDir()
	at := Remote{URL: filepath.Join(dir, "remote"), Git: Git(), Batch: true}
	opened := func(name string) *Repo {
		r, err := Open(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { r.Close() })
		return r
	}
	opened("remote") // it is a bare repository as any
	r := opened("local")
	id, n := store(b, r, large(b)), 0
	began := time.Now()
	if err := r.Push(b.Context(), at, id, ""); err != nil {
		b.Fatal(err)
	}
	b.Logf("the first push took %v", time.Since(began))
	b.Run("Clone", func(b *testing.B) {
		for b.Loop() {
			n++
			if head, err := opened(fmt.Sprint("clone", n)).Fetch(b.Context(), at); err != nil || head != id {
				b.Fatal(head, err)
			}
		}
	})
	b.Run("FetchNothing", func(b *testing.B) {
		for b.Loop() {
			if head, err := r.Fetch(b.Context(), at); err != nil || head != id {
				b.Fatal(head, err)
			}
		}
	})
	b.Run("CommitAndPush", func(b *testing.B) {
		for b.Loop() {
			files, err := r.Files(id)
			if err != nil {
				b.Fatal(err)
			}
			n++
			if files["memento.json"], err = r.Put(fmt.Appendf(nil, "version %d", n)); err != nil {
				b.Fatal(err)
			}
			next, err := r.Commit(files, []ID{id}, "desk", "sync", noon)
			if err != nil {
				b.Fatal(err)
			}
			if err := r.Push(b.Context(), at, next, id); err != nil {
				b.Fatal(err)
			}
			id = next
		}
	})
}
