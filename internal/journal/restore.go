package journal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// Keep adds l to the log with the next write of the journal. Without TS the line gets the time of the change. Raw and
// the fields of missions are not written. Secrets are taken out of each field.
func (j *Journal) Keep(l history.Line) {
	j.keepAt(l.TS, l.Session, l.Kind, "agent", l.Agent, "type", l.AgentType, "verb", l.Verb, "text", l.Text, "asked",
		l.Asked, "ref", l.Ref)
}

// keep appends a line of this kind about the journal's session. kv are pairs of a key and a value; pairs with an empty
// value are left out.
func (j *Journal) keep(kind string, kv ...string) { j.keepAt("", j.Session, kind, kv...) }

func (j *Journal) keepAt(ts, session, kind string, kv ...string) {
	e := history.Format(cmp.Or(ts, j.stamp()), session, kind, kv...)
	if e.Time.IsZero() { // nobody can read ts
		e.Time = j.now
	}
	j.out = append(j.out, e)
}

// keepWhole appends the whole journal to history. reason says why the mission ends here, since is the transcript uuid
// of the prompt that closed it, or "".
func (j *Journal) keepWhole(reason, since string) {
	held := string(pretty.Ugly(j.encode()))
	j.out = append(j.out, history.FormatMission(j.stamp(), j.Session, reason, j.Mission, since, held))
}

// Compacted appends c to history, with the time of the change.
func (j *Journal) Compacted(c history.Compaction) {
	c.TS = j.stamp()
	j.out = append(j.out, c.Format())
}

// EntryOf returns the entry that a history line of kind "done" holds.
func EntryOf(l history.Line) Entry {
	v := gjson.Parse(l.Raw)
	e := Entry{Act: v.Get("act").String(), Result: v.Get("result").String(), Ctx: v.Get("ctx").String(), TS: l.TS,
		By: l.By, Ref: l.Ref}
	if at := v.Get("done").String(); at != "" {
		e.TS = at
	}
	if verified := v.Get("verified"); verified.Exists() { // a string in history
		ok := verified.String() == "true"
		e.Verified = &ok
	}
	return e
}

// Restore brings back the mission that session put away last, if it did so for one of reasons. The default reasons are
// "parked" and "cleared": a mission that the user left or closed stays closed. An open mission of another session is
// parked first; when that session went on with this same mission, session takes the mission over with what was added.
// Restore reports whether it brought a mission back. The caller holds the lane's lock.
func (j *Journal) Restore(lane project.Lane, session string, reasons ...string) (bool, error) {
	if session == "" || j.Open() && j.Session == session {
		return false, nil
	}
	if len(reasons) == 0 {
		reasons = []string{"parked", "cleared"}
	}
	var last history.Line
	err := history.Part{Kinds: []string{log.Mission}}.Read(lane, func(l history.Line) bool {
		if l.Session == session {
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
	j.replaceBy(old)
	return true, nil
}

// Reopen brings back the mission of l, a history line of kind "mission", for session. An open mission is parked first.
func (j *Journal) Reopen(l history.Line, session string) error {
	old, err := snapshot(j.seal, l)
	if err != nil {
		return err
	}
	j.replaceBy(old)
	j.Session = session
	return nil
}

// replaceBy replaces the journal's facts by those of old, whose mission is open then. An open mission is parked; facts
// without one go to history one by one.
func (j *Journal) replaceBy(old *Journal) {
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

// Rewind takes out of the journal what came from rewound prompts: their sayings, and the work in hand when it quotes
// one of words. A mission that a rewound prompt opened goes to history with the reason "rewound"; Rewind reports
// whether it did. Done entries stay, since that work happened. rewound is given the transcript uuid of a prompt.
func (j *Journal) Rewind(rewound func(ref string) bool, words []string) bool {
	j.Said = slices.DeleteFunc(j.Said, func(s Saying) bool { return s.Ref != "" && rewound(s.Ref) })
	if quote := strings.TrimSuffix(strings.Trim(j.Wip, `"`), text.Ellipsis); j.WipBy == ByAuto && quote != "" &&
		slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text.OneLine(w), quote) }) {
		j.SetWip("", "")
	}
	if !j.Open() || j.MissionRef == "" || !rewound(j.MissionRef) {
		return false
	}
	j.keepWhole("rewound", "")
	j.Mission, j.MissionOpened, j.MissionRef, j.MissionBy = "", "", "", ""
	return true
}
