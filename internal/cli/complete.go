package cli

import "github.com/mementohq/memento/internal/record"

func completeCommand() command {
	return lifecycle{
		name: "complete", short: "mark records as completed; they go to the archive", done: "completed",
		long: `It stands in .completed from then on, and is not brought up any more. memento reopen undoes it.

  memento complete fix-auth-bug
`,
		move: func(s record.Store, id, match, _ string) (*record.Record, error) { return s.Complete(id, match) },
	}.command()
}
