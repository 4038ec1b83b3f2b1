package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// MendRecords looks at the records of installation. One that cannot be read is written anew when the backup shows what
// was there before: wired, it is what stands in the settings file now. Else it is removed, and uninstall takes the
// hooks out one by one. It returns what it did, or with DryRun would do, a sentence each; settings and backups are left
// as they are.
func MendRecords(opt Options, roots map[Scope]string) (did []string, err error) {
	unlock, err := opt.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	places := []Options{opt.in(User, "")}
	for _, scope := range []Scope{Project, Local} {
		if roots[scope] != "" {
			places = append(places, opt.in(scope, roots[scope]))
		}
	}
	names := []string{opt.in(User, "").recordPath()}
	folder := opt.projectsDir()
	for _, name := range list(folder) {
		if strings.HasSuffix(name, ".json") {
			names = append(names, filepath.Join(folder, name))
		}
	}
	for _, path := range names {
		if !opt.within(path) {
			continue
		}
		found, err := opt.Disk.Read(path, maxRecord)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return did, fmt.Errorf("reading a record of installation: %w", err)
		}
		// of a later memento, which can read it
		if _, ok := opt.readRecordAt(path); ok || parse(found).Get("version").Int() > 1 {
			continue
		}
		var data []byte
		for _, p := range places {
			if p.recordPath() == path {
				data = p.rebuilt()
			}
		}
		what := "write anew the damaged record of installation, from the backup"
		if data == nil {
			what = "remove the damaged record of installation"
		}
		did = append(did, what+": "+path)
		switch {
		case opt.DryRun:
		case data == nil:
			err = opt.Disk.Remove(path)
		default:
			err = opt.Disk.Replace(path, data, 0o600)
		}
		if err != nil {
			return did, fmt.Errorf("mending a record of installation: %w", err)
		}
	}
	return did, nil
}

// rebuilt returns the record that the settings and their backup prove, or nil.
func (o Options) rebuilt() []byte {
	s := o.status()
	j, err := open(o, &Report{})
	if err != nil || s.Condition != Current {
		return nil
	}
	backup, err := o.Disk.Read(o.backup(), maxFile)
	if err != nil {
		return nil
	}
	w, err := wiring(o.Scope, o.HooksJSON, s.Command)
	if err != nil {
		return nil
	}
	if after, err := settings.Apply(backup, w, isOurs); err != nil || !bytes.Equal(after, j.before) {
		return nil
	}
	return record{Version: 1, Scope: o.Scope, Root: o.Root, Written: sum(j.before), Original: sum(backup),
		Existed: true}.encode()
}
