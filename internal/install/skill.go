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

func (j *job) skill() string {
	return filepath.Join(j.ConfigDir, "skills", "memento", "SKILL.md")
}

// readSkill returns the skill that is there. Change is Left when it is not ours to touch.
func (j *job) readSkill() (data []byte, change Change, err error) {
	path := j.skill()
	j.report.Skill = path
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
	if data, err = j.Disk.Read(path, maxFile); err != nil {
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
	j.report.SkillChange = change
	switch {
	case change == Left:
		j.report.Notes = append(j.report.Notes, j.skill()+" is not memento's, so it was left as it is; Claude will not know how to write the journal.")
		return false, nil
	case change == Unchanged && bytes.Equal(old, j.Skill):
		return false, nil
	case change == Unchanged:
		j.report.SkillChange = Edited
	default:
		j.report.SkillChange = Created
	}
	if j.DryRun {
		return false, nil
	}
	_, err = os.Lstat(filepath.Dir(filepath.Dir(j.skill())))
	made = errors.Is(err, fs.ErrNotExist)
	if err := j.makeDir(filepath.Dir(j.skill())); err != nil {
		return false, fmt.Errorf("writing the skill: %w", err)
	}
	if err := j.replace(j.skill(), j.Skill, 0o644); err != nil {
		return false, fmt.Errorf("writing the skill: %w", err)
	}
	return made, nil
}

// removeSkill removes the skill if it is ours, and the folders that nothing else is in; the client's skills folder
// only when install made it.
func (j *job) removeSkill(made bool) error {
	_, change, err := j.readSkill()
	if err != nil {
		return err
	}
	j.report.SkillChange = change
	switch change {
	case Left:
		j.report.Notes = append(j.report.Notes, j.skill()+" is not memento's, so it was left as it is.")
		return nil
	case "":
		j.report.SkillChange = Unchanged
	case Unchanged:
		j.report.SkillChange = Deleted
	}
	if j.DryRun {
		return nil
	}
	if err := j.Disk.Remove(j.skill()); err != nil {
		return fmt.Errorf("removing the skill: %w", err)
	}
	dirs := []string{filepath.Dir(j.skill())}
	if made {
		dirs = append(dirs, filepath.Dir(dirs[0]))
	}
	if err := j.removeEmpty(dirs...); err != nil {
		return fmt.Errorf("removing the skill: %w", err)
	}
	return nil
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
