package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// skill is the path of the skill.
func (o Options) skill() string {
	return filepath.Join(o.ConfigDir, "skills", "memento", "SKILL.md")
}

// Command is a slash command, /memento:NAME, with what Claude is told when a person types it.
type Command struct {
	Name string
	Data []byte
}

// commands is the folder of the slash commands. The client puts the folder's name before the command's: so they have
// the same names as the plugin's, and /memento:status is not the client's own /status (measured on client 2.1.329).
func (o Options) commands() string { return filepath.Join(o.ConfigDir, "commands", "memento") }

// claudeFile is a file that Claude reads.
type claudeFile struct {
	path string
	data []byte
	ours func([]byte) bool // reports whether the file is memento's
}

// prose lists the files that Claude reads: first the skill, then the slash commands.
func (o Options) prose() []claudeFile {
	out := []claudeFile{{o.skill(), o.Skill, isSkill}}
	for _, c := range o.Commands {
		out = append(out, claudeFile{filepath.Join(o.commands(), c.Name+".md"), c.Data, func(data []byte) bool {
			return named(data, c.Name) && bytes.Contains(data, []byte("memento "))
		}})
	}
	return out
}

// readProse returns the content of f. Change is Left if the file is somebody else's, and "" if there is no file.
func (o Options) readProse(f claudeFile) (data []byte, change Change, err error) {
	for _, p := range []string{filepath.Dir(f.path), f.path} {
		info, err := os.Lstat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, "", nil
		case err != nil:
			return nil, "", fmt.Errorf("reading the skill: %w", err)
		case p == f.path && !info.Mode().IsRegular() || p != f.path && !info.IsDir():
			return nil, Left, nil
		}
	}
	if data, err = o.Disk.Read(f.path, maxFile); err != nil {
		return nil, "", fmt.Errorf("reading the skill: %w", err)
	}
	if !f.ours(data) {
		return nil, Left, nil
	}
	return data, Unchanged, nil
}

// writeAllProse writes the skill and the slash commands.
func (j *job) writeAllProse() error {
	for _, f := range j.prose() {
		change, err := j.writeProse(f)
		if err != nil {
			return fmt.Errorf("writing the skill: %w", err)
		}
		j.report.Files = append(j.report.Files, Written{f.path, change})
		if change == Left {
			j.report.note("%s is not memento's, so it was left as it is.", f.path)
		}
	}
	return nil
}

func (j *job) writeProse(f claudeFile) (Change, error) {
	old, change, err := j.readProse(f)
	switch {
	case err != nil, change == Left, change == Unchanged && bytes.Equal(old, f.data):
		return change, err
	case change == Unchanged:
		change = Edited
	default:
		change = Created
	}
	if j.DryRun {
		return change, nil
	}
	if err := j.Disk.Dir(filepath.Dir(f.path)); err != nil {
		return change, err
	}
	return change, j.replace(f.path, f.data, 0o644)
}

// isSkill reports whether data is a skill whose front matter names it memento.
func isSkill(data []byte) bool { return named(data, "memento") }

// named reports whether data has front matter with this name.
func named(data []byte, want string) bool {
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	if strings.TrimRight(lines[0], " \r") != "---" {
		return false
	}
	for _, l := range lines[1:] {
		l = strings.TrimRight(l, " \r")
		if l == "---" {
			break
		}
		if name, ok := strings.CutPrefix(l, "name:"); ok {
			return strings.Trim(name, ` "'`) == want
		}
	}
	return false
}
