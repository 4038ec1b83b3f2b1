package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is memento's version. A test compares the manifests and the changelog with it.
const Version = "0.1.0"

func versionCommand() command {
	return command{
		name: "version", bare: true, short: "print the version", long: "  memento version\n",
		run: func(c *call) error {
			revision := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" && len(s.Value) >= 12 {
						revision = s.Value[:12]
					}
				}
			}
			name := strings.TrimSpace("memento " + Version + " " + revision)
			return c.say("%s (%s/%s, %s)", name, runtime.GOOS, runtime.GOARCH, runtime.Version())
		},
	}
}

func hookCommand() command {
	return command{
		name: "hook", hidden: true, short: "answer one hook event of the client (on standard input)",
		long: `Claude Code runs this. It reads one event as JSON, writes at most one response, and
always exits 0: a hook that fails must never stand in the way of the work.
`,
		run: func(*call) error { return nil }, // Main answers the event before it looks for a command
	}
}
