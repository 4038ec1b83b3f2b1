// Command launch runs the program that its arguments name and prints four numbers: nanoseconds, nanoseconds of
// processor time, page faults that needed no disk, and the most bytes of memory held. It is small, since the system
// adds the memory of the parent process to that of the child.
package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func main() {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil || len(os.Args) < 2 {
		os.Exit(1)
	}
	began := time.Now()
	attr := &os.ProcAttr{Env: os.Environ(), Files: []*os.File{os.Stdin, null, os.Stderr}}
	process, err := os.StartProcess(os.Args[1], os.Args[1:], attr)
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	state, err := process.Wait()
	wall := time.Since(began)
	if err != nil || !state.Success() {
		os.Stderr.WriteString(state.String() + "\n")
		os.Exit(1)
	}
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		os.Exit(1)
	}
	peak := int64(u.Maxrss)
	if runtime.GOOS != "darwin" { // macOS counts in bytes, other systems in kilobytes
		peak <<= 10
	}
	out := ""
	for _, n := range []int64{int64(wall), int64(state.UserTime() + state.SystemTime()), int64(u.Minflt), peak} {
		out += strconv.FormatInt(n, 10) + " "
	}
	os.Stdout.WriteString(out + "\n")
}
