package cli

func importCommand() command {
	return command{name: "import", short: "not there yet", run: func(c *call) error { return errSilent }}
}
