package pace

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"github.com/mementohq/memento/internal/safefile"
)

// Others is what the last sync knew of the other machines that work on a project. It lies in the folder cache: the next
// sync brings it again.
type Others struct {
	Names    map[string]string `json:"names"`    // what people call the machines, by their ids; else the ids
	Missions []Mission         `json:"missions"` // the one opened last first
}

// Mission is the mission of one journal on another machine. A session here is told of it as another machine's, and
// never takes it for its own.
type Mission struct {
	Machine string   `json:"machine"` // its id
	Lane    string   `json:"lane"`    // of the journal, without the project
	Mission string   `json:"mission"`
	By      string   `json:"by,omitempty"` // see journal.Journal
	Opened  string   `json:"opened,omitempty"`
	Closed  string   `json:"closed,omitempty"` // RFC 3339, as Opened; "" while the mission is open
	Branch  string   `json:"branch,omitempty"`
	Wip     string   `json:"wip,omitempty"`
	Summary string   `json:"summary,omitempty"`
	Plan    []string `json:"plan,omitempty"`
	Done    []string `json:"done,omitempty"`
}

const maxOthers = 1 << 20 // bytes

func othersPath(store, slug string) string {
	return filepath.Join(store, safefile.Cache, "others", slug+".json")
}

// LoadOthers reads what is known of the other machines in the project with this slug. A missing or damaged file says
// nothing.
func LoadOthers(store, slug string) (o Others) {
	data, err := safefile.Read(othersPath(store, slug), maxOthers)
	if err != nil || json.Unmarshal(data, &o) != nil {
		return Others{}
	}
	return o
}

// Save keeps o for the project with this slug. It writes only news. Errors: safefile's; the file is unchanged then.
func (o Others) Save(store, slug string) error {
	path := othersPath(store, slug)
	if len(o.Names) == 0 {
		return safefile.Remove(path)
	}
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if was, err := safefile.Read(path, maxOthers); err == nil && bytes.Equal(was, data) {
		return nil
	}
	if err := safefile.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.ReplaceVolatile(path, data, 0o600)
}
