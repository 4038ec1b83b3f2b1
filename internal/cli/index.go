package cli

func indexCommand() command {
	return command{name: "index", short: "not there yet", run: func(c *call) error { return errSilent }}
}
