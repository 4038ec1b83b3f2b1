package cli

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/mementohq/memento/internal/config"
)

// Companion does what needs git or a connection. Only memento-sync has one: memento, which the hooks run, runs
// memento-sync instead, with the same arguments. An error with the method Hint() string brings its own hint.
type Companion interface {
	// Sync sets up what the options name, and then brings this machine and the remote up to date. say receives lines
	// about steps that take long; no line holds a secret. On an error the store is whole, and the next Sync goes on.
	Sync(ctx context.Context, o SyncOptions, say func(line string)) (SyncReport, error)

	// Status reads what is set up and how the last sync ended. It opens no connection.
	Status(o SyncOptions) (SyncStatus, error)

	// Off forgets the remote, so that nothing travels any more. The remote keeps what it has.
	Off(o SyncOptions) (SyncStatus, error)

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

	Remote string // the address to set up, "" for the one that was set up; it never begins with a dash
	Local  bool   // keep a history without a remote
	// Projects are the names of projects to sync from now on: instead of all, or with a Remote of those chosen before;
	// else besides those.
	Projects  []string
	All       bool   // sync every project, and those to come
	Answers   bool   // from now on send Claude's answers, too
	NoAnswers bool   // from now on send none of them
	DryRun    bool   // report what would travel, and change nothing here or there
	Name      string // what the other machines call this one from now on, "" for no change
	// a hook started this, and nobody waits for it: if another sync runs, return safefile.ErrBusy at once
	Auto bool
}

// SyncCount says how much of each kind travelled.
type SyncCount struct {
	Records     int
	Turns       int
	Rules       int // standing rules, and what was kept or dropped
	Suggestions int // decisions on suggestions
	Journals    int
	Forgotten   int // ids of what was forgotten
}

// SyncReport is what one sync did, or in a dry run would do.
type SyncReport struct {
	DryRun   bool
	First    bool     // this call set the remote up
	Remote   string   // without a password, "" for a history without a remote
	Projects []string // names on this machine
	Sent     SyncCount
	Received SyncCount

	New map[string]int // records that this store did not have, by project

	Erased    int      // places in this store, because another machine forgot what they held
	From      []string // names of the machines whose data arrived
	Conflicts []string // ids of other versions of records that both sides changed
}

// SyncStatus is what memento sync has set up.
type SyncStatus struct {
	On        bool
	Remote    string // without a password, "" for a history without a remote
	All       bool
	Projects  []string // names on this machine
	Answers   bool
	Machine   string   // this machine's name
	Machines  []string // names of the others
	Conflicts []string // ids of other versions of records that both sides changed

	// How the last syncs ended. Package pace knows that; a Companion leaves these fields zero.
	Last   time.Time
	Failed time.Time // since when each sync failed
	Error  string    // why the last one failed
	Hint   string
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
