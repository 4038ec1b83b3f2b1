package launch

// Sync starts memento-sync, which stands beside this binary, so that it syncs once without anybody waiting, in the
// folder dir. The client waits for everybody who holds a hook's streams, and may end the hook's process group: the
// program has neither. Errors: the system's when it does not start.
func Sync(dir string) error {
	path, err := Beside()
	if err != nil {
		return err
	}
	return start(path, []string{path, "sync", "--auto"}, dir)
}
