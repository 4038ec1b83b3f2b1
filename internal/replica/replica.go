// Package replica brings this store and its copies on other machines to the same state. It exports the store as a
// tree of files that every machine writes the same way, merges that with the tree of a remote, imports the result, and
// sends it. docs/sync.md says what travels.
//
// A merge has three sides: the tree that was merged last, this store, and the remote. So the result does not depend on
// who syncs first, how often, or on anybody's clock. What was forgotten is erased from all three sides before they are
// merged: what this machine forgot, and what others erased by its id.
//
// The format of a file may not come in: the package that owns it gives the bytes that travel, merges two versions of
// them, and erases from them. How commits are kept and sent is gitrepo's.
package replica

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
)

// Replica is this machine's store as one of several.
type Replica struct {
	Config config.Config
	Store  record.Store // of the same folder, with its index
	Now    func() time.Time
	Wait   time.Duration     // for each lock
	Batch  bool              // ask nothing
	Say    func(line string) // receives lines that the person should read
	// Doing receives each step that takes long, and how much of it is done, of all where that is known. It may be nil.
	Doing func(step string, done, all int)
}

// Settings say what is synced. Of a sync that fails they keep why.
type Settings struct {
	Version  int      `json:"version"`
	On       bool     `json:"on"`
	Remote   string   `json:"remote,omitempty"` // "" for a history without a remote
	All      bool     `json:"all,omitempty"`
	Projects []string `json:"projects,omitempty"` // shared names, see project.SharedName
	Answers  bool     `json:"answers,omitempty"`
	Merged   string   `json:"merged,omitempty"`  // the commit of the last sync
	Commits  int      `json:"commits,omitempty"` // of this machine in remotes
	Applied  string   `json:"applied,omitempty"` // the sum of the list by which this store was erased
	Forgets  int      `json:"forgets,omitempty"` // how many forgets of this store the remote's history follows
}

const (
	maxSettings = 1 << 20
	version     = 1
)

func (r *Replica) path(name string) string { return filepath.Join(r.Config.Dir, pace.Folder, name) }

// Load reads the settings. Without any, sync is off. Errors: safefile's; a damaged file is an error too, since nobody
// knows then what may travel.
func (r *Replica) Load() (s Settings, err error) {
	data, err := safefile.Read(r.path("settings.json"), maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil && json.Unmarshal(data, &s) != nil {
		err = fmt.Errorf("%s: it is not what memento wrote", r.path("settings.json"))
	}
	if err == nil && s.Version > version {
		err = fmt.Errorf("%s: a newer memento wrote it", r.path("settings.json"))
	}
	return s, err
}

func (r *Replica) save(s Settings) error {
	s.Version = version
	data, _ := json.MarshalIndent(s, "", "  ") // strings and numbers always marshal
	if err := safefile.Dir(filepath.Join(r.Config.Dir, pace.Folder)); err != nil {
		return err
	}
	return safefile.Replace(r.path("settings.json"), append(data, '\n'), 0o600)
}

// Off forgets the remote, so that nothing travels any more. The remote keeps what it has, and so does the history here.
// Errors: Load's; safefile.ErrBusy while another sync runs.
func (r *Replica) Off() error {
	unlock, err := r.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s, err := r.Load()
	if err != nil || !s.On {
		return err
	}
	s.On = false
	return r.save(s)
}

// lock takes the lock of all syncs. A sync that nobody waits for leaves its work to the one that runs.
func (r *Replica) lock() (unlock func(), err error) {
	wait := r.Wait
	if r.Batch {
		wait = 0
	}
	return safefile.LockIn(r.Config.Dir, pace.Folder, wait)
}

func (r *Replica) turns() log.Store { return log.Store{Dir: r.Config.Dir, Wait: r.Wait} }

func (r *Replica) rules() rule.Store {
	return rule.Store{Dir: r.Config.Dir, Now: r.Now(), Wait: r.Wait}
}

func (r *Replica) say(format string, args ...any) {
	if r.Say != nil {
		r.Say(fmt.Sprintf(format, args...))
	}
}

func (r *Replica) doing(step string, done, all int) {
	if r.Doing != nil {
		r.Doing(step, done, all)
	}
}

// me returns this machine.
func (r *Replica) me() (machine.Machine, error) { return machine.Load(r.Config.Dir, r.Wait) }
