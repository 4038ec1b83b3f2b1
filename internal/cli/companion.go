package cli

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/pace"
)

// Companion does what needs git or a connection. Only memento-sync has one: memento, which the hooks run, runs
// memento-sync instead, with the same arguments. An error with the method Hint() string brings its own hint.
type Companion interface {
	// Sync sets up what the options name, and then brings this machine and the remote up to date. say receives lines
	// about steps that take long; no line holds a secret. On an error the store is whole, and the next Sync goes on.
	Sync(ctx context.Context, o SyncOptions, say func(line string)) (pace.Result, error)

	// Status reads what is set up and how the last sync ended. It opens no connection.
	Status(o SyncOptions) (pace.Status, error)

	// Off forgets the remote, so that nothing travels any more. The remote keeps what it has.
	Off(o SyncOptions) error

	// Purge erases from the history on this machine what was forgotten here since the last sync. It opens no
	// connection.
	Purge(o SyncOptions) error
}

// SyncOptions is one call of memento sync.
type SyncOptions struct {
	Config config.Config
	Home   string           // the user's home folder, "" if it is not known
	Dir    string           // the working folder, in which a relative path as Remote begins
	Now    func() time.Time // the time of this call
	Wait   time.Duration    // how long to wait for a lock

	// Doing receives each step that takes long, and how much of it is done, of all where that is known. It may be nil.
	Doing func(step string, done, all int)

	pace.Choice
	DryRun bool // report what would travel, and change nothing here or there
	// a hook started this, and nobody waits for it: if another sync runs, return safefile.ErrBusy at once
	Auto bool
}

// companionOf returns what can sync. In memento it runs memento-sync with this call's arguments instead, and returns an
// *endedError with the exit code of memento-sync. A command checks its arguments first.
func companionOf(c *call) (Companion, error) {
	if c.Companion != nil {
		return c.Companion, nil
	}
	const missing = "memento-sync is not installed beside memento"
	if c.RunCompanion == nil {
		return nil, hinted(thisMachine(c).CompanionHint(), missing)
	}
	code, err := c.RunCompanion(c.line)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, hinted(thisMachine(c).CompanionHint(), missing)
	case err != nil:
		return nil, hinted("memento doctor", "running memento-sync: %w", err)
	}
	return nil, &endedError{code}
}

// endedError ends a command with the exit code of the program that did its work.
type endedError struct{ code int }

func (e *endedError) Error() string { return "the command was run by another program" }
