package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// How many of the newest records status lists: to a program or Claude, and to a person, for one screen.
const (
	maxNewest       = 20
	maxNewestScreen = 5
)

func statusCommand() command {
	return command{
		name: "status", json: true, short: "show where things stand here: the mission, what blocks it, and the newest records",
		long: `memento alone prints the same.

  memento
  memento status --json
`,
		run: runStatus,
	}
}

// status is the JSON answer of memento status.
type status struct {
	Enabled     bool     `json:"enabled"`
	Wiring      string   `json:"wiring,omitempty"` // why no session here runs memento, or why its hooks fail
	Paused      bool     `json:"paused"`
	PausedSince string   `json:"paused_since,omitempty"`
	Project     string   `json:"project"`
	Branch      string   `json:"branch"`
	Tag         string   `json:"tag"`
	Path        string   `json:"path"`
	Journal     string   `json:"journal"`
	Bytes       int64    `json:"bytes"`
	Mission     string   `json:"mission"`
	Done        int      `json:"done"`
	Open        int      `json:"open"`    // what is in hand or planned
	Blocker     string   `json:"blocker"` // what keeps the work from going on, "" for nothing
	Said        int      `json:"said"`
	History     int      `json:"history"`
	Session     string   `json:"session"`
	Started     string   `json:"started,omitempty"`       // when the session did, or the last one here
	Active      string   `json:"last_activity,omitempty"` // of that session, to ten minutes
	Compactions int      `json:"compactions"`
	Delivery    string   `json:"delivery"`
	ApartFrom   string   `json:"apart_from"`
	Instances   []string `json:"other_instances,omitempty"` // that have a journal here, where this one has none
	Shared      int      `json:"shared_waiting,omitempty"`  // files of the repository that wait for memento trust
	Synced      string   `json:"synced,omitempty"`          // when a sync was good last
	SyncFailed  string   `json:"sync_failed"`               // why syncs fail now, "" if they do not
	recordCount
}

// statusReport is a status, and what only a person sees of it.
type statusReport struct {
	status
	memory  session.Memory
	newest  []*record.Record
	paused  string // how memento is paused, "" if it is not
	unpause string // the command that ends the pause
	wiring  doctor.Finding
	unread  error // why the history could not be read to its end
	pace    pace.Pace
	synced  bool // whether a sync was ever good
}

// statusOf reads the status at a place, and the journal there.
func (c *call) statusOf(at *place) (s statusReport, j *journal.Journal) {
	lane := at.store.Lane
	s.status = status{
		Enabled: c.config.Enabled, Project: lane.Slug, Branch: project.Branch(c.Dir, at.root), Tag: c.config.Tag,
		Path: lane.Journal(), Session: at.session,
	}
	s.paused, s.unpause = c.paused(lane)
	s.Paused = s.paused != ""
	if since, ok := withheld.LoadPauses(c.config.Dir).Since(withheld.Key(lane.Slug)); ok && !since.IsZero() {
		s.PausedSince = since.UTC().Format(time.RFC3339)
	}
	j = s.readJournal(at.store)
	s.unread = history.Read(lane, func(l history.Line) bool {
		s.History++
		if l.Kind == "said" {
			s.Said++
		}
		return true
	})
	s.memory = doctor.SessionMemory(c.config.Dir, at.session, j)
	s.Compactions, s.Delivery = s.memory.Compactions, s.memory.Delivery
	s.Started, s.Active = text.Moment(s.memory.Started), text.Moment(s.lastActivity())
	if _, err := session.Load(c.config.Dir, at.session); s.Enabled && err != nil { // else the session's hooks have run
		s.wiring = doctor.Wiring(patient(c))
		s.Wiring = s.wiring.What
	}
	s.recordCount, s.newest = c.countRecords(lane)
	if s.Blocker == "" {
		s.Blocker, _ = text.Cut(text.Line(strings.Join(blockers(s.newest), "; ")), maxSnippet)
	}
	s.ApartFrom = c.apartFrom()
	if s.Journal == noJournal {
		s.Instances = lane.Instances()
	}
	if s.pace, s.synced = pace.Load(c.config.Dir); s.synced {
		s.Synced = s.pace.Last.UTC().Format(time.RFC3339)
	}
	if !s.pace.Failed.IsZero() {
		s.SyncFailed = cmp.Or(s.pace.Error, "unknown")
	}
	s.Shared = c.waitingHere(at)
	return s, j
}

func runStatus(c *call) error {
	at, err := c.openHere()
	if err != nil {
		return err
	}
	s, _ := c.statusOf(at)
	if c.json {
		c.printJSON(s.status)
		return nil
	}
	c.printSwitch(s)
	c.printPlace(s.status)
	if s.Done+s.Open > 0 || s.Mission != "" {
		c.row("progress", "%d done, %d open", s.Done, s.Open)
	}
	if s.Blocker != "" {
		c.row("blocker", "%s", s.Blocker)
	}
	if s.unread != nil {
		c.row("history", "not read to its end: %s", text.Line(worded(s.unread)))
	} else {
		c.row("history", "%s, %d of them things you typed", count(s.History, "line"), s.Said)
	}
	c.printRecordCount(s.recordCount)
	if s.Shared > 0 {
		c.row("shared", "%s in the repository: memento trust", text.CountVerb(s.Shared, "record", "waits", "wait"))
	}
	c.printSession(s)
	c.printSync(s)
	return c.printNewest(s)
}

