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

// record is what uninstall needs to put the settings file back exactly. It is state/install.json, and the backup stands
// beside settings.json.
type record struct {
	Version  int    `json:"version"`
	Written  string `json:"written"`            // sha256 of the settings file as install left it
	Original string `json:"original,omitempty"` // sha256 of the backup; empty: there was no settings file
}

// maxRecord is the most bytes of a record's file.
const maxRecord = 64 << 10

// home is memento's folder.
func (o Options) home() string { return filepath.Join(o.ConfigDir, ".memento") }

func (o Options) stateDir() string { return filepath.Join(o.home(), "state") }

// file is the path of the settings file.
func (o Options) file() string { return filepath.Join(o.ConfigDir, "settings.json") }

func (o Options) check() error {
	if !filepath.IsAbs(o.ConfigDir) {
		return fmt.Errorf("the client's folder %q is not an absolute path", o.ConfigDir)
	}
	return nil
}

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

func (o Options) backup() string { return filepath.Join(o.ConfigDir, "settings.json.memento-backup") }

func (o Options) recordPath() string { return filepath.Join(o.stateDir(), "install.json") }

// readRecord returns the record, or the zero record if there is none: then uninstall edits settings.json and does not
// put the backup back. The error is the disk's. A folder of another user holds no record of this user's settings.
func (o Options) readRecord() (r record, err error) {
	data, err := o.Disk.Read(o.recordPath(), maxRecord)
	if safefile.Unreadable(err) && !errors.As(safefile.CheckDir(o.home()), new(*safefile.ForeignError)) {
		return record{}, fmt.Errorf("reading the record of the installation: %w", err)
	}
	if json.Unmarshal(data, &r) != nil || r.Version != 1 {
		return record{}, nil
	}
	return r, nil
}

func (r record) encode() []byte {
	data, _ := json.MarshalIndent(r, "", "  ") // texts and booleans: nothing that could fail
	return append(data, '\n')
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}
