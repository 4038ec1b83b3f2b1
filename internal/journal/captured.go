package journal

import (
	"slices"

	"github.com/mementohq/memento/internal/text"
)

// AddCaptured adds what the transcript shows was done. What somebody noted with the same words stays as it is, and a
// captured entry of the same words is replaced, as is the verdict of an earlier check: there is one, the last.
func (j *Journal) AddCaptured(e Entry) {
	e.Act, _ = text.Cut(e.Act, MaxAct) // the transcript has the whole
	e.Ctx, _ = text.Cut(e.Ctx, MaxCtx)
	if e.TS == "" {
		e.TS = j.stamp()
	}
	j.prove(&e)
	same := text.Fold(e.Act)
	for i, old := range j.Done {
		switch again := text.Fold(old.Act) == same; {
		case !again && !(e.Check && old.Check && old.By == ByAuto):
		case again && (old.By != ByAuto || old.Ref == e.Ref):
			return
		default:
			j.keepDone(old)
			j.Done = append(j.Done[:i:i], j.Done[i+1:]...)
			j.Done = append(j.Done, e)
			return
		}
	}
	j.Done = append(j.Done, e)
	for len(j.Done) > maxAtOnce { // each that is read at once is compared with all that is there
		j.foldOldest()
	}
}

// maxAtOnce is how many entries a journal holds while it is being changed: more than any limit that is set.
const maxAtOnce = 48

// Revoke takes out the captured verdicts of checks that failed since; history keeps them.
func (j *Journal) Revoke(failed func(act string) bool) {
	j.Done = slices.DeleteFunc(j.Done, func(e Entry) bool {
		if !e.Check || e.By != ByAuto || !failed(e.Act) {
			return false
		}
		j.keepDone(e)
		return true
	})
}

// Reopened takes out the captured tasks that are open again: they are shown as that. History keeps that they were done.
func (j *Journal) Reopened(open []string) {
	if len(open) == 0 {
		return
	}
	j.Done = slices.DeleteFunc(j.Done, func(e Entry) bool {
		if e.By != ByAuto || e.Check || e.Ctx != "" || !containsFold(open, e.Act) &&
			!slices.ContainsFunc(open, func(task string) bool {
				act, cut := text.Cut(task, MaxAct)
				return cut && act == e.Act
			}) {
			return false
		}
		j.keepDone(e)
		return true
	})
}

// Approved keeps a plan that the user approved, whole, in history.
func (j *Journal) Approved(plan, ref string) { j.keep("approved", "text", plan, "ref", ref) }

// Edited notes that a file was changed: it is the newest.
func (j *Journal) Edited(path string) {
	for i, old := range j.Files {
		if old == path {
			j.Files = append(j.Files[:i:i], j.Files[i+1:]...)
			break
		}
	}
	j.Files = append([]string{path}, j.Files...)
	for len(j.Files) > 2*fileItems { // as with what was said: see AddSaid
		j.dropOldestFile()
	}
}

// Captured sets the work in hand and the plan to what the transcript shows, where nobody has set them.
func (j *Journal) Captured(wip string, plan []string) {
	if j.WipBy == ByAuto || j.Wip == "" {
		if j.Wip, _ = text.Cut(wip, MaxWip); j.Wip != "" {
			j.WipBy = ByAuto
		} else {
			j.WipBy = ""
		}
	}
	if j.PlanBy == ByAuto || len(j.Plan) == 0 {
		j.Plan, j.PlanBy = nil, ""
		for _, p := range plan[:min(len(plan), planItems)] {
			p, _ = text.Cut(p, MaxPlan)
			j.Plan, j.PlanBy = append(j.Plan, p), ByAuto
		}
	}
}

// With returns f changed to these values; fields memento does not know stay.
func (f *Failure) With(cmd, line, ts string) *Failure {
	now := Failure{Cmd: cmd, Line: line, TS: ts}
	if f != nil {
		now.raw = f.raw
	}
	return &now
}
