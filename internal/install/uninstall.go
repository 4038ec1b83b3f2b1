package install

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/settings"
)

// Uninstall takes memento out of the user's settings, with its skill and its slash commands. Of a settings file only
// memento's hooks and status line go, and the file itself if nothing else is in it. The report says what stays:
// memento's folder, the binary, the plugin, a skill that is not memento's. Without an installation Uninstall does no
// more than that. On an error every file is as it was before.
func Uninstall(opt Options) (r Report, err error) {
	f, err := opt.readSettings(&r)
	if err != nil {
		return r, err
	}
	f.after, err = settings.Remove(f.before, opt.ours)
	switch {
	case f.before == nil:
		f.after = nil
	case strings.TrimSpace(string(f.after)) == "{}" && r.Place.Target == "" && !bytes.Equal(f.before, f.after):
		f.after = nil
	}
	if err == nil {
		err = r.Place.compare(f, opt.ours)
	}
	if err != nil {
		return r, fmt.Errorf("unwiring %s: %w", f.path, err)
	}
	files, err := opt.changeProse(&r, true)
	if err == nil {
		err = opt.apply(append([]file{f}, files...), opt.removeEmpty)
	}
	if err != nil {
		return r, err
	}
	opt.stays(&r)
	return r, nil
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
