package session

import (
	"os"
	"strconv"
	"strings"
)

// processStart reads the process's start, in clock ticks since the machine's start.
func processStart(pid int) string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The second field, the name, is in parentheses and may hold anything; the start time is the 22nd.
	_, rest, ok := strings.Cut(string(data[max(0, strings.LastIndexByte(string(data), ')')):]), " ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" { // ended, but its parent has not noticed
		return ""
	}
	return fields[19]
}
