package project

import (
	"path/filepath"
	"strings"
)

// normalURL reduces the forms of one remote's URL to host/path: no scheme, user, password, query, default port or
// trailing ".git". It makes a path on this machine absolute, from base.
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
		if _, port, ok := strings.Cut(host, ":"); ok && host[0] != '[' && strings.Trim(port, "0123456789") != "" &&
			strings.Contains(path, "@") {
			_, path, _ = strings.Cut(path, "@") // the part before is a user and a password with a slash in it
			host, path, _ = strings.Cut(path, "/")
		}
		for _, port := range [...]string{":22", ":443", ":80", ":9418"} {
			host = strings.TrimSuffix(host, port)
		}
		id = hosted(host, path)
	case remoteHost(url):
		host, _, _ := strings.Cut(url, "/")
		host = host[:strings.LastIndexByte(host, ':')]
		host, path, _ := strings.Cut(url[strings.LastIndexByte(host, '@')+1:], ":")
		id = hosted(host, path)
	case filepath.IsAbs(url) || len(url) > 1 && url[1] == ':':
		id = url
	default: // without a base, "../upstream" would be one project wherever it stands
		id = filepath.Join(base, url)
	}
	id = strings.TrimRight(strings.TrimSuffix(id, ".git"), `/\`)
	return id, id[strings.LastIndexAny(id, `/\:`)+1:]
}

// hosted returns the identity of path on host. Some hosts ignore case in paths, or have a second name for port 443.
func hosted(host, path string) string {
	host, path = strings.ToLower(strings.TrimSuffix(host, ".")), strings.TrimLeft(path, "/")
	switch host {
	case "ssh.github.com", "altssh.gitlab.com", "altssh.bitbucket.org":
		_, host, _ = strings.Cut(host, ".")
	}
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org":
		path = strings.ToLower(path)
	}
	return host + "/" + path
}

// remoteHost reports whether a URL without a scheme is git's host:path: no slash before the colon, no Windows drive.
func remoteHost(url string) bool {
	host, path, ok := strings.Cut(url, ":")
	drive := len(host) == 1 && path != "" && (path[0] == '/' || path[0] == '\\')
	return ok && host != "" && !drive && !strings.ContainsAny(host, `/\`)
}
