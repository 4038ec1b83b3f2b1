package cli

func reopenCommand() command {
	return command{name: "reopen", short: "not there yet", run: func(c *call) error { return errSilent }}
}
