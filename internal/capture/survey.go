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
)

// maxFacts is how much of a compaction's facts is kept until its summary can be read, in bytes. Further facts are not
// counted.
const maxFacts = 64 << 10

// Facts returns the facts of the session st at a compaction: from its journal j and from words, the user's. It removes
// secrets that an older version stored.
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
	tasks, _ := Open(st)
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
	mission := text.FoldLines(j.Mission)
	for _, m := range slices.Backward(words.All) {
		for _, part := range m.Parts {
			kind := "said"
			if part.Rule() {
				kind = "rule"
			}
			if said := m.Text[part.Begin:part.End]; !text.Holds(mission, text.Sentence(said)) {
				add(kind, said)
			}
		}
	}
	return out
}

// Survey counts by kind which facts stand word for word in the client's summary, and which in memento's block. Spacing,
// case and quotation marks do not count.
func Survey(facts []session.Fact, summary, block string) map[string]history.FactCount {
	summary, block = text.Fold(redact.Clean(summary)), text.Fold(block)
	out := map[string]history.FactCount{}
	for _, f := range facts {
		k := history.FactCount{There: 1}
		if holds(summary, f.Text) {
			k.Summary = 1
		}
		if holds(block, f.Text) || holds(block, text.Line(f.Text)) { // the block shows words made safe for one line
			k.Block = 1
		}
		if k.Summary+k.Block == 0 {
			k.Neither = 1
		}
		all := out[f.Kind]
		all.Add(k)
		out[f.Kind] = all
	}
	return out
}

// holds reports whether folded, which is folded, holds words: every piece of words that were cut.
func holds(folded, words string) bool {
	found := false
	for _, piece := range strings.Split(words, text.Ellipsis) {
		if piece = text.Fold(piece); piece == "" {
			continue
		}
		if !text.Within(folded, strings.TrimRight(piece, ".!? ")) {
			return false
		}
		found = true
	}
	return found
}
