package capture

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// maxFacts is how much of the facts of a compaction is kept until its summary can be read, in bytes: those of more are
// not counted.
const maxFacts = 64 << 10

// Facts returns the facts of the session st at its compaction: those of its journal j, and words, what the user typed.
// They are made to be stored: an older journal or history may hold what is not stored any more.
func Facts(st *session.Memory, j *journal.Journal, words block.Words) []session.Fact {
	var out []session.Fact
	size := 0
	add := func(kind, words string) {
		if size += len(words); strings.TrimSpace(words) != "" && size <= maxFacts {
			out = append(out, session.Fact{Kind: kind, Text: redact.Clean(words)})
		}
	}
	if j.Open() {
		add("mission", j.Mission)
	}
	wip := strings.Trim(j.Wip, `"`) // the user's last words are quoted
	add("wip", wip)
	if j.Error != nil {
		add("error", j.Error.Cmd)
	}
	tasks, _, _ := Open(st)
	known := map[string]bool{text.Fold(wip): true}
	for _, task := range append(append([]string{}, j.Plan...), tasks...) {
		if f := text.Fold(task); !known[f] {
			known[f] = true
			add("task", task)
		}
	}
	for _, file := range j.Files {
		add("file", filepath.Base(file))
	}
	for _, e := range j.Done {
		add("done", e.Act)
	}
	for _, said := range words.Rules {
		add("rule", said.Text)
	}
	for _, said := range slices.Concat(words.Leans, words.Asks, words.Tells, words.Talk) {
		add("said", said.Text)
	}
	return out
}

// Summary returns the client's own summary of the last compaction, which stands behind what was read of the session's
// transcript, and what brought that about: manual or auto. ok is false while it is not there.
func Summary(st *session.Memory) (summary, trigger string, ok bool) {
	return transcript.Summary(st.Transcript, st.Read, soon())
}

// Survey counts which of the facts the client's own summary kept word for word, and which block, what memento put
// beside it, carries. Spacing, case and quote marks do not count; a file is kept when it is named.
func Survey(facts []session.Fact, summary, block string) map[string]history.Kept {
	s := survey{summary: text.Fold(redact.Clean(summary)), block: text.Fold(block), facts: map[string]history.Kept{}}
	for _, f := range facts {
		s.count(f.Kind, f.Text)
	}
	return s.facts
}

type survey struct {
	summary, block string // folded
	facts          map[string]history.Kept
}

func (s *survey) count(kind, words string) {
	k := history.Kept{There: 1}
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
