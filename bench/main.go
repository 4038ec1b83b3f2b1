//go:build unix

// Command bench measures memento as it is used: whole processes, each beside its yardsticks in the same run. It is a module of its
// own, so that what it needs is required by nobody who builds memento; ../bench.sh starts it, and ../docs/benchmarks.md says what
// the figures mean.
//
// What it runs gets an empty environment and a scratch HOME under the system's temporary folder, which is removed at the end.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// section is one table of the report.
type section struct {
	name, about string
	run         func(*bench) error
}

var sections = []section{
	{"hook", "each hook event, cold", hooks},
	{"capture", "Stop on transcripts of 1 MB to 1 GB, cold and with 100 KB new", captures},
	{"extreme", "the slowest hook on inputs that nobody has, in processor time", extremes},
	{"search", "search in 100 to 100,000 records, and what a prompt's look-up adds", searches},
	{"recovery", "what real sessions keep over a compaction (MEMENTO_CORPUS)", recovery},
	{"retrieval", "how well search ranks (MEMENTO_LOCOMO)", retrieval},
}

const usage = `usage: ./bench.sh [options]

  --quick          fewer runs and sizes: about a minute instead of three
  --only SECTION   one of hook, capture, extreme, search, recovery, retrieval; may be repeated
  --json           print JSON; what is being done goes to standard error as ever
  --rounds N       of the hook section (200)
  --case WORDS     of the extreme section, rows with these words in their name alone; may be repeated
  --event NAME     of the hook section, events of this name alone; may be repeated
  --beside BINARY  another build of memento, measured in the hook and extreme sections in the same rounds; may be repeated
  --raw FILE       where every single run is written, in the format of Go's benchmarks (dist/bench/raw.txt)
  --against FILE   compare with an earlier run's raw file, by benchstat
  --gate N         measure the gate's limits anew in N runs, and how often it fails with them in N more; nothing else

  MEMENTO_CORPUS   a folder of real sessions; internal/corpus says what goes into it
  MEMENTO_LOCOMO   LoCoMo, its data/locomo10.json; docs/search.md says how
  TMPDIR           where the scratch folder is made: what fsync costs is that disk's
`

// bench is one run of the program.
type bench struct {
	quick   bool
	rounds  int
	root    string // the repository
	dir     string // scratch
	memento string
	hello   string
	launch  string
	node    string   // "" when there is none
	events  []string // of the hook section, none for all
	cases   []string // of the extreme section, by a part of their name; none for all
	beside  []string // other builds of memento
	until   time.Time

	report *report
	log    io.Writer
}

// longest is how long one section may take: what has been measured by then is what is reported.
const longest = 8 * time.Minute

func main() { os.Exit(Main(os.Args[1:])) }

// Main runs the benchmarks and returns the exit code: 0, 1 when something could not be measured that should have been, 64 for
// options that are none. A target that is not met is no failure: on a busy machine it means nothing.
func Main(args []string) int {
	b := &bench{log: os.Stderr}
	var only []string
	var asJSON bool
	var raw, against, from string
	var runs int
	fs := flag.NewFlagSet("bench.sh", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&b.quick, "quick", false, "")
	fs.BoolVar(&asJSON, "json", false, "")
	fs.IntVar(&runs, "gate", 0, "")
	fs.IntVar(&b.rounds, "rounds", 0, "")
	fs.StringVar(&raw, "raw", "", "")
	fs.StringVar(&against, "against", "", "")
	fs.StringVar(&from, "from", ".", "")
	fs.Func("event", "", func(name string) error {
		b.events = append(b.events, name)
		return nil
	})
	fs.Func("case", "", func(words string) error {
		b.cases = append(b.cases, words)
		return nil
	})
	fs.Func("beside", "", func(path string) error {
		b.beside = append(b.beside, path)
		return nil
	})
	fs.Func("only", "", func(name string) error {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == name }) {
			return fmt.Errorf("there is no section %q", name)
		}
		only = append(only, name)
		return nil
	})
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return 0
	case err != nil || fs.NArg() > 0 || runs < 0 || b.rounds < 0:
		why := "takes no arguments"
		switch {
		case err != nil:
			why = err.Error()
		case fs.NArg() == 0:
			why = "a number below zero"
		}
		fmt.Fprintf(os.Stderr, "memento: bench.sh: %s\nmemento: hint: ./bench.sh --help\n", why)
		return 64
	}
	switch {
	case b.rounds != 0:
	case b.quick:
		b.rounds = 40
	default:
		b.rounds = quotable
	}
	absolute := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(from, path)
	}
	raw, against = absolute(raw), absolute(against)
	for i, path := range b.beside {
		b.beside[i] = absolute(path)
	}
	if err := b.all(only, asJSON, raw, against, runs); err != nil {
		fmt.Fprintf(os.Stderr, "memento: bench.sh: %v\n", err)
		return 1
	}
	return 0
}

