//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// recovery runs tools/corpus, which plays every compaction in a folder of real sessions, and reports the counts.
func recovery(b *bench) error {
	dir := b.absolute(os.Getenv("MEMENTO_CORPUS"))
	if dir == "" {
		b.report.skip("recovery", "MEMENTO_CORPUS names no folder of real sessions",
			"MEMENTO_CORPUS=FOLDER ./bench.sh --only recovery; tools/corpus says what goes into it")
		return nil
	}
	path := filepath.Join(b.dir, "corpus.json")
	cmd := exec.Command("go", "run", "-C", "tools", "./corpus", "--json", path, dir)
	cmd.Dir, cmd.Env = b.root, environ()
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
		return fmt.Errorf("tools/corpus wrote no figures: %w\n%s", errors.Join(err, failed), said)
	}
	if failed != nil { // the table shows which goal is missed
		b.report.note("tools/corpus fails:\n%s", said)
	}
	b.report.note("%d compactions in %d sessions; a token is 4 ASCII characters or 1 other",
		found.Compactions, found.Sessions)
	for _, s := range found.Shares {
		b.report.addShare(s)
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
			b.report.addRow(summary(s.Name, s.Unit, s.Values), goals...)
		}
	}
	if b.plot == "" {
		return nil
	}
	svg, err := plot(found.Shares)
	if err != nil {
		return err
	}
	return os.WriteFile(b.plot, svg, 0o644)
}
