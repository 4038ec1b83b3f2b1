package cli

func editCommand() command {
	return command{name: "edit", short: "not there yet", run: func(c *call) error { return errSilent }}
}
