package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// How many of the newest records status lists: to a program or Claude, and to a person, for one screen.
const (
	maxNewest       = 20
	maxNewestScreen = 3
)

func statusCommand() command {
	return command{
		name: "status", json: true, short: "show where things stand here: the mission, what blocks it, and the newest records",
		long: `  memento
  memento status --json
`,
		run: runStatus,
	}
}

// status is the JSON answer of memento status, and beside it what only a person sees.
type status struct {
	Enabled     bool   `json:"enabled"`
	Wiring      string `json:"wiring,omitempty"` // why no session here runs memento, or why its hooks fail
	Paused      bool   `json:"paused"`
	PausedSince string `json:"paused_since,omitempty"`
	Project     string `json:"project"`
	Branch      string `json:"branch"`
	Tag         string `json:"tag"`
	Path        string `json:"path"`
	Journal     string `json:"journal"`
	Mission     string `json:"mission"`
	Done        int    `json:"done"`
	Open        int    `json:"open"`    // what is in hand or planned
	Blocker     string `json:"blocker"` // what keeps the work from going on, "" for nothing
	Said        int    `json:"said"`
	History     int    `json:"history"`
	Session     string `json:"session"`
	Started     string `json:"started,omitempty"`       // when the session did, or the last one here
	Active      string `json:"last_activity,omitempty"` // of that session, to ten minutes
	Compactions int    `json:"compactions"`
	Delivery    string `json:"delivery"`
	Shared      int    `json:"shared_waiting,omitempty"` // files of the repository that wait for memento trust
	Synced      string `json:"synced,omitempty"`         // when a sync was good last
	SyncFailed  string `json:"sync_failed"`              // why syncs fail now, "" if they do not

	Records    map[string]int `json:"records"` // the number of each status
	Kinds      map[string]int `json:"kinds"`   // the number of active ones by kind
	Own        int            `json:"user_records"`
	Unreadable int            `json:"unreadable_records"`
	Rules      int            `json:"rules,omitempty"`
	Waiting    int            `json:"rules_waiting,omitempty"`
	Handoff    string         `json:"handoff"` // the id of the newest active handoff
	Newest     []members      `json:"newest"`
	Conflicts  []string       `json:"conflicts,omitempty"` // ids of other versions of records that two machines changed

	memory   session.Memory
	last     time.Time        // the session's last event
	active   []*record.Record // the last changed first
	reported []string         // blockers, by the newest session or handoff
	paused   string           // how memento is paused, "" if it is not
	unpause  string           // the command that ends the pause
	wiring   doctor.Finding
	unread   error // why the history could not be read to its end
	pace     pace.Pace
}

func runStatus(c *call) error {
	at, err := openHere(c)
	if err != nil {
		return err
	}
	s := readStatus(c, at)
	if c.json {
		c.printJSON(s)
		return nil
	}
	s.print(c)
	most := maxNewest
	if c.screen.Wide > 0 {
		most = maxNewestScreen
	}
	newest := s.active[:min(most, len(s.active))]
	printList(c.output, newest)
	if more := len(s.active) - len(newest); more > 0 {
		fmt.Fprintf(c.Out, "%d more: memento list\n", more)
	}
	return nil
}

// readStatus reads the status at a place.
func readStatus(c *call, at *place) (s status) {
	lane := at.store.Lane
	s = status{
		Enabled: c.config.Enabled, Project: lane.Slug, Branch: project.Branch(c.Dir, at.root), Tag: c.config.Tag,
		Path: lane.Journal(), Session: at.session, Shared: c.waitingHere(at),
	}
	s.paused, s.unpause = c.paused(lane)
	s.Paused = s.paused != ""
	if since, ok := withheld.LoadPauses(c.config.Dir).Since(withheld.Key(lane.Slug)); ok {
		s.PausedSince = text.Moment(since)
	}
	j := s.readJournal(at.store)
	s.unread = history.Read(lane, func(l log.Entry) bool {
		s.History++
		if l.Kind == log.Typed {
			s.Said++
		}
		return true
	})
	s.memory = sessionMemory(c.config.Dir, at.session, j)
	if s.last = s.memory.Active; s.last.IsZero() {
		s.last = s.memory.Started
	}
	s.Compactions, s.Delivery = s.memory.Compactions, s.memory.Delivery
	s.Started, s.Active = text.Moment(s.memory.Started), text.Moment(s.last)
	if _, err := session.Load(c.config.Dir, at.session); s.Enabled && err != nil { // else the session's hooks have run
		s.wiring = doctor.Wiring(patient(c))
		s.Wiring = s.wiring.What
	}
	s.countRecords(c.folder, lane)
	if s.Blocker == "" {
		s.Blocker, _ = text.Cut(text.Line(strings.Join(s.reported, "; ")), maxSnippet)
	}
	s.pace, _ = pace.Load(c.config.Dir)
	s.Synced = text.Moment(s.pace.Last)
	if !s.pace.Failed.IsZero() {
		s.SyncFailed = cmp.Or(s.pace.Error, "unknown")
	}
	return s
}

