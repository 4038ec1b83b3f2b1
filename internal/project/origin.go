package project

import (
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

const maxGitConfig = 1 << 20

// originID returns the identity and the name in the origin URL of the git directory, or "" without one. It ignores
// other remotes, since nobody said which of them the work belongs to, and files that the configuration includes. It
// takes an address as it stands, so that no mirror and no url.insteadOf makes another project of it.
func originID(gitDir string) (id, name string) {
	url := ""
	entries(gitDir, func(section, key, value string) {
		// git fetches from the first URL and pushes to all of them
		if url == "" && section == `remote "origin"` && key == "url" {
			url = value
		}
	})
	return normalURL(url, filepath.Dir(gitDir))
}

// entries calls f with each value in the configuration of a git directory: key and the first word of section in lower
// case. It reads what git writes, a value on one line.
func entries(gitDir string, f func(section, key, value string)) {
	data, err := safefile.ReadForeign(filepath.Join(gitDir, "config"), maxGitConfig)
	if err != nil {
		return
	}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if name, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(name, "[") {
			word, sub, _ := strings.Cut(name[1:], " ")
			section, line = strings.TrimSpace(strings.ToLower(word)+" "+sub), strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		if key = strings.ToLower(strings.TrimSpace(key)); ok && key != "" && key[0] != '#' && key[0] != ';' {
			f(section, key, configValue(value))
		}
	}
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
