// Package cli is memento's command line: the table of commands, flags, help, and how an error becomes a message and
// an exit code. A command's file reads its arguments, calls other packages and prints. Decisions and formats of files
// may not come in: they belong to the packages below.
package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/mementohq/memento/internal/abort"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/launch"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/screen"
)

// Exit codes. Never 2: the client takes that from a hook as an order to block the user.
const (
	exitOK    = 0
	exitFail  = 1
	exitUsage = 64
	exitBusy  = 75
)

// wait is how long a command waits for a lock.
const wait = 5 * time.Second

// Streams are the parts of its process that a run of memento uses.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Dir      string // working folder
	Exe      string // absolute path of this binary, "" when unknown
	Called   string // the first word of the command line: a name, or a path that may be a link
	Now      func() time.Time
	Terminal bool        // whether In is a terminal with a person at it
	Watched  func() bool // whether Err is a terminal; nil: no
	Piped    bool        // whether In is a pipe or a file, from which text may come unasked
	Windows  bool        // whether this is Windows

	Screen func() screen.Screen // the terminal that Out is; nil: none

	// Browse opens the file at path in the person's browser. It returns fs.ErrNotExist where there is none; nil: no
	// program may be started.
	Browse func(path string) error

	// Sync starts a sync in the background for a hook; nil: no program may be started.
	Sync func(dir string) error
}

// System returns the streams of this process.
func System() Streams {
	dir, _ := os.Getwd()      // a folder that was removed: commands that need it say so
	exe, _ := os.Executable() // "": no command of Claude's is approved
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Dir: dir, Exe: exe,
		Called: os.Args[0], Now: time.Now, Windows: runtime.GOOS == "windows",
		Browse: launch.Browser, Sync: launch.Sync}
	s.Terminal, s.Piped = terminal(os.Stdin), piped(os.Stdin)
	s.Watched = func() bool { return terminal(os.Stderr) }
	s.Screen = func() screen.Screen { return screen.Of(os.Stdout, os.Getenv) }
	return s
}

func terminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0)
}

// command is a command of memento.
type command struct {
	name   string
	args   string // the arguments in the usage line
	short  string // one line, for the list of commands
	long   string // the rest of its help: what it does, and examples that run
	hidden bool   // only the client runs it, and no list names it
	bare   bool   // it runs also where the settings cannot be read
	asIs   bool   // what it prints is for a program: it is never fitted to a terminal
	json   bool   // it has the flag --json
	forms  string // what the first argument may be, "" for anything
	most   int    // the greatest number of arguments, 0 for any if args names some
	apart  string // flags of which at most one may be given
	alone  string // flags that no other flag may come with
	flags  func(*flag.FlagSet)
	run    func(*call) error
}

// commands lists the verbs in the order of `memento help`.
func commands() []command {
	return []command{
		missionCommand(), doneCommand(), showCommand(),
		viewCommand(), statusCommand(), doctorCommand(), workspaceCommand(), configCommand(),
		saveCommand(), listCommand(), searchCommand(), editCommand(),
		archiveCommand(), restoreCommand(), rmCommand(),
		rulesCommand(), shareCommand(), trustCommand(),
		handoffCommand(),
		gcCommand(), importCommand(), exportCommand(), backfillCommand(),
		pauseCommand(), forgetCommand(), syncCommand(),
		installCommand(), uninstallCommand(), statuslineCommand(),
		versionCommand(), helpCommand(), hookCommand(),
	}
}

// Run is Main in this process. For a hook it looks up only what hooks use.
func Run(args []string) int {
	if !isHook(args) && !(len(args) == 0 && !terminal(os.Stdin) && abort.Hooked(os.Getenv)) {
		return Main(args, System())
	}
	// A hook is one goroutine. On more processors a garbage collection wakes workers that wait for this goroutine: a
	// message of 5 MB took up to four times the processor time.
	runtime.GOMAXPROCS(1)
	exe := func() string { path, _ := os.Executable(); return path }
	hook.Run(os.Stdin, os.Stdout, hook.Env{Getenv: os.Getenv, Now: time.Now(), Exe: exe,
		Windows: runtime.GOOS == "windows", Sync: launch.Sync, Run: runForHook})
	return exitOK
}