// printNewest lists the newest records and counts the others that are active.
func (c *call) printNewest(s statusReport) error {
	at, err := c.shelf()
	if err != nil {
		return err
	}
	most := maxNewest
	if c.screen.Wide > 0 {
		most = maxNewestScreen
	}
	newest := s.newest[:min(most, len(s.newest))]
	if err := c.printList(at, newest); err != nil {
		return err
	}
	if more := len(s.newest) - len(newest); more > 0 {
		fmt.Fprintf(c.Out, "%d more: memento list\n", more)
	}
	return nil
}

// lastActivity returns when the session had its last event.
func (s statusReport) lastActivity() time.Time {
	if s.memory.Active.IsZero() {
		return s.memory.Started
	}
	return s.memory.Active
}

// blockers returns what the newest session or handoff among records, the last changed first, says of blockers.
func blockers(records []*record.Record) (out []string) {
	i := slices.IndexFunc(records, func(r *record.Record) bool { return r.Kind == "session" || r.Kind == "handoff" })
	if i < 0 {
		return nil
	}
	words, _ := markdown.Text(records[i].Body, "Blockers")
	return slices.DeleteFunc(markdown.Items(words), func(item string) bool {
		return strings.EqualFold(strings.Trim(item, ". "), "none")
	})
}

// printSwitch prints whether memento is on.
func (c *call) printSwitch(s statusReport) {
	on := "on"
	switch {
	case !s.Enabled:
		on = "off (" + config.SwitchOn(c.Getenv) + ")"
	case s.wiring.State == doctor.Note:
		on = "not wired here"
	case s.wiring.State == doctor.Bad:
		on = "wired with a fault"
	}
	c.row("memento", "%s, version %s", on, Version)
	if s.Wiring != "" {
		c.row("", "%s", text.Line(s.Wiring))
		c.row("", "%s", s.wiring.Hint)
	}
	if s.Paused {
		c.row("", "%s (%s)", s.paused, s.unpause)
	}
}

// printSync prints when the last good sync was, and why syncs fail since. It prints nothing where nobody syncs.
func (c *call) printSync(s statusReport) {
	if !s.synced {
		return
	}
	c.row("sync", "last %s", c.when(s.pace.Last))
	if s.SyncFailed != "" {
		c.row("", "failed since %s: %s", c.when(s.pace.Failed), text.Line(s.SyncFailed))
		c.row("", "%s", text.Line(cmp.Or(s.pace.Hint, "memento sync")))
	}
}

// printSession prints the session, and whether its last block arrived.
func (c *call) printSession(s statusReport) {
	if s.Session != "" {
		c.row("session", "%s, %d compactions", text.Line(s.Session), s.Compactions)
	}
	if s.Started != "" {
		which := "the last session"
		if s.Session != "" {
			which = "it"
		}
		c.row("", "%s began %s; last activity %s", which, c.when(s.memory.Started), c.when(s.lastActivity()))
	}
	if what, hint := doctor.Delivery(s.memory); what != "" {
		c.row("block", "%s", what)
		if hint != "" {
			c.row("", "%s", hint)
		}
	}
}

const noJournal = "none yet"

// readJournal reads the journal and sets the parts of s that it knows. It returns nil for a journal that is missing
// or unreadable.
func (s *status) readJournal(store journal.Store) *journal.Journal {
	j, err := store.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.Journal = noJournal
	case errors.Is(err, journal.ErrCorrupt):
		s.Journal = "unreadable"
	case err != nil:
		s.Journal = "refused"
	case j.Open():
		s.Journal, s.Mission = "mission open", j.Mission
	default:
		s.Journal = "no mission open"
	}
	if err != nil {
		return nil
	}
	s.Done, s.Open = len(j.Done), len(j.Plan)
	if j.Wip != "" {
		s.Open++
	}
	if j.Error != nil {
		s.Blocker = fmt.Sprintf("`%s` -> %s", text.Line(j.Error.Cmd), text.Line(j.Error.Line))
	}
	if info, err := os.Lstat(s.Path); err == nil {
		s.Bytes = info.Size()
	}
	return j
}

// printPlace prints the project here and the path of its journal.
func (c *call) printPlace(s status) {
	name := s.Project
	if name == "" {
		name = "none (work outside any project)"
	}
	c.row("project", "%s, instance %s", name, s.Tag)
	if s.Branch != "" {
		c.row("branch", "%s", text.Line(s.Branch))
	}
	for _, more := range []string{c.former(), c.apart()} {
		if more != "" {
			c.row("", "%s", more)
		}
	}
	if s.Bytes > 0 {
		c.row("journal", "%s (%d bytes)", c.path(s.Path), s.Bytes)
	} else {
		c.row("journal", "%s", c.path(s.Path))
	}
	if s.Mission != "" {
		c.row("", "%s: %s", s.Journal, text.Line(s.Mission))
	} else {
		c.row("", "%s", s.Journal)
	}
	if others := otherInstances(s.Instances); others != "" {
		c.row("", "%s", others)
	}
}

