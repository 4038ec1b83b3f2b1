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
)

// Budgets of a PreCompact with nothing captured before, in ms.
const (
	budgetBrief     = 25.0 // at the median
	budgetBriefMost = 120.0
)

// recovery has internal/corpus play every compaction of a folder of real sessions, and measures PreCompact before each.
func recovery(b *bench) error {
	dir := b.absolute(os.Getenv("MEMENTO_CORPUS"))
	if dir == "" {
		b.report.skip("recovery", "MEMENTO_CORPUS names no folder of real sessions",
			"MEMENTO_CORPUS=FOLDER ./bench.sh --only recovery; internal/corpus says what goes into it")
		return nil
	}
	path := filepath.Join(b.dir, "corpus.json")
	cmd := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestCorpus$", "./internal/corpus")
	cmd.Dir, cmd.Env = b.root, append(environ(), "MEMENTO_CORPUS="+dir, "MEMENTO_CORPUS_JSON="+path)
	said, failed := cmd.CombinedOutput()
	var found struct {
		Sessions, Compactions int
		Shares                []share
		Series                []struct {
			Name, Unit   string
			Values       []float64
			Median, Most float64
		}
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil || len(found.Shares) == 0 {
		return fmt.Errorf("internal/corpus wrote no figures: %w\n%s", errors.Join(err, failed), said)
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
	hello := &series{name: "hello-world in Go", yard: true, program: p.command(b.hello)}
	brief := &series{name: "PreCompact, nothing captured before", base: hello, fresh: true, durable: true,
		goals: []goal{{Of: ofP50, Most: budgetBrief}, {Of: ofMax, Most: budgetBriefMost}}}
	for _, name := range packed {
		all, err := compactions(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range all {
			if err := os.WriteFile(p.transcript(c.session), c.before, 0o600); err != nil {
				return err
			}
			brief.program = p.hook(b.memento, event{name: "PreCompact", session: c.session, fields: fields{"trigger": "auto", "cwd": c.cwd}})
			if err := b.measure(rounds, hello, brief); err != nil {
				return err
			}
			if now, err := p.content(); err != nil || len(now) == 0 { // a hook that does nothing is fast
				return fmt.Errorf("PreCompact kept nothing of %s: %v", filepath.Base(name), err)
			}
		}
	}
	if len(brief.took) == 0 {
		return fmt.Errorf("%s holds no transcript with a compaction", dir)
	}
	b.report.add(hello, brief)
	return nil
}

// compaction is where a session was compacted, and its transcript up to there.
type compaction struct {
	session, cwd string
	before       []byte
}

// compactions finds those of a transcript, packed or not.
func compactions(path string) (all []compaction, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(path) == ".gz" {
		from, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(from); err != nil {
			return nil, err
		}
	}
	at := 0
	for line := range bytes.Lines(data) {
		var is struct {
			Subtype, SessionID, Cwd string
			IsSidechain             bool
		}
		isOne := bytes.Contains(line, []byte("compact_boundary")) && json.Unmarshal(line, &is) == nil
		if isOne && is.Subtype == "compact_boundary" && !is.IsSidechain {
			all = append(all, compaction{is.SessionID, is.Cwd, data[:at]})
		}
		at += len(line)
	}
	return all, nil
}
