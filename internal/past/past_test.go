package past

import (
	"reflect"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/log"
)

// TestRead: the entries of a session make its turns, whatever their order.
func TestRead(t *testing.T) {
	s := log.Store{Dir: t.TempDir(), Wait: time.Second}
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	for _, e := range []log.Entry{
		{Of: "u1", Kind: log.Answered, Time: at.Add(2 * time.Second), Text: "done"},
		{ID: "u2", Kind: log.Typed, Time: at.Add(time.Minute), Text: "go on"},
		{ID: "u1", Kind: log.Typed, Time: at, Text: "fix the\ncart", Asked: "which?"},
		{Of: "u1", Kind: log.Answered, Time: at.Add(time.Second), Text: "let me look"},
		{Of: "u1", Kind: log.Ran, Text: "go test", Line: "FAIL: x", Failed: true},
		{Of: "u1", Kind: log.Ran, Text: "go vet"}, {Of: "u1", Kind: log.Edited, Text: "cart.go"},
		{Of: "u1", Kind: log.Committed, Text: "abc1234 Fix"}, {Of: "u1", Kind: log.Compacted},
		{Of: "nobody", Kind: log.Edited, Text: "lost.go"},
	} {
		if err := s.Append("shop", "s1", []log.Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	want := Turn{Project: "shop", Session: "s1", N: 1, Time: at, Prompt: "fix the\ncart", PromptID: "u1",
		Asked: "which?", Answer: "done", Ran: []Ran{{"go test", "FAIL: x", true}, {"go vet", "", false}},
		Commits: []string{"abc1234 Fix"}, Files: []string{"cart.go"}, Compacted: true}
	turns, err := Read(s, "shop", "s1")
	if err != nil || len(turns) != 2 || turns[1].N != 2 {
		t.Fatal(turns, err)
	}
	if turns[0].answered = (time.Time{}); !reflect.DeepEqual(turns[0], want) {
		t.Errorf("%+v", turns[0])
	}
}
