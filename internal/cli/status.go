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

	Conflicts []string `json:"conflicts,omitempty"` // the ids of other versions of records that two machines changed
}

// newestRecord is an active record that was changed lately.
type newestRecord struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Title   string `json:"title"`
	Stage   string `json:"stage,omitempty"`
	Updated string `json:"updated"`
}

// statusReport is a status, and what only a person sees of it.
type statusReport struct {
	status
	memory  session.Memory
	last    time.Time        // the session's last event
	records []*record.Record // the active ones, the last changed first
	paused  string           // how memento is paused, "" if it is not
	unpause string           // the command that ends the pause
	wiring  doctor.Finding
	unread  error // why the history could not be read to its end
	pace    pace.Pace
	synced  bool // whether a sync was ever good
}

func runStatus(c *call) error {
	at, err := openHere(c)
	if err != nil {
		return err
	}
	s := readStatus(c, at)
	if c.json {
		c.printJSON(s.status)
		return nil
	}
	printStatus(c, s)
	shelf, err := c.shelf()
	if err != nil {
		return err
	}
	most := maxNewest
	if c.screen.Wide > 0 {
		most = maxNewestScreen
	}
	newest := s.records[:min(most, len(s.records))]
	printList(c.output, shelf, newest)
	if more := len(s.records) - len(newest); more > 0 {
		fmt.Fprintf(c.Out, "%d more: memento list\n", more)
	}
	return nil
}

