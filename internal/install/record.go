package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mementohq/memento/internal/safefile"
)

// record is what uninstall needs to put one settings file back exactly. For the scope user the record is
// state/install.json, and the backup stands beside settings.json. Records and backups of projects are in
// state/install/, named after the path of the settings file: no file of memento is in a repository, and no two records
// share a name.
type record struct {
	Version  int    `json:"version"`
	Scope    Scope  `json:"scope,omitempty"`    // empty: user
	Root     string `json:"root,omitempty"`     // the project's folder
	Written  string `json:"written"`            // sha256 of the settings file as install left it
	Original string `json:"original,omitempty"` // sha256 of the backup; empty: there was no settings file
}

// maxRecord is the most bytes of a record's file.
const maxRecord = 64 << 10

// home is memento's folder.
func (o Options) home() string { return filepath.Join(o.ConfigDir, ".memento") }

func (o Options) stateDir() string { return filepath.Join(o.home(), "state") }

// projectsDir holds the records and backups of projects' settings.
func (o Options) projectsDir() string { return filepath.Join(o.stateDir(), "install") }

// within reports whether no link stands between memento's folder and path. For a path outside that folder it is true.
func (o Options) within(path string) bool {
	home := o.home()
	if rel, err := filepath.Rel(home, path); err != nil || !filepath.IsLocal(rel) {
		return true
	}
	for p := filepath.Dir(path); len(p) >= len(home); p = filepath.Dir(p) {
		if info, err := os.Lstat(p); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// key is the name of a project's settings file among the records.
func (o Options) key() string { return sum([]byte(o.file()))[:16] }

func (o Options) backup() string {
	if o.Scope == User {
		return filepath.Join(o.ConfigDir, "settings.json.memento-backup")
	}
	return filepath.Join(o.projectsDir(), o.key()+".backup")
}

func (o Options) recordPath() string {
	if o.Scope == User {
		return filepath.Join(o.stateDir(), "install.json")
	}
	return filepath.Join(o.projectsDir(), o.key()+".json")
}

// readRecord returns the record, or the zero record if none can be read. Without a record uninstall edits settings.json
// and does not put the backup back.
func (o Options) readRecord() record {
	data, _ := o.Disk.Read(o.recordPath(), maxRecord)
	return decodeRecord(data)
}

// knownRecord is readRecord before a record is used to undo or to replace something. The error is the disk's. A folder
// of another user holds no record of this user's settings.
func (o Options) knownRecord() (record, error) {
	data, err := o.Disk.Read(o.recordPath(), maxRecord)
	if safefile.Unreadable(err) && !errors.As(safefile.CheckDir(o.home()), new(*safefile.ForeignError)) {
		return record{}, fmt.Errorf("reading the record of the installation: %w", err)
	}
	return decodeRecord(data), nil
}

// decodeRecord returns the zero record for data that is no record, and for a record of another version.
func decodeRecord(data []byte) (r record) {
	if json.Unmarshal(data, &r) != nil || r.Version != 1 {
		return record{}
	}
	return r
}

func (r record) encode() []byte {
	data, _ := json.MarshalIndent(r, "", "  ") // texts and booleans: nothing that could fail
	return append(data, '\n')
}

// recordedPlaces returns the options of each project that is installed, in no particular order.
func (o Options) recordedPlaces() (out []Options) {
	for _, name := range list(o.projectsDir()) {
		data, _ := o.Disk.Read(filepath.Join(o.projectsDir(), name), maxRecord)
		r := decodeRecord(data)
		in := o.in(r.Scope, r.Root)
		// A record and its file name both say which settings file they mean. If they differ, somebody changed it.
		if r.Written != "" && in.Scope != User && in.check() == nil && in.key()+".json" == name {
			out = append(out, in)
		}
	}
	return out
}

// knownPlaces returns the user's settings and all that are recorded.
func (o Options) knownPlaces() []Options {
	return append([]Options{o.in(User, "")}, o.recordedPlaces()...)
}

// in returns o for another settings file.
func (o Options) in(scope Scope, root string) Options {
	if scope == "" {
		scope = User
	}
	o.Scope, o.Root = scope, root
	return o
}

// places returns all settings files that may be wired: the user's, the recorded ones, and those of the project at root.
func (o Options) places(root map[Scope]string) []Options {
	out := o.knownPlaces()
	for _, scope := range []Scope{Project, Local} {
		if root[scope] == "" {
			continue
		}
		here, known := o.in(scope, root[scope]), false
		for _, p := range out {
			known = known || sameFile(p.file(), here.file())
		}
		if !known {
			out = append(out, here)
		}
	}
	return out
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}
