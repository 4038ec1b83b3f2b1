package replica

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
)

// tree is a tree of files that travels, by their paths.
type tree map[string]gitrepo.ID

// What a path in a tree holds.
type kind int

const (
	unknown kind = iota // of a newer version: it stays as it is
	format              // memento.json
	machines
	forgotten
	about // a project
	records
	said
	rules
	decided
	journals
)

// place is a path taken apart.
type place struct {
	kind    kind
	project string // shared name, "" for none
	name    string // of the file, without its ending; of a journal the machine and the lane
}

const (
	formatPath  = "memento.json"
	person      = naming.User // the shared name of what belongs to no project
	journalMark = "--"        // between a journal's machine and its lane
)

// placeOf takes a path apart.
func placeOf(p string) place {
	parts := strings.Split(p, "/")
	stem := func(end string) (string, bool) { return strings.CutSuffix(parts[len(parts)-1], end) }
	switch {
	case p == formatPath:
		return place{kind: format}
	case len(parts) == 2 && parts[0] == "machines":
		if name, ok := stem(".json"); ok {
			return place{kind: machines, name: name}
		}
	case len(parts) == 2 && parts[0] == "forgotten":
		if name, ok := stem(".jsonl"); ok {
			return place{kind: forgotten, name: name}
		}
	case len(parts) >= 3 && parts[0] == "projects":
		return placeIn(parts[1], strings.Join(parts[2:], "/"))
	}
	return place{}
}

// placeIn takes apart a path below a project.
func placeIn(shared, rest string) place {
	for _, f := range [...]struct {
		kind        kind
		folder, end string
	}{{about, "project", ".json"}, {rules, "rules", ".jsonl"}, {decided, "decided", ""},
		{records, "records/", ".md"}, {journals, "journals/", ".json"}, {said, "said/", ".jsonl"}} {
		name, isIn := strings.CutPrefix(rest, f.folder)
		name, ends := strings.CutSuffix(name, f.end)
		if f.kind == said {
			name = path.Base(name)
		}
		isFolder := strings.HasSuffix(f.folder, "/")
		if isIn && ends && (isFolder && name != "" && !strings.Contains(name, "/") || !isFolder && name == "") {
			return place{f.kind, shared, name}
		}
	}
	return place{project: shared}
}

// shared is a project as this machine and all machines know it.
type shared struct {
	id   string // identity, see project.Known.SharedID
	pid  string // shared name
	slug string // here; "" for the person
	name string // in the ids of records here
	far  string // in the ids of records that travel
}

func (s shared) path(rest string) string { return path.Join("projects", s.pid, rest) }

func (s shared) saidPath(session string) string {
	return s.path("said/" + (session + "__")[:2] + "/" + session + ".jsonl")
}

// aboutProject is project.json.
type aboutProject struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (s shared) about() []byte {
	data, _ := json.Marshal(aboutProject{s.id, s.far}) // two strings always marshal
	return append(data, '\n')
}

func aboutOf(data []byte) (a aboutProject, ok bool) {
	err := json.Unmarshal(data, &a)
	return a, err == nil && a.ID != "" && naming.CheckProject(a.Name) == nil
}

// known lists the projects that this machine has, and the person.
func (r *Replica) known(machine string) (out []shared, err error) {
	w := project.OpenWorkspace(r.Config.Dir)
	if w.Err != nil {
		return nil, w.Err
	}
	for _, k := range w.Known {
		id := k.SharedID(machine)
		name := naming.Project(k.Slug)
		out = append(out, shared{id, project.SharedName(id), k.Slug, name, name})
	}
	return append(out, shared{"", person, "", naming.User, naming.User}), nil
}
