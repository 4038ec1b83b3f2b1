package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/journal"
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

// status is the JSON answer of memento status. A person reads rows instead.
type status struct {
	Enabled     bool   `json:"enabled"`
	Wiring      string `json:"wiring,omitempty"` // why no session here runs memento, or why its hooks fail
	Paused      bool   `json:"paused"`
	PausedSince string `json:"paused_since,omitempty"`
	Project     string `json:"project"`
	Branch      string `json:"branch"`
	Tag         string `json:"tag"`
	Path        string `json:"path"`
	Mission     string `json:"mission"`
	Done        int    `json:"done"`
	Open        int    `json:"open"`    // what is in hand or planned
	Blocker     string `json:"blocker"` // what keeps the work from going on, "" for nothing
	Session     string `json:"session"`
	Started     string `json:"started,omitempty"`       // when the session did, or the last one here
	Active      string `json:"last_activity,omitempty"` // of that session, to ten minutes
	Compactions int    `json:"compactions"`
	Delivery    string `json:"delivery"`
	Synced      string `json:"synced,omitempty"` // when a sync was good last
	SyncFailed  string `json:"sync_failed"`      // why syncs fail now, "" if they do not

	Records    map[string]int `json:"records"` // the number of each status
	Kinds      map[string]int `json:"kinds"`   // the number of active ones by kind
	Own        int            `json:"user_records"`
	Unreadable int            `json:"unreadable_records"`
	Rules      int            `json:"rules,omitempty"`
	Waiting    int            `json:"rules_waiting,omitempty"`
	Handoff    string         `json:"handoff"` // the id of the newest active handoff
	Newest     []members      `json:"newest"`
	Conflicts  []string       `json:"conflicts,omitempty"` // ids of other versions of records that two machines changed

	out    *output
	hidden int // records of kinds that a list leaves out
}

// row prints a row for a person. Without words it is left out.
func (s *status) row(name, format string, args ...any) {
	if !s.out.json {
		s.out.row(name, format, args...)
	}
}

func runStatus(c *call) error {
	at, err := openPlace(c, false)
	if err != nil {
		return err
	}
	lane := at.store.Lane
	s := &status{Enabled: c.config.Enabled, Project: lane.Slug, Branch: project.Branch(c.Dir, at.root),
		Tag: c.config.Tag, Path: lane.Journal(), Session: at.session, out: c.output}
	isWired := s.readWiring(c, lane)
	s.row("project", "%s, instance %s", cmp.Or(s.Project, "none (work outside any project)"), s.Tag)
	s.row("branch", "%s", text.Line(s.Branch))
	s.row("", "%s", c.apart())
	j := s.readJournal(c, at.store)
	active := s.readRecords(c.folder, lane)
	shared, _ := c.repository(&shelf{project: naming.ProjectOrUser(lane.Slug), store: c.records()}).Review()
	if n := len(shared.Waiting); n > 0 {
		s.row("shared", "%s in the repository: memento trust", text.CountVerb(n, "record", "waits", "wait"))
	}
	s.readSession(c, j)
	if j == nil && len(s.Records) == 0 { // a newcomer
		const first = "type a task in Claude Code here: its mission and your words are kept"
		task := map[bool]string{true: first}[isWired]
		s.row("next", "%s", joined("; ", task, earlierSessions(c)))
	}
	s.readSync(c)
	if c.json {
		return c.printJSON(s)
	}
	most := maxNewest
	if c.screen.Wide > 0 {
		most = maxNewestScreen
	}
	printList(c.output, active[:min(most, len(active))])
	if more := len(active) - most; more > 0 {
		fmt.Fprintf(c.Out, "%d more: memento list\n", more)
	}
	return nil
}

// readWiring finds out whether memento is at work here. It reports whether sessions here run memento.
func (s *status) readWiring(c *call, lane project.Lane) (isWired bool) {
	var wiring doctor.Finding
	if _, err := session.Load(c.config.Dir, s.Session); s.Enabled && err != nil { // else the session's hooks have run
		wiring = doctor.Wiring(patient(c))
		s.Wiring = wiring.What
	}
	on := "on"
	switch {
	case !s.Enabled:
		on = "off (" + config.SwitchOn(c.Getenv) + ")"
	case wiring.State == doctor.Note:
		on = "not wired here"
	case wiring.State == doctor.Bad:
		on = "wired with a fault"
	}
	s.row("memento", "%s, version %s", on, Version)
	s.row("", "%s", text.Line(s.Wiring))
	s.row("", "%s", wiring.Hint)
	if what, end := c.paused(lane); what != "" {
		s.Paused = true
		s.row("", "%s (%s)", what, end)
	}
	if since, ok := withheld.LoadPauses(c.config.Dir).Since(withheld.Key(lane.Slug)); ok {
		s.PausedSince = text.Moment(since)
	}
	return wiring.State == "" || wiring.State == doctor.OK
}

