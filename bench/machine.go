//go:build unix

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

// machine says what the figures were measured on, and of which commit.
type machine struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Kernel     string `json:"kernel"`
	CPU        string `json:"cpu"`
	Processors int    `json:"processors"`
	Disk       string `json:"scratch_file_system"`
	Go         string `json:"go"`
	Commit     string `json:"commit"`
	Before     string `json:"load_before"`
	After      string `json:"load_after"`
	Memento    int64  `json:"memento_bytes"` // the size of the binary
	Hello      int64  `json:"hello_bytes"`
}

func (b *bench) machine() machine {
	m := machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Processors: runtime.NumCPU(), Go: runtime.Version(),
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

// busy warns of figures that others had a part in.
func (m machine) busy() string {
	for _, l := range []string{m.Before, m.After} {
		if f, err := strconv.ParseFloat(l, 64); err == nil && f > 0.5*float64(m.Processors) {
			return " (BUSY: the figures are provisional)"
		}
	}
	return ""
}

// load is how many processes wanted to run in the last minute, on average; "" where it cannot be told.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	one, _, _ := strings.Cut(string(data), " ")
	return one
}

// firstLine is the first line a command prints, "unknown" when there is none.
func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	if err != nil || line == "" {
		return "unknown"
	}
	return line
}
