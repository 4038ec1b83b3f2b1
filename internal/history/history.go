// Package history is the log as a lane sees it: what the user typed, and what is of its journal. It has no file of its
// own. It reads and counts entries. It knows no field of a journal: an entry of kind "mission" holds a whole journal,
// which package journal reads and erases in. It does not decide when an entry is written (journal), or where words come
// from (capture).
package history

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

// maxEntry is the longest entry that is read, in bytes.
const maxEntry = 16 << 20

// key returns the name that the log has for a lane, "" for all lanes of its project. Lanes that run beside each other
// share it, and so what is of their journals.
func key(lane project.Lane) string { return strings.TrimPrefix(lane.Base().Name, lane.Slug) }

// LaneName returns the name of the lane of a project that an entry of the log names.
func LaneName(project, lane string) string { return project + lane }

// read returns the entries of the lane called key in a file of the log, which holds those of session: of kinds, or for
// none of them all that is of the lane's journal. It says what was done and what a compaction lost in words. What only
// makes the journal again is left out.
func read(path, key, session string, kinds []string) ([]log.Entry, error) {
	var all []log.Entry
	became := []string{log.Rewound, log.Restored}
	err := log.Scan(path, maxEntry, len(kinds) == 0, append(became, kinds...), func(e log.Entry) {
		ofTurn := slices.Contains(became, e.Kind)
		if !ofTurn && (e.Lane == "" || key != "" && e.Lane != key) || e.Kind == log.Carried || e.Kind == log.Changed {
			return
		}
		switch e.Session = cmp.Or(e.Session, session); e.Kind {
		case "done":
			d := gjson.Parse(e.Body)
			ctx := d.Get("ctx").String()
			unconfirmed := Claims(ctx) && d.Get("verified").String() != "true"
			e.Text = DoneLine(d.Get("act").String(), d.Get("result").String(), ctx, unconfirmed)
		case "compaction":
			c, _ := CompactionOf(e)
			e.Text = c.String()
		}
		all = append(all, e)
	})
	return settle(all), err
}

// settle says of the prompts in all, the entries of one session, which ones were rewound. It leaves out what became of
// prompts of other lanes, and a prompt that stands under another ID since the transcript has shown it.
func settle(all []log.Entry) []log.Entry {
	gone, was, typed := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, e := range all {
		switch e.Kind {
		case log.Rewound, log.Restored:
			gone[e.Of] = e.Kind == log.Rewound
		case log.Typed:
			was[e.Was], typed[e.ID] = e.Was != "", e.Text
		}
	}
	all = slices.DeleteFunc(all, func(e log.Entry) bool {
		_, ours := typed[e.Of]
		return e.Kind == log.Typed && was[e.ID] || e.Lane == "" && !ours
	})
	for i := range all {
		e := &all[i]
		if e.Kind == log.Rewound || e.Kind == log.Restored {
			e.Text = typed[e.Of]
		}
		e.Gone = e.Kind == log.Typed && gone[e.ID]
	}
	return all
}

// Read calls f with each entry of the lane in the log, in the order of time, until f returns false: with what was typed
// and what is of its journal. A lane without a name stands for all lanes of its project. Read skips lines that do not
// parse, and repeated entries. Errors: the disk's, after the entries that could be read.
func Read(lane project.Lane, f func(log.Entry) bool) error { return Newest(lane, "", 0, f) }

// Newest is Read for the session own, "" for none, and for those that wrote last: together their files have at most
// most bytes, but there is one at least; 0 for all sessions.
func Newest(lane project.Lane, own string, most int64, f func(log.Entry) bool) error {
	type timed struct {
		log.Entry
		at time.Time // the newest time up to this entry of its file
	}
	var all []timed
	sessions, failed := files(lane, own, most)
	for _, one := range sessions {
		entries, err := read(one.Path, key(lane), one.ID, nil)
		failed = cmp.Or(failed, err)
		newest := time.Time{}
		for _, e := range entries {
			if e.Time.After(newest) {
				newest = e.Time
			}
			all = append(all, timed{e, newest})
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) })
	sorted := make([]log.Entry, 0, len(all))
	for _, e := range all {
		sorted = append(sorted, e.Entry)
	}
	eachOnce(sorted, f)
	return failed
}

