package cli

import "github.com/mementohq/memento/internal/record"

func restoreCommand() command {
	return lifecycle{
		name: "restore", short: "make retired or archived records active again", done: "restored",
		long: `  memento restore use-jwt
`,
		move: func(s record.Store, id, match, _ string) (*record.Record, error) { return s.Restore(id, match) },
	}.command()
}
