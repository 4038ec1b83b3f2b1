// Package machine names the machine that memento runs on. Files that only one machine writes carry its ID, so that two
// machines never write the same file. Nothing about the person may come in: neither a user name nor a folder.
package machine

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Machine is one machine with its own memento folder.
type Machine struct {
	ID   string // 12 lower-case hex digits, at random; changes only by Renew
	Name string // for people: lower-case letters, digits and hyphens, at most 40 characters
	Born string // the first ID, by which its folders without an origin are known
}

const (
	idBytes = 6
	maxName = 40
	maxFile = 1 << 16 // bytes
	noName  = "machine"
)

type machineFile struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	Born    string `json:"born,omitempty"` // "" for the same as ID
}

// Path returns the path of the file that names the machine, in dir, memento's folder.
func Path(dir string) string { return filepath.Join(dir, "machine.json") }

// Load returns the machine that dir, memento's folder, belongs to. At first use it takes a new ID and the host's name,
// and writes them. It sets a damaged file aside and makes the machine anew. Wait limits the wait for the lock. Errors:
// safefile.ErrBusy, safefile.ErrRefused, the disk's; then Load made no machine.
func Load(dir string, wait time.Duration) (Machine, error) {
	if m, err := read(dir); err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errDamaged) {
		return m, err
	}
	return change(dir, wait, func(*Machine) {})
}

// SetName gives the machine a name, cleaned as Load cleans the host's. Errors: as of Load; then the name stays.
func SetName(dir, name string, wait time.Duration) (Machine, error) {
	return change(dir, wait, func(m *Machine) { m.Name = CleanName(name) })
}

// Renew gives the machine a new ID and returns the machine: another machine has a copy of this memento folder, and the
// same ID. Errors: as of Load; then the ID stays.
func Renew(dir string, wait time.Duration) (Machine, error) {
	return change(dir, wait, func(m *Machine) { m.ID = newID() })
}

func newID() string {
	id := make([]byte, idBytes)
	rand.Read(id) // never fails
	return fmt.Sprintf("%x", id)
}

// change reads or makes the machine under the lock, calls edit, and writes the machine if it is new or changed.
func change(dir string, wait time.Duration, edit func(*Machine)) (Machine, error) {
	unlock, err := safefile.LockIn(dir, "machine", wait)
	if err != nil {
		return Machine{}, err
	}
	defer unlock()
	m, err := read(dir)
	switch {
	case errors.Is(err, errDamaged):
		_, err = safefile.SetAside(Path(dir), "corrupt", time.Now())
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return Machine{}, err
	}
	before := m
	if m.ID == "" {
		id := newID()
		host, _ := os.Hostname()
		m = Machine{id, nameOf(host), id}
	}
	if edit(&m); m == before {
		return m, nil
	}
	f := machineFile{Version: 1, ID: m.ID, Name: m.Name}
	if m.Born != m.ID {
		f.Born = m.Born
	}
	data, _ := json.Marshal(f) // strings and a number always marshal
	if err := safefile.Replace(Path(dir), append(data, '\n'), 0o600); err != nil {
		return Machine{}, err
	}
	return m, nil
}

var errDamaged = errors.New("it does not name a machine")

func read(dir string) (Machine, error) {
	data, err := safefile.Read(Path(dir), maxFile)
	if err != nil && !errors.Is(err, safefile.ErrTooLarge) {
		return Machine{}, err
	}
	var f machineFile
	if err != nil || json.Unmarshal(data, &f) != nil || !IsID(f.ID) {
		return Machine{}, fmt.Errorf("%s: %w", Path(dir), errDamaged)
	}
	if !IsID(f.Born) {
		f.Born = f.ID
	}
	return Machine{f.ID, CleanName(f.Name), f.Born}, nil
}

// IsID reports whether s has the form of a machine's ID.
func IsID(s string) bool { return len(s) == 2*idBytes && strings.Trim(s, "0123456789abcdef") == "" }

// nameOf returns a host's name, cleaned; "machine" when the name holds the user's, as in "alices-laptop".
func nameOf(host string) string {
	name := CleanName(host)
	for _, env := range [...]string{"USER", "LOGNAME", "USERNAME"} {
		if user := CleanName(os.Getenv(env)); user != noName && len(user) > 2 && strings.Contains(name, user) {
			return noName
		}
	}
	return name
}

// CleanName returns the first label of a host's name with only lower-case letters, digits and single hyphens, "machine"
// when nothing is left.
func CleanName(host string) string {
	label, _, _ := strings.Cut(strings.TrimSpace(host), ".")
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	s := strings.Join(words, "-")
	return cmp.Or(strings.Trim(s[:min(len(s), maxName)], "-"), noName)
}
