package cli

func profileCommand() command {
	return command{name: "profile", short: "not there yet", run: func(c *call) error { return errSilent }}
}
