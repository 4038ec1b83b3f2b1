//go:build unix

package screen

import "os"

// obeys reports whether a terminal obeys control sequences. Every terminal of a Unix does, but for TERM=dumb.
func obeys(*os.File) bool { return true }
