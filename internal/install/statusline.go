package install

import (
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// statusEnd ends each command of memento's for the status line.
const statusEnd = " statusline"

// pluginLine finds the plugin's binary at each run, since the plugin's folder changes with every version. The client
// marks the folders of older versions by a file .orphaned_at. The client runs a status line in a shell.
const pluginLine = `p=; for m in "${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/plugins/cache/*/memento/*/bin/memento; do ` +
	`[ -e "${m%/bin/memento}/.orphaned_at" ] || p=$m; done; "$p"` + statusEnd

// isOurStatusLine reports whether a command is one that memento wrote for the status line.
func isOurStatusLine(command string) bool {
	return command == pluginLine || strings.HasSuffix(command, statusEnd) && isMemento(programOf(command))
}

// programOf returns the path of the program in a command of memento's for the status line.
func programOf(command string) string {
	return unquoted(strings.TrimSuffix(command, statusEnd))
}

// unquoted returns the word that safefile.ShellWord quoted.
func unquoted(word string) string {
	if n := len(word); n > 2 && word[0] == '\'' && word[n-1] == '\'' {
		word = strings.ReplaceAll(word[1:n-1], `'\''`, "'")
	}
	return word
}

// StatusCommand returns the command for the status line that an upgrade keeps: by this binary's lasting path, or by a
// line that finds the plugin's binary. The error is errExe.
func (m Machine) StatusCommand() (string, error) {
	exe, err := m.LastingPath()
	switch {
	case err == nil:
		return safefile.ShellWord(filepath.ToSlash(exe)) + statusEnd, nil
	case strings.Contains(filepath.ToSlash(m.Exe), "/plugins/cache/") && filepath.Base(m.Exe) == "memento":
		return pluginLine, nil
	}
	return "", err
}
