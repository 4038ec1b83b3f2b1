package journal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// foldMark stands between two entries of the summary; within an entry it is written otherwise.
const foldMark = "; "

// fold moves e, whole, to history, and its name and causes to the summary, from which whole entries are trimmed at the
// oldest end.
func (j *Journal) fold(e Entry) {
	j.keepDone(e)
	// act 80 + result 90 + ctx 120 and their marks fit maxSummary; one written by hand may be longer, and no cut takes
	// the mark away.
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
	line = strings.ReplaceAll(text.Line(line), foldMark, ", ")
	switch {
	case e.By != ByAuto:
		j.SummaryBy = e.By
	case j.Summary == "":
		j.SummaryBy = ByAuto
	}
	if e.By == ByAuto && j.SummaryBy != ByAuto && text.Runes(j.Summary)+len(foldMark)+text.Runes(line) > maxSummary {
		return // it may not push out what Claude noted
	}
	j.summarise(line)
}

func (j *Journal) keepDone(e Entry) {
	j.keep("done", "act", e.Act, "result", e.Result, "ctx", e.Ctx, "done", e.TS, "by", e.By, "ref", e.Ref, "verified",
		verdict(e.Verified))
}

// verdict is what history has of Entry.Verified.
func verdict(verified *bool) string {
	if verified == nil {
		return ""
	}
	return strconv.FormatBool(*verified)
}

// shed moves what a journal without an open mission holds to history, piece by piece: there is no mission it could be
// found again with.
func (j *Journal) shed() {
	for _, e := range j.Done {
		j.keepDone(e)
	}
	for _, s := range j.Said {
		j.keepSaid(s)
	}
	j.SetWip("", "")
	j.SetPlan(nil, "")
	for len(j.Files) > 0 {
		j.dropOldestFile()
	}
	j.dropError()
	if j.Summary != "" {
		j.keep("summary", "text", j.Summary)
	}
	j.Done, j.Said, j.Summary = nil, nil, ""
}

func (j *Journal) summarise(line string) {
	line, _ = text.Cut(line, maxSummary)
	var parts []string
	if j.Summary != "" {
		parts = strings.Split(j.Summary, foldMark)
	}
	parts = append(parts, line)
	for len(parts) > 1 && text.Runes(strings.Join(parts, foldMark)) > maxSummary {
		j.keep("summary", "text", parts[0])
		parts = parts[1:]
	}
	j.Summary = strings.Join(parts, foldMark)
}

// Stale folds what is old into the summary: every entry, once the newest is older than the stale days (twice that
// while the mission is open). An open mission, its plan and the user's words stay however old they are. It reports
// whether anything changed.
func (j *Journal) Stale(c config.Config) bool {
	if len(j.Done) == 0 {
		return false
	}
	days := c.StaleDays
	if j.Open() {
		days *= 2
	}
	newest, known := time.Duration(0), false
	for _, e := range j.Done {
		if age, ok := since(e.TS, j.now); ok && (!known || age < newest) {
			newest, known = age, true
		}
	}
	if !known || newest <= time.Duration(days)*24*time.Hour {
		return false
	}
	for _, e := range j.Done {
		j.fold(e)
	}
	j.Done = nil
	return true
}

