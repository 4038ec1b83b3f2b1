package main

import (
	"bufio"
	"os"
	"strconv"
	"testing"
)

// TestDump writes a made-up session of MEMENTO_BENCH_SIZE bytes to MEMENTO_BENCH_PATH, and what follows on it, MEMENTO_BENCH_MORE
// bytes, to the same name with .more. The bench lays this file beside the benchmarks of cmd/memento, whose session it is.
func TestDump(t *testing.T) {
	path := os.Getenv("MEMENTO_BENCH_PATH")
	w := newWriter()
	for _, part := range []struct{ path, size string }{{path, "MEMENTO_BENCH_SIZE"}, {path + ".more", "MEMENTO_BENCH_MORE"}} {
		size, err := strconv.Atoi(os.Getenv(part.size))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(part.path)
		if err != nil {
			t.Fatal(err)
		}
		out := bufio.NewWriterSize(f, 1<<20)
		for n := 0; n < size; {
			line := w.line()
			n += len(line)
			if _, err := out.WriteString(line); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
