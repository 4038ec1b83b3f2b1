package journal

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// Keep adds e to the log with the next write of the journal. Without a time it gets the time of the change.
func (j *Journal) Keep(e log.Entry) {
	if e.Time.IsZero() {
		e.Time = j.now.Truncate(time.Second)
	}
	j.out = append(j.out, e)
}

// keep is Keep for an entry of the journal's session.
func (j *Journal) keep(e log.Entry) {
	e.Session = j.Session
	j.Keep(e)
}

// Injected adds the words that the event called name put before the model in a session to the log, if MEMENTO_DEBUG is
// set. It drops its errors: a debugging aid may not disturb the work.
func (s Store) Injected(session, name, words string) {
	if s.Config.Debug && words != "" {
		_ = s.keep([]log.Entry{{Kind: "injected", Session: session, Time: s.Now, Verb: name, Text: words}})
	}
}

// keepWhole adds the whole journal to the log. reason says why the mission ends here, since is the transcript uuid of
// the prompt that closed it, or "".
func (j *Journal) keepWhole(reason, since string) {
	j.keep(log.Entry{Kind: log.Mission, Reason: reason, Text: j.Mission, Since: since, Of: j.MissionRef,
		Body: string(pretty.Ugly(j.encode()))})
}

// EntryOf returns the entry that one of kind "done" holds.
func EntryOf(l log.Entry) (e Entry) {
	_ = jsonx.Read([]byte(l.Body), maxDepth, &e, (*Entry).fields)
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
	var last log.Entry
	err := history.Part{Kinds: []string{log.Mission}}.Read(lane, func(l log.Entry) bool {
		if l.Session == session {
			if last = (log.Entry{}); slices.Contains(reasons, l.Reason) {
				last = l
			}
		}
		return true
	})
	if err != nil || last.Body == "" {
		return false, err
	}
	old, err := Snapshot(last)
	if err != nil {
		return false, err
	}
	if j.Open() && old.MissionOpened == j.MissionOpened && old.MissionRef == j.MissionRef &&
		(j.MissionRef != "" || old.Mission == j.Mission) {
		j.HandOver(session)
		j.keep(log.Entry{Kind: log.Reopened, Text: j.Mission})
		return true, nil
	}
	j.replaceBy(old)
	return true, nil
}

// Reopen brings back the mission of l, an entry of kind "mission", for session. An open mission is parked first.
func (j *Journal) Reopen(l log.Entry, session string) error {
	old, err := Snapshot(l)
	if err != nil {
		return err
	}
	j.replaceBy(old)
	j.moveTo(session)
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
	old.raw, old.extra, old.out, old.notes, old.now = j.raw, j.extra, j.out, j.notes, j.now
	old.MissionClosed = ""
	*j = *old
	j.keep(log.Entry{Kind: log.Reopened, Text: j.Mission})
}

// Rewind takes the work in hand out of the journal when it quotes one of words, those of rewound prompts. A mission
// that a rewound prompt opened goes to history with the reason "rewound"; Rewind reports whether it did. Done entries
// stay, since that work happened. rewound is given the transcript uuid of a prompt.
func (j *Journal) Rewind(rewound func(ref string) bool, words []string) bool {
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
