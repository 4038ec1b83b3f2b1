package cli

func listCommand() command {
	return command{name: "list", short: "not there yet", run: func(c *call) error { return errSilent }}
}
