package journal

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
)

// keep appends a line of this kind to what goes to history with the next write; kv are key, value pairs, and empty
// values are left out. What looks like a secret is taken out of each.
func (j *Journal) keep(kind string, kv ...string) { j.keepAt("", j.Session, kind, kv...) }

func (j *Journal) keepAt(ts, session, kind string, kv ...string) {
	if ts == "" {
		ts = j.stamp()
	}
	var line strings.Builder
	size := 128
	for _, s := range kv {
		size += len(s) + len(s)/16 + 16
	}
	line.Grow(size)
	add := func(before, key, value string) {
		if value = redact.Clean(value); value != "" {
			line.WriteString(before)
			jsonx.WriteQuoted(&line, key)
			line.WriteByte(':')
			jsonx.WriteQuoted(&line, value)
		}
	}
	add("{", "ts", ts)
	add(",", "kind", kind)
	add(",", "session", session)
	for i := 0; i < len(kv); i += 2 {
		add(",", kv[i], kv[i+1])
	}
	line.WriteByte('}')
	j.out = append(j.out, line.String())
}

// leave appends a line of JSON to what goes to history.
func (j *Journal) leave(line string) {
	line, _ = redact.JSON(line)
	j.out = append(j.out, line)
}

// keepWhole appends the whole journal to history as a mission that was parked, closed or cleared; since is the prompt
// that closed it.
func (j *Journal) keepWhole(reason, since string) {
	data := j.encode()
	line := `{"ts":` + jsonx.Quote(j.stamp()) + `,"kind":"mission","reason":` + jsonx.Quote(reason) + `,"session":` +
		jsonx.Quote(j.Session) + `,"text":` + jsonx.Quote(j.Mission)
	if since != "" {
		line += `,"since":` + jsonx.Quote(since)
	}
	line += `,"journal":`
	j.leave(line + string(pretty.Ugly(data)) + "}")
}

// Entry returns what was done, of a line of kind "done".
func (l Line) Entry() Entry { return l.entry(gjson.Parse(l.Raw)) }

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
	var last string
	err := Part{Session: session, Ends: 1 << 10}.Read(lane, func(l Line) bool {
		if l.Kind == "mission" && l.Session == session {
			if last = ""; slices.Contains(reasons, l.Reason) {
				last = l.Raw
			}
		}
		return true
	})
	if err != nil || last == "" {
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
	var last Line
	err := ReadHistory(lane, func(l Line) bool {
		switch {
		case l.Kind == "mission" && l.Since == since:
			last = l
		case l.Kind == "mission" || l.Kind == "reopened":
			last = Line{}
		}
		return true
	})
	if err == nil && last.Raw != "" {
		err = j.Reopen(last, last.Session)
	}
	return err == nil && last.Raw != "", err
}

// Reopen puts the mission of a history line of kind "mission" back into j, parking an open one first.
func (j *Journal) Reopen(l Line, session string) error {
	old, err := snapshot(j.seal, l.Raw)
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
