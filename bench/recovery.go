//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// test runs the tests of a package, or its benchmarks, and returns what they print.
func (b *bench) test(env string, args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"test", "-count=1"}, args...)...)
	cmd.Dir, cmd.Env = b.root, append(environ(), env)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go test %s: %w\n%s%s", strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return out.String(), nil
}

var columns = regexp.MustCompile(`  +`)

// recovery has internal/corpus play every compaction of a folder of real sessions, and measures PreCompact before each.
func recovery(b *bench) error {
	dir := os.Getenv("MEMENTO_CORPUS")
	if dir == "" {
		return fmt.Errorf("%w: MEMENTO_CORPUS names no folder of real sessions; internal/corpus says what goes into it", errNotHere)
	}
	out, err := b.test("MEMENTO_CORPUS="+dir, "-v", "-run", "^TestCorpus$", "./internal/corpus")
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		name, rest, ok := strings.Cut(line, " all ")
		fields := columns.Split(strings.TrimSpace(rest), -1)
		switch trimmed := strings.TrimSpace(line); {
		case ok && strings.Count(rest, "%") == 2:
			half := strings.Index(rest, "%") + 1
			b.report.keep(kept{strings.TrimSpace(name), strings.TrimSpace(rest[:half]), strings.TrimSpace(rest[half:])})
		case strings.HasPrefix(line, "kept ") && len(fields) > 0:
			b.report.keep(kept{"kept", "native summary alone", "with memento's block"})
		case strings.HasPrefix(trimmed, "1st ") || strings.HasPrefix(trimmed, "2nd+ "): // its parts
		case strings.HasPrefix(trimmed, "corpus_test.go:"):
			_, trimmed, _ = strings.Cut(trimmed, ": ")
			b.report.text(trimmed)
		case strings.HasPrefix(trimmed, "=== ") || strings.HasPrefix(trimmed, "--- ") || strings.HasPrefix(trimmed, "ok ") || trimmed == "PASS" || trimmed == "":
		default:
			b.report.text(trimmed)
		}
	}
	if len(b.report.last().Kept) < 2 {
		return fmt.Errorf("internal/corpus printed no table:\n%s", out)
	}
	if b.quick {
		return nil
	}
	out, err = b.test("MEMENTO_CORPUS="+dir, "-run", "^$", "-bench", "^BenchmarkPreCompact$", "-benchtime", "3x", "./internal/corpus")
	if err != nil {
		return err
	}
	r := benchfmt.NewReader(strings.NewReader(out), "PreCompact")
	for r.Scan() {
		x, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		var s strings.Builder
		for _, v := range x.Values {
			if v.Unit != "sec/op" {
				fmt.Fprintf(&s, ", %s %.4g", v.Unit, v.Value)
			}
		}
		b.report.text("PreCompact with nothing captured before, whole process (25 ms at the median and 120 at most are the goal)" + s.String())
	}
	return r.Err()
}

// retrieval has internal/search answer LoCoMo's questions, plain BM25 in the same run.
func retrieval(b *bench) error {
	path := os.Getenv("MEMENTO_LOCOMO")
	if path == "" {
		return fmt.Errorf("%w: MEMENTO_LOCOMO names no copy of LoCoMo's data/locomo10.json", errNotHere)
	}
	out, err := b.test("MEMENTO_LOCOMO="+path, "-v", "-run", "^TestQuality$", "./internal/search")
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(out) {
		if at, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasPrefix(at, "locomo_test.go:") {
			b.report.text(text)
			n++
		}
	}
	if n == 0 {
		return fmt.Errorf("internal/search printed no table:\n%s", out)
	}
	return nil
}