// readJournal reads the journal and sets the parts of s that it knows. It returns nil for a journal that is missing
// or unreadable.
func (s *status) readJournal(store journal.Store) *journal.Journal {
	j, err := store.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.Journal = "none yet"
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
	return j
}

// blockers returns what the newest active session or handoff among records, the last changed first, says of blockers.
func blockers(records []*record.Record) (out []string) {
	i := slices.IndexFunc(records, func(r *record.Record) bool {
		return r.Status == schema.Active && (r.Kind == "session" || r.Kind == "handoff")
	})
	if i < 0 {
		return nil
	}
	words, _ := markdown.Text(records[i].Body, "Blockers")
	return slices.DeleteFunc(markdown.Items(words), func(item string) bool {
		return strings.EqualFold(strings.Trim(item, ". "), "none")
	})
}

// countRecords counts the records of the lane's project, or the user's own outside any project, and what waits there.
func (s *status) countRecords(f *folder, lane project.Lane) {
	name := naming.ProjectOrUser(lane.Slug)
	all, problems, err := f.records().List(record.Filter{Project: name, Status: schema.Statuses()})
	if err != nil { // memento doctor says why
		s.Unreadable++
	}
	s.Unreadable += len(problems)
	s.Records, s.Kinds, s.Newest = map[string]int{}, map[string]int{}, []members{}
	s.reported = blockers(all)
	list, _ := visible(all, record.Filter{})
	for _, r := range list {
		if s.Records[r.Status]++; r.Status != schema.Active {
			continue
		}
		s.Kinds[r.Kind]++
		if s.active = append(s.active, r); len(s.active) <= maxNewest {
			s.Newest = append(s.Newest, listed(r))
		}
		if r.Kind == "handoff" {
			s.Handoff = cmp.Or(s.Handoff, r.ID)
		}
	}
	if name != naming.User {
		own, problems, _ := f.records().List(record.Filter{Project: naming.User})
		s.Own = len(own)
		s.Unreadable += len(problems)
		all = append(all, own...)
	}
	for _, r := range all {
		if r.VersionOf != "" && r.Status == schema.Active { // two machines changed the other one
			s.Conflicts = append(s.Conflicts, r.ID)
		}
	}
	rules := rule.Store{Dir: f.config.Dir}
	s.Rules, s.Waiting = len(rules.Rules(lane.Slug).Kept), len(rules.Waiting(lane.Slug))
}

