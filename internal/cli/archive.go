package cli

import "github.com/mementohq/memento/internal/record"

func archiveCommand() command {
	return lifecycle{
		name: "archive", short: "put records away for good, for a reason", done: "archived", reasoned: true,
		long: `They stand in .completed from then on, are not brought up any more, and no collection deletes
them. memento restore undoes it.

  memento archive launch-2025 --reason "it is over, and worth keeping"
`,
		move: func(s record.Store, id, match, reason string) (*record.Record, error) {
			return s.Archive(id, match, reason)
		},
	}.command()
}
