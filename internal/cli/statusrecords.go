package cli

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/suggest"
)

// recordCount is what status says of a project's records.
type recordCount struct {
	status     map[string]int
	own        int // the user's active ones
	unreadable int
	inbox      int
	handoff    *record.Record // the newest one that waits; nil: none does
}

func (c *call) keptRecords(lane project.Lane) recordCount {
	n := recordCount{status: map[string]int{}}
	name := record.User
	if lane.Slug != "" {
		name = record.Project(lane.Slug)
	}
	store := c.records()
	all, problems, err := store.List(record.Filter{Project: name, Status: record.Statuses()})
	if err != nil { // the doctor says it
		n.unreadable++
	}
	n.unreadable += len(problems)
	for _, r := range all {
		n.status[r.Status]++
		if r.Kind == "handoff" && r.Status == record.Active && n.handoff == nil {
			n.handoff = r
		}
	}
	if name != record.User {
		own, problems, _ := store.List(record.Filter{Project: record.User})
		n.own = len(own)
		n.unreadable += len(problems)
	}
	n.inbox = suggest.Waiting(c.config.Dir, name)
	return n
}

func (n recordCount) json() string {
	var by []string
	for _, s := range record.Statuses() {
		by = append(by, fmt.Sprintf("%s:%d", quote(s), n.status[s]))
	}
	handoff := ""
	if n.handoff != nil {
		handoff = n.handoff.ID
	}
	return fmt.Sprintf(`"records":{%s},"user_records":%d,"unreadable_records":%d,"inbox":%d,"handoff":%s`, strings.Join(by, ","), n.own, n.unreadable, n.inbox, quote(handoff))
}

func (n recordCount) rows(row func(name, format string, args ...any)) {
	var parts []string
	for _, s := range record.Statuses() {
		if n.status[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.status[s], s))
		}
	}
	if parts == nil {
		parts = []string{"none yet"}
	}
	if n.own > 0 {
		parts = append(parts, fmt.Sprintf("%d of your own", n.own))
	}
	row("records", "%s", strings.Join(parts, ", "))
	if n.unreadable > 0 {
		row("", "%d more cannot be read: memento doctor", n.unreadable)
	}
	if n.inbox > 0 {
		row("inbox", "%s: memento inbox", count(n.inbox, "suggestion"))
	}
	if n.handoff != nil {
		row("handoff", "one waits: memento show %s", n.handoff.ID)
	}
}
