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

// skill is the skill's place, in whatever scope the hooks are: among the user's own. In a project it would be committed, and
// tell the Claude of people without memento of commands that are not there.
func (o Options) skill() string {
	return filepath.Join(o.ConfigDir, "skills", "memento", "SKILL.md")
}

// readSkill returns the skill that is there. Change is Left when it is not ours to touch, and "" when there is none.
func (o Options) readSkill() (data []byte, change Change, err error) {
	path := o.skill()
	for _, p := range []string{filepath.Dir(path), path} {
		info, err := os.Lstat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, "", nil
		case err != nil:
			return nil, "", fmt.Errorf("reading the skill: %w", err)
		case p == path && !info.Mode().IsRegular() || p != path && !info.IsDir():
			return nil, Left, nil
		}
	}
	if data, err = o.Disk.Read(path, maxFile); err != nil {
		return nil, "", fmt.Errorf("reading the skill: %w", err)
	}
	if !isSkill(data) {
		return nil, Left, nil
	}
	return data, Unchanged, nil
}

// writeSkill puts the skill in its place, and reports whether it made the client's skills folder for it.
func (j *job) writeSkill() (made bool, err error) {
	old, change, err := j.readSkill()
	if err != nil {
		return false, err
	}
	j.report.Skill, j.report.SkillChange = j.skill(), change
	switch {
	case change == Left:
		j.report.note("%s is not memento's, so it was left as it is; Claude will not know how to write the journal.", j.skill())
		return false, nil
	case change == Unchanged && bytes.Equal(old, j.Skill):
		return false, nil
	case change == Unchanged:
		j.report.SkillChange = Edited
	default:
		j.report.SkillChange = Created
	}
	j.report.SkillDiff = diff(j.skill(), old, j.Skill)
	if j.DryRun {
		return false, nil
	}
	made = missing(filepath.Dir(filepath.Dir(j.skill())))
	if err := j.makeDir(filepath.Dir(j.skill())); err != nil {
		return false, fmt.Errorf("writing the skill: %w", err)
	}
	if err := j.replace(j.skill(), j.Skill, 0o644); err != nil {
		return false, fmt.Errorf("writing the skill: %w", err)
	}
	return made, nil
}

// isSkill reports whether data is a skill whose front matter names it memento.
func isSkill(data []byte) bool {
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
			return strings.Trim(name, ` "'`) == "memento"
		}
	}
	return false
}
