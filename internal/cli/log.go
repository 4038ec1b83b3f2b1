package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// History is the part of a Companion that reads what earlier syncs kept. It opens no connection and changes nothing.
type History interface {
	// Versions lists the syncs that changed the record with this id, the newest first, or all syncs for the id "". It
	// returns none where no sync kept anything yet.
	Versions(o SyncOptions, id string) ([]KeptVersion, error)

	// ReadVersion returns the text of the record with this id after the sync v, nil if v removed it.
	ReadVersion(o SyncOptions, id string, v KeptVersion) ([]byte, error)
}

// KeptVersion is a sync that changed something.
type KeptVersion struct {
	Commit  string    `json:"commit"` // its name in the repository
	Time    time.Time `json:"time"`
	Machine string    `json:"machine"`           // the name of the machine that made it
	Summary string    `json:"summary,omitempty"` // what it brought
	Gone    bool      `json:"gone,omitempty"`    // it removed the record
}

// numbered is a version as log lists it. The oldest one is 1, so that a new version leaves the others their numbers.
type numbered struct {
	N int `json:"n"`
	KeptVersion
}

func logCommand() command {
	var limit int
	return command{
		name: "log", args: "[RECORD]", companion: true,
		short: "list the versions of a record that syncs kept, or the syncs",
		long: `  memento log                     the syncs, the newest first, with what each brought
  memento log use-paseto          the versions of a record; the oldest is 1
  memento show use-paseto --at 2
  memento restore use-paseto --at 2

A version is what a sync found changed. memento sync --local keeps versions without a remote.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.IntVar(&limit, "n", 20, "list the newest `N`; 0 for all")
		},
		run: func(c *call) error { return runLog(c, limit) },
	}
}

// atFlag adds --at. Versions are counted from 1, and the oldest is the first.
func atFlag(fs *flag.FlagSet, at *int, about string) {
	fs.Func("at", about, func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return errors.New("a version has a number from 1; memento log RECORD lists them")
		}
		*at = n
		return nil
	})
}

func runLog(c *call, limit int) error {
	if len(c.args) > 1 {
		return usage("memento help log", "log: takes one record, got %d", len(c.args))
	}
	if limit < 0 {
		return usage("-n 0 lists all", "log: -n: %d is less than none", limit)
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	id := ""
	if len(c.args) == 1 {
		if id, err = s.everID(c.args[0]); err != nil {
			return err
		}
	}
	h, err := c.openHistory()
	if err != nil {
		return err
	}
	list, err := h.versions(id)
	if err != nil {
		return err
	}
	all := len(list)
	if limit > 0 {
		list = list[max(0, all-limit):]
	}
	slices.Reverse(list)
	if id != "" {
		for i := range list {
			h.describe(id, &list[i].KeptVersion)
		}
	}
	if c.json {
		out := members{{"record", id}, {"total", all}, {"versions", array(list)}}
		c.printJSON(out)
		return nil
	}
	var table screen.Table
	for _, v := range list {
		if c.screen.Wide > 0 {
			table.Add(text.Line(v.Summary), text.Line(v.Machine), c.short(v.Time), strconv.Itoa(v.N))
			continue
		}
		fmt.Fprintf(c.Out, "%4d  %s  %s%s\n", v.N, v.Time.Local().Format("2006-01-02 15:04"), text.Line(v.Machine),
			prefixed("  ", text.Line(v.Summary)))
	}
	fmt.Fprint(c.Out, table.Fit(c.screen))
	if all > len(list) {
		fmt.Fprintf(c.Out, "and %d older: memento log %s\n", all-len(list), strings.TrimSpace(id+" -n 0"))
	}
	return nil
}

// everID returns the id of the record with this name. A record that was removed is found by its whole id.
func (s *shelf) everID(name string) (string, error) {
	r, err := s.find(name)
	if err == nil {
		return r.ID, nil
	}
	id := strings.TrimSuffix(name, naming.Ending)
	if _, _, bad := naming.Split(id); bad == nil && errors.Is(err, record.ErrNotFound) {
		return id, nil
	}
	return "", err
}

// versions reads earlier versions.
type versions struct {
	History
	options SyncOptions
	command string
}

// openHistory returns what reads earlier versions. In memento it runs memento-sync instead; see companion.
func (c *call) openHistory() (*versions, error) {
	companion, err := c.companion()
	if err != nil {
		return nil, err
	}
	o := SyncOptions{Config: c.config, Home: c.home(), Now: c.Now, Wait: wait}
	return &versions{companion, o, c.command.name}, nil
}

// versions returns the versions of a record, or all syncs for the id "", the oldest first.
func (h *versions) versions(id string) ([]numbered, error) {
	list, err := h.Versions(h.options, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		if id != "" {
			if any, err := h.Versions(h.options, ""); err == nil && len(any) > 0 {
				return nil, hinted("memento sync keeps a version of what is new", "%s: no version of %s is kept yet",
					h.command, id)
			}
		}
		return nil, hinted("memento sync --local keeps versions from now on, on this machine; memento help sync",
			"%s: no version is kept yet", h.command)
	}
	slices.Reverse(list)
	out := make([]numbered, len(list))
	for i, v := range list {
		out[i] = numbered{i + 1, v}
	}
	return out, nil
}

// describe sets what a version of a record changed, by the record's own history.
func (h *versions) describe(id string, v *KeptVersion) {
	if v.Gone {
		v.Summary = "removed"
		return
	}
	data, err := h.ReadVersion(h.options, id, *v)
	if err != nil {
		return
	}
	r, err := record.Decode(id, data)
	if err != nil {
		v.Summary = "memento cannot read it"
		return
	}
	v.Summary = text.Quote(r.Title)
	if n := len(r.Changes); n > 0 {
		v.Summary += ": " + r.Changes[n-1].Summary
	}
}

// at returns the version with the number n of the record that was called name, and its text.
func (h *versions) at(s *shelf, name string, n int) (id string, v numbered, data []byte, err error) {
	if id, err = s.everID(name); err != nil {
		return "", v, nil, err
	}
	list, err := h.versions(id)
	if err != nil {
		return "", v, nil, err
	}
	if n < 1 || n > len(list) {
		return "", v, nil, usage(upTo("memento log "+id, len(list)), "%s: no version %d of %s", h.command, n, id)
	}
	v = list[n-1]
	if data, err = h.ReadVersion(h.options, id, v.KeptVersion); err != nil {
		return "", v, nil, err
	}
	if data == nil {
		return "", v, nil, hinted("memento log "+id, "%s: version %d of %s is that it was removed", h.command, n, id)
	}
	return id, v, data, nil
}

// showAt prints an earlier version of a record.
func (c *call) showAt(f showFlags) error {
	switch {
	case f.said || f.mission || f.turn != 0 || f.all:
		return usage("memento help show", "show: --at is for a record alone")
	case len(c.args) != 1:
		return usage("memento list", "show: --at needs one record, got %d", len(c.args))
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	h, err := c.openHistory()
	if err != nil {
		return err
	}
	id, v, data, err := h.at(s, c.args[0], f.at)
	if err != nil {
		return err
	}
	switch {
	case c.json:
		out := members{{"record", id}, {"n", v.N}, {"commit", v.Commit}, {"time", v.Time}, {"machine", v.Machine},
			{"text", string(data)}}
		c.printJSON(out)
		return nil
	case f.raw:
		_, err = c.asItIs().Write(data)
		return err
	}
	c.row("record", "%s", id)
	c.row("version", "%d, of %s, on %s", v.N, v.Time.Local().Format("2006-01-02 15:04"), text.Line(v.Machine))
	fmt.Fprintf(c.Out, "\n%s\n", c.readable(strings.TrimRight(string(data), " \t\r\n")))
	return nil
}

// restoreAt gives a record the words of an earlier version. The words until now stay in the history.
func (c *call) restoreAt(n int, match string) error {
	if len(c.args) != 1 {
		return usage("memento log RECORD", "restore: --at needs one record, got %d", len(c.args))
	}
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	h, err := c.openHistory()
	if err != nil {
		return err
	}
	id, v, data, err := h.at(s, c.args[0], n)
	if err != nil {
		return err
	}
	old, err := record.Decode(id, data)
	if err != nil {
		return hinted(fmt.Sprintf("memento show %s --at %d --raw", id, n), "restore: version %d cannot be read: %w", n,
			err)
	}
	summary := fmt.Sprintf("restored the version of %s", v.Time.UTC().Format("2006-01-02 15:04"))
	r, err := s.bringBack(old, data, match, summary)
	if err != nil {
		return c.conflict(recordError(err))
	}
	return c.printAnswer(storedAs(r), "restored %s as of version %d", r.ID, n)
}

// bringBack gives the record of an earlier version its words. It makes the record again if it was removed.
func (s *shelf) bringBack(old *record.Record, data []byte, match, summary string) (*record.Record, error) {
	if _, err := s.store.Read(old.ID); errors.Is(err, record.ErrNotFound) && match == "" {
		if err := s.store.Put(record.Arrival{ID: old.ID, To: data}); err != nil {
			return nil, err
		}
	}
	r, err := s.store.Update(old.ID, match, summary, func(r *record.Record) error {
		r.Title, r.Stage, r.Confidence, r.Body = old.Title, old.Stage, old.Confidence, old.Body
		r.Tags = old.Tags
		for _, f := range old.Files {
			if !slices.Contains(r.Files, f) {
				r.Files = append(r.Files, f)
			}
		}
		return nil
	})
	if err == nil && r.Status != schema.Active {
		r, err = s.store.Move(r.ID, "restore", "", "")
	}
	return r, err
}
