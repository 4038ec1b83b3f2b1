package rename

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// Renamed is the old and the new name of one thing.
type Renamed struct{ From, To string }

// Plan lists what a Migration will rename, or has renamed.
type Plan struct {
	Journals    []Renamed // lanes, with their journals and sessions
	Records     []Renamed // ids
	Files       []Renamed // files that were set aside and the like, relative to memento's folder
	Sessions    []string  // ids
	Suggestions int       // how many
	Rules       int       // how many sentences that may outlive their session
	Turns       int       // sessions whose turns are kept
	Paused      bool
	Known       bool // workspace.json has the old name
	Collisions  []string
	Left        []record.Problem // what Run could not rename
}

// Empty reports whether nothing has the old name.
func (p Plan) Empty() bool {
	named := len(p.Journals) + len(p.Records) + len(p.Files) + len(p.Sessions) + p.Suggestions + p.Rules + p.Turns
	return named == 0 && !p.Paused && !p.Known
}

// listing holds the names of the files in memento's folders, by folder; "" is memento's own.
type listing map[string][]string

func (m Migration) listing() (listing, error) {
	names := listing{}
	for _, folder := range []string{"", naming.Archive, safefile.Cache} {
		entries, err := safefile.List(filepath.Join(m.Dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if !e.IsDir() {
				names[folder] = append(names[folder], e.Name())
			}
		}
	}
	return names, nil
}

// Plan returns what Run will rename. It changes nothing. Errors: the disk's.
func (m Migration) Plan() (p Plan, err error) {
	w := project.OpenWorkspace(m.Dir)
	if w.Err != nil {
		return p, w.Err
	}
	for _, k := range w.Known {
		p.Known = p.Known || k.Slug == m.From
	}
	names, err := m.listing()
	if err != nil {
		return p, err
	}
	p.records(m, names)
	if err := p.lanes(m, names); err != nil {
		return p, err
	}
	p.files(m, names)
	l := withheld.LoadPauses(m.Dir)
	p.Paused = l.Err() == nil && l.Knows(m.From)
	sessions, err := m.turns().Sessions(m.From)
	if err != nil {
		return p, err
	}
	p.Turns = len(sessions)
	if p.Suggestions, err = m.box().Of(naming.Project(m.From)); err == nil {
		p.Rules, err = m.rules().Of(m.From)
	}
	return p, err
}

// prefixes returns the prefixes of the project's records, the old and the new one.
func (m Migration) prefixes() (ours, theirs string) {
	return naming.Project(m.From) + "--", naming.Project(m.To) + "--"
}

// records adds the project's records to the plan, and a collision for each new name that another record has.
func (p *Plan) records(m Migration, names listing) {
	ours, theirs := m.prefixes()
	for _, folder := range []string{"", naming.Archive} {
		for _, name := range names[folder] {
			id, ok := naming.Stem(name)
			slug, own := strings.CutPrefix(id, ours)
			to := Renamed{id, theirs + slug}
			if !ok || !own || naming.CheckSlug(slug) != nil || slices.Contains(p.Records, to) {
				continue
			}
			p.Records = append(p.Records, to)
			taken := func(name string) bool { id, ok := naming.Stem(name); return ok && id == to.To }
			there := slices.ContainsFunc(names[""], taken) || slices.ContainsFunc(names[naming.Archive], taken)
			if there && !m.moving && !m.Join && !m.Store.Halfway(id, to.To) {
				p.Collisions = append(p.Collisions, "the record "+to.To)
			}
		}
	}
}

// lanes adds the project's lanes and their sessions to the plan. A lane has a journal, a holder or a session. Errors:
// the disk's.
func (p *Plan) lanes(m Migration, names listing) error {
	lanes := map[string]bool{}
	for folder, end := range map[string]string{"": ".json", safefile.Cache: ".holder"} {
		for _, name := range names[folder] {
			if lane, ok := strings.CutSuffix(name, end); ok && m.owns(lane) && !strings.HasSuffix(lane, ".debug") {
				lanes[lane] = true
			}
		}
	}
	states, err := session.Lanes(m.Dir)
	if err != nil {
		return err
	}
	for id, lane := range states {
		if m.owns(lane) {
			lanes[lane] = true
			p.Sessions = append(p.Sessions, id)
		}
	}
	slices.Sort(p.Sessions)
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		to := m.target(lane, names[""])
		p.Journals = append(p.Journals, Renamed{lane, to})
	}
	return nil
}

// files adds the other files with the project's name to the plan: files that were set aside, debug journals, files of
// no lane.
func (p *Plan) files(m Migration, names listing) {
	ours, theirs := m.prefixes()
	for _, folder := range []string{"", naming.Archive} {
		for _, name := range names[folder] {
			stem, _, _ := strings.Cut(name, ".json")
			_, isRecord := naming.Stem(name)
			lane := slices.ContainsFunc(p.Journals, func(r Renamed) bool { return r.From == stem })
			_, holds := project.OfLane(folder, name)
			to := ""
			switch {
			case strings.HasPrefix(name, ours) && strings.Contains(name, ".md.") && !isRecord && ours != m.From+"--":
				to = theirs + strings.TrimPrefix(name, ours) // a record that was set aside
			case m.owns(name) && (!isRecord && !lane || holds == project.AsideFile || holds == project.DebugFile):
				to = m.renamed(name)
			default:
				continue
			}
			p.Files = append(p.Files, Renamed{filepath.Join(folder, name), filepath.Join(folder, to)})
		}
	}
}

// owns reports whether a lane, or a file of this name, belongs to the project.
func (m Migration) owns(name string) bool {
	return strings.HasPrefix(name, m.From+"--") || strings.HasPrefix(name, m.From+"@") && strings.Contains(name, "--")
}

func (m Migration) renamed(name string) string { return m.To + strings.TrimPrefix(name, m.From) }

// target returns the new name of lane. When the lane of that name has a journal already, target returns a lane beside
// it.
func (m Migration) target(lane string, journals []string) (to string) {
	if to = m.renamed(lane); !slices.Contains(journals, lane+".json") || !slices.Contains(journals, to+".json") {
		return to
	}
	at := beside(to, m.From)
	for n := 2; slices.Contains(journals, at+".json"); n++ {
		at = fmt.Sprintf("%s-%d", beside(to, m.From), n)
	}
	return at
}

// beside returns the lane beside lane for the project that was called from.
func beside(lane, from string) string {
	if strings.Contains(lane, "~") {
		return lane + "-" + from
	}
	return lane + "~" + from
}
