package capture

import (
	"slices"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
)

// CallBack returns the mission that the session's words call back, and how they call. j is the lane's journal, and the
// session has no mission of its own. A mission that was ended comes back only when the words plainly go on with it.
// Without such words, and without such a mission, it returns nil.
func CallBack(store journal.Store, st *session.Memory, j *journal.Journal, words string) (*journal.Left,
	sentence.Call) {
	if !sentence.MayRecall(words) {
		return nil, sentence.NoCall
	}
	left, err := FindLeft(store, st.ID, j)
	if err != nil || left == nil {
		return nil, sentence.NoCall
	}
	how := sentence.Recall(words, left.About())
	if how == sentence.NoCall || how == sentence.GoesOn && left.Ended() {
		return nil, sentence.NoCall
	}
	return left, how
}

// FindLeft returns the mission that another session than own left last; see journal.Store.FindLeft.
func FindLeft(store journal.Store, own string, j *journal.Journal) (*journal.Left, error) {
	if left := LeftBeside(store, j); left != nil {
		return left, nil
	}
	return store.FindLeft(j, own, func(id string) bool { return runs(store, id) })
}

// LeftBeside returns the mission of a session that ended in a lane beside the store's after that of j, the lane's own
// journal, was written; nil for none.
func LeftBeside(store journal.Store, j *journal.Journal) *journal.Left {
	return store.Beside(j, session.Beside(store.Lane), func(b *journal.Journal) bool { return !runs(store, b.Session) })
}

// runs reports whether the session goes on.
func runs(store journal.Store, id string) bool {
	other, err := session.Load(store.Lane.Dir, id)
	return err == nil && other.Runs(store.Config, store.Now)
}

// applyCall applies a prompt that calls back what an earlier session left: the mission goes on in this session. A
// question about it changes nothing yet. applyCall reports false for any other prompt.
func applyCall(j *journal.Journal, st *session.Memory, p prompt, past past) bool {
	if j.Open() && j.Session == st.ID {
		return false
	}
	left, how := CallBack(past.store, st, j, p.Text)
	switch {
	case how == sentence.NoCall:
		return false
	case how == sentence.Asks: // the hook shows it; words that go on with it take it over
		return true
	}
	st.Opened = true
	st.Work.Inherit(MemoryOf(past.store, left).Work)
	// the mission has come over even if the other lane could not be told
	_ = j.TakeOver(past.store, left, st.ID)
	if w := &st.Work; len(w.Tasks) == 0 && len(w.Steps) == 0 && j.PlanBy == journal.ByAuto {
		w.Steps = slices.Clone(j.Plan) // otherwise the plan would go: nobody else knows it any more
	}
	if st.Work.Asked == "" && j.WipBy == journal.ByAuto {
		st.Work.Asked = j.Wip
	}
	return true
}

// MemoryOf returns the memory of the session that left a mission, the zero Memory when there is none: the work of a
// session that ended its mission is over, or another mission's.
func MemoryOf(store journal.Store, left *journal.Left) session.Memory {
	if left.Session == "" || left.Ended() {
		return session.Memory{}
	}
	memory, _ := session.Load(store.Lane.Dir, left.Session)
	return memory
}
