package project

import (
	"path/filepath"
	"strings"
)

// normalURL reduces the forms of one remote to host/path: no scheme, user, password, query, default port or trailing
// ".git". A path on this machine is made absolute, from base.
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
			_, path, _ = strings.Cut(path, "@") // that was a user, and a password with a slash in it
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
	return id, lastPart(id)
}

// lastPart is what a project is named after, of its identity.
func lastPart(id string) string { return id[strings.LastIndexAny(id, `/\:`)+1:] }

// hosted is the identity of what a host has at path. Hosts are known whose paths ignore case, who answer to a second
// name where only port 443 is open, or who write one path in two ways.
func hosted(host, path string) string {
	host, path = strings.ToLower(strings.TrimSuffix(host, ".")), strings.TrimLeft(path, "/")
	switch host {
	case "ssh.github.com", "altssh.gitlab.com", "altssh.bitbucket.org":
		_, host, _ = strings.Cut(host, ".")
	case "ssh.dev.azure.com":
		host, path = "dev.azure.com", strings.TrimPrefix(path, "v3/")
	}
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org":
		path = strings.ToLower(path)
	case "dev.azure.com":
		path = strings.ToLower(strings.Replace(path, "/_git/", "/", 1))
	}
	return host + "/" + path
}

// remoteHost reports whether a URL without a scheme is host:path, as git does: no slash before the first colon, and no
// Windows drive.
func remoteHost(url string) bool {
	host, path, ok := strings.Cut(url, ":")
	drive := len(host) == 1 && path != "" && (path[0] == '/' || path[0] == '\\')
	return ok && host != "" && !drive && !strings.ContainsAny(host, `/\`)
}
