package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// machine describes where the figures were measured, and at which commit.
type machine struct {
	Kernel     string
	CPU        string
	Processors int
	Disk       string // the file system of the scratch folder
	Go         string
	Commit     string
	Before     string // the load before the run
	After      string
	Memento    int64 // the size of the binary, in bytes
	Hello      int64
}

func (b *bench) machine() machine {
	m := machine{
		Processors: runtime.NumCPU(), Go: runtime.Version(),
		CPU: "unknown", Before: load(),
		Kernel: firstLine("uname", "-sr"),
		Commit: firstLine("git", "-C", b.root, "describe", "--always", "--dirty"),
		Disk:   firstLine("findmnt", "-n", "-o", "FSTYPE", "-T", b.dir),
	}
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range bytes.Lines(data) {
			if k, v, ok := strings.Cut(string(line), ":"); ok && strings.TrimSpace(k) == "model name" {
				m.CPU = strings.TrimSpace(v)
				break
			}
		}
	} else if runtime.GOOS == "darwin" {
		m.CPU = firstLine("sysctl", "-n", "machdep.cpu.brand_string")
	}
	for path, to := range map[string]*int64{b.memento: &m.Memento, b.hello: &m.Hello} {
		if info, err := os.Stat(path); err == nil {
			*to = info.Size()
		}
	}
	return m
}

func (m machine) String() string {
	size := func(bytes int64) float64 { return float64(bytes) / 1e6 }
	return fmt.Sprintf("memento %s, %.1f MB (a Go hello-world: %.1f), %s; "+
		"%s, %s, %d processors; scratch on %s; load %s%s",
		m.Commit, size(m.Memento), size(m.Hello), m.Go, m.CPU, m.Kernel, m.Processors, m.Disk, m.Before, m.busy())
}

// busy returns a warning when other processes were running.
func (m machine) busy() string {
	for _, l := range []string{m.Before, m.After} {
		if f, err := strconv.ParseFloat(l, 64); err == nil && f > 0.5*float64(m.Processors) {
			return " (BUSY: the figures are provisional)"
		}
	}
	return ""
}

// load returns the system's load average of the last minute, "" on a system without /proc/loadavg.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	one, _, _ := strings.Cut(string(data), " ")
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
