package launch

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

// PagerCommand returns the command of the person's pager: that of $PAGER, else less where it is installed. It returns
// "" for none; an empty $PAGER and cat mean none. lookup is os.LookupEnv.
func PagerCommand(lookup func(name string) (value string, set bool)) string {
	command, set := lookup("PAGER")
	if command = strings.TrimSpace(command); command == "cat" {
		return ""
	}
	getenv := func(name string) string { value, _ := lookup(name); return value }
	if !set && onPath("less", getenv) != "" {
		return "less"
	}
	return command
}

// Pager shows text in the pager command, a line of the shell, in this process's terminal, and waits until the person
// leaves it. Whether the person reads to the end does not matter. Errors: the system's when no shell starts; an error
// when there is no such program. Then nothing was shown.
func Pager(command string, text []byte) error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	name, args, attr := shellLine(command)
	attr.Files = []*os.File{in, os.Stdout, os.Stderr}
	attr.Env = os.Environ()
	// As git sets them: less ends by itself where the text fits, shows colours, and leaves the text on the screen.
	for _, set := range [...]string{"LESS=FRX", "LV=-c"} {
		if variable, _, _ := strings.Cut(set, "="); os.Getenv(variable) == "" {
			attr.Env = append(attr.Env, set)
		}
	}
	return whileIgnoring(func() error {
		process, err := os.StartProcess(name, args, attr)
		in.Close()
		if err != nil {
			out.Close()
			return err
		}
		_, _ = out.Write(text) // the person may leave the pager at any time
		out.Close()
		state, err := process.Wait()
		if err == nil && isMissing(state.ExitCode()) {
			err = fmt.Errorf("the pager %q ended with %s", command, state)
		}
		return err
	})
}

// whileIgnoring runs do, which waits for a program in this process's terminal. The terminal also sends Ctrl-C to
// memento, which has to wait on. The program would inherit an ignored signal, and main ignores SIGPIPE; it does not
// inherit a caught one.
func whileIgnoring(do func() error) error {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGQUIT, syscall.SIGPIPE)
	defer signal.Ignore(syscall.SIGPIPE)
	defer signal.Stop(caught)
	return do()
}

// ReaderLeft reports whether err is of a pipe whose reader has closed it.
func ReaderLeft(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && (number == syscall.EPIPE ||
		runtime.GOOS == "windows" && (number == 109 || number == 232)) // ERROR_BROKEN_PIPE, ERROR_NO_DATA
}
