package hook

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/mementohq/memento/internal/safefile"
)

// maxEnvFile is the largest CLAUDE_ENV_FILE to which a line is added, in bytes.
const maxEnvFile = 64 << 10

// onPath adds memento's folder to the PATH of Claude's shell if memento is not found there. The client runs the lines
// of CLAUDE_ENV_FILE before each command and gives each hook a file of its own (measured on client 2.1.330). Commands
// that memento rewrites need no PATH, but those in a pipe, which the person approves, run as they are. A plugin's
// folder is on the PATH already.
func (h *handler) onPath() {
	path := h.env.Getenv("CLAUDE_ENV_FILE")
	if path == "" || h.env.Windows || h.env.Getenv("CLAUDE_PLUGIN_ROOT") != "" {
		return
	}
	exe := h.env.exe()
	if filepath.Base(exe) != "memento" {
		return
	}
	line := []byte("command -v memento >/dev/null 2>&1 || export PATH=\"$PATH:\"" +
		safefile.ShellWord(filepath.Dir(exe)) + "\n")
	old, err := safefile.ReadForeign(path, maxEnvFile) // a new session has none
	if err != nil && !errors.Is(err, fs.ErrNotExist) || bytes.Contains(old, line) {
		return
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		old = append(old, '\n')
	}
	// on an error Claude's shell says that there is no such command
	_ = safefile.ReplaceVolatile(path, append(old, line...), 0o600)
}
