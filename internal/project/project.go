// Package project answers which project a folder belongs to and which lane (journal) a session in it uses. It reads
// repositories and keeps workspace.json; what stands in a journal is none of its business.
package project

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/safefile"
)

// Project is where work belongs: a repository, or a plain folder.
type Project struct {
	ID       string // origin URL without credentials ("git:github.com/alice/myapp"), else "dir:" + Root; "" for none
	Name     string // what a slug is made of: the last part of the URL, else of Root
	Root     string // top folder of the working tree
	Worktree string // name of the linked worktree, "" in the main one
}

// None reports whether the folder belongs to no project: the home folder, a file system's root, a missing folder.
func (p Project) None() bool { return p.ID == "" }

// Find returns the project of the folder dir. home is the user's home folder, which is no project unless it is a
// repository. A folder that is gone, unreadable or relative gives the zero Project; nothing here is an error.
func Find(dir, home string) Project {
	if !filepath.IsAbs(dir) {
		return Project{}
	}
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if r, ok := repository(at); ok {
			p := Project{Root: at, Worktree: r.worktree, Name: filepath.Base(r.root), ID: "dir:" + r.root}
			if id, name := originID(r.common); id != "" {
				p.ID, p.Name = "git:"+id, name
			}
			return p
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	info, err := os.Stat(dir)
	if dir == home || dir == filepath.Dir(dir) || dir == filepath.Clean(os.TempDir()) || err != nil || !info.IsDir() {
		return Project{}
	}
	return Project{ID: "dir:" + dir, Name: filepath.Base(dir), Root: dir}
}

// repo is what is known of a repository from its folder alone.
type repo struct {
	root     string // top folder of the main working tree
	common   string // the git directory shared by all worktrees
	worktree string
}

// repository reports whether at is the top of a working tree, or a bare repository.
func repository(at string) (repo, bool) {
	dot := filepath.Join(at, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		if isGitDir(at) && filepath.Base(at) != ".git" {
			return repo{root: strings.TrimSuffix(at, ".git"), common: at}, true
		}
		return repo{}, false
	}
	if info.IsDir() {
		return repo{root: at, common: dot}, isGitDir(dot)
	}
	dir := pointer(dot, "gitdir: ", at)
	if dir == "" || !isDir(dir) {
		return repo{}, false
	}
	common := pointer(filepath.Join(dir, "commondir"), "", dir)
	if common == "" { // a submodule: a repository of its own
		return repo{root: at, common: dir}, true
	}
	r := repo{root: filepath.Dir(common), common: common, worktree: filepath.Base(dir)}
	if filepath.Base(common) != ".git" {
		r.root = strings.TrimSuffix(common, ".git")
	}
	return r, true
}

func isGitDir(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "HEAD"))
	return err == nil && isDir(filepath.Join(dir, "objects"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// pointer reads a one-line file that names a path, relative to base, behind prefix.
func pointer(path, prefix, base string) string {
	data, err := safefile.Read(path, 4<<10)
	if err != nil || !bytes.HasPrefix(data, []byte(prefix)) {
		return ""
	}
	to := strings.TrimSpace(string(data[len(prefix):]))
	if to == "" {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(base, to)
	}
	return filepath.Clean(to)
}

// originID returns the identity and the name in the origin URL of the git directory, or "" without one.
func originID(gitDir string) (id, name string) {
	data, err := safefile.Read(filepath.Join(gitDir, "config"), 1<<20)
	if err != nil {
		return "", ""
	}
	return normalURL(originURL(string(data)), filepath.Dir(gitDir))
}

// originURL reads the one value memento needs of a git configuration. go-git's parser, which tests hold this to, costs
// every hook 0.15 ms of start-up for the packages it links; a hook's whole budget is 0.8.
func originURL(config string) string {
	url, inside := "", false
	for config != "" {
		var line string
		line, config, _ = strings.Cut(config, "\n")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			header, rest, _ := strings.Cut(line, "]")
			name, sub, _ := strings.Cut(header[1:], `"`)
			inside = strings.EqualFold(strings.TrimSpace(name), "remote") && strings.TrimSpace(sub) == `origin"`
			line = strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		if !inside || !ok || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		for strings.HasSuffix(value, `\`) && !strings.HasSuffix(value, `\\`) {
			line, config, _ = strings.Cut(config, "\n")
			value = value[:len(value)-1] + strings.TrimSuffix(line, "\r")
		}
		if url == "" { // the first is where the work comes from; others are pushed to
			url = configValue(value)
		}
	}
	return url
}

// configValue reads a value of a git configuration: quotes and escapes resolved, a comment left out.
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

// normalURL reduces the forms of one remote to host/path: no scheme, user, password, query, port 22 or trailing ".git".
// A path on this machine is made absolute, from base.
func normalURL(url, base string) (id, name string) {
	url = strings.TrimRight(strings.TrimSpace(url), "/")
	if url == "" {
		return "", ""
	}
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case ok && strings.EqualFold(scheme, "file"):
		id = rest
	case ok:
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
		host, path, _ := strings.Cut(rest, "/")
		host = host[strings.LastIndexByte(host, '@')+1:]
		if _, port, ok := strings.Cut(host, ":"); ok && host[0] != '[' && strings.Trim(port, "0123456789") != "" && strings.Contains(path, "@") {
			_, path, _ = strings.Cut(path, "@") // that was a user, and a password with a slash in it
			host, path, _ = strings.Cut(path, "/")
		}
		host = strings.TrimSuffix(strings.TrimSuffix(host, ":22"), ":443")
		id = strings.ToLower(host) + "/" + strings.TrimLeft(path, "/")
	case remoteHost(url):
		host, _, _ := strings.Cut(url, "/")
		host = host[:strings.LastIndexByte(host, ':')]
		host, path, _ := strings.Cut(url[strings.LastIndexByte(host, '@')+1:], ":")
		id = strings.ToLower(host) + "/" + strings.TrimLeft(path, "/")
	case filepath.IsAbs(url) || len(url) > 1 && url[1] == ':':
		id = url
	default: // without a base, "../upstream" would be one project wherever it stands
		id = filepath.Join(base, url)
	}
	id = strings.TrimRight(strings.TrimSuffix(id, ".git"), `/\`)
	name = id[strings.LastIndexAny(id, `/\:`)+1:]
	return id, name
}

// remoteHost reports whether a URL without a scheme is host:path, as git does: no slash before the first colon, and no
// Windows drive.
func remoteHost(url string) bool {
	host, path, ok := strings.Cut(url, ":")
	drive := len(host) == 1 && path != "" && (path[0] == '/' || path[0] == '\\')
	return ok && host != "" && !drive && !strings.ContainsAny(host, `/\`)
}

const maxSlug = 48

// shorten cuts a slug to limit bytes, between two characters.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xc0 == 0x80 {
		limit--
	}
	return strings.TrimRight(s[:limit], "-._")
}

// Slug makes name safe as the project part of a file name: lower case, letters, digits, '.', '_' and single hyphens,
// beginning with a letter or digit, at most 48 bytes. A name with nothing to keep becomes "project" and a hash. The
// slug "user" is reserved for user-level records and becomes "user-project".
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case (r == '.' || r == '_') && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := shorten(strings.Trim(b.String(), "-._"), maxSlug)
	switch s {
	case "":
		h := fnv.New32a()
		h.Write([]byte(name))
		return fmt.Sprintf("project-%08x", h.Sum32())
	case "user":
		return "user-project"
	}
	return s
}