func (b *bench) all(only []string, asJSON bool, raw, against string, runs int) error {
	var err error
	if b.root, err = os.Getwd(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(b.root, "cmd", "memento", "main.go")); err != nil {
		return fmt.Errorf("%s is not the repository: %w", b.root, err)
	}
	if against != "" {
		if _, err := os.Stat(against); err != nil {
			return err
		}
	}
	if b.dir, err = os.MkdirTemp("", "memento-bench-"); err != nil {
		return err
	}
	clean := sync.OnceFunc(func() { _ = os.RemoveAll(b.dir) })
	defer clean()
	// Whoever breaks off a run that has written gigabytes wants them gone.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-broken
		clean()
		os.Exit(130)
	}()
	if raw == "" {
		raw = filepath.Join(b.root, "dist", "bench", "raw.txt")
	}
	if err := os.MkdirAll(filepath.Dir(raw), 0o755); err != nil {
		return err
	}
	if old, err := os.Stat(against); against != "" && err == nil { // the run to compare with may be the last one, written to the same place
		if now, err := os.Stat(raw); err == nil && os.SameFile(old, now) {
			kept := filepath.Join(b.dir, "before.txt")
			data, err := os.ReadFile(against)
			if err != nil {
				return err
			}
			if err := os.WriteFile(kept, data, 0o600); err != nil {
				return err
			}
			against = kept
		}
	}
	b.say("building")
	if err := b.build(); err != nil {
		return err
	}
	if runs > 0 {
		return b.calibrate(os.Stdout, runs)
	}
	out, err := os.Create(raw)
	if err != nil {
		return err
	}
	defer out.Close()
	b.report = newReport(out, b.machine())
	if !asJSON {
		b.report.head(os.Stdout)
	}
	debug.SetGCPercent(400) // a collection in here is noise in there
	var failed []error
	for _, s := range sections {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		b.say("%s: %s", s.name, s.about)
		b.until = time.Now().Add(longest)
		b.report.begin(s.name, s.about)
		if err := s.run(b); err != nil {
			b.report.skip(s.name, err.Error(), "./bench.sh --only "+s.name)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
		if !asJSON {
			b.report.print(os.Stdout)
		}
	}
	b.report.close()
	if asJSON {
		err = b.report.json(os.Stdout)
	} else {
		b.report.foot(os.Stdout, raw)
	}
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	if against != "" {
		to := os.Stdout
		if asJSON {
			to = os.Stderr
		}
		cmd := exec.Command("go", "tool", "benchstat", "before="+against, "now="+raw)
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = filepath.Join(b.root, "bench"), to, os.Stderr, environ()
		if err := cmd.Run(); err != nil {
			failed = append(failed, fmt.Errorf("benchstat: %w", err))
		}
	}
	return errors.Join(failed...)
}

// say tells a person what takes so long.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.log, "bench: "+format+"\n", args...)
}

// build makes the programs that are measured, as a release makes them.
func (b *bench) build() error {
	b.memento, b.hello, b.launch = filepath.Join(b.dir, "memento"), filepath.Join(b.dir, "hello"), filepath.Join(b.dir, "launch")
	for _, p := range []struct{ dir, pkg, out string }{
		{b.root, "./cmd/memento", b.memento},
		{b.root, "./cmd/memento/testdata/hello", b.hello},
		{filepath.Join(b.root, "bench"), "./launch", b.launch},
	} {
		if err := b.program(p.dir, p.out, p.pkg); err != nil {
			return err
		}
	}
	b.node, _ = exec.LookPath("node")
	return nil
}

// program builds pkg as a release is built, and puts it at out as an installation does: by copying. What the linker leaves lies in
// the page cache in single pages, since it writes through a mapping, and each run of it takes up to half a millisecond longer
// than one of a copy, which lies there in larger pieces (Linux 6.18, ext4).
func (b *bench) program(dir, out, pkg string, flags ...string) error {
	linked := out + ".linked"
	if err := b.compile(dir, append(append([]string{"build"}, flags...), "-trimpath", "-ldflags=-s -w", "-o", linked, pkg)...); err != nil {
		return err
	}
	data, err := read(linked)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, data, 0o755); err != nil {
		return err
	}
	return os.Remove(linked)
}

// compile runs the go command in dir.
func (b *bench) compile(dir string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// environ is this process's environment for the go command, without what would steer memento or the client.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MEMENTO_") || strings.HasPrefix(v, "CLAUDE") || strings.HasPrefix(v, "ANTHROPIC_")
	})
}