// readStatus reads the status at a place.
func readStatus(c *call, at *place) (s statusReport) {
	lane := at.store.Lane
	s.status = status{
		Enabled: c.config.Enabled, Project: lane.Slug, Branch: project.Branch(c.Dir, at.root), Tag: c.config.Tag,
		Path: lane.Journal(), Session: at.session, ApartFrom: c.apartFrom(), Shared: c.waitingHere(at),
	}
	s.paused, s.unpause = c.paused(lane)
	s.Paused = s.paused != ""
	if since, ok := withheld.LoadPauses(c.config.Dir).Since(withheld.Key(lane.Slug)); ok && !since.IsZero() {
		s.PausedSince = since.UTC().Format(time.RFC3339)
	}
	j := s.readJournal(at.store)
	s.unread = history.Read(lane, func(l history.Line) bool {
		s.History++
		if l.Kind == "said" {
			s.Said++
		}
		return true
	})
	s.memory = doctor.SessionMemory(c.config.Dir, at.session, j)
	if s.last = s.memory.Active; s.last.IsZero() {
		s.last = s.memory.Started
	}
	s.Compactions, s.Delivery = s.memory.Compactions, s.memory.Delivery
	s.Started, s.Active = text.Moment(s.memory.Started), text.Moment(s.last)
	if _, err := session.Load(c.config.Dir, at.session); s.Enabled && err != nil { // else the session's hooks have run
		s.wiring = doctor.Wiring(patient(c))
		s.Wiring = s.wiring.What
	}
	s.recordCount, s.records = countRecords(c.folder, lane)
	if s.Blocker == "" {
		s.Blocker, _ = text.Cut(text.Line(strings.Join(blockers(s.records), "; ")), maxSnippet)
	}
	if s.Journal == noJournal {
		s.Instances = lane.Instances()
	}
	if s.pace, s.synced = pace.Load(c.config.Dir); s.synced {
		s.Synced = s.pace.Last.UTC().Format(time.RFC3339)
	}
	if !s.pace.Failed.IsZero() {
		s.SyncFailed = cmp.Or(s.pace.Error, "unknown")
	}
	return s
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

// countRecords counts the records of the lane's project, or the user's own outside any project. It returns the active
// ones, the last changed first.
func countRecords(f *folder, lane project.Lane) (n recordCount, active []*record.Record) {
	name := naming.ProjectOrUser(lane.Slug)
	all, problems, err := f.records().List(record.Filter{Project: name, Status: schema.Statuses()})
	if err != nil { // memento doctor says why
		n.Unreadable++
	}
	n.Unreadable += len(problems)
	by, kinds := map[string]int{}, map[string]int{}
	for _, r := range all {
		if by[r.Status]++; r.Status == schema.Active {
			kinds[r.Kind]++
			active = append(active, r)
		}
	}
	n.Newest = []newestRecord{}
	for _, r := range active[:min(len(active), maxNewest)] {
		n.Newest = append(n.Newest, newestRecord{r.ID, r.Kind, r.Title, r.Stage, text.Moment(r.Updated)})
	}
	if i := slices.IndexFunc(active, func(r *record.Record) bool { return r.Kind == "handoff" }); i >= 0 {
		n.Handoff = active[i].ID
	}
	n.Records, n.Kinds = numbers(schema.Statuses(), by), numbers(sortedKinds(kinds), kinds)
	if name != naming.User {
		own, problems, _ := f.records().List(record.Filter{Project: naming.User})
		n.Own = len(own)
		n.Unreadable += len(problems)
		all = append(all, own...)
	}
	for _, r := range all {
		if r.VersionOf != "" && r.Status == schema.Active { // two machines changed the other one
			n.Conflicts = append(n.Conflicts, r.ID)
		}
	}
	n.Inbox = len(suggest.Waiting(f.config.Dir, name))
	rules, _ := rule.Store{Dir: f.config.Dir}.Rules(lane.Slug)
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

// kindCounts lists numbers of records by kind: decision 2, debt 1.
func kindCounts(n members) string {
	var out []string
	for _, m := range n {
		out = append(out, fmt.Sprintf("%s %d", text.Line(m.name), m.value))
	}
	return strings.Join(out, ", ")
}

// printStatus prints the status for a person, but for the newest records.
func printStatus(c *call, s statusReport) {
	on := "on"
	switch {
	case !s.Enabled:
		on = "off (" + config.SwitchOn(c.Getenv) + ")"
	case s.wiring.State == doctor.Note:
		on = "not wired here"
	case s.wiring.State == doctor.Bad:
		on = "wired with a fault"
	}
	path, mission, progress := c.path(s.Path), s.Journal, ""
	if s.Bytes > 0 {
		path = fmt.Sprintf("%s (%d bytes)", path, s.Bytes)
	}
	if s.Mission != "" {
		mission += ": " + text.Line(s.Mission)
	}
	if s.Done+s.Open > 0 || s.Mission != "" {
		progress = fmt.Sprintf("%d done, %d open", s.Done, s.Open)
	}
	lines := fmt.Sprintf("%s, %d of them things you typed", count(s.History, "line"), s.Said)
	if s.unread != nil {
		lines = "not read to its end: " + text.Line(worded(s.unread))
	}
	c.rows([][2]string{
		{"memento", on + ", version " + Version},
		{"", text.Line(s.Wiring)},
		{"", s.wiring.Hint},
		{"", inBrackets(s.paused, s.unpause)},
		{"project", cmp.Or(s.Project, "none (work outside any project)") + ", instance " + s.Tag},
		{"branch", text.Line(s.Branch)},
		{"", c.former()},
		{"", c.apart()},
		{"journal", path},
		{"", mission},
		{"", otherInstances(s.Instances)},
		{"progress", progress},
		{"blocker", s.Blocker},
		{"history", lines},
		{"records", inWords(s.recordCount)},
		{"", unlessZero(s.Unreadable, fmt.Sprintf("%d more cannot be read: memento doctor", s.Unreadable))},
	})
	for _, id := range s.Conflicts[:min(3, len(s.Conflicts))] {
		c.row("", "changed on two machines, and both versions are kept: memento show %s", id)
	}
	if more := len(s.Conflicts) - 3; more > 0 {
		c.row("", "%d more were changed on two machines: memento doctor", more)
	}
	id := ""
	if s.Session != "" {
		id = fmt.Sprintf("%s, %d compactions", text.Line(s.Session), s.Compactions)
	}
	began := ""
	if s.Started != "" {
		which := map[bool]string{true: "it", false: "the last session"}[s.Session != ""]
		began = fmt.Sprintf("%s began %s; last activity %s", which, c.when(s.memory.Started), c.when(s.last))
	}
	block, hint := doctor.Delivery(s.memory)
	c.rows([][2]string{
		{"inbox", unlessZero(s.Inbox, count(s.Inbox, "suggestion")+": memento inbox")},
		{"rules", unlessZero(s.Rules, count(s.Rules, "sentence")+" of yours: memento rules")},
		{"handoff", prefixed("one waits: memento show ", s.Handoff)},
		{"shared", unlessZero(s.Shared, text.CountVerb(s.Shared, "record", "waits", "wait")+
			" in the repository: memento trust")},
		{"session", id},
		{"", began},
		{"block", block},
		{"", hint},
	})
	if s.synced {
		c.row("sync", "last %s", c.when(s.pace.Last))
	}
	if s.synced && s.SyncFailed != "" {
		c.row("", "failed since %s: %s", c.when(s.pace.Failed), text.Line(s.SyncFailed))
		c.row("", "%s", text.Line(cmp.Or(s.pace.Hint, "memento sync")))
	}
}

// inWords says how many records there are.
func inWords(n recordCount) string {
	var parts []string
	for _, m := range n.Records {
		if m.value != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", m.value, m.name))
		}
	}
	if parts == nil {
		parts = []string{"none yet"}
	} else if len(n.Kinds) > 0 {
		parts[0] += " (" + kindCounts(n.Kinds) + ")"
	}
	if n.Own > 0 {
		parts = append(parts, fmt.Sprintf("%d of your own", n.Own))
	}
	return strings.Join(parts, ", ")
}

// inBrackets returns what with the command that changes it, "" for nothing.
func inBrackets(what, command string) string {
	if what == "" {
		return ""
	}
	return what + " (" + command + ")"
}

// unlessZero returns words, "" if they count nothing.
func unlessZero(n int, words string) string {
	if n == 0 {
		return ""
	}
	return words
}