// eachOnce calls f with each entry, those that are repeated once, until f returns false.
func eachOnce(all []log.Entry, f func(log.Entry) bool) {
	known := map[[2]string]bool{}
	for _, e := range all {
		if id := [2]string{e.Session, e.ID}; !known[id] {
			known[id] = true
			if !f(e) {
				return
			}
		}
	}
}

// files returns the files with lines of a project, its own last, as Newest chooses them.
func files(lane project.Lane, own string, most int64) (sessions []log.Session, err error) {
	store := log.Store{Dir: lane.Dir}
	sessions, err = store.Sessions(lane.Slug)
	if most > 0 {
		slices.SortStableFunc(sessions, func(a, b log.Session) int { return b.Changed.Compare(a.Changed) })
		if at := slices.IndexFunc(sessions, func(one log.Session) bool { return one.ID == log.FileName(own) }); at > 0 {
			sessions = slices.Insert(slices.Delete(slices.Clone(sessions), at, at+1), 0, sessions[at])
		}
		size := int64(0)
		n := slices.IndexFunc(sessions, func(one log.Session) bool { size += one.Size; return size > most })
		if n >= 0 {
			sessions = sessions[:max(n, 1)]
		}
		slices.Reverse(sessions)
	}
	return append(sessions, log.Session{Path: store.Own(lane.Slug)}), err
}

// Part selects entries: those of Session, and before them those of Kinds that outlive other sessions (mission,
// reopened, dropped). It leaves out what subagents noted: it is long, and a hook that looks for the user's words has
// milliseconds.
type Part struct {
	Session string // "" for none
	Kinds   []string
}

// Recent is how much a hook reads of the files of the newest sessions, in bytes.
const Recent = 16 << 20

// Read calls f with each entry of the part as the function Read does. It opens two files at most.
func (p Part) Read(lane project.Lane, f func(log.Entry) bool) error {
	store := log.Store{Dir: lane.Dir}
	var all, own []log.Entry
	var err error
	if len(p.Kinds) > 0 {
		if all, err = read(store.Own(lane.Slug), key(lane), "", p.Kinds); err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(e log.Entry) bool { return p.Session != "" && e.Session == p.Session })
	}
	if p.Session != "" {
		var path string
		if path, err = store.File(lane.Slug, p.Session); path != "" {
			own, err = read(path, key(lane), p.Session, nil)
		}
	}
	eachOnce(slices.DeleteFunc(append(all, own...), func(e log.Entry) bool { return e.Kind == "subagent" }), f)
	return err
}

// Missions returns the missions of the lane's history, oldest first. A mission that left the journal several times
// comes once, as it left last.
func Missions(lane project.Lane) ([]log.Entry, error) {
	var all []log.Entry
	err := Part{Kinds: []string{log.Mission}}.Read(lane, func(l log.Entry) bool {
		all = slices.DeleteFunc(all, func(old log.Entry) bool { return old.Session == l.Session && old.Text == l.Text })
		all = append(all, l)
		return true
	})
	return all, err
}

// Ended reports whether reason, why a mission left the journal, means that the mission is over. Such a mission does not
// come back by itself.
func Ended(reason string) bool {
	return reason == "closed" || reason == "left" || reason == "finished" || reason == "over"
}

// ClosedBy returns the entry of the mission that the prompt since closed, the zero Entry when there is none or when
// another mission left the journal or came back afterwards.
func ClosedBy(lane project.Lane, since string) (last log.Entry, err error) {
	err = Part{Kinds: []string{log.Mission, log.Reopened}}.Read(lane, func(l log.Entry) bool {
		if last = (log.Entry{}); l.Kind == log.Mission && l.Since == since {
			last = l
		}
		return true
	})
	return last, err
}
