package replica

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// tree is a tree of files that travels, by their paths.
type tree map[string]gitrepo.ID

// What a path in a tree holds.
type kind int

const (
	unknown kind = iota // no memento writes it: it is passed over, and goes with the next commit
	format              // memento.json
	machines
	erasedIDs // of all machines
	about     // a project
	records
	said
	rules
	journals
)

// hasOneWriter reports whether one machine alone writes files of the kind.
func (k kind) hasOneWriter() bool { return k == machines || k == journals }

// place is a path taken apart. Its parts are names that files here may have, unless the kind is unknown.
type place struct {
	kind    kind
	project string // shared name, "" for none
	name    string // of the file, without its ending; of a journal the machine and the lane
}

const (
	formatPath  = "memento.json"
	erasedPath  = "erased"
	person      = naming.User // the shared name of what belongs to no project
	journalMark = "--"        // between a journal's machine and its lane
)

// placeOf takes a path apart. What no memento writes is unknown.
func placeOf(p string) place {
	folder, name := path.Split(p)
	switch {
	case p == formatPath:
		return place{kind: format}
	case p == erasedPath:
		return place{kind: erasedIDs}
	case folder == "machines/":
		if id, ok := strings.CutSuffix(name, ".json"); ok && machine.IsID(id) {
			return place{kind: machines, name: id}
		}
	case strings.HasPrefix(p, "projects/"):
		pid, rest, _ := strings.Cut(strings.TrimPrefix(p, "projects/"), "/")
		if pid == person || project.IsSharedName(pid) {
			return placeIn(pid, rest)
		}
	}
	return place{}
}

// placeIn takes apart a path below a project.
func placeIn(shared, rest string) place {
	switch rest {
	case "project.json":
		return place{kind: about, project: shared}
	case "rules.jsonl":
		return place{kind: rules, project: shared}
	}
	folder, name := path.Split(rest)
	at := place{project: shared}
	switch ending := path.Ext(name); {
	case strings.HasPrefix(folder, "records/") && ending == ".md":
		if at.name = strings.TrimSuffix(name, ending); naming.CheckSlug(at.name) == nil && rest == recordPath(at.name) {
			at.kind = records
		}
	case folder == "journals/" && ending == ".json":
		at.name = strings.TrimSuffix(name, ending)
		if id, lane, ok := strings.Cut(at.name, journalMark); ok && machine.IsID(id) && lane != "" {
			at.kind = journals
		}
	case ending == ".jsonl":
		if at.name = strings.TrimSuffix(name, ending); log.IsFileName(at.name) && rest == saidPath(at.name) {
			at.kind = said
		}
	}
	return at
}

// shared is a project as this machine and all machines know it.
type shared struct {
	id   string   // identity, see project.Known.SharedID
	pid  string   // shared name
	slug string   // here; "" for the person
	name string   // in the ids of records here
	far  string   // in the ids of records that travel
	was  []string // earlier identities that a machine gave
}

func (s shared) path(rest string) string { return path.Join("projects", s.pid, rest) }

// recordPath returns a record's path below its project. A commit writes whole folders, so each has one record of 256.
func recordPath(slug string) string {
	return "records/" + text.Fingerprint(slug)[14:] + "/" + slug + ".md"
}

// saidPath returns the path of a session below its project.
func saidPath(session string) string {
	return "said/" + (session + "__")[:2] + "/" + session + ".jsonl"
}

// aboutProject is project.json.
type aboutProject struct {
	ID   string   `json:"id"`
	Name string   `json:"name"`
	Was  []string `json:"was,omitempty"` // identities that machines gave it before, sorted
}

// machineFile is the file of a machine.
type machineFile struct {
	Name    string `json:"name"`
	Commits int    `json:"commits,omitempty"` // of this machine
}

func (s shared) about() []byte {
	data, _ := json.Marshal(aboutProject{s.id, s.far, s.was}) // strings always marshal
	return append(data, '\n')
}

func aboutOf(data []byte) (a aboutProject, ok bool) {
	err := json.Unmarshal(data, &a)
	return a, err == nil && project.IsSharedID(a.ID) && naming.CheckProject(a.Name) == nil
}

// mergeAbout returns the remote's version with the earlier identities of both.
func mergeAbout(local, remote []byte) []byte {
	mine, _ := aboutOf(local)
	a, ok := aboutOf(remote)
	if !ok || len(mine.Was) == 0 {
		return remote
	}
	a.Was = slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Was, mine.Was))))
	return shared{id: a.ID, far: a.Name, was: a.Was}.about()
}

// known lists the projects that this machine has, and the person.
func (r *Replica) known(m machine.Machine) (out []shared, err error) {
	w := project.OpenWorkspace(r.Config.Dir)
	if w.Err != nil {
		return nil, w.Err
	}
	for _, k := range w.Known {
		id := k.SharedID(m.Born)
		p := shared{id: id, pid: project.SharedName(id), slug: k.Slug, name: k.Slug, far: k.Slug}
		for _, was := range k.Was {
			if old := (project.Known{ID: was}).SharedID(m.Born); project.IsFolderID(old) && old != id {
				p.was = append(p.was, old)
			}
		}
		slices.Sort(p.was)
		out = append(out, p)
	}
	return append(out, shared{pid: person, name: naming.User, far: naming.User}), nil
}
