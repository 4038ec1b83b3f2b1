package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

const maxGitConfig = 1 << 20

// originURL returns the origin's address in the configuration of the git directory, or "" without one. It ignores other
// remotes, since nobody said which of them the work belongs to, and files that the configuration includes. It takes an
// address as it stands, so that no mirror and no url.insteadOf makes another project of it. It reads what git writes, a
// value on one line. Errors: the disk's; without a configuration there are none.
func originURL(gitDir string) (string, error) {
	data, err := safefile.ReadForeign(filepath.Join(gitDir, "config"), maxGitConfig)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	isOrigin := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if section, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(section, "[") {
			word, sub, _ := strings.Cut(section[1:], " ")
			isOrigin = strings.EqualFold(word, "remote") && strings.TrimSpace(sub) == `"origin"`
			line = strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		isURL := ok && isOrigin && strings.EqualFold(strings.TrimSpace(key), "url")
		if value = configValue(value); isURL && value != "" {
			return value, nil // git fetches from the first one
		}
	}
	return "", err
}

// configValue reads a value of a git configuration: it drops a comment, and resolves quotes and escapes.
func configValue(s string) string {
	if comment := strings.IndexAny(s, "#;"); comment >= 0 && !strings.Contains(s, `"`) {
		s = s[:comment]
	}
	if s = strings.TrimSpace(s); !strings.ContainsAny(s, `"\`) {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `"`, "").Replace(s)
}
