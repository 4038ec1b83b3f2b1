package cli

func inboxCommand() command {
	return command{name: "inbox", short: "not there yet", run: func(c *call) error { return errSilent }}
}
