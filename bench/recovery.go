//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// test runs the tests of a package and returns what they print, when they fail too.
func (b *bench) test(env []string, args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"test", "-count=1"}, args...)...)
	cmd.Dir, cmd.Env = b.root, append(environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("go test %s: %w\n%s%s", strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return out.String(), nil
}

// Budgets of a PreCompact with nothing captured before, in ms.
const (
	budgetBrief     = 25.0 // at the median
	budgetBriefMost = 120.0
)

// recovery has internal/corpus play every compaction of a folder of real sessions, and measures PreCompact before each.
func recovery(b *bench) error {
	dir := os.Getenv("MEMENTO_CORPUS")
	if dir == "" {
		b.report.skip("recovery", "MEMENTO_CORPUS names no folder of real sessions", "MEMENTO_CORPUS=FOLDER ./bench.sh --only recovery; internal/corpus says what goes into it")
		return nil
	}
	path := filepath.Join(b.dir, "corpus.json")
	said, failed := b.test([]string{"MEMENTO_CORPUS=" + dir, "MEMENTO_CORPUS_JSON=" + path}, "-v", "-run", "^TestCorpus$", "./internal/corpus")
	var found struct {
		Sessions, Compactions int
		Shares                []share
		Series                []struct {
			Name, Unit   string
			Values       []float64
			Median, Most float64
		}
	}
	data, err := read(path)
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil || len(found.Shares) == 0 {
		return fmt.Errorf("internal/corpus wrote no figures: %w", errors.Join(err, failed))
	}
	if failed != nil { // a goal that was reached is no longer, which the table shows
		b.report.note("internal/corpus fails:\n%s", said)
	}
	b.report.note("%d compactions in %d sessions; a token is 4 ASCII characters or 1 other", found.Compactions, found.Sessions)
	for _, s := range found.Shares {
		b.report.share(s)
	}
	for _, s := range found.Series {
		var goals []goal
		if s.Median > 0 {
			goals = append(goals, goal{Of: ofP50, Most: s.Median})
		}
		if s.Most > 0 {
			goals = append(goals, goal{Of: ofMax, Most: s.Most})
		}
		if len(s.Values) > 0 {
			b.report.figure(summary(s.Name, s.Unit, s.Values), goals...)
		}
	}
	return b.briefs(dir)
}

// briefs measures PreCompact before each compaction of a folder of sessions, with nothing captured before.
func (b *bench) briefs(dir string) error {
	packed, err := filepath.Glob(filepath.Join(dir, "*__*.jsonl*"))
	if err != nil {
		return err
	}
	p, err := b.place("brief")
	if err != nil {
		return err
	}
	rounds := 3
	if b.quick {
		rounds = 1
	}
	base := &series{name: "hello-world in Go", yard: true, program: program{path: b.hello, at: p}}
	brief := &series{name: "PreCompact, nothing captured before", base: base, goals: []goal{{Of: ofP50, Most: budgetBrief}, {Of: ofMax, Most: budgetBriefMost}}}
	for _, name := range packed {
		lines, err := unpack(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, l := range lines {
			var is struct {
				Subtype, SessionID, Cwd string
				IsSidechain             bool
			}
			if !bytes.Contains(l, []byte("compact_boundary")) || json.Unmarshal(l, &is) != nil || is.Subtype != "compact_boundary" || is.IsSidechain {
				continue
			}
			path := p.transcript(is.SessionID)
			if err := write(path, bytes.Join(lines[:i], nil)); err != nil {
				return err
			}
			event := program{path: b.memento, args: []string{"hook"}, at: p, stdin: p.event("PreCompact", is.SessionID, map[string]any{"trigger": "auto", "cwd": is.Cwd})}
			for range rounds {
				if err := p.restore(); err != nil { // to nothing
					return err
				}
				if err := b.settle(); err != nil {
					return err
				}
				for s, pr := range map[*series]program{base: base.program, brief: event} {
					t, err := pr.run()
					if err != nil {
						return err
					}
					s.took = append(s.took, t)
				}
			}
			if now, err := p.content(); err != nil || len(now) == 0 { // a hook that does nothing is fast
				return fmt.Errorf("PreCompact kept nothing of %s: %v", filepath.Base(name), err)
			}
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	if len(brief.took) == 0 {
		return fmt.Errorf("%s holds no transcript with a compaction", dir)
	}
	b.report.add(base)
	b.report.add(brief)
	return nil
}

// unpack is the lines of a transcript, packed or not, with their ends.
func unpack(path string) ([][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var from io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if from, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(from)
	return bytes.SplitAfter(data, []byte("\n")), err
}

// retrieval has internal/search answer LoCoMo's questions, plain BM25 in the same run.
func retrieval(b *bench) error {
	path := os.Getenv("MEMENTO_LOCOMO")
	if path == "" {
		b.report.skip("retrieval", "MEMENTO_LOCOMO names no copy of LoCoMo", "MEMENTO_LOCOMO=locomo10.json ./bench.sh --only retrieval; docs/search.md says what it is")
		return nil
	}
	out, err := b.test([]string{"MEMENTO_LOCOMO=" + path}, "-v", "-run", "^TestQuality$", "./internal/search")
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		at, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !strings.HasPrefix(at, "locomo_test.go:") {
			continue
		}
		what, figures, ok := strings.Cut(text, " plain ")
		if !ok {
			b.report.note("%s", text)
			continue
		}
		plain, ours, _ := strings.Cut(figures, " ours ")
		if len(b.report.last().Ranks) == 0 {
			b.report.rank(rank{"", "plain BM25", "memento"})
		}
		b.report.rank(rank{strings.Join(strings.Fields(what), " "), strings.TrimSpace(plain), strings.TrimSpace(ours)})
	}
	if len(b.report.last().Ranks) < 2 {
		return fmt.Errorf("internal/search printed no table:\n%s", out)
	}
	return nil
}
