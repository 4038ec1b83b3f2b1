package launch

import (
	"cmp"
	"os"
	"syscall"
)

// shellLine is the call of cmd.exe that runs command with files as its last arguments.
func shellLine(command string, files ...string) (name string, args []string, attr *os.ProcAttr) {
	line := `cmd.exe /s /c "` + command
	for _, path := range files {
		line += ` "` + path + `"`
	}
	name = cmp.Or(os.Getenv("ComSpec"), `C:\Windows\System32\cmd.exe`)
	return name, []string{name}, &os.ProcAttr{Sys: &syscall.SysProcAttr{CmdLine: line + `"`}}
}
