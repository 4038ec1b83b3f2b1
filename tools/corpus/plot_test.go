package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// TestPlot checks that the plot in the documents shows the figures of the table in docs/benchmarks.md.
func TestPlot(t *testing.T) {
	page, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := plot(published(t, string(page)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/recovery.svg")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("docs/recovery.svg has other figures than the table in docs/benchmarks.md; " +
			"MEMENTO_CORPUS=FOLDER ./bench.sh --only recovery --plot docs/recovery.svg draws it, and prints the table")
	}
}

// published returns the shares in the table of the page.
func published(t *testing.T, page string) (out []share) {
	t.Helper()
	row := regexp.MustCompile(`(?m)^\| (.+?) +\| (all|1st|2nd\+) +\| (\d+)/(\d+) = .*?\| \**(\d+)/(\d+) = `)
	for _, m := range row.FindAllStringSubmatch(page, -1) {
		number := func(i int) int {
			n, err := strconv.Atoi(m[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		native := number(3)
		if m[4] != m[6] {
			t.Errorf("%q counts %s and %s items", m[1], m[4], m[6])
		}
		out = append(out, share{name: m[1], when: m[2], items: number(4), native: &native, ours: number(5)})
	}
	return out
}
