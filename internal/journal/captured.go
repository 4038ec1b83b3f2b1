package journal

import (
	"slices"

	"github.com/mementohq/memento/internal/text"
)

// maxAtOnce is the most entries that a journal holds while it is being changed. Each new entry is compared with all of
// them. Every configured limit is smaller.
const maxAtOnce = 48

// AddCaptured adds an entry that the transcript shows. An entry that somebody noted in the same words stays, and e is
// dropped. A captured entry with the same words is replaced.
func (j *Journal) AddCaptured(e Entry) {
	e.Act, _ = text.Cut(e.Act, MaxAct) // the transcript has the whole text
	e.Ctx, _ = text.Cut(e.Ctx, MaxCtx)
	if e.TS == "" {
		e.TS = j.stamp()
	}
	words := text.Fold(e.Act)
	for i, old := range j.Done {
		same := text.Fold(old.Act) == words
		if same && (old.By != ByAuto || old.Ref == e.Ref) {
			return
		}
		if same {
			j.keepDone(old)
			j.Done = append(slices.Delete(j.Done, i, i+1), e)
			return
		}
	}
	j.Done = append(j.Done, e)
	for len(j.Done) > maxAtOnce {
		j.foldOldest()
	}
}

// AddFile puts path first in the list of edited files.
func (j *Journal) AddFile(path string) {
	if i := slices.Index(j.Files, path); i >= 0 {
		j.Files = slices.Delete(j.Files, i, i+1)
	}
	j.Files = append([]string{path}, j.Files...)
	for len(j.Files) > 2*fileItems { // one change may edit many files, and each is compared with all of them
		j.dropOldestFile()
	}
}

// SetCaptured sets the work in hand to wip and the plan to plan, unless somebody has set them by name. A captured entry
// that says a task in open is done goes to history: the task was opened again.
func (j *Journal) SetCaptured(wip string, plan, open []string) {
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
	j.Done = slices.DeleteFunc(j.Done, func(e Entry) bool {
		again := e.By == ByAuto && e.Ctx == "" && slices.ContainsFunc(open, func(task string) bool {
			act, cut := text.Cut(task, MaxAct)
			return text.Fold(task) == text.Fold(e.Act) || cut && act == e.Act
		})
		if again {
			j.keepDone(e)
		}
		return again
	})
}

// With returns a failure of cmd that keeps the fields of f that memento does not know. f may be nil.
func (f *Failure) With(cmd, line, ts string) *Failure {
	out := Failure{Cmd: cmd, Line: line, TS: ts}
	if f != nil {
		out.raw = f.raw
	}
	return &out
}
