package sentence

import (
	"hash/fnv"
	"reflect"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/redact"
)

// messages are judged in the tests of what is stored.
var messages = []string{
	"", "ok", "continue", "/compact", "We are done with this project, thanks",
	"what does memento have on this session?",
	"Fix the login. Never push to main, please. It fails since yesterday. Why that?",
	"It dies:\n2026-03-14T09:26:53Z ERROR never mind the rows\n2026-03-14T09:26:54Z ERROR always the last one\nkeep it simple",
	"ä ö ü: 不要更改格式。只部署到预发布！\n```go\nnever()\n```\n- use tabs\n- use LF\n- never CRLF",
	strings.Repeat("Never restart the worker. The queue is full. ", 30),
}

// What was judged once is read as it was judged, by the version that judged it and for the same words.
func TestJudgementStored(t *testing.T) {
	t.Parallel()
	for _, m := range messages {
		g := Judge(m, false)
		stored := g.Stored(m)
		got, ok := ReadJudgement(stored, m)
		if !ok || got.Idle != g.Idle || len(got.Parts) != len(g.Parts) || len(g.Parts) > 0 &&
			!reflect.DeepEqual(got.Parts, g.Parts) {
			t.Errorf("%.40q: %q is read as %v, %v, want %v", m, stored, got, ok, g)
		}
		if clean := redact.Clean(stored); clean != stored {
			t.Errorf("%q looks like a secret: %q", stored, clean)
		}
		if _, ok := ReadJudgement(stored, m+"x"); ok {
			t.Errorf("%q is read for other words", stored)
		}
		if n := len(m); n > 0 { // a word put in the place of another by hand, as long as that one
			if _, ok := ReadJudgement(stored, m[:n-1]+string(m[n-1]^1)); ok {
				t.Errorf("%q is read for other words of the same length", stored)
			}
		}
		_, number, _ := strings.Cut(stored, ":")
		if _, ok := ReadJudgement("0:"+number, m); ok {
			t.Errorf("%q of another version is read", stored)
		}
	}
	long := strings.Repeat("Never do that. ", 1000)
	if stored := Judge(long, false).Stored(long); stored != "" {
		t.Errorf("of many sentences %d bytes are stored", len(stored))
	}
}

// TestVersion holds the number to the judgement: whoever changes one raises the other.
func TestVersion(t *testing.T) {
	t.Parallel()
	h := fnv.New32a()
	for l := range strings.Lines(sentences) {
		_, words, _ := strings.Cut(l, "\t")
		_, words, _ = strings.Cut(words, "\t")
		h.Write([]byte(Judge(words, false).Stored(words)))
	}
	for _, m := range messages {
		h.Write([]byte(Judge(m, false).Stored(m)))
	}
	if got, want := h.Sum32(), uint32(0x4de0cb8a); got != want {
		t.Errorf("sentences are judged otherwise: raise Version, and set this sum to %#x", got)
	}
}

// Whatever stands where a judgement is stored, nothing panics, and what is read lies within the words.
func FuzzReadJudgement(f *testing.F) {
	for _, m := range messages {
		f.Add(Judge(m, false).Stored(m), m)
	}
	begin := Judgement{}.Stored("ab")
	for _, s := range []string{"  ", " 1-2", " -", " 1-1r", " 1-9r", " 0-1? 0-1r", " idle idle", " a"} {
		f.Add(begin+s, "ab")
	}
	f.Fuzz(func(t *testing.T, stored, m string) {
		at := 0
		g, _ := ReadJudgement(stored, m)
		for _, p := range g.Parts {
			if p.Begin < at || p.End <= p.Begin || p.End > len(m) || p.Kind <= foreign || p.Kind > Rule {
				t.Errorf("%q for %q: %v", stored, m, p)
			}
			at = p.End
		}
	})
}
