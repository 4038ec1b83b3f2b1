package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// record is what uninstall needs to know to put one settings file back exactly. That of the scope user is
// state/install.json and its backup stands beside settings.json; those of projects are in state/install/, named for the
// settings file's path, so that nothing of ours is in anybody's repository and no two of them meet.
type record struct {
	Version      int    `json:"version"`
	Scope        Scope  `json:"scope,omitempty"`    // empty: user
	Root         string `json:"root,omitempty"`     // the project's folder
	Written      string `json:"written"`            // sha256 of the settings file as install left it
	Original     string `json:"original,omitempty"` // sha256 of the backup
	Existed      bool   `json:"existed"`            // whether there was a settings file before
	MadeFolder   bool   `json:"made_folder,omitempty"`
	MadeSkills   bool   `json:"made_skills,omitempty"`
	MadeCommands bool   `json:"made_commands,omitempty"`
	MadeConfig   bool   `json:"made_config,omitempty"` // the client's own folder
}

// maxRecord bounds the file of one, in bytes.
const maxRecord = 64 << 10

// join adds what another installation made that this one shares with it.
func (r *record) join(other record) {
	r.MadeSkills, r.MadeCommands = r.MadeSkills || other.MadeSkills, r.MadeCommands || other.MadeCommands
	r.MadeConfig = r.MadeConfig || other.MadeConfig
}

// home is memento's folder.
func (o Options) home() string { return filepath.Join(o.ConfigDir, ".memento") }

func (o Options) stateDir() string { return filepath.Join(o.home(), "state") }

// projectsDir is where the records of projects' settings are, and their backups.
func (o Options) projectsDir() string { return filepath.Join(o.stateDir(), "install") }

// within reports whether path, if it is in memento's folder, is so without a link on the way.
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

// key names a project's settings file among the records.
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

// readRecord returns the zero record when there is none that can be read: then nothing is certain, and
// settings.json is edited rather than put back.
func (o Options) readRecord() record {
	r, _ := o.readRecordAt(o.recordPath())
	return r
}

// knownRecord is readRecord for what is to be undone or replaced by it. The error is the disk's: nobody knows then what
// there was. In a folder of another user there is none: the settings were not wired from there.
func (o Options) knownRecord() (record, error) {
	data, err := o.Disk.Read(o.recordPath(), maxRecord)
	if safefile.Unreadable(err) && !errors.As(safefile.CheckDir(o.home()), new(*safefile.ForeignError)) {
		return record{}, fmt.Errorf("reading the record of the installation: %w", err)
	}
	r, _ := decodeRecord(data)
	return r, nil
}

func (o Options) readRecordAt(path string) (record, bool) {
	data, err := o.Disk.Read(path, maxRecord)
	if err != nil {
		return record{}, false
	}
	return decodeRecord(data)
}

// decodeRecord reports false for what is no record, or one of another version.
func decodeRecord(data []byte) (r record, ok bool) {
	if json.Unmarshal(data, &r) != nil || r.Version != 1 || r.Written == "" {
		return record{}, false
	}
	return r, true
}

func (r record) encode() []byte {
	data, _ := json.MarshalIndent(r, "", "  ") // texts and booleans: nothing that could fail
	return append(data, '\n')
}

// recorded returns the options of each project that install was run for and uninstall was not, in no particular order.
func (o Options) recorded() (out []Options) {
	folder := o.projectsDir()
	entries, err := safefile.List(folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		r, ok := o.readRecordAt(filepath.Join(folder, e.Name()))
		in := o.in(r.Scope, r.Root)
		// A record says of which file it is, and its name does too: one that was tampered with points nowhere.
		if ok && in.Scope != User && in.check() == nil && in.key()+".json" == e.Name() {
			out = append(out, in)
		}
	}
	return out
}

// known are the user's settings and those recorded.
func (o Options) known() []Options { return append([]Options{o.in(User, "")}, o.recorded()...) }

// in is o for another place.
func (o Options) in(scope Scope, root string) Options {
	if scope == "" {
		scope = User
	}
	o.Scope, o.Root = scope, root
	return o
}

// places are all settings files that may be wired: the user's, those recorded, and those of the project at root, if
// any.
func (o Options) places(root map[Scope]string) []Options {
	out := o.known()
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
