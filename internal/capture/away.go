package capture

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// openGate opens the gate that says which lines of st's transcript may be taken in. On error none may be.
func openGate(store journal.Store, st *session.Memory) (*withheld.Gate, error) {
	same := func(offset int64, file string) bool {
		return transcript.Continues(st.Transcript, transcript.Position{Offset: offset, File: file})
	}
	own := withheld.Session{ID: st.ID, Slug: store.Lane.Slug, Since: st.Since, Same: same}
	return withheld.Open(store.Lane.Dir, own, store.Now)
}

// Written returns the end of the transcript at path.
func Written(path string) withheld.Place {
	end := transcript.End(path)
	return withheld.Place{Transcript: path, Offset: end.Offset, File: end.File}
}

// Places returns the end of each transcript of the sessions in dir, memento's folder, whose lane is chosen.
func Places(dir string, chosen func(project.Lane) bool) map[string]withheld.Place {
	out := map[string]withheld.Place{}
	all, _ := session.All(dir)
	for _, st := range all {
		if lane, ok := project.LaneNamed(dir, st.Lane); ok && st.Transcript != "" && chosen(lane) {
			out[st.ID] = Written(st.Transcript)
		}
	}
	return out
}

// CatchUpAll calls CatchUp for each running session whose lane is chosen and not paused. A session for which it fails
// catches up at its next event.
func CatchUpAll(c config.Config, chosen func(project.Lane) bool, now time.Time, wait time.Duration) {
	if !c.Enabled {
		return
	}
	all, _ := session.All(c.Dir)
	for _, st := range all {
		lane, ok := project.LaneNamed(c.Dir, st.Lane)
		if !ok || st.Ended || !chosen(lane) {
			continue
		}
		if _, paused := withheld.LoadPauses(c.Dir).Since(withheld.Key(lane.Slug)); paused {
			continue
		}
		held, err := session.Open(c.Dir, st.ID, wait)
		if err != nil {
			continue
		}
		store := journal.Store{Lane: lane, Config: c, Now: now, Wait: wait}
		if CatchUp(store, &held.Memory, TrustPrompt) == nil {
			_ = held.Save()
		}
		held.Release()
	}
}

// withoutErased returns e without the prompts, calls and results that a person had erased. e itself stays as it is.
func withoutErased(gate *withheld.Gate, e transcript.Entry) transcript.Entry {
	if gate.Empty() {
		return e
	}
	e.Prompts = slices.DeleteFunc(slices.Clone(e.Prompts), func(p transcript.Prompt) bool {
		return gate.HasID(p.UUID) || gate.Has(redact.Clean(p.Text))
	})
	e.Calls = slices.DeleteFunc(slices.Clone(e.Calls), func(c transcript.Call) bool {
		return gate.HasID(c.ID) || gate.Loose([]byte(c.Input.Raw))
	})
	e.Results = slices.DeleteFunc(slices.Clone(e.Results), func(r transcript.Result) bool {
		return gate.HasID(r.ID) || gate.Has(r.Text()) || gate.Loose([]byte(r.Extra.Raw))
	})
	if gate.HasID(e.PR) {
		e.PR = ""
	}
	return e
}
