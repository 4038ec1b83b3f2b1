//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a process to be measured.
type program struct {
	path  string
	args  []string
	at    *place
	stdin []byte
}

// took is what one process took.
type took struct {
	wall   time.Duration
	cpu    time.Duration
	faults int64 // page faults that needed no disk
	peak   float64
}

// run runs p once, from before the process is made until it is gone, its output discarded. Nothing but the process lies between:
// no goroutine, no pipe that somebody has to fill.
func (p program) run() (took, error) {
	in, err := input(p.stdin)
	if err != nil {
		return took{}, err
	}
	defer in.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return took{}, err
	}
	defer null.Close()
	attr := &os.ProcAttr{Dir: p.at.project, Env: p.at.env, Files: []*os.File{in, null, null}}
	args := append([]string{p.path}, p.args...)
	began := time.Now()
	process, err := os.StartProcess(p.path, args, attr)
	if err != nil {
		return took{}, err
	}
	state, err := process.Wait()
	wall := time.Since(began)
	if err != nil {
		return took{}, err
	}
	if !state.Success() {
		return took{}, p.explain(state.String())
	}
	t := took{wall: wall, cpu: state.UserTime() + state.SystemTime()}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		t.faults = int64(u.Minflt)
	}
	return t, nil
}

// explain runs p once more to have what it says.
func (p program) explain(what string) error {
	out, _ := p.output()
	return fmt.Errorf("%s: %s\n%s", p, what, bytes.TrimSpace(out))
}

// String is the command line, cut short.
func (p program) String() string {
	s := filepath.Base(p.path) + " " + strings.Join(p.args, " ")
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return s
}

// output runs p, unmeasured, and returns all it prints.
func (p program) output() ([]byte, error) {
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.at.project, p.at.env, bytes.NewReader(p.stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", p, err, bytes.TrimSpace(out))
	}
	return out, err
}

// weigh is run with the most memory p held, in MB. The system counts the memory of who starts a process as the process's own, so
// launch, which is small, starts it; and measures the time, so that its own does not count.
func (p program) weigh(launch string) (took, error) {
	cmd := exec.Command(launch, append([]string{p.path}, p.args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.at.project, p.at.env, bytes.NewReader(p.stdin)
	out, err := cmd.Output()
	fields := strings.Fields(string(out))
	if err != nil || len(fields) != 4 {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		return took{}, fmt.Errorf("launch %s: %q, %w", p, out, err)
	}
	var n [4]int64
	for i, f := range fields {
		if n[i], err = strconv.ParseInt(f, 10, 64); err != nil {
			return took{}, err
		}
	}
	return took{wall: time.Duration(n[0]), cpu: time.Duration(n[1]), faults: n[2], peak: float64(n[3]) / (1 << 20)}, nil
}

// input returns a pipe that holds data and then ends; a file of it, where the pipe has no room for it.
func input(data []byte) (*os.File, error) {
	if len(data) > 16<<10 {
		return spooled(data)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(data); err == nil {
		err = w.Close()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// spooled is an open file without a name that holds data.
func spooled(data []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "memento-bench-stdin-")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(f.Name()); err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
