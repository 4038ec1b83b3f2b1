package cli

func exportCommand() command {
	return command{name: "export", short: "not there yet", run: func(c *call) error { return errSilent }}
}
