package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mementohq/memento/internal/markdown"
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

// claudeFile is a file that Claude reads, as it is to be.
type claudeFile struct {
	file
	ours func([]byte) bool // reports whether the file is memento's
}

// prose lists the files that Claude reads: first the skill, then the slash commands.
func (o Options) prose() []claudeFile {
	out := []claudeFile{{file{path: o.skill(), perm: 0o644, after: o.Skill}, isSkill}}
	for _, c := range o.Commands {
		f := file{path: filepath.Join(o.commands(), c.Name+".md"), perm: 0o644, after: c.Data}
		out = append(out, claudeFile{f, func(data []byte) bool {
			return named(data, c.Name) && bytes.Contains(data, []byte("memento "))
		}})
	}
	return out
}

// readProse reads what is at the path of f. It returns false if that is somebody else's.
func (o Options) readProse(f *claudeFile) (own bool, err error) {
	info, err := os.Lstat(filepath.Dir(f.path))
	if err == nil && !info.IsDir() {
		return false, nil
	}
	info, err = os.Lstat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err == nil && !info.Mode().IsRegular():
		return false, nil
	case err == nil:
		f.perm = info.Mode().Perm()
		f.before, err = o.read(f.path)
	}
	if err != nil {
		return false, fmt.Errorf("reading the skill: %w", err)
	}
	return f.ours(f.before), nil
}

// changeProse returns the skill and the slash commands as they are and as they are to be: of this version, or gone. The
// report says so, and that what is somebody else's stays.
func (o Options) changeProse(r *Report, gone bool) (files []file, err error) {
	for _, f := range o.prose() {
		own, err := o.readProse(&f)
		if err != nil {
			return nil, err
		}
		if gone {
			f.after = nil
		}
		switch {
		case !own:
			r.Files = append(r.Files, Written{f.path, Left})
			r.note("%s is not memento's, so it was left as it is.", f.path)
		case !gone || f.before != nil:
			r.Files, files = append(r.Files, Written{f.path, f.change()}), append(files, f.file)
		}
	}
	return files, nil
}

// isSkill reports whether data is a skill whose front matter names it memento.
func isSkill(data []byte) bool { return named(data, "memento") }

// named reports whether data has front matter with this name.
func named(data []byte, want string) bool {
	front, err := markdown.Parse(data)
	if err != nil {
		return false
	}
	name, _ := front.Get("name")
	return name == want
}
