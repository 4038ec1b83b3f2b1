//go:build unix

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
	faults int64   // page faults that needed no disk
	peak   float64 // the most memory held, in MB; 0 where it was not weighed
}

// run runs p once, from before the process is made until it is gone, and discards its output. Nothing but the process
// lies between: no other goroutine, unless the standard input is larger than a pipe.
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
	if !state.Success() { // once more, to have what it says
		out, _ := p.output()
		return took{}, fmt.Errorf("%s: %s\n%s", p, state, bytes.TrimSpace(out))
	}
	t := took{wall: wall, cpu: state.UserTime() + state.SystemTime()}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		t.faults = int64(u.Minflt)
	}
	return t, nil
}

// weigh is run with the memory p held. The system counts the memory of who starts a process as the process's own, so
// launch, which is small, starts p; and launch measures the time, so that its own does not count.
func (p program) weigh(launch string) (t took, err error) {
	out, err := program{launch, append([]string{p.path}, p.args...), p.at, p.stdin}.output()
	if err != nil {
		return took{}, err
	}
	if _, err := fmt.Sscan(string(out), &t.wall, &t.cpu, &t.faults, &t.peak); err != nil {
		return took{}, fmt.Errorf("launch %s: %q: %w", p, out, err)
	}
	t.peak /= 1 << 20
	return t, nil
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

// runAll runs programs one after the other, unmeasured.
func runAll(all ...program) error {
	for _, p := range all {
		if _, err := p.output(); err != nil {
			return err
		}
	}
	return nil
}

// input returns a pipe that holds the standard input and then ends. What is too large for a pipe is written while p
// reads.
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
		go fill() // fails when p ends before it has read all, which is p's right
		return r, nil
	}
	if err := fill(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// String is the command line, cut short.
func (p program) String() string {
	s := filepath.Base(p.path) + " " + strings.Join(p.args, " ")
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return s
}
