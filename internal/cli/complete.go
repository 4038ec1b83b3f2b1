package cli

func completeCommand() command {
	return command{name: "complete", short: "not there yet", run: func(c *call) error { return errSilent }}
}
