package screen

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeys reports whether a console obeys control sequences, as those of Windows 10 and later do when they are asked to.
func obeys(out *os.File) bool {
	var mode uint32
	console := windows.Handle(out.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
