package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sizesFile has a line for each package and for each sum: a name and a number.
const sizesFile = "testdata/sizes.txt"

// TestSizes is a ratchet: no package of the product, nor the tests, the pages, the commands or their flags may grow.
// When one has shrunk, its number in sizes.txt must be lowered: MEMENTO_SIZES=update go test ./cmd/memento -run
// TestSizes. That never raises a number. Who raises one by hand says why behind it, and in the commit.
func TestSizes(t *testing.T) {
	now := measure(t)
	lines, limits := readSizes(t)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		limit, ok := limits[name]
		switch {
		case !ok && os.Getenv("MEMENTO_SIZES") != "update":
			t.Errorf("%s: %d, and %s has no line for it", name, now[name], sizesFile)
		case now[name] > limit && ok:
			t.Errorf("%s: %d, at most %d", name, now[name], limit)
		case now[name] < limit && os.Getenv("MEMENTO_SIZES") != "update":
			t.Errorf("%s: %d is less than %d: MEMENTO_SIZES=update go test ./cmd/memento -run TestSizes",
				name, now[name], limit)
		}
	}
	for name := range limits {
		if _, ok := now[name]; !ok && os.Getenv("MEMENTO_SIZES") != "update" {
			t.Errorf("%s has a line for %s, which is gone", sizesFile, name)
		}
	}
	if os.Getenv("MEMENTO_SIZES") == "update" && !t.Failed() {
		writeSizes(t, lines, now)
	}
}

// maxToolTests is how many lines the tests under tools/ may have. Those of this module have their line in sizes.txt.
const maxToolTests = 4280

// TestSizeOfToolTests holds the tests under tools/ to their limit.
func TestSizeOfToolTests(t *testing.T) {
	n := 0
	sources(t, func(path string, src []byte, _ *token.FileSet, _ *ast.File) {
		dir, _ := filepath.Rel(filepath.Join("..", ".."), filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") && isTool(filepath.ToSlash(dir)) {
			n += bytes.Count(src, []byte("\n"))
		}
	})
	if n == 0 || n > maxToolTests {
		t.Errorf("the tests under tools/ have %d lines, at most %d", n, maxToolTests)
	}
}

// measure counts. "all" is the product: Go without tests, without what no program links.
func measure(t *testing.T) map[string]int {
	n := map[string]int{}
	sources(t, func(path string, src []byte, _ *token.FileSet, _ *ast.File) {
		dir, _ := filepath.Rel(filepath.Join("..", ".."), filepath.Dir(path))
		dir = filepath.ToSlash(dir)
		lines := bytes.Count(src, []byte("\n"))
		switch {
		case isTool(dir):
		case strings.HasSuffix(path, "_test.go"):
			n["tests"] += lines
		default:
			n[dir] += lines
			n["all"] += lines
		}
	})
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md") {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		n["words of docs"] += len(bytes.Fields(src))
	}
	overview, _, _ := run("help")
	for _, line := range regexp.MustCompile(`(?m)^  [a-z, ]+?  `).FindAllString(overview, -1) {
		for _, name := range strings.Split(strings.TrimSpace(line), ", ") {
			help, _, code := run("help", name)
			if code != 0 {
				t.Errorf("memento help %s: %d", name, code)
			}
			_, flags, _ := strings.Cut(help, "\nFlags:")
			n["commands"]++
			n["flags"] += strings.Count(flags, "\n  -")
		}
	}
	return n
}

// isTool reports whether a folder is in a module of its own, which the product does not need.
func isTool(dir string) bool {
	for d := dir; d != "."; d = filepath.ToSlash(filepath.Dir(d)) {
		if _, err := os.Stat(filepath.Join("..", "..", d, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// readSizes returns the lines of the file, and the number of each name.
func readSizes(t *testing.T) (lines []string, limits map[string]int) {
	src, err := os.ReadFile(sizesFile)
	if err != nil {
		t.Fatal(err)
	}
	limits = map[string]int{}
	lines = strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	for _, line := range lines {
		var limit int
		name, rest, _ := strings.Cut(line, ":")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		if _, err := fmt.Sscan(rest, &limit); err != nil {
			t.Fatalf("%s: %q: %v", sizesFile, line, err)
		}
		limits[name] = limit
	}
	return lines, limits
}

// writeSizes lowers the numbers of the file and takes out the lines of what is gone. A new package gets a line.
func writeSizes(t *testing.T, lines []string, now map[string]int) {
	var b strings.Builder
	for _, line := range lines {
		name, rest, ok := strings.Cut(line, ":")
		n, known := now[name]
		switch {
		case strings.HasPrefix(line, "#") || !ok:
			b.WriteString(line + "\n")
		case known:
			_, reason, _ := strings.Cut(rest, "#")
			if reason != "" {
				reason = "  #" + reason
			}
			fmt.Fprintf(&b, "%s: %d%s\n", name, n, reason)
		}
		delete(now, name)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintf(&b, "%s: %d\n", name, now[name])
	}
	if err := os.WriteFile(sizesFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
