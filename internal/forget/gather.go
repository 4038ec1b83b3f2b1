package forget

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// erasedSources returns the ids of every prompt, answer and call that holds the words, in the log and the transcripts.
// withheld keeps them.
func (e *Eraser) erasedSources() (ids []string, err error) {
	ids = slices.Sorted(maps.Keys(e.What.kept.Sources))
	sessions, err := session.Find(e.Dir, e.Chosen)
	if err != nil {
		return nil, err
	}
	for _, id := range sessions {
		e.step()
		st, err := session.Load(e.Dir, id)
		if errors.Is(err, fs.ErrNotExist) { // the session ended meanwhile, or its memory is damaged
			continue
		}
		if err != nil {
			return nil, err
		}
		if st.Transcript == "" {
			continue
		}
		_, _, err = transcript.Follow(st.Transcript, transcript.Position{}, nil, true, func(t transcript.Entry) {
			ids = append(ids, e.holding(t)...)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading %s: %w", st.Transcript, err)
		}
	}
	return ids, nil
}

// holding returns the ids of the prompts, answers, calls and results of a transcript's entry that hold the words.
func (e *Eraser) holding(t transcript.Entry) (ids []string) {
	has := e.What.Has
	for _, p := range t.Prompts {
		if has(p.Text) {
			ids = append(ids, p.UUID)
		}
	}
	if has(t.Answer()) {
		ids = append(ids, t.UUID)
	}
	for _, c := range t.Calls {
		if holds(has, c.Input()) {
			ids = append(ids, c.ID)
		}
	}
	for _, r := range t.Results {
		if has(r.Text()) || holds(has, r.Extra()) {
			ids = append(ids, r.ID)
		}
	}
	if has(t.PR) {
		ids = append(ids, t.PR)
	}
	return ids
}

// holds reports whether has reports true for a text in v, the input or the answer of a tool.
func holds(has func(string) bool, v gjson.Result) (found bool) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, v gjson.Result) bool {
			found = holds(has, v)
			return !found
		})
		return found
	}
	return v.Type == gjson.String && has(v.Str)
}
