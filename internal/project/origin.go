package project

import (
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

const maxGitConfig = 1 << 20

// originID returns the identity and the name in the origin URL of the git directory, or "" without one. It ignores
// other remotes, since nobody said which of them the work belongs to, and files that the configuration includes.
func originID(gitDir, home string) (id, name string) {
	data, err := safefile.ReadForeign(filepath.Join(gitDir, "config"), maxGitConfig)
	if err != nil {
		return "", ""
	}
	url := originURL(string(data))
	if abbreviated(url) {
		url = expand(url, string(data), home)
	}
	return normalURL(url, filepath.Dir(gitDir))
}

// originURL reads the address of origin in a git configuration. A test compares it with go-git's parser, which is too
// slow for a hook: its packages cost 0.15 ms of start-up, and a hook has 0.8 ms.
func originURL(config string) string {
	url := ""
	entries(config, func(section, sub, key, value string) {
		// git fetches from the first URL and pushes to all of them
		if url == "" && section == "remote" && sub == "origin" && key == "url" {
			url = value
		}
	})
	return url
}

// abbreviated reports whether url may be shorthand that url.<base>.insteadOf expands, like gh:alice/app: its host has
// no dot. memento does not rewrite full addresses. If it did, a project would become another one when somebody sets
// up a mirror.
func abbreviated(url string) bool {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		if !remoteHost(url) {
			return false
		}
		scheme, rest = "", url
	}
	switch strings.ToLower(scheme) {
	case "file":
		return false
	case "", "ssh", "git", "http", "https", "git+ssh", "ssh+git", "git+https", "git+http":
	default:
		return true
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	return !strings.ContainsAny(host, ".[") && host != "localhost"
}

// expand applies the longest insteadOf prefix of url, from the repository's configuration and the user's own.
func expand(url, config, home string) string {
	best, base := "", ""
	look := func(config string) {
		entries(config, func(section, sub, key, value string) {
			if section == "url" && key == "insteadof" && len(value) > len(best) && strings.HasPrefix(url, value) {
				best, base = value, sub
			}
		})
	}
	look(config)
	if filepath.IsAbs(home) {
		for _, path := range [...]string{filepath.Join(home, ".gitconfig"),
			filepath.Join(home, ".config", "git", "config")} {
			if data, err := safefile.ReadForeign(path, maxGitConfig); err == nil {
				look(string(data))
			}
		}
	}
	return base + url[len(best):]
}

// entries calls f with each value of a git configuration: section and key in lower case, the subsection as it stands.
// It skips what is no entry.
func entries(config string, f func(section, sub, key, value string)) {
	section, sub := "", ""
	for config != "" {
		var line string
		line, config, _ = strings.Cut(config, "\n")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section, sub, line = header(line[1:])
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if !ok || key == "" || key[0] == '#' || key[0] == ';' {
			continue
		}
		for continues(value) {
			line, config, _ = strings.Cut(config, "\n")
			value = value[:len(value)-1] + strings.TrimSuffix(line, "\r")
		}
		f(section, sub, key, configValue(value))
	}
}

// continues reports whether the value goes on in the next line: it ends in a backslash that no other backslash
// escapes.
func continues(value string) bool {
	return (len(value)-len(strings.TrimRight(value, `\`)))%2 == 1
}

// header reads `section "sub"]`, the beginning of a section, and returns the rest of the line.
func header(s string) (section, sub, rest string) {
	end := strings.IndexAny(s, `]"`)
	if end < 0 {
		return "", "", ""
	}
	section = strings.ToLower(strings.TrimSpace(s[:end]))
	if s[end] == ']' {
		return section, "", strings.TrimSpace(s[end+1:])
	}
	var b strings.Builder
	for s = s[end+1:]; s != "" && s[0] != '"'; s = s[1:] {
		if s[0] == '\\' && len(s) > 1 {
			s = s[1:]
		}
		b.WriteByte(s[0])
	}
	_, rest, ok := strings.Cut(s, "]")
	if !ok {
		return "", "", ""
	}
	return section, b.String(), strings.TrimSpace(rest)
}

// configValue reads a value of a git configuration. It resolves quotes and escapes and drops a comment.
func configValue(s string) string {
	var b strings.Builder
	quoted := false
	keep := 0 // length up to which white space is part of the value
	for s = strings.TrimSpace(s); s != ""; s = s[1:] {
		switch c := s[0]; {
		case c == '"':
			quoted = !quoted
			keep = b.Len()
		case c == '\\' && len(s) > 1:
			s = s[1:]
			switch s[0] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s[0])
			}
			keep = b.Len()
		case (c == '#' || c == ';') && !quoted:
			return b.String()[:keep]
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				keep = b.Len()
			}
		}
	}
	return b.String()[:keep]
}
