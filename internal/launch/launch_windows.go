package launch

import (
	"cmp"
	"os"
	"syscall"
)

// shellLine is the call of cmd.exe that runs command with path as its last argument.
func shellLine(command, path string) (name string, args []string, attr *os.ProcAttr) {
	line := `cmd.exe /s /c "` + command + ` "` + path + `""`
	name = cmp.Or(os.Getenv("ComSpec"), `C:\Windows\System32\cmd.exe`)
	return name, []string{name}, &os.ProcAttr{Sys: &syscall.SysProcAttr{CmdLine: line}}
}
