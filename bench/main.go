//go:build unix

// Command bench measures memento as it is used: whole processes, each beside its yardsticks in the same run. It is a
// module of its own, so that what it needs is required by nobody who builds memento; ../bench.sh starts it, and
// ../docs/benchmarks.md says what the figures mean.
//
// What it runs gets an empty environment and a scratch HOME under the system's temporary folder, which is removed at
// the end.
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
}

const usage = `usage: ./bench.sh [options]

  --quick          fewer runs and sizes: about a minute instead of three
  --only SECTION   one of hook, capture, extreme, search, recovery; may be repeated
  --json           print JSON; what is being done goes to standard error as ever
  --rounds N       of the hook section (200)
  --case WORDS     of the extreme section, rows with these words in their name alone; may be repeated
  --event NAME     of the hook section, events of this name alone; may be repeated
  --beside BINARY  another build of memento, in the same rounds of the hook and extreme sections; may be repeated
  --raw FILE       where every single run is written, in the format of Go's benchmarks (dist/bench/raw.txt)
  --against FILE   compare with an earlier run's raw file, by benchstat
  --gate N         measure the gate's limits anew in N runs, and how often it fails with them in N more; nothing else

  MEMENTO_CORPUS   a folder of real sessions; internal/corpus says what goes into it
  TMPDIR           where the scratch folder is made: what fsync costs is that disk's
`

// bench is one run of the program.
type bench struct {
	options
	root    string // the repository
	dir     string // scratch
	memento string
	hello   string
	launch  string
	until   time.Time // when the section's time is up

	report *report
	log    io.Writer
}

// options are what the command line asks for.
type options struct {
	quick, asJSON bool
	rounds        int
	only          []string // sections, none for all
	events        []string // of the hook section, none for all
	cases         []string // of the extreme section, by a part of their name; none for all
	beside        []string // other builds of memento
	raw, against  string   // files
	from          string   // where relative paths start
	runs          int      // of measuring the gate's limits; 0: the sections
}

// longest is how long one section may take: what has been measured by then is what is reported.
const longest = 8 * time.Minute

func main() { os.Exit(Main(os.Args[1:])) }

// Main runs the benchmarks and returns the exit code: 0, 1 when something could not be measured that should have
// been, 64 for options that are none. A target that is not met is no failure: on a busy machine it means nothing.
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

// parse reads the command line; paths are absolute in what it returns.
func parse(args []string) (o options, err error) {
	fs := flag.NewFlagSet("bench.sh", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.quick, "quick", false, "")
	fs.BoolVar(&o.asJSON, "json", false, "")
	fs.IntVar(&o.runs, "gate", 0, "")
	fs.IntVar(&o.rounds, "rounds", 0, "")
	fs.StringVar(&o.raw, "raw", "", "")
	fs.StringVar(&o.against, "against", "", "")
	fs.StringVar(&o.from, "from", ".", "")
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
	o.raw, o.against = o.absolute(o.raw), o.absolute(o.against)
	for i, path := range o.beside {
		o.beside[i] = o.absolute(path)
	}
	return o, nil
}

// absolute is a path that was given where the user stands.
func (o *options) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.from, path)
}

// start makes the scratch folder, builds what is measured, and measures what the options ask for.
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
	// Whoever breaks off a run that has written gigabytes wants them gone.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-broken
		clean()
		os.Exit(130)
	}()
	if b.against != "" { // a copy: this run may be written to the same place
		data, err := os.ReadFile(b.against)
		if err != nil {
			return err
		}
		b.against = filepath.Join(b.dir, "before.txt")
		if err := os.WriteFile(b.against, data, 0o600); err != nil {
			return err
		}
	}
	b.say("building")
	if err := b.build(); err != nil {
		return err
	}
	if b.runs > 0 {
		return b.calibrate(os.Stdout, b.runs)
	}
	return b.measureSections()
}

// measureSections measures the sections and prints the report. It goes on when a section fails, and returns what
// failed.
func (b *bench) measureSections() error {
	if b.raw == "" {
		b.raw = filepath.Join(b.root, "dist", "bench", "raw.txt")
	}
	if err := os.MkdirAll(filepath.Dir(b.raw), 0o755); err != nil {
		return err
	}
	raw, err := os.Create(b.raw)
	if err != nil {
		return err
	}
	defer raw.Close()
	text, other := io.Writer(os.Stdout), io.Writer(os.Stdout)
	if b.asJSON {
		text, other = io.Discard, os.Stderr
	}
	b.report = newReport(raw, b.machine())
	b.report.head(text)
	debug.SetGCPercent(400) // a collection in here is noise in there
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
		b.report.print(text)
	}
	b.report.close()
	b.report.foot(text, b.raw)
	if b.asJSON {
		if err := b.report.json(os.Stdout); err != nil {
			return err
		}
	}
	if err := raw.Close(); err != nil {
		return err
	}
	if b.against != "" {
		cmd := exec.Command("go", "tool", "benchstat", "before="+b.against, "now="+b.raw)
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = filepath.Join(b.root, "bench"), other, os.Stderr, environ()
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
