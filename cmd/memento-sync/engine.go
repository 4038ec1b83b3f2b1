package main

import (
	"context"
	"errors"

	"github.com/mementohq/memento/internal/cli"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/replica"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/withheld"
)

// engine is the companion that memento-sync plugs into the command line.
type engine struct{}

func replicaOf(o cli.SyncOptions) *replica.Replica {
	return &replica.Replica{Config: o.Config, Home: o.Home, Store: retrieve.Open(o.Config.Dir, o.Now, o.Wait),
		Now:  o.Now,
		Wait: o.Wait, Git: gitrepo.Git(), Batch: o.Auto}
}

// hinted is an error with a hint for the person.
type hinted struct {
	error
	hint string
}

func (h hinted) Hint() string  { return h.hint }
func (h hinted) Unwrap() error { return h.error }

// explained adds to an error what helps.
func explained(err error) error {
	var p *gitrepo.Problem
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return hinted{err, p.Hint + " (nothing is lost)"}
	case errors.Is(err, replica.ErrAgain), errors.Is(err, gitrepo.ErrRejected):
		return hinted{err, "wait until other sessions and syncs rest, then memento sync (nothing is lost)"}
	case errors.Is(err, withheld.ErrErasedUnreadable):
		return hinted{err, "memento doctor says what helps here; in the remote, remove the file erased (nothing is lost)"}
	case errors.Is(err, record.ErrInvalid):
		return hinted{err, "with what both machines wrote, it is too long: shorten it here, then memento sync"}
	case errors.Is(err, gitrepo.ErrDamaged):
		return hinted{err, "rm -r ~/.claude/.memento/sync/repo, and memento sync makes the history anew; if the remote " +
			"is damaged, memento sync ANOTHER --all fills an empty one"}
	case errors.Is(err, replica.ErrOff):
		return hinted{err, "memento sync REMOTE --all, with a private git repository; memento help sync"}
	case errors.Is(err, gitrepo.ErrForeign):
		return hinted{err, "nothing was changed there: name an empty repository, kept for memento alone"}
	case errors.As(err, new(*replica.UnknownProjectError)):
		return hinted{err, "memento workspace lists the projects of this machine"}
	case errors.Is(err, safefile.ErrBusy):
		return hinted{err, "another sync may be running; nothing is lost, try again"}
	}
	return err
}

func (engine) Sync(ctx context.Context, o cli.SyncOptions, say func(string)) (pace.Result, error) {
	r := replicaOf(o)
	r.Say, r.Doing = say, o.Doing
	got, err := r.Sync(ctx, o.Choice, o.DryRun)
	if err == nil && got.Back > 0 {
		say("many records were gone from the store since the last sync: they came back from the remote")
	}
	return got, explained(err)
}

func (engine) Status(o cli.SyncOptions) (pace.Status, error) {
	s, err := replicaOf(o).Status()
	return s, explained(err)
}

func (engine) Off(o cli.SyncOptions) error { return explained(replicaOf(o).Off()) }

// Purge rids the history here of what was forgotten. Without git the whole history goes; the next sync makes it anew.
func (engine) Purge(o cli.SyncOptions) error {
	if gitrepo.Git() == "" {
		return explained(pace.RemoveHistory(o.Config.Dir, o.Wait))
	}
	return explained(replicaOf(o).Purge())
}
