package cli

func saveCommand() command {
	return command{name: "save", short: "not there yet", run: func(c *call) error { return errSilent }}
}
