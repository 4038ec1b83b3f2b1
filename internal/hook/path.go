package hook

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/mementohq/memento/internal/safefile"
)

// maxEnvFile is how large the client's file of commands may be for a line of ours to be added, in bytes.
const maxEnvFile = 64 << 10

// onPath sees to it that Claude's shell finds memento, where it would not: the client runs the lines of CLAUDE_ENV_FILE
// before each of its commands, and gives each hook a file of its own (measured on client 2.1.330). A rewritten command
// needs no PATH, but one in a pipe is the person's to approve, and is run as it is. The folder comes last, and only
// where no memento is found. A plugin's is on the PATH already.
func (h *handler) onPath() {
	path, exe := h.env.Getenv("CLAUDE_ENV_FILE"), h.env.exe()
	if path == "" || filepath.Base(exe) != "memento" || h.env.Windows || h.env.Getenv("CLAUDE_PLUGIN_ROOT") != "" {
		return
	}
	line := []byte("command -v memento >/dev/null 2>&1 || export PATH=\"$PATH:\"" +
		safefile.ShellWord(filepath.Dir(exe)) + "\n")
	old, err := safefile.ReadForeign(path, maxEnvFile) // there is none in a new session
	if err != nil && !errors.Is(err, fs.ErrNotExist) || bytes.Contains(old, line) {
		return
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		old = append(old, '\n')
	}
	// without it Claude is told that there is no such command
	_ = safefile.ReplaceVolatile(path, append(old, line...), 0o600)
}
