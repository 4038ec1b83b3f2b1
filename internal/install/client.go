package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// OldestClient is the oldest version of Claude Code that passes memento's end-to-end tests. Client 2.0.30 drops the
// whole settings file if it holds an unknown event; client 2.0.76 does not give the model what a plugin says at a
// session's start.
const OldestClient = "2.1.9"

// directClient is the first version that starts a hook without a shell. Older clients pass the path to a shell,
// unquoted and without args.
const directClient = "2.1.139"

// errClient: a client on this machine is too old for the hooks.
var errClient = errors.New("it is too old for memento's hooks")

// Client is a Claude Code on this machine.
type Client struct {
	Path    string // the program
	Version string // "" when the client's files do not say it
}

// findClients returns the clients in the folders of a PATH and in home, each once. It starts no program. A version
// comes from files: the package.json of an npm installation, or the name of the folder or file of a native one. It does
// not see clients in containers, in editors and of other users.
func findClients(path []string, home, configDir string) []Client {
	var out []Client
	seen := map[string]bool{}
	add := func(name string) {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return
		}
		real, err := filepath.EvalSymlinks(name)
		if err != nil || seen[real] {
			return
		}
		seen[real] = true
		out = append(out, Client{name, clientVersion(name, real)})
	}
	for _, dir := range append(path[:len(path):len(path)], filepath.Join(home, ".local", "bin"),
		filepath.Join(configDir, "local")) {
		for _, name := range []string{"claude", "claude.exe", "claude.cmd"} {
			if filepath.IsAbs(dir) {
				add(filepath.Join(dir, name))
			}
		}
	}
	return out
}

// clientVersion returns the version of the client at path, or "" when its files do not say it. real is the file that
// path links to.
func clientVersion(path, real string) string {
	const module = "node_modules/@anthropic-ai/claude-code"
	for _, dir := range []string{filepath.Dir(real), filepath.Dir(filepath.Dir(real)),
		filepath.Join(filepath.Dir(path), module), filepath.Join(filepath.Dir(real), module)} {
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil || len(data) > maxFile {
			continue
		}
		if p := parse(data); strings.HasPrefix(p.Get("name").Str, "@anthropic-ai/claude-code") &&
			isVersion(p.Get("version").Str) {
			return p.Get("version").Str
		}
	}
	parts := strings.Split(filepath.ToSlash(real), "/")
	for i := len(parts) - 1; i > 1; i-- {
		if isVersion(parts[i]) && (strings.HasPrefix(parts[i-1], "claude") || parts[i-1] == "versions" &&
			parts[i-2] == "claude") {
			return parts[i]
		}
	}
	return ""
}

// isVersion reports whether s is three numbers, as a version of the client is.
func isVersion(s string) bool { return version(s) != nil }

// version returns the three numbers of a client's version, or nil.
func version(s string) (out []uint64) {
	for _, part := range strings.Split(s, ".") {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	if len(out) != 3 {
		return nil
	}
	return out
}

// isOlder reports whether version a of the client is before version b. It is false if one of them is not three numbers.
func isOlder(a, b string) bool {
	return isVersion(a) && isVersion(b) && slices.Compare(version(a), version(b)) < 0
}

// CheckFit returns errClient if the client cannot run hooks whose program is at exe. For exe "" the path does not
// count. A client of unknown version is fit.
func (c Client) CheckFit(exe string) error {
	switch {
	case isOlder(c.Version, OldestClient):
		return fmt.Errorf("Claude Code %s at %s: %w: they need %s or newer", c.Version, c.Path, errClient, OldestClient)
	case isOlder(c.Version, directClient) && strings.ContainsFunc(exe, isSpecial):
		return fmt.Errorf("Claude Code %s at %s: %w at %s: before %s a shell takes such a path apart", c.Version,
			c.Path, errClient, exe, directClient)
	}
	return nil
}

// isSpecial reports whether a shell may read c as more than a letter of a path.
func isSpecial(c rune) bool {
	return c < 0x80 && !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.ContainsRune("/._-+@%,:=", c))
}
