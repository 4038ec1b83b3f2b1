package journal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// foldMark separates the entries of a summary. fold replaces it within an entry.
const foldMark = "; "

// foldAll folds every entry.
func (j *Journal) foldAll() {
	for _, e := range j.Done {
		j.fold(e)
	}
	j.Done = nil
}

// fold moves e to history and adds a short form of e to the summary. The oldest entries leave a summary that is full.
func (j *Journal) fold(e Entry) {
	j.keepDone(e)
	// An act of 80 characters, a result of 90, a context of 120 and their marks fit maxSummary. An entry written by
	// hand may be longer: each part is cut by itself, so that no cut takes the mark "unverified" away.
	line, _ := text.Cut(history.Data(e.Act), MaxAct)
	mark := ""
	if e.Unconfirmed() {
		mark = " (" + history.Unverified + ")"
	}
	if e.Result != "" {
		short, _ := text.Cut(history.Data(e.Result), 90-len(mark))
		line += " -> " + short
	}
	if e.Ctx != "" {
		short, _ := text.Cut(history.Data(e.Ctx), MaxCtx)
		line += " (" + short + ")" + mark
	}
	line = strings.ReplaceAll(text.OneLine(line), foldMark, ", ")
	switch {
	case e.By != ByAuto:
		j.SummaryBy = e.By
	case j.Summary == "":
		j.SummaryBy = ByAuto
	}
	if e.By == ByAuto && j.SummaryBy != ByAuto && text.Runes(j.Summary)+len(foldMark)+text.Runes(line) > maxSummary {
		return // a captured entry may not push out an entry that Claude noted
	}
	line, _ = text.Cut(line, maxSummary)
	j.Summary = strings.TrimPrefix(j.Summary+foldMark+line, foldMark)
	j.fitSummary()
}

// fitSummary lets the oldest entries leave a summary that is too long.
func (j *Journal) fitSummary() {
	for text.Runes(j.Summary) > maxSummary {
		first, rest, ok := strings.Cut(j.Summary, foldMark)
		if !ok {
			j.Summary = j.fit("summary", j.Summary, maxSummary)
			break
		}
		j.keep(log.Entry{Kind: "summary", Text: first})
		j.Summary = rest
	}
}

func (j *Journal) keepDone(e Entry) {
	e.raw = "" // the fields of other versions stay in the journal alone
	j.keep(log.Entry{Kind: "done", By: e.By, Body: string(jsonx.Write(&e, (*Entry).fields))})
}

// shed moves the facts of a journal without an open mission to history, each as a line of its own.
func (j *Journal) shed() {
	for _, e := range j.Done {
		j.keepDone(e)
	}
	j.SetWip("", "")
	j.SetPlan(nil, "")
	for len(j.Files) > 0 {
		j.dropOldestFile()
	}
	j.dropError()
	j.dropSummary()
	j.Done = nil
}

// Stale folds every entry into the summary when the newest entry is older than StaleDays, or twice StaleDays while the
// mission is open. The mission and its plan stay however old they are. Stale reports whether it changed the journal.
func (j *Journal) Stale(c config.Config) bool {
	if len(j.Done) == 0 {
		return false
	}
	days := c.StaleDays
	if j.Open() {
		days *= 2
	}
	var newest time.Time
	for _, e := range j.Done {
		if at, err := time.Parse(time.RFC3339, e.TS); err == nil && at.After(newest) {
			newest = at
		}
	}
	if newest.IsZero() || j.now.Sub(newest) <= time.Duration(days)*24*time.Hour {
		return false
	}
	j.foldAll()
	return true
}

// enforce brings the journal within its limits and returns the bytes to write. It cuts values that somebody made too
// long by hand, folds entries beyond the number kept, and drops facts until the file is small enough, the least
// valuable first. Everything that leaves goes to history. It returns safefile.ErrTooLarge when the facts that memento
// may not drop are larger than it would read again.
func (j *Journal) enforce(c config.Config) ([]byte, error) {
	j.Mission = j.fit("mission", j.Mission, MaxMission)
	j.Wip, j.Next = j.fit("wip", j.Wip, MaxWip), j.fit("next", j.Next, MaxWip)
	j.fitSummary()
	if len(j.Plan) > planItems {
		j.SetPlan(j.Plan, j.PlanBy)
	}
	for i := range j.Plan {
		j.Plan[i] = j.fit("plan item", j.Plan[i], MaxPlan)
	}
	for i := range j.Done {
		e := &j.Done[i]
		e.Act, e.Result, e.Ctx = j.fit("act", e.Act, MaxAct), j.fit("result", e.Result, maxResult),
			j.fit("ctx", e.Ctx, MaxCtx)
	}
	for len(j.Done) > c.MaxEntries {
		j.foldOldest()
	}
	for len(j.Files) > fileItems {
		j.dropOldestFile()
	}
	for {
		data := j.encode()
		if len(data) <= min(c.MaxFileBytes+j.extra, oversize*c.MaxFileBytes) {
			return data, nil
		}
		switch {
		case len(j.Files) > 5:
			j.dropOldestFile()
		case len(j.Done) > 0:
			j.foldOldest()
		case len(j.Files) > 0:
			j.dropOldestFile()
		case j.Summary != "":
			j.dropSummary()
		case len(j.Plan) > 0:
			j.keep(log.Entry{Kind: "plan", Text: j.Plan[len(j.Plan)-1], By: j.PlanBy})
			j.Plan = j.Plan[:len(j.Plan)-1]
		case j.Error != nil:
			j.dropError()
		default: // the mission, the work in hand and the unknown fields stay
			if len(data) > oversize*c.MaxFileBytes {
				data = pretty.Ugly(data)
			}
			if len(data) > oversize*c.MaxFileBytes {
				return nil, fmt.Errorf("%w: %d bytes in fields memento does not know leave no room in %d",
					safefile.ErrTooLarge, j.extra, oversize*c.MaxFileBytes)
			}
			return data, nil
		}
	}
}

// foldOldest folds one entry: the oldest captured one while more than half of the entries are captured, else the oldest
// of the others. The entries that Claude noted stay longer, since the transcript shows the captured ones anyway.
func (j *Journal) foldOldest() {
	captured := 0
	for _, e := range j.Done {
		if e.By == ByAuto {
			captured++
		}
	}
	at := slices.IndexFunc(j.Done, func(e Entry) bool { return (e.By == ByAuto) == (captured*2 > len(j.Done)) })
	j.fold(j.Done[at])
	j.Done = slices.Delete(j.Done, at, at+1)
}

func (j *Journal) dropOldestFile() {
	last := len(j.Files) - 1
	j.keep(log.Entry{Kind: "files", Text: j.Files[last]})
	j.Files = j.Files[:last]
}

func (j *Journal) dropSummary() {
	if j.Summary != "" {
		j.keep(log.Entry{Kind: "summary", Text: j.Summary})
		j.Summary = ""
	}
}

func (j *Journal) dropError() {
	if j.Error != nil {
		failed := *j.Error
		failed.raw = ""
		body := string(jsonx.Write(&failed, (*Failure).fields))
		j.keep(log.Entry{Kind: "error", Text: failed.String(), Body: body})
		j.Error = nil
	}
}