// readJournal reads the mission and what is done and open. It returns nil for a journal that is missing or unreadable.
func (s *status) readJournal(c *call, store journal.Store) *journal.Journal {
	j, err := store.Read()
	stands := "no mission open"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		stands = "none yet"
	case errors.Is(err, journal.ErrCorrupt):
		stands = "unreadable: memento doctor"
	case err != nil:
		stands = "refused: memento doctor"
	case j.Open():
		stands, s.Mission = "mission open", j.Mission
	}
	s.row("journal", "%s", c.path(s.Path))
	s.row("", "%s", joined(": ", stands, text.Line(s.Mission)))
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
	if s.Done+s.Open > 0 {
		s.row("progress", "%d done, %d open", s.Done, s.Open)
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

// readRecords counts the records of the lane's project, or the user's own outside any project, and what waits there. It
// returns the active ones, the last changed first.
func (s *status) readRecords(f *folder, lane project.Lane) (active []*record.Record) {
	name := naming.ProjectOrUser(lane.Slug)
	all, problems, err := f.records().List(record.Filter{Project: name, Status: schema.Statuses()})
	if err != nil { // memento doctor says why
		s.Unreadable++
	}
	s.Unreadable += len(problems)
	s.Records, s.Kinds, s.Newest = map[string]int{}, map[string]int{}, []members{}
	if s.Blocker == "" {
		s.Blocker, _ = text.Cut(text.Line(strings.Join(blockers(all), "; ")), maxSnippet)
	}
	list, hidden := visible(all, record.Filter{})
	s.hidden = hidden
	for _, r := range list {
		if s.Records[r.Status]++; r.Status != schema.Active {
			continue
		}
		s.Kinds[r.Kind]++
		if active = append(active, r); len(active) <= maxNewest {
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
	s.row("blocker", "%s", s.Blocker)
	s.row("records", "%s", s.recordsInWords())
	if s.Unreadable > 0 {
		s.row("", "%d more cannot be read: memento doctor", s.Unreadable)
	}
	for _, r := range all {
		if r.VersionOf != "" && r.Status == schema.Active { // two machines changed the other one
			s.Conflicts = append(s.Conflicts, r.ID)
			s.row("", "changed on two machines, and both versions are kept: memento show %s", r.ID)
		}
	}
	rules := rule.Store{Dir: f.config.Dir}
	s.Rules, s.Waiting = len(rules.Rules(lane.Slug).Kept), len(rules.Waiting(lane.Slug))
	if s.Rules+s.Waiting > 0 {
		s.row("rules", "%d kept, %d waiting: memento rules", s.Rules, s.Waiting)
	}
	s.row("handoff", "%s", prefixed("one waits: memento show ", s.Handoff))
	return active
}

// kindCounts lists numbers of records by kind: decision 2, debt 1.
func kindCounts(n map[string]int) string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fmt.Sprintf("%s %d", text.Line(kind), n[kind]))
	}
	return strings.Join(out, ", ")
}

// recordsInWords says how many records there are.
func (s status) recordsInWords() string {
	var parts []string
	for _, name := range schema.Statuses() {
		if n := s.Records[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	if len(s.Kinds) > 0 {
		parts[0] += " (" + kindCounts(s.Kinds) + ")"
	}
	if s.hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d of sessions and subagents", s.hidden))
	}
	if s.Own > 0 {
		parts = append(parts, fmt.Sprintf("%d of your own", s.Own))
	}
	return cmp.Or(strings.Join(parts, ", "), "none yet")
}

// readSession reads of the session, or the last one here, when it was and whether its block reached Claude.
func (s *status) readSession(c *call, j *journal.Journal) {
	memory := sessionMemory(c.config.Dir, s.Session, j)
	last := cmp.Or(memory.Active, memory.Started)
	s.Compactions, s.Delivery = memory.Compactions, memory.Delivery
	s.Started, s.Active = text.Moment(memory.Started), text.Moment(last)
	name, which := "session", "the last one"
	if s.Session != "" {
		name, which = "", "it"
		s.row("session", "%s, %s", text.Line(s.Session), count(s.Compactions, "compaction"))
	}
	if s.Started != "" {
		s.row(name, "%s began %s; last activity %s", which, c.when(memory.Started), c.when(last))
	}
	block, hint := delivery(memory)
	s.row("block", "%s", block)
	s.row("", "%s", hint)
}

// readSync reads how the last sync ended.
func (s *status) readSync(c *call) {
	p, _ := pace.Load(c.config.Dir)
	if s.Synced = text.Moment(p.Last); s.Synced != "" {
		s.row("sync", "last %s", c.when(p.Last))
	}
	if !p.Failed.IsZero() {
		s.SyncFailed = cmp.Or(p.Error, "unknown")
		s.row("", "failed since %s: %s", c.when(p.Failed), text.Line(s.SyncFailed))
		s.row("", "%s", text.Line(cmp.Or(p.Hint, "memento sync")))
	}
}

// delivery says whether the last block reached Claude, and if it did not, what helps.
func delivery(st session.Memory) (what, hint string) {
	switch {
	case st.Delivery == transcript.Whole && st.Again:
		return "reached Claude at the second try, beside a prompt", ""
	case st.Delivery == transcript.Whole:
		return "reached Claude whole", ""
	case st.Delivery == transcript.Untold:
		return "may have reached Claude: a client of this version does not note it", ""
	case st.Delivery == "":
		return "", ""
	case st.Again:
		return "did not reach Claude whole, nor did it beside the next prompt",
			"memento show prints it; in Claude Code /hooks lists what else runs there, and claude --debug which fails"
	}
	what = map[string]string{transcript.Cut: "reached Claude cut short"}[st.Delivery]
	return cmp.Or(what, "did not reach Claude"), "the next prompt brings it again"
}
