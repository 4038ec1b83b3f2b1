package view

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxBegin   = 200 // characters of a prompt or a mission that names a session
	maxMission = 12  // missions that a session is shown with, the newest
)

// Source is where the data of a page come from.
type Source struct {
	record.Store // its folder is memento's

	// Doing receives how many turns have been read. It may be nil.
	Doing func(turns int)
}

// Gather adds to p everything that memento keeps of a project, except where its work stands; slug is "" outside any
// project. What cannot be read is left out, and the first reason is returned.
func (s Source) Gather(p *Page, slug string) (problem error) {
	name := naming.ProjectOrUser(slug)
	kept := func(err error) {
		if problem == nil && !errors.Is(err, fs.ErrNotExist) {
			problem = err
		}
	}
	kept(s.gatherSessions(p, slug, name))
	kept(s.gatherRecords(p, name))
	rules := rule.Store{Dir: s.Dir, Now: s.Now(), Wait: s.Wait}
	for _, r := range append(rules.Rules(slug).Kept, rules.Rules(slug).Over...) {
		owner := name
		if r.User {
			owner = naming.User
		}
		one := Rule{r.N, r.Text, owner, r.User, r.By, r.Sessions, text.Moment(r.Last), r.Over != 0}
		if !slices.Contains(p.Rules, one) { // one of the user's own holds in several projects
			p.Rules = append(p.Rules, one)
		}
	}
	for _, one := range rules.Waiting(slug) {
		p.Waiting = append(p.Waiting, Waiting{one.N, name, one.Text, text.Moment(one.Time)})
	}
	others := pace.LoadOthers(s.Dir, slug)
	for _, m := range others.Missions {
		p.Machines = append(p.Machines, Machine{name, others.Names[m.Machine], m})
	}
	return problem
}

// gatherRecords adds the records of a project, the one updated last first.
func (s Source) gatherRecords(p *Page, name string) error {
	switch {
	case name != naming.User: // the user's own belong to every project
		if err := s.gatherRecords(p, naming.User); err != nil {
			return err
		}
	case p.own:
		return nil
	default:
		p.own = true
	}
	list, problems, err := s.List(record.Filter{Project: name, Status: schema.Statuses()})
	if err == nil && len(problems) > 0 {
		err = problems[0].Err
	}
	for _, r := range list {
		p.Records = append(p.Records, Record{r.ID, name, r.Kind, r.Title, r.Status, r.Stage, text.Moment(r.Created),
			text.Moment(r.Updated), r.Tags, r.Files, r.Body})
	}
	return err
}

// told is what left the journals of a session.
type told struct {
	missions    []string
	compactions []history.Compaction
	typed       []past.Turn // what was typed, for a session whose turns nobody kept
}

// gatherSessions adds the sessions of a project, the newest first, and their turns.
func (s Source) gatherSessions(p *Page, slug, name string) error {
	said, problem := s.readHistories(slug)
	store := log.Store{Dir: s.Dir, Wait: s.Wait}
	turns, read := map[string][]past.Turn{}, 0
	err := past.Each(store, slug, func(t past.Turn) {
		turns[t.Session] = append(turns[t.Session], t)
		if read++; s.Doing != nil && read%100 == 0 { // the clock costs more than a turn
			s.Doing(read)
		}
	})
	if problem == nil {
		problem = err
	}
	for id, t := range said {
		if len(turns[id]) == 0 && len(t.typed) > 0 {
			turns[id] = t.typed
		}
	}
	last := func(id string) time.Time { return turns[id][len(turns[id])-1].Time }
	newest := func(a, b string) int { return cmp.Or(last(b).Compare(last(a)), cmp.Compare(a, b)) }
	for _, id := range slices.SortedFunc(maps.Keys(turns), newest) {
		p.addSession(name, turns[id], said[id])
	}
	return problem
}

// readHistories reads what left the journals of the project's sessions.
func (s Source) readHistories(slug string) (map[string]*told, error) {
	out := map[string]*told{}
	of := func(id string) *told {
		if out[id] == nil {
			out[id] = &told{}
		}
		return out[id]
	}
	all := project.Lane{Dir: s.Dir, Slug: slug}
	typed, err := history.TypedBeside(all, func(l log.Entry) {
		if c, ok := history.CompactionOf(l); ok {
			of(l.Session).addCompaction(c)
		} else if l.Kind == "opened" || l.Kind == "mission" {
			of(l.Session).addMission(l.Text)
		}
	})
	for _, l := range typed {
		if t := of(l.Session); !l.Gone {
			t.typed = append(t.typed, past.Turn{Session: l.Session, N: len(t.typed) + 1, Time: l.Time, Prompt: l.Text,
				Asked: l.Asked})
		}
	}
	return out, err
}

