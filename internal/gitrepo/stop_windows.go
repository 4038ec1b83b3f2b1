package gitrepo

import "os"

// stop ends git. Windows knows no gentler way.
func stop(p *os.Process) error { return p.Kill() }
