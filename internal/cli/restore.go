package cli

func restoreCommand() command {
	return command{name: "restore", short: "not there yet", run: func(c *call) error { return errSilent }}
}
