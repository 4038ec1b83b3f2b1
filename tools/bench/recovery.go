package main

import (
	"fmt"
	"os"
	"os/exec"
)

// recovery runs tools/corpus, which plays every compaction in a folder of real sessions, and reports what it prints.
func recovery(b *bench) error {
	dir := b.absolute(os.Getenv("MEMENTO_CORPUS"))
	if dir == "" {
		b.report.skip("recovery", "MEMENTO_CORPUS names no folder of real sessions",
			"MEMENTO_CORPUS=FOLDER ./bench.sh --only recovery; tools/corpus says what goes into it")
		return nil
	}
	args := []string{"run", "-C", "tools", "./corpus", "--plot", b.plot, dir}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = b.root, environ()
	out, err := cmd.CombinedOutput()
	b.report.last().text = string(out)
	if err != nil { // the table shows which goal is missed
		err = fmt.Errorf("tools/corpus: %w", err)
	}
	return err
}