// recordCount counts the records of a project.
type recordCount struct {
	Records    members `json:"records"` // the number of each status
	Kinds      members `json:"kinds"`   // the number of active ones by kind
	Own        int     `json:"user_records"`
	Unreadable int     `json:"unreadable_records"`
	Inbox      int     `json:"inbox"`
	Rules      int     `json:"rules,omitempty"`
	Handoff    string  `json:"handoff"` // the id of the newest active handoff

	Newest []newestRecord `json:"newest"`

	Conflicts []string `json:"conflicts,omitempty"` // the ids of records that hold several versions
}

// newestRecord is an active record that was changed lately.
type newestRecord struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Title   string `json:"title"`
	Stage   string `json:"stage,omitempty"`
	Updated string `json:"updated"`
}

// countRecords counts the records of the lane's project, or the user's own outside any project. It returns the active
// ones, the last changed first.
func (c *call) countRecords(lane project.Lane) (n recordCount, active []*record.Record) {
	name := naming.ProjectOrUser(lane.Slug)
	store := c.records()
	all, problems, err := store.List(record.Filter{Project: name, Status: schema.Statuses()})
	if err != nil { // memento doctor says why
		n.Unreadable++
	}
	n.Unreadable += len(problems)
	by, kinds := map[string]int{}, map[string]int{}
	n.Newest = []newestRecord{}
	for _, r := range all {
		by[r.Status]++
		n.noteConflict(r)
		if r.Status == schema.Active {
			kinds[r.Kind]++
			if active = append(active, r); len(active) <= maxNewest {
				n.Newest = append(n.Newest, newestRecord{r.ID, r.Kind, r.Title, r.Stage, text.Moment(r.Updated)})
			}
		}
		if r.Kind == "handoff" && r.Status == schema.Active && n.Handoff == "" {
			n.Handoff = r.ID
		}
	}
	n.Records, n.Kinds = numbers(schema.Statuses(), by), numbers(sortedKinds(kinds), kinds)
	if name != naming.User {
		own, problems, _ := store.List(record.Filter{Project: naming.User})
		n.Own = len(own)
		for _, r := range own {
			n.noteConflict(r)
		}
		n.Unreadable += len(problems)
	}
	n.Inbox = len(suggest.Waiting(c.config.Dir, name))
	rules, _ := rule.Store{Dir: c.config.Dir}.Rules(lane.Slug)
	n.Rules = len(rules)
	return n, active
}

// sortedKinds lists the kinds in n, in the order of schema.Names, then unknown ones by name.
func sortedKinds(n map[string]int) (out []string) {
	for _, k := range schema.Names() {
		if n[k] > 0 {
			out = append(out, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n)) {
		if _, ok := schema.Named(k); !ok {
			out = append(out, k)
		}
	}
	return out
}

// noteConflict counts a record that was changed on two machines and holds both versions.
func (n *recordCount) noteConflict(r *record.Record) {
	if markdown.Conflicts(r.Bytes()) != nil {
		n.Conflicts = append(n.Conflicts, r.ID)
	}
}

func (c *call) printRecordCount(n recordCount) {
	var parts []string
	for _, m := range n.Records {
		if m.value != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", m.value, m.name))
		}
	}
	if parts == nil {
		parts = []string{"none yet"}
	} else if len(n.Kinds) > 0 {
		var kinds []string
		for _, m := range n.Kinds {
			kinds = append(kinds, fmt.Sprintf("%s %d", text.Line(m.name), m.value))
		}
		parts[0] += " (" + strings.Join(kinds, ", ") + ")"
	}
	if n.Own > 0 {
		parts = append(parts, fmt.Sprintf("%d of your own", n.Own))
	}
	c.row("records", "%s", strings.Join(parts, ", "))
	c.printWaiting(n)
}

// printWaiting prints the number of unreadable records and of suggestions, and the newest handoff.
func (c *call) printWaiting(n recordCount) {
	if n.Unreadable > 0 {
		c.row("", "%d more cannot be read: memento doctor", n.Unreadable)
	}
	for i, id := range n.Conflicts {
		if i == 3 {
			c.row("", "%d more were changed on two machines: memento doctor", len(n.Conflicts)-i)
			break
		}
		c.row("", "changed on two machines, and both versions are kept: memento edit %s", id)
	}
	if n.Inbox > 0 {
		c.row("inbox", "%s: memento inbox", count(n.Inbox, "suggestion"))
	}
	if n.Rules > 0 {
		c.row("rules", "%s of yours: memento rules", count(n.Rules, "sentence"))
	}
	if n.Handoff != "" {
		c.row("handoff", "one waits: memento show %s", n.Handoff)
	}
}
