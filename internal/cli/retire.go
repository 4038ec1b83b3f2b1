package cli

import "github.com/mementohq/memento/internal/record"

func retireCommand() command {
	return lifecycle{
		name: "retire", short: "take records out of use, for a reason", done: "retired", reasoned: true,
		long: `They are not brought up any more; memento gc archives them after 30 days, or what grace_days says.
memento restore undoes it.

  memento retire use-jwt --reason "we went for PASETO"
`,
		move: func(s record.Store, id, match, reason string) (*record.Record, error) {
			return s.Retire(id, match, reason)
		},
	}.command()
}