// runForHook runs a command for a hook of Codex's.
func runForHook(args []string, dir, session string) (said string, code int) {
	var out bytes.Buffer
	s := System()
	s.In, s.Out, s.Err, s.Dir = strings.NewReader(""), &out, &out, dir
	s.Terminal, s.Piped, s.Watched, s.Screen = false, false, nil, nil
	s.Getenv = client.Codex.WithSession(os.Getenv, session)
	code = Main(args, s)
	return out.String(), code
}

// isHook reports whether args are those of a hook. A person may type memento hook --help.
func isHook(args []string) bool {
	return len(args) > 0 && args[0] == "hook" && (len(args) == 1 || !strings.HasPrefix(args[1], "-h") &&
		!strings.HasPrefix(args[1], "--h"))
}

// Main runs memento with args (without the program's name) and returns its exit code. It never exits by itself.
func Main(args []string, s Streams) int {
	if isHook(args) || len(args) == 0 && !s.Terminal && abort.Hooked(s.Getenv) {
		hook.Run(s.In, s.Out, hook.Env{Getenv: s.Getenv, Now: s.Now(), Exe: func() string { return s.Exe },
			Windows: s.Windows, Sync: s.Sync})
		return exitOK
	}
	c := newCall(args, s)
	if len(args) == 0 {
		args = []string{"status"}
	}
	err := dispatch(c, args)
	if missing := c.answer.end(); err == nil && missing != nil {
		err = hinted("the command has done its work; only its answer is missing",
			"the answer could not be written: %w", missing)
	}
	if err == nil {
		return exitOK
	}
	return report(c, err)
}

// call is one run of a command: what it prints on, what it has read of memento's folder, and its command line. A
// function takes the part that it needs.
type call struct {
	*output
	*folder
	command command
	line    []string // the arguments as they were given
	args    []string // without the flags
	by      string   // journal.ByClaude in a session or a process that Claude started, else journal.ByUser
}

// newCall returns a call with the command line args, which prints to its terminal if it has one.
func newCall(args []string, s Streams) *call {
	c := &call{output: newOutput(s), line: args}
	c.folder = &folder{process: &c.Streams}
	c.by = caller(c)
	return c
}

// dispatch runs the command that args name.
func dispatch(c *call, args []string) error {
	name := args[0]
	switch name {
	case "-h", "--help", "-help":
		name, args = "help", []string{"help"}
	case "-v", "--version", "-version":
		name = "version"
	}
	cmd, err := find(name)
	if err != nil {
		return err
	}
	c.command = cmd
	fs := flagSet(cmd, c.output)
	rest, err := note.Permute(fs, args[1:])
	c.fit(cmd.asIs)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(c.Out, cmd.help())
		return nil
	}
	if err != nil {
		return flagError(cmd, fs, err)
	}
	c.args = rest
	if err := cmd.check(fs, rest); err != nil {
		return err
	}
	if !cmd.bare {
		if err := c.load(); err != nil {
			return err
		}
	}
	return cmd.run(c)
}

// flagSet returns the flags of a command, whose values go to the command and to o.
func flagSet(cmd command, o *output) *flag.FlagSet {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	if cmd.json {
		fs.BoolVar(&o.json, "json", false, "print JSON")
	}
	if cmd.flags != nil {
		cmd.flags(fs)
	}
	return fs
}

// find returns the command called name. Errors: *hintError, which names the one that the person probably meant.
func find(name string) (command, error) {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		if !c.hidden {
			names = append(names, c.name)
		}
	}
	if strings.HasPrefix(name, "-") {
		return command{}, usage("memento help", "a command comes first, and then %q", name)
	}
	return command{}, usage(meant(name, names, `"memento %s"`, "memento help"), "unknown command %q", name)
}
