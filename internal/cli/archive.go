package cli

func archiveCommand() command {
	return command{name: "archive", short: "not there yet", run: func(c *call) error { return errSilent }}
}
