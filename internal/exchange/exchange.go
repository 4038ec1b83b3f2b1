// Package exchange brings records in from other layouts and out into them. What it cannot read it lists, and it overwrites
// nothing.
//
// Reading has two halves: find.go knows which file stands where, and the readers (a file for each layout) turn the bytes of
// one file into drafts, touching no disk. What becomes of the drafts is decided in plan.go.
package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// The layouts that can be read.
const (
	Markdown   = "markdown"   // PROJECT--SLUG.md and .completed: our own, and the named snapshots of others
	Folders    = "folders"    // decisions/, analysis/, context/, progress/, subagent/ of Markdown, a project's or below projects/KEY/
	Categories = "categories" // sessions/, decisions/, runbooks/, … of JSON with common fields
	Envelopes  = "envelopes"  // context/ and handoffs/ of JSON with meta and content
	Journal    = "journal"    // a user's journal
	JSON       = "json"       // what memento export --format json wrote
)

// Layouts lists them, for help and errors.
func Layouts() []string { return []string{Markdown, Folders, Categories, Envelopes, Journal, JSON} }

// Bounds of what is read.
const (
	maxFile   = 1 << 20  // bytes of a file of one record
	maxExport = 64 << 20 // bytes of an export
	maxFiles  = 20000    // in all
	maxList   = 20000    // entries of a folder
	maxDepth  = 64       // of JSON
	maxItems  = 200      // records that one file of preferences or initiatives may become
)

// ErrNothing is the reason when nothing that can be imported stands at a path.
var ErrNothing = errors.New("nothing that memento can import")

// Draft is a record that a file would become.
type Draft struct {
	From   string // the file, relative to what was asked for
	Layout string
	Record record.Record
	Notes  []string // what is not as it was, in words for a person

	own bool // memento's own: every field is as it says, and every byte
}

// Left is a file that becomes no record, and why.
type Left struct{ Path, Why string }

// Found is what was read.
type Found struct {
	Layouts  []string
	Drafts   []Draft
	Derived  []Left // not needed: made from the others, or machinery
	Unread   []Left // could not be read, or understood
	Settings []Left // a setting of theirs (Path), and ours that does the same (Why)
}

// Options say how to read.
type Options struct {
	From    string                        // a layout, "" for what it looks like
	Project string                        // for what names none
	Name    func(key, root string) string // what the project is called here that they called key and that stood at root; nil: key
	Of      func(dir string) string       // the project that a folder of this machine belongs to, "" for none; nil: none
	Own     string                        // memento's folder, which is not read
	Now     time.Time
}

func note(d *Draft, format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// title gives d its title: one line, cut to what fits. What is cut off stays in the body.
func (d *Draft) title(s string) {
	s = text.Line(s)
	short, cut := text.Cut(s, record.MaxTitle)
	if d.Record.Title = short; cut {
		note(d, "the title was cut to %d characters; it stands whole in the body", record.MaxTitle)
		d.put("Title", s)
	}
}

// put adds text to the section called heading. Text that would end the section is quoted.
func (d *Draft) put(heading, s string) {
	if s = strings.Trim(s, "\r\n"); strings.TrimSpace(s) == "" {
		return
	}
	body, err := markdown.AppendSection(d.Record.Body, heading, s)
	if err != nil {
		note(d, "%s is quoted: it holds headings", strings.ToLower(heading))
		quoted := "> " + strings.ReplaceAll(s, "\n", "\n> ")
		if body, err = markdown.AppendSection(d.Record.Body, heading, quoted); err != nil { // the body itself has an open end
			body = "## " + heading + "\n\n" + quoted + "\n\n" + d.Record.Body
		}
	}
	if !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	d.Record.Body = body
}

// list adds items to the section called heading. The lines of one stand so far below its first that none is a heading.
func (d *Draft) list(heading string, items []string) {
	deep := make([]string, len(items))
	for i, it := range items {
		if deep[i] = strings.TrimSpace(it); deep[i] == strings.TrimRight(it, " \t\r\n") {
			deep[i] = strings.ReplaceAll(deep[i], "\n", "\n    ")
		} else if deep[i] != "" { // code: its beginning counts
			deep[i] = strings.TrimRight(it, " \t\r\n")
		}
	}
	d.put(heading, markdown.List(deep))
}

// tag adds a tag, made to fit.
func (d *Draft) tag(s string) {
	if s = text.Line(s); s == "" {
		return
	}
	short, cut := text.Cut(s, record.MaxTag)
	if cut {
		note(d, "a tag was cut to %d characters: %s", record.MaxTag, s)
	}
	if !slices.Contains(d.Record.Tags, short) {
		d.Record.Tags = append(d.Record.Tags, short)
	}
}

// state takes over a state of theirs, by what ours is called. One that we do not know stays in the body.
func (d *Draft) state(s string, names ...string) {
	s = strings.TrimSpace(s)
	kind, _ := record.KindNamed(d.Record.Kind)
	ours := strings.ReplaceAll(strings.ToLower(s), " ", "_")
	for i := 0; i+1 < len(names); i += 2 {
		if ours == names[i] {
			ours = names[i+1]
		}
	}
	switch {
	case s == "":
	case kind.States == nil:
		d.Record.State = text.Line(s)
	case slices.Contains(kind.States, ours):
		d.Record.State = ours
	default:
		note(d, "%q is no state of the kind %s; it stands in the body", text.Line(s), d.Record.Kind)
		d.put("State", s)
	}
}

// complete fills in what a record must have and their file did not say. changed is when the file was changed last.
func (d *Draft) complete(changed, now time.Time) {
	r := &d.Record
	if r.Exact {
		return
	}
	if changed.After(now) || changed.IsZero() {
		changed = now
	}
	changed = changed.UTC().Truncate(time.Second)
	if r.Created.IsZero() {
		if r.Created = r.Updated; r.Created.IsZero() {
			r.Created = changed
			note(d, "created: the file's time")
		}
	}
	if r.Updated.Before(r.Created) {
		r.Updated = r.Created
	}
	if r.Status == "" {
		r.Status = record.Active
	}
	if len(r.Tags) == 0 {
		r.Tags = []string{"imported"}
	}
	if d.own {
		return
	}
	if r.Source == "" {
		r.Source = "import: " + d.From
	}
	if len(r.Changes) == 0 {
		r.Changes = []record.Change{{Date: r.Created.Format(time.RFC3339), Summary: "imported from " + d.From}}
	}
}

// when reads a time of theirs; the zero time when it is none.
func when(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1970 && t.Year() < 9999 {
			return t.UTC()
		}
	}
	return time.Time{}
}
