package cli

func gcCommand() command {
	return command{name: "gc", short: "not there yet", run: func(c *call) error { return errSilent }}
}