// addCompaction adds a compaction, once.
func (t *told) addCompaction(c history.Compaction) {
	if !slices.ContainsFunc(t.compactions, func(o history.Compaction) bool {
		return o.Number == c.Number && o.TS == c.TS
	}) {
		t.compactions = append(t.compactions, c)
	}
}

// addMission adds the beginning of a mission, as the newest.
func (t *told) addMission(words string) {
	words = begin(words)
	if words == "" {
		return
	}
	t.missions = slices.DeleteFunc(t.missions, func(m string) bool { return m == words })
	if t.missions = append(t.missions, words); len(t.missions) > maxMission {
		t.missions = t.missions[1:]
	}
}

func begin(words string) string {
	words, _ = text.Cut(text.Line(words), maxBegin)
	return words
}

// addSession adds a session with its turns, oldest first, which get a block of their own.
func (p *Page) addSession(name string, turns []past.Turn, of *told) {
	if of == nil {
		of = &told{}
	}
	s := Session{ID: turns[0].Session, Project: name, From: text.Moment(turns[0].Time),
		To: text.Moment(turns[len(turns)-1].Time), Begins: begin(turns[0].Prompt), Missions: of.missions,
		Model: turns[0].Model(), Title: past.Title(turns), Turns: len(turns), Block: len(p.turns)}
	var block []turn
	for _, t := range turns {
		for _, r := range t.Ran {
			if r.Failed {
				s.Failed++
			}
		}
		s.Commits += len(t.Commits)
		s.Recap = cmp.Or(t.Recap, s.Recap)
		if t.Compacted {
			s.Compacted++
		}
		block = append(block, turnOf(t))
	}
	for _, c := range of.compactions {
		s.Compactions = append(s.Compactions, Compaction{past.TurnAt(turns, c.TS), c.TS, c.Trigger, c.Facts,
			c.Kept, c.Lost})
	}
	s.Compacted = max(s.Compacted, len(s.Compactions))
	p.Sessions, p.turns = append(p.Sessions, s), append(p.turns, encode(block))
}

func turnOf(t past.Turn) turn {
	out := turn{N: t.N, Time: text.Moment(t.Time), Prompt: t.Prompt, Asked: t.Asked, Answer: t.Answer,
		Commits: t.Commits, Files: t.Files, Compacted: t.Compacted}
	for _, r := range t.Ran {
		out.Ran = append(out.Ran, [3]any{r.Cmd, r.Line, r.Failed})
	}
	return out
}

// AddProject adds where a project's work stands: its journal, nil for none, with the open tasks and failing commands of
// its session, what the user said in it, newest first, and the block that Claude would get now.
func (p *Page) AddProject(slug string, j *journal.Journal, said []string, tasks []string, failing []journal.Failure,
	block string, after bool) {
	one := Project{Name: naming.ProjectOrUser(slug), Block: block, Tokens: (text.Quarters(block) + 3) / 4, After: after}
	if j != nil {
		one.Mission, one.MissionBy, one.Opened, one.Closed = j.Mission, j.MissionBy, j.MissionOpened, j.MissionClosed
		one.Session, one.Branch, one.Wip, one.Summary = j.Session, j.Branch, j.Wip, j.Summary
		one.Plan, one.Files, one.Tasks = j.Plan, j.Files, tasks
		if j.Error != nil {
			failing = append([]journal.Failure{*j.Error}, slices.DeleteFunc(slices.Clone(failing),
				func(f journal.Failure) bool { return f.Cmd == j.Error.Cmd })...)
		}
		for _, f := range failing {
			one.Failing = append(one.Failing, [2]string{f.Cmd, f.Line})
		}
		one.Said = said
		for _, e := range slices.Backward(j.Done) {
			one.Done = append(one.Done, e.Line())
		}
	}
	p.Projects = append(p.Projects, one)
}

// Sort brings what came from several projects into one order.
func (p *Page) Sort() {
	slices.SortStableFunc(p.Sessions, func(a, b Session) int { return cmp.Compare(b.To, a.To) })
	slices.SortStableFunc(p.Records, func(a, b Record) int { return cmp.Compare(b.Updated, a.Updated) })
}
