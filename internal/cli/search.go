package cli

func searchCommand() command {
	return command{name: "search", short: "not there yet", run: func(c *call) error { return errSilent }}
}
