package cli

func cleanCommand() command {
	return command{name: "clean", short: "not there yet", run: func(c *call) error { return errSilent }}
}
