package backfill

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// The client's history.jsonl has a line for each prompt that was typed in a terminal, for the arrow keys. It outlives
// the transcripts. A line has the words, the time and the folder, and newer clients add the session; it has no id. A
// line stands in a transcript when a turn of the same project has the same words, at most sameTime away: a prompt may
// wait in the queue. A line that stands in none is recognised by its folder, its time to the millisecond and its words.
const sameTime = time.Hour

const (
	maxHistory     = 1 << 30 // bytes of history.jsonl
	maxHistoryLine = 8 << 20
)

// typed is a line of the client's history.
type typed struct {
	words, folder, session string
	at                     time.Time
}

// history takes in the prompts of these projects that stand in no transcript.
func (b *Backfill) history(projects map[string]bool, r *Result) error {
	path := filepath.Join(b.Config.ClaudeDir, "history.jsonl")
	data, err := safefile.ReadForeign(path, maxHistory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.Problems = append(r.Problems, Problem{path, err})
		return nil
	}
	lines := map[string][]typed{} // by project
	for line := range strings.Lines(string(data)) {
		if t, ok := typedIn(line); ok {
			if slug := b.locate(t.folder).slug; projects[slug] {
				lines[slug] = append(lines[slug], t)
			}
		}
	}
	for slug, all := range lines {
		if err := b.takeTyped(slug, all, r); err != nil {
			return err
		}
	}
	return nil
}

// typedIn reads a line of the client's history. ok is false for one that is no prompt: a command of the client's, a
// command of the shell, a note for its memory.
func typedIn(line string) (t typed, ok bool) {
	if len(line) > maxHistoryLine || !gjson.Valid(line) {
		return t, false
	}
	v := gjson.Parse(line)
	t = typed{words: whole(v), folder: v.Get("project").Str, session: v.Get("sessionId").Str,
		at: time.UnixMilli(v.Get("timestamp").Int()).UTC()}
	command := strings.HasPrefix(t.words, "/") && !strings.ContainsAny(t.words, " \n")
	if command || text.BeginsWithOne(t.words, "!", "#") {
		return t, false
	}
	t.words = transcript.Clean(t.words)
	return t, t.words != "" && t.folder != "" && v.Get("timestamp").Int() > 0
}

// whole returns the words of a line, with pasted texts in the places that the client shows for them.
func whole(v gjson.Result) string {
	words := v.Get("display").Str
	v.Get("pastedContents").ForEach(func(_, p gjson.Result) bool {
		if content := p.Get("content").Str; content != "" && p.Get("type").Str == "text" {
			begin := strings.Index(words, fmt.Sprintf("[Pasted text #%d", p.Get("id").Int()))
			if begin < 0 {
				return true
			}
			if end := strings.IndexByte(words[begin:], ']'); end >= 0 {
				words = words[:begin] + content + words[begin+end+1:]
			}
		}
		return true
	})
	return words
}

// takeTyped takes in lines of one project.
func (b *Backfill) takeTyped(slug string, all []typed, r *Result) error {
	there := map[string][]time.Time{} // by the words
	if err := b.store().Each(slug, func(t past.Turn) {
		there[text.Fold(t.Prompt)] = append(there[text.Fold(t.Prompt)], t.Time)
	}); err != nil {
		return err
	}
	known, err := b.ownersOf(slug)
	if err != nil {
		return err
	}
	limits := capture.TurnLimits(b.Config, b.Now)
	gates := map[string]func(typed) bool{}
	var turns []past.Turn
	for _, t := range all {
		one := past.Turn{Project: slug, Session: t.session, Time: t.at, Prompt: t.words, PromptID: t.id()}
		if one.Session == "" {
			one.Session = "history-" + t.at.Format(time.DateOnly)
		}
		if gates[one.Session] == nil {
			gate, err := b.gate(slug, one.Session, "")
			if err != nil {
				return err
			}
			gates[one.Session] = mayTake(gate)
		}
		stands := slices.ContainsFunc(there[text.Fold(redact.Clean(t.words))], func(at time.Time) bool {
			return at.Sub(t.at).Abs() <= sameTime
		})
		if _, again := known[one.PromptID]; again || stands || !gates[one.Session](t) || !limits.Keeps(&one) {
			continue
		}
		known[one.PromptID] = one.Session
		turns = append(turns, one)
	}
	slices.SortStableFunc(turns, func(a, b past.Turn) int { return strings.Compare(a.Session, b.Session) })
	if err := b.store().Add(turns); err != nil {
		return err
	}
	r.Turns, r.History = r.Turns+len(turns), r.History+len(turns)
	for i, t := range turns {
		if i == 0 || turns[i-1].Session != t.Session {
			if err := b.store().Close(slug, t.Session); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayTake returns a function that reports whether a line may be taken in.
func mayTake(gate *withheld.Gate) func(typed) bool {
	return func(t typed) bool {
		ts := t.at.Format(time.RFC3339Nano)
		return !gate.Lines()(ts, 0) && !gate.Erased(t.id()) && !gate.ErasedWords(redact.Clean(t.words), ts)
	}
}

// id returns an id by which the line is recognised.
func (t typed) id() string {
	h := fnv.New64a()
	fmt.Fprint(h, t.folder, "\x00", t.at.UnixMilli(), "\x00", text.Fold(t.words))
	return fmt.Sprintf("history-%016x", h.Sum64())
}
