package install

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

// statusEnd ends each command of memento's for the status line.
const statusEnd = " statusline"

// pluginLine finds the plugin's binary at each run, since the plugin's folder changes with every version. The client
// marks the folders of older versions by a file .orphaned_at. The client runs a status line in a shell.
const pluginLine = `p=; for m in "${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/plugins/cache/*/memento/*/bin/memento; do ` +
	`[ -e "${m%/bin/memento}/.orphaned_at" ] || p=$m; done; "$p"` + statusEnd

// isPluginLine reports whether a command is pluginLine, or the form of it that earlier versions wrote.
func isPluginLine(command string) bool { return command == pluginLine || "p=; "+command == pluginLine }

// isOurStatusLine reports whether a command is one that memento wrote for the status line.
func isOurStatusLine(command string) bool {
	if isPluginLine(command) {
		return true
	}
	base := filepath.Base(programOf(command))
	return strings.HasSuffix(command, statusEnd) && strings.TrimSuffix(base, ".exe") == "memento"
}

// programOf returns the path of the program in a command of memento's for the status line.
func programOf(command string) string {
	word := strings.TrimSuffix(command, statusEnd)
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

// installStatusLine wires the status line alone. It leaves one that is not memento's, and says what it would replace.
func (j *job) installStatusLine() (Report, error) {
	was, has, err := settings.StatusLine(j.before)
	if err != nil {
		return Report{}, fmt.Errorf("wiring %s: %w", j.target, err)
	}
	j.place.Change = Unchanged
	if has && !isOurStatusLine(was) {
		j.report.note("%s has a status line, which stays: %s. To have memento's in its place, set its command to: %s",
			j.place.Path, was, j.Status)
		j.report.Places = []Place{j.place}
		return *j.report, nil
	}
	after, err := settings.SetStatusLine(j.before, j.Status)
	if err != nil {
		return Report{}, fmt.Errorf("wiring %s: %w", j.target, err)
	}
	if err := j.compare(after); err != nil {
		return Report{}, err
	}
	switch {
	case !j.exists:
		j.place.Change = Created
	case !bytes.Equal(j.before, after):
		j.place.Change = Edited
	}
	if j.place.Change != Unchanged {
		rec, old, err := j.newRecord()
		if err == nil {
			err = j.write(after, rec, old)
		}
		if err != nil {
			j.takeBack()
			return Report{}, err
		}
	}
	j.report.Places = []Place{j.place}
	return *j.report, nil
}

// findOurs returns what of memento's stands in settings: its hooks and, as the event statusLine, its status line.
func findOurs(data []byte) (settings.Wiring, error) {
	w, err := settings.Find(data, isOurs)
	if err != nil {
		return nil, err
	}
	command, _, err := settings.StatusLine(data)
	if err == nil && isOurStatusLine(command) {
		w = append(w, settings.Hook{Event: "statusLine", Command: command})
	}
	return w, err
}

// without returns settings without memento's hooks and status line.
func without(data []byte) ([]byte, error) {
	out, err := settings.Remove(data, isOurs)
	if err == nil {
		out, err = settings.RemoveStatusLine(out, isOurStatusLine)
	}
	return out, err
}
