package cli

func rmCommand() command {
	return command{name: "rm", short: "not there yet", run: func(c *call) error { return errSilent }}
}
