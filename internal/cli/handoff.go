package cli

func handoffCommand() command {
	return command{name: "handoff", short: "not there yet", run: func(c *call) error { return errSilent }}
}
