package cli

import "github.com/mementohq/memento/internal/record"

func reopenCommand() command {
	return lifecycle{
		name: "reopen", short: "make completed records active again", done: "reopened",
		long: `  memento reopen fix-auth-bug
`,
		move: func(s record.Store, id, match, _ string) (*record.Record, error) { return s.Reopen(id, match) },
	}.command()
}
