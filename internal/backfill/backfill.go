// Package backfill takes in the client's own transcripts: the turns of sessions from before memento was installed, or
// while it did not run. It finds the transcripts, tells which project each belongs to, and stores their turns by the
// rules of a hook. It changes no journal. How a turn is read is the business of capture, how it is stored that of log.
package backfill

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// Backfill takes in transcripts.
type Backfill struct {
	Config   config.Config
	CodexDir string // Codex's own folder
	Home     string
	Here     string // the folder that it runs in
	Now      time.Time
	Wait     time.Duration // for each lock
	// Said, unless nil, receives the number of bytes read so far, and of all.
	Said func(done, all int64)

	workspace project.Workspace
	located   map[string]place // by folder
	owners    map[string]owners
	noted     map[string]bool // what earlier runs noted; see past.Taken
}

// owners says to which session a project's prompts belong: a fork's transcript begins with a copy of its parent's.
type owners map[string]string

// Result says what a run took in.
type Result struct {
	Sessions int // whose transcripts were read
	Turns    int // that were not kept before
	Problems []Problem
}

// Run takes in transcripts that Find returned, and then the sentences in them that may outlive their session. It leaves
// out what an earlier run took in. A run that is cut off loses nothing: the next one goes on. Errors: safefile.ErrBusy,
// the disk's for memento's own files; what was taken in stays.
func (b *Backfill) Run(all []Transcript) (r Result, err error) {
	b.owners = map[string]owners{}
	var done, size int64
	for _, t := range all {
		size += t.Size
	}
	projects := map[string]bool{}
	for _, t := range all {
		projects[t.Project] = true
		if !t.Taken {
			if err := b.take(t, &r, func(read int64) {
				if b.Said != nil {
					b.Said(done+read, size)
				}
			}); err != nil {
				return r, err
			}
		}
		done += t.Size
	}
	for _, slug := range slices.Sorted(maps.Keys(projects)) {
		if err := (rule.Store{Dir: b.Config.Dir, Now: b.Now, Wait: b.Wait}).Refresh(slug); err != nil {
			return r, err
		}
	}
	return r, nil
}

// take takes in one transcript. A transcript that cannot be read is a problem; memento's own files are an error.
func (b *Backfill) take(t Transcript, r *Result, said func(read int64)) error {
	gate, err := b.gate(t.Project, t.Session, t.Path)
	if err != nil {
		return err
	}
	known, err := b.ownersOf(t.Project)
	if err != nil {
		return err
	}
	earliest, store := capture.TurnsSince(b.Config, b.Now), b.store()
	reader := &capture.Turns{Root: t.root, Path: t.Path, Keep: b.Config.Past,
		Gate: gate, Now: b.Now, Skip: func(id string) bool { owner, ok := known[id]; return ok && owner != t.Session }}
	var failed error
	fresh := map[string]bool{} // turns that were not kept before
	defer func() { r.Turns += len(fresh) }()
	err = reader.Read(func(some []log.Entry, offset int64) error {
		said(offset)
		some = log.Since(some, earliest)
		if failed = store.Add(t.Project, t.Session, some); failed != nil {
			return failed
		}
		for _, one := range some {
			switch _, ok := known[one.ID]; {
			case !ok && one.Kind == log.Typed:
				known[one.ID], fresh[one.ID] = t.Session, true
			case one.Kind == log.Rewound:
				delete(fresh, one.Of)
			}
		}
		return nil
	})
	switch {
	case failed != nil:
		return failed
	case err != nil:
		r.Problems = append(r.Problems, Problem{t.Path, err})
		return nil
	}
	r.Sessions++
	return past.NoteTaken(store, t.Session, past.Mark(string(b.Config.Past), t.Size, t.Changed))
}

func (b *Backfill) store() log.Store { return log.Store{Dir: b.Config.Dir, Wait: b.Wait} }

// ownersOf reads the owners of a project's prompts.
func (b *Backfill) ownersOf(slug string) (owners, error) {
	if known, ok := b.owners[slug]; ok {
		return known, nil
	}
	known := owners{}
	err := past.Each(b.store(), slug, func(t past.Turn) { known[t.PromptID] = t.Session })
	b.owners[slug] = known
	return known, err
}

// gate opens the gate that says which lines of a session's transcript may be taken in.
func (b *Backfill) gate(slug, id, path string) (*withheld.Gate, error) {
	st, err := session.Load(b.Config.Dir, id) // without a memory, the lists alone decide
	if safefile.Unreadable(err) && !errors.Is(err, session.ErrNoSession) {
		return nil, err
	}
	same := func(offset int64, file string) bool {
		return transcript.Continues(path, transcript.Position{Offset: offset, File: file})
	}
	return withheld.Open(b.Config.Dir, withheld.Session{ID: id, Slug: slug, Since: st.Since, Same: same}, b.Now)
}
