package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// program is a program to run, with its arguments and input.
type program struct {
	path  string
	args  []string
	at    *place
	stdin []byte
}

// took holds the costs of one process.
type took struct {
	wall   time.Duration
	cpu    time.Duration
	faults int64   // page faults that needed no disk
	peak   float64 // the most memory held, in MB; 0 without weigh
}

// run runs p once and discards its output. It measures from before the process starts until the process has ended. No
// other goroutine runs meanwhile, unless the standard input is larger than a pipe.
func (p program) run() (took, error) {
	in, err := p.input()
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
	if !state.Success() { // run it once more for its error message
		out, _ := p.output()
		return took{}, fmt.Errorf("%s: %s\n%s", p, state, bytes.TrimSpace(out))
	}
	t := took{wall: wall, cpu: state.UserTime() + state.SystemTime()}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		t.faults = int64(u.Minflt)
	}
	return t, nil
}

// weigh is run that also measures the memory of p. The system adds the memory of the parent process to that of the
// child, so launch, which is small, starts p. Launch measures the time too, so that its own time does not count.
func (p program) weigh(launch string) (t took, err error) {
	out, err := program{launch, append([]string{p.path}, p.args...), p.at, p.stdin}.output()
	if err != nil {
		return took{}, err
	}
	out = bytes.TrimSpace(out) // behind what p said
	last := string(out[bytes.LastIndexByte(out, '\n')+1:])
	if _, err := fmt.Sscan(last, &t.wall, &t.cpu, &t.faults, &t.peak); err != nil {
		return took{}, fmt.Errorf("launch %s: %q: %w", p, out, err)
	}
	t.peak /= 1 << 20
	return t, nil
}

// output runs p without measuring and returns its whole output.
func (p program) output() ([]byte, error) {
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.at.project, p.at.env, bytes.NewReader(p.stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", p, err, bytes.TrimSpace(out))
	}
	return out, err
}

// runAll runs programs one after the other without measuring.
func runAll(all ...program) error {
	for _, p := range all {
		if _, err := p.output(); err != nil {
			return err
		}
	}
	return nil
}

// input returns a pipe that holds p's standard input. An input that is too large for a pipe is written while p reads.
func (p program) input() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fill := func() error {
		_, err := w.Write(p.stdin)
		return errors.Join(err, w.Close())
	}
	if len(p.stdin) > 16<<10 {
		go fill() // it fails when p ends before it has read everything, and p may
		return r, nil
	}
	if err := fill(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// String returns the command line, of at most 80 characters.
func (p program) String() string {
	s := filepath.Base(p.path) + " " + strings.Join(p.args, " ")
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return s
}