// enforce brings the journal within its limits: values that somebody made too long by hand, entries beyond the number
// kept, and then whatever the size on disk does not allow, the least valuable first. Everything that leaves goes to
// history. It returns what to write, or safefile.ErrTooLarge when what memento may not drop is more than it would read
// again.
func (j *Journal) enforce(c config.Config) ([]byte, error) {
	j.Mission = j.fitOnce("mission", j.Mission, MaxMission)
	j.Wip = j.fitOnce("wip", j.Wip, MaxWip)
	for text.Runes(j.Summary) > maxSummary {
		first, rest, ok := strings.Cut(j.Summary, foldMark)
		if !ok {
			j.Summary = j.fit("summary", j.Summary, maxSummary)
			break
		}
		j.keep("summary", "text", first)
		j.Summary = rest
	}
	if len(j.Plan) > planItems {
		j.SetPlan(j.Plan, j.PlanBy)
	}
	for i := range j.Plan {
		j.Plan[i] = j.fitOnce("plan item", j.Plan[i], MaxPlan)
	}
	for i := range j.Done {
		e := &j.Done[i]
		e.Act, e.Result, e.Ctx = j.fitOnce("act", e.Act, MaxAct), j.fitOnce("result", e.Result, maxResult),
			j.fitOnce("ctx", e.Ctx, MaxCtx)
	}
	for i := range j.Said {
		j.Said[i].Text = j.fitOnce("said", j.Said[i].Text, MaxSaid)
	}
	for len(j.Done) > c.MaxEntries {
		j.foldOldest()
	}
	for len(j.Said) > saidItems && j.dropLeastSaid() {
	}
	for len(j.Files) > fileItems {
		j.dropOldestFile()
	}
	memo := jsonx.Memo{}
	for {
		data := j.encodeAgain(memo)
		if len(data) <= min(c.MaxFileBytes+j.extra, oversize*c.MaxFileBytes) {
			return data, nil
		}
		switch {
		case len(j.Files) > 5:
			j.dropOldestFile()
		case len(j.Done) > 2:
			j.foldOldest()
		case len(j.Said) > 0 && j.dropLeastSaid():
		case len(j.Done) > 0:
			j.foldOldest()
		case len(j.Files) > 0:
			j.dropOldestFile()
		case j.Summary != "":
			j.keep("summary", "text", j.Summary)
			j.Summary = ""
		case len(j.Plan) > 0:
			j.keep("plan", "text", j.Plan[len(j.Plan)-1], "by", j.PlanBy)
			j.Plan = j.Plan[:len(j.Plan)-1]
		case j.Error != nil:
			j.dropError()
		default: // only the mission, wip and fields memento does not know are left: those stay
			if len(data) > oversize*c.MaxFileBytes {
				data = pretty.Ugly(data) // a list that was laid out in lines
			}
			if len(data) > oversize*c.MaxFileBytes {
				return nil, fmt.Errorf("%w: %d bytes in fields memento does not know leave no room in %d",
					safefile.ErrTooLarge, j.extra, oversize*c.MaxFileBytes)
			}
			return data, nil
		}
	}
}

// fitOnce is fit for a value that may have been cut before.
func (j *Journal) fitOnce(field, value string, limit int) string {
	if len(value) <= limit || text.Runes(value) <= limit {
		return value
	}
	return j.fit(field, value, limit)
}

// foldOldest folds the oldest entry: of those captured while they are more than half, so that what Claude noted stays
// longer than what the transcript shows anyway.
func (j *Journal) foldOldest() {
	at, captured := 0, 0
	for i := len(j.Done) - 1; i >= 0; i-- {
		if j.Done[i].By == ByAuto {
			at = i
			captured++
		}
	}
	if captured*2 <= len(j.Done) {
		at = 0
		if j.Done[0].By == ByAuto && captured < len(j.Done) {
			for j.Done[at].By == ByAuto {
				at++
			}
		}
	}
	j.fold(j.Done[at])
	j.Done = append(j.Done[:at:at], j.Done[at+1:]...)
}

func (j *Journal) dropOldestFile() {
	last := len(j.Files) - 1
	j.keep("files", "text", j.Files[last])
	j.Files = j.Files[:last]
}

// dropLeastSaid takes out the oldest thing said that sets no rule, or the oldest rule when every one does; the prompt
// that opened the mission stays. It reports whether there was something to take.
func (j *Journal) dropLeastSaid() bool {
	at := -1
	for i, s := range j.Said {
		if j.Opening(s) {
			continue
		}
		if at < 0 {
			at = i
		}
		if !s.Rule {
			at = i
			break
		}
	}
	if at < 0 {
		return false
	}
	j.keepSaid(j.Said[at])
	j.Said = append(j.Said[:at:at], j.Said[at+1:]...)
	return true
}

func (j *Journal) keepSaid(s Saying) {
	switch {
	case s.By != "":
		j.keep("constraint", "text", s.Text, "by", s.By)
	case s.Ref == "": // what was typed to Claude is in history since it was heard
		j.keep("said", "text", s.Text, "by", ByUser)
	}
}

func (j *Journal) dropError() {
	if j.Error != nil {
		j.keep("error", "text", j.Error.String(), "cmd", j.Error.Cmd, "line", j.Error.Line)
		j.Error = nil
	}
}
