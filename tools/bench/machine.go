package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// machine describes where the figures are measured, and at which commit.
func (b *bench) machine() string {
	size := func(path string) float64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return float64(info.Size()) / 1e6
	}
	return fmt.Sprintf("memento %s, %.1f MB (a Go hello-world: %.1f), %s; %s, %s, %d processors; scratch on %s; load %s",
		firstLine("git", "-C", b.root, "describe", "--always", "--dirty"), size(b.memento), size(b.hello),
		runtime.Version(), processor(), firstLine("uname", "-sr"), runtime.NumCPU(),
		firstLine("findmnt", "-n", "-o", "FSTYPE", "-T", b.dir), load())
}

// processor returns the name of the processor.
func processor() string {
	if runtime.GOOS == "darwin" {
		return firstLine("sysctl", "-n", "machdep.cpu.brand_string")
	}
	line := firstLine("grep", "model name", "/proc/cpuinfo")
	return strings.TrimSpace(line[strings.IndexByte(line, ':')+1:])
}

// load returns the system's load average of the last minute, with a warning when other processes were running. It
// returns "" on a system without /proc/loadavg.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	one, _, _ := strings.Cut(string(data), " ")
	if f, err := strconv.ParseFloat(one, 64); err == nil && f > 0.5*float64(runtime.NumCPU()) {
		one += " (BUSY: the figures are provisional)"
	}
	return one
}

// firstLine returns the first line that a command prints, "unknown" when the command fails or prints none.
func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	if err != nil || line == "" {
		return "unknown"
	}
	return line
}
