package cli

func retireCommand() command {
	return command{name: "retire", short: "not there yet", run: func(c *call) error { return errSilent }}
}
