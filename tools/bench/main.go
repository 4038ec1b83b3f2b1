// Command bench measures memento as people use it: whole processes, each beside its yardsticks in the same run. Bench
// is a module of its own, so that building memento needs none of its dependencies. ../bench.sh starts the command, and
// ../docs/benchmarks.md explains the figures.
//
// Each measured program gets an empty environment and a scratch HOME in the system's temporary folder. Bench removes
// the scratch folder at the end.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
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
	{"backfill", "taking in the transcripts of earlier sessions", backfills},
	{"search", "search in 100 to 100,000 records, and what a prompt's look-up adds", searches},
	{"sync", "two machines and a remote on one disk", syncs},
	{"recovery", "what real sessions keep over a compaction (MEMENTO_CORPUS)", recovery},
}

const usage = `usage: ./bench.sh [options]

  --quick          fewer runs and sizes: about a minute instead of three
  --only SECTION   one of hook, capture, extreme, backfill, search, sync, recovery; may be repeated
  --rounds N       of the hook section (200)
  --case WORDS     of the extreme section rows, and of the search section sizes, with these words in their name alone;
                   may be repeated
  --event NAME     of the hook section, events of this name alone; may be repeated
  --beside BINARY  another build of memento, in the same rounds of the hook and extreme sections; may be repeated
  --plot FILE      draw the recovery section's shares as an SVG
  --gate N         measure only the gate's limits, in N runs, and print them for gate.go

  MEMENTO_CORPUS   a folder of real sessions; tools/corpus says what goes into it
  TMPDIR           where the scratch folder is made: what fsync costs is that disk's
`

// bench is one run of the program.
type bench struct {
	options
	root    string // the repository
	dir     string // scratch
	homes   string // where places are, "" for dir
	memento string
	hello   string
	launch  string
	until   time.Time // when the section's time is up

	report *report
	log    io.Writer
}

// options are what the command line asks for.
type options struct {
	quick  bool
	rounds int
	only   []string // the sections to measure; nil for all
	events []string // the events of the hook section to measure; nil for all
	cases  []string // parts of the names of the rows or sizes to measure; nil for all
	beside []string // other builds of memento
	plot   string   // the SVG to write; "" for none
	from   string   // the folder where relative paths start
	runs   int      // the runs that measure the gate's limits; 0 measures the sections instead
}

// longest is how long one section may take. The report then has the rounds that were measured until then.
const longest = 8 * time.Minute

func main() { os.Exit(Main(os.Args[1:])) }

// Main runs the benchmarks and returns the exit code: 0, 1 when a section failed, 64 for an unknown option. A missed
// budget is no failure: on a busy machine it means nothing.
func Main(args []string) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "memento: bench.sh: %v\nmemento: hint: ./bench.sh --help\n", err)
		return 64
	}
	b := &bench{options: o, log: os.Stderr}
	if err := b.start(); err != nil {
		fmt.Fprintf(os.Stderr, "memento: bench.sh: %v\n", err)
		return 1
	}
	return 0
}

// parse reads the command line. The paths that it returns are absolute.
func parse(args []string) (o options, err error) {
	fs := flag.NewFlagSet("bench.sh", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.quick, "quick", false, "")
	fs.IntVar(&o.runs, "gate", 0, "")
	fs.IntVar(&o.rounds, "rounds", 0, "")
	fs.StringVar(&o.from, "from", ".", "")
	fs.StringVar(&o.plot, "plot", "", "")
	lists := map[string]*[]string{"event": &o.events, "case": &o.cases, "beside": &o.beside, "only": &o.only}
	for name, to := range lists {
		fs.Func(name, "", func(value string) error {
			*to = append(*to, value)
			return nil
		})
	}
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	for _, name := range o.only {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == name }) {
			return o, fmt.Errorf("there is no section %q", name)
		}
	}
	switch {
	case fs.NArg() > 0:
		return o, errors.New("takes no arguments")
	case o.runs < 0 || o.rounds < 0:
		return o, errors.New("a number below zero")
	case o.rounds > 0:
	case o.quick:
		o.rounds = 40
	default:
		o.rounds = quotable
	}
	o.plot = o.absolute(o.plot)
	for i, path := range o.beside {
		o.beside[i] = o.absolute(path)
	}
	return o, nil
}

// absolute returns path as an absolute path. A relative path starts in the folder that the user called bench.sh from.
func (o *options) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.from, path)
}

// start makes the scratch folder, builds the programs, and measures what the options ask for.
func (b *bench) start() (err error) {
	if b.root, err = os.Getwd(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(b.root, "cmd", "memento", "main.go")); err != nil {
		return fmt.Errorf("%s is not the repository: %w", b.root, err)
	}
	if b.dir, err = os.MkdirTemp("", "memento-bench-"); err != nil {
		return err
	}
	clean := sync.OnceFunc(func() { _ = os.RemoveAll(b.dir) })
	defer clean()
	// A run that a person breaks off may have written gigabytes.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-broken
		clean()
		os.Exit(130)
	}()
	b.say("building")
	if err := b.build(); err != nil {
		return err
	}
	if b.runs > 0 {
		return b.calibrate(os.Stdout, b.runs)
	}
	return b.measureSections()
}

// measureSections measures the sections and prints the report. When a section fails, it measures the others, and
// returns the errors of all.
func (b *bench) measureSections() error {
	b.report = &report{machine: b.machine(), before: load()}
	b.report.printHead(os.Stdout)
	debug.SetGCPercent(400) // a garbage collection of this process disturbs the process that is measured
	var failed []error
	for _, s := range sections {
		if len(b.only) > 0 && !slices.Contains(b.only, s.name) {
			continue
		}
		b.say("%s: %s", s.name, s.about)
		b.until = time.Now().Add(longest)
		b.report.begin(s.name, s.about)
		if err := s.run(b); err != nil {
			b.report.skip(s.name, err.Error(), "./bench.sh --only "+s.name)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
		b.report.printLast(os.Stdout)
	}
	b.report.printFoot(os.Stdout)
	return errors.Join(failed...)
}

// say prints progress to standard error.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.log, "bench: "+format+"\n", args...)
}
