package journal

import (
	"slices"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
)

// keep appends a line of this kind to what goes to history with the next write; kv are key, value pairs, and empty
// values are left out. What looks like a secret is taken out of each.
func (j *Journal) keep(kind string, kv ...string) { j.keepAt("", j.Session, kind, kv...) }

func (j *Journal) keepAt(ts, session, kind string, kv ...string) {
	if ts == "" {
		ts = j.stamp()
	}
	j.out = append(j.out, history.Format(ts, session, kind, kv...))
}

// keepWhole appends the whole journal to history as a mission that was parked, closed or cleared; since is the prompt
// that closed it.
func (j *Journal) keepWhole(reason, since string) {
	held := string(pretty.Ugly(j.encode()))
	j.out = append(j.out, history.FormatMission(j.stamp(), j.Session, reason, j.Mission, since, held))
}

// Compacted keeps c, which was now, in history.
func (j *Journal) Compacted(c history.Compaction) {
	c.TS = j.stamp()
	j.out = append(j.out, c.Format())
}

// EntryOf returns what was done, of a line of kind "done".
func EntryOf(l history.Line) Entry {
	v := gjson.Parse(l.Raw)
	e := Entry{Act: v.Get("act").String(), Result: v.Get("result").String(), Ctx: v.Get("ctx").String(), TS: l.TS,
		By: l.By, Ref: l.Ref}
	if at := v.Get("done").String(); at != "" {
		e.TS = at
	}
	if verified := v.Get("verified"); verified.Exists() { // a text here
		ok := verified.String() == "true"
		e.Verified = &ok
	}
	return e
}

// Restore puts the mission that session put away last, for one of these reasons (parked or cleared when none is given:
// one that the user left or closed stays closed), back into j, parking an open mission of another session first. When j
// holds that mission, as another session went on with it, it comes back with what that one added. It reports whether
// there was one. The caller holds the lock.
func (j *Journal) Restore(lane project.Lane, session string, reasons ...string) (bool, error) {
	if session == "" || j.Open() && j.Session == session {
		return false, nil
	}
	if len(reasons) == 0 {
		reasons = []string{"parked", "cleared"}
	}
	var last history.Line
	err := history.Part{Session: session, Ends: 1 << 10}.Read(lane, func(l history.Line) bool {
		if l.Kind == "mission" && l.Session == session {
			if last = (history.Line{}); slices.Contains(reasons, l.Reason) {
				last = l
			}
		}
		return true
	})
	if err != nil || last.Raw == "" {
		return false, err
	}
	old, err := snapshot(sealOf(lane), last)
	if err != nil {
		return false, err
	}
	if j.Open() && old.MissionOpened == j.MissionOpened && old.MissionRef == j.MissionRef &&
		(j.MissionRef != "" || old.Mission == j.Mission) {
		j.HandOver(session)
		j.keep("reopened", "text", j.Mission)
		return true, nil
	}
	j.take(old)
	return true, nil
}

// Unclose puts the mission that the prompt since closed back into j, unless another was opened since. It reports
// whether there was one. The caller holds the lock.
func (j *Journal) Unclose(lane project.Lane, since string) (bool, error) {
	if j.Open() || since == "" {
		return false, nil
	}
	var last history.Line
	err := history.Read(lane, func(l history.Line) bool {
		switch {
		case l.Kind == "mission" && l.Since == since:
			last = l
		case l.Kind == "mission" || l.Kind == "reopened":
			last = history.Line{}
		}
		return true
	})
	if err == nil && last.Raw != "" {
		err = j.Reopen(last, last.Session)
	}
	return err == nil && last.Raw != "", err
}

// Reopen puts the mission of a history line of kind "mission" back into j, parking an open one first.
func (j *Journal) Reopen(l history.Line, session string) error {
	old, err := snapshot(j.seal, l)
	if err != nil {
		return err
	}
	j.take(old)
	j.Session = session
	return nil
}

// take makes the journal hold what old held, as an open mission. What it held itself is parked, or goes to history.
func (j *Journal) take(old *Journal) {
	if j.Open() {
		j.Park()
	} else {
		if old.Summary == "" {
			old.Summary, old.SummaryBy, j.Summary = j.Summary, j.SummaryBy, ""
		}
		j.shed()
	}
	old.raw, old.extra, old.out, old.notes, old.now, old.Seen, old.Acted = j.raw, j.extra, j.out, j.notes, j.now,
		j.Seen, j.Acted
	old.Applied, old.fresh, old.seal = j.Applied, j.fresh, j.seal
	old.MissionClosed = ""
	*j = *old
	j.keep("reopened", "text", j.Mission)
}

// since returns how long ago the RFC 3339 time ts was, and whether it could be read.
func since(ts string, now time.Time) (time.Duration, bool) {
	t, err := time.Parse(time.RFC3339, ts)
	return now.Sub(t), err == nil
}