// kindCounts lists numbers of records by kind: decision 2, debt 1.
func kindCounts(n map[string]int) string {
	var out []string
	for _, kind := range append(schema.Names(), slices.Sorted(maps.Keys(n))...) {
		if words := fmt.Sprintf("%s %d", text.Line(kind), n[kind]); n[kind] > 0 && !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	return strings.Join(out, ", ")
}

// print prints the status for a person, but for the newest records.
func (s status) print(c *call) {
	row := func(name, format string, args ...any) { c.rows([][2]string{{name, fmt.Sprintf(format, args...)}}) }
	on := "on"
	switch {
	case !s.Enabled:
		on = "off (" + config.SwitchOn(c.Getenv) + ")"
	case s.wiring.State == doctor.Note:
		on = "not wired here"
	case s.wiring.State == doctor.Bad:
		on = "wired with a fault"
	}
	row("memento", "%s, version %s", on, Version)
	row("", "%s", text.Line(s.Wiring))
	row("", "%s", s.wiring.Hint)
	if s.Paused {
		row("", "%s (%s)", s.paused, s.unpause)
	}
	row("project", "%s, instance %s", cmp.Or(s.Project, "none (work outside any project)"), s.Tag)
	row("branch", "%s", text.Line(s.Branch))
	row("", "%s", c.former())
	row("", "%s", c.apart())
	row("journal", "%s", c.path(s.Path))
	row("", "%s", joined(": ", s.Journal, text.Line(s.Mission)))
	if s.Done+s.Open > 0 || s.Mission != "" {
		row("progress", "%d done, %d open", s.Done, s.Open)
	}
	row("blocker", "%s", s.Blocker)
	if s.unread != nil {
		row("history", "not read to its end: %s", text.Line(worded(s.unread)))
	} else {
		row("history", "%s, %d of them things you typed", count(s.History, "line"), s.Said)
	}
	row("records", "%s", s.recordsInWords())
	if s.Unreadable > 0 {
		row("", "%d more cannot be read: memento doctor", s.Unreadable)
	}
	for _, id := range s.Conflicts {
		row("", "changed on two machines, and both versions are kept: memento show %s", id)
	}
	if s.Rules+s.Waiting > 0 {
		row("rules", "%d kept, %d waiting: memento rules", s.Rules, s.Waiting)
	}
	row("handoff", "%s", prefixed("one waits: memento show ", s.Handoff))
	if s.Shared > 0 {
		row("shared", "%s in the repository: memento trust", text.CountVerb(s.Shared, "record", "waits", "wait"))
	}
	which := "the last session"
	if s.Session != "" {
		which = "it"
		row("session", "%s, %d compactions", text.Line(s.Session), s.Compactions)
	}
	if s.Started != "" {
		row("", "%s began %s; last activity %s", which, c.when(s.memory.Started), c.when(s.last))
	}
	block, hint := delivery(s.memory)
	row("block", "%s", block)
	row("", "%s", hint)
	row("next", "%s", s.next(c))
	if s.Synced != "" {
		row("sync", "last %s", c.when(s.pace.Last))
	}
	if s.Synced != "" && s.SyncFailed != "" {
		row("", "failed since %s: %s", c.when(s.pace.Failed), text.Line(s.SyncFailed))
		row("", "%s", text.Line(cmp.Or(s.pace.Hint, "memento sync")))
	}
}

// next says what a newcomer can do, of whom nothing is kept here yet; "" for anybody else.
func (s status) next(c *call) string {
	switch {
	case s.History > 0 || len(s.Records) > 0 || s.Mission != "":
		return ""
	case s.wiring.State == "" || s.wiring.State == doctor.OK:
		return joined("; ", "type a task in Claude Code here: its mission and your words are kept", earlierSessions(c))
	}
	return earlierSessions(c)
}

// recordsInWords says how many records there are.
func (s status) recordsInWords() string {
	var parts []string
	for _, name := range schema.Statuses() {
		if n := s.Records[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	if parts == nil {
		parts = []string{"none yet"}
	} else if len(s.Kinds) > 0 {
		parts[0] += " (" + kindCounts(s.Kinds) + ")"
	}
	if s.Own > 0 {
		parts = append(parts, fmt.Sprintf("%d of your own", s.Own))
	}
	return strings.Join(parts, ", ")
}

// delivery says whether the last block reached Claude, and if it did not, what helps.
func delivery(st session.Memory) (what, hint string) {
	const look = "memento show prints it; in Claude Code /hooks lists what else runs there, " +
		"and claude --debug names the hook that fails"
	switch {
	case st.Delivery == transcript.Whole && st.Again:
		return "reached Claude at the second try, beside a prompt", ""
	case st.Delivery == transcript.Whole:
		return "reached Claude whole", ""
	case st.Delivery == transcript.Untold:
		return "may have reached Claude: a client of this version does not note it", ""
	case st.Delivery != "" && st.Again:
		return "did not reach Claude whole, nor did it beside the next prompt", look
	case st.Delivery == transcript.Cut:
		return "reached Claude cut short", "the next prompt brings it again"
	case st.Delivery == transcript.Missing:
		return "did not reach Claude", "the next prompt brings it again"
	}
	return "", ""
}
