package capture

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

// Survey counts the facts of the session st at its compaction: those its journal j and its history have, those that the
// client's own summary kept word for word, and those that block, what memento put beside it, carries. Spacing, case and
// quote marks do not count; a file is kept when it is named.
func Survey(store journal.Store, st *session.State, j *journal.Journal, summary, block string) map[string]journal.Kept {
	s := survey{summary: text.Fold(redact.Clean(summary)), block: text.Fold(block), facts: map[string]journal.Kept{}}
	if j.Open() {
		s.count("mission", j.Mission)
	}
	words := Recall(store.Lane, st.ID).Words(j)
	for _, said := range words.Rules {
		s.count("rule", said.Text)
	}
	for _, said := range slices.Concat(words.Leans, words.Asks, words.Tells, words.Talk) {
		s.count("said", said.Text)
	}
	wip := strings.Trim(j.Wip, `"`) // the user's last words are quoted
	s.count("wip", wip)
	if j.Error != nil {
		s.count("error", j.Error.Cmd)
	}
	tasks, _, _ := Open(st)
	known := map[string]bool{text.Fold(wip): true}
	for _, task := range append(append([]string{}, j.Plan...), tasks...) {
		if f := text.Fold(task); !known[f] {
			known[f] = true
			s.count("task", task)
		}
	}
	for _, file := range j.Files {
		s.count("file", filepath.Base(file))
	}
	for _, e := range j.Done {
		s.count("done", e.Act)
	}
	return s.facts
}

type survey struct {
	summary, block string // folded
	facts          map[string]journal.Kept
}

func (s *survey) count(kind, words string) {
	if strings.TrimSpace(words) == "" {
		return
	}
	k := journal.Kept{There: 1}
	// The block shows words made safe for one line.
	if whole(s.summary, words) {
		k.Summary = 1
	}
	if whole(s.block, words) || whole(s.block, text.Line(words)) {
		k.Block = 1
	}
	if k.Summary+k.Block == 0 {
		k.Neither = 1
	}
	all := s.facts[kind]
	all.Add(k)
	s.facts[kind] = all
}

// whole reports whether folded, which is folded, holds words; of words that were cut, every piece.
func whole(folded, words string) bool {
	found := false
	for _, piece := range strings.Split(words, text.Ellipsis) {
		if piece = text.Fold(piece); piece == "" {
			continue
		}
		if _, ok := text.Within(folded, strings.TrimRight(piece, ".!? ")); !ok {
			return false
		}
		found = true
	}
	return found
}
