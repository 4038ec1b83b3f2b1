package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/settings"
)

// Uninstall takes memento out of the user's settings, with its skill and its slash commands. Of a settings file only
// memento's hooks and status line go, and the file itself if nothing else is in it. The report says what stays:
// memento's folder, the binary, the plugin, a skill that is not memento's. Without an installation Uninstall does no
// more than that. After a failure a second run goes on.
func Uninstall(opt Options) (Report, error) {
	r := &Report{}
	j, err := open(opt, r)
	if err != nil {
		return *r, err
	}
	if err := j.unwire(); err != nil {
		return *r, fmt.Errorf("unwiring %s: %w", j.target, err)
	}
	r.Place = j.place
	if err := j.removeProse(); err != nil {
		return *r, fmt.Errorf("tidying up: %w", err)
	}
	opt.stays(r)
	return *r, nil
}

// unwire takes memento out of the settings file.
func (j *job) unwire() error {
	after, err := settings.Remove(j.before, j.ours)
	if err == nil {
		err = j.compare(after)
	}
	if err != nil || j.place.Removed == nil {
		return err
	}
	if strings.TrimSpace(string(after)) == "{}" && j.place.Target == "" {
		j.place.Change = Deleted
		if err := j.unchanged(); err != nil || j.DryRun {
			return err
		}
		return j.Disk.Remove(j.target)
	}
	j.place.Change = Edited
	if j.DryRun {
		return nil
	}
	return j.swap(after)
}

// removeProse removes the skill and the commands, and then their folders, where nothing else is in them.
func (j *job) removeProse() error {
	for _, f := range j.prose() {
		_, change, err := j.readProse(f)
		switch {
		case err != nil:
			return err
		case change == "":
			continue
		case change == Left:
			j.report.Files = append(j.report.Files, Written{f.path, Left})
			j.report.note("%s is not memento's, so it was left as it is.", f.path)
			continue
		}
		j.report.Files = append(j.report.Files, Written{f.path, Deleted})
		if !j.DryRun {
			if err := j.Disk.Remove(f.path); err != nil {
				return err
			}
		}
	}
	if j.DryRun {
		return nil
	}
	return j.removeEmpty()
}

// stays reports what is left of memento on the machine.
func (o Options) stays(r *Report) {
	stays := func(format string, args ...any) { r.Stays = append(r.Stays, fmt.Sprintf(format, args...)) }
	if plugin := ActivePlugin(o); plugin != "" {
		stays("The plugin %[1]s: claude plugin uninstall %[1]s.", plugin)
	}
	if home := filepath.Join(o.ConfigDir, ".memento"); o.Client == client.ClaudeCode && !IsMissing(home) {
		stays("Your journals, records and all else that memento keeps, in %s: remove that folder, and nothing is left.", home)
	}
	if o.Client == client.Codex || o.Exe == "" || isBelow(filepath.Join(o.ConfigDir, "plugins"), o.Exe) {
		return
	}
	stays("The binary, %s.", o.Exe)
}
