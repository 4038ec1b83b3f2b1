package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/suggest"
	client "github.com/mementohq/memento/internal/transcript"
)

func usual(string) float64 { return 0.5 }

// TestSuggestions counts the suggestions in the inbox after each session of the corpus, read from its beginning: at
// most three at the median. For the labelled sentences it counts the suggested ones by label.
//
//	MEMENTO_CORPUS=… go test -C tools ./corpus -v -run TestSuggestions
func TestSuggestions(t *testing.T) {
	dir := os.Getenv("MEMENTO_CORPUS")
	if dir == "" {
		t.Skip("MEMENTO_CORPUS names no folder of transcripts; see the package comment for what goes into it")
	}
	packed, err := filepath.Glob(filepath.Join(dir, "*__*.jsonl*"))
	if err != nil || len(packed) == 0 {
		t.Fatalf("%s holds no transcript: %v", dir, err)
	}
	var counts []int
	all := 0
	for _, name := range packed {
		path := filepath.Join(t.TempDir(), "t.jsonl")
		var whole []byte
		for _, l := range transcript(t, dir, plain(filepath.Base(name))) {
			whole = append(whole, l...)
		}
		fixture.Write(t, path, string(whole))
		asked := map[string]bool{}
		weigh := func(by, words string) {
			for _, f := range sentence.Triage(redact.Clean(words), by == suggest.ByUser, usual) {
				asked[f.Quote] = true
				if os.Getenv("MEMENTO_LOST") != "" {
					t.Logf("%s %s %.2f: %s", by, f.Kind, f.Score, f.Quote)
				}
			}
		}
		if _, _, err := client.Follow(path, client.Position{}, nil, true, func(e client.Entry) {
			for _, p := range e.Prompts {
				if p.Asked == "" {
					weigh(suggest.ByUser, p.Text)
				}
			}
			weigh(suggest.ByAssistant, e.Answer())
		}); err != nil {
			t.Fatal(err)
		}
		counts = append(counts, len(asked))
		all += len(asked)
	}
	slices.Sort(counts)
	t.Logf("%d sessions: %d suggestions, median %d, most %d", len(counts), all, counts[len(counts)/2],
		counts[len(counts)-1])
	if counts[len(counts)/2] > 3 {
		t.Errorf("a session gets %d suggestions at the median, at most 3", counts[len(counts)/2])
	}

	labels, err := os.ReadFile(filepath.Join(dir, "labels.jsonl"))
	if err != nil && !os.IsNotExist(err) { // a corpus need not have any
		t.Fatal(err)
	}
	suggested, total := map[string]int{}, map[string]int{}
	gjson.ForEachLine(string(labels), func(l gjson.Result) bool {
		label, words := l.Get("label").Str, l.Get("text").Str
		total[label]++
		if found := sentence.Triage(words, true, usual); len(found) > 0 {
			suggested[label]++
			if os.Getenv("MEMENTO_LOST") != "" {
				t.Logf("labelled %s: %s %.2f: %s", label, found[0].Kind, found[0].Score, found[0].Quote)
			}
		}
		return true
	})
	for label, n := range total {
		t.Logf("labelled %s: %d of %d suggested", label, suggested[label], n)
	}
}
