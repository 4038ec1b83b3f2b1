package cli

func migrateCommand() command {
	return command{name: "migrate", short: "not there yet", run: func(c *call) error { return errSilent }}
}
