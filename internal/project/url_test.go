package project

import (
	"net/url"
	"strings"
	"testing"
)

func TestNormalURL(t *testing.T) {
	for _, tt := range []struct {
		name, id string
		urls     []string
	}{
		{"myapp", "github.com/alice/myapp", []string{
			"https://github.com/alice/myapp", "https://github.com/alice/myapp.git", "https://github.com/alice/myapp/",
			"https://github.com/alice/myapp.git/", "HTTPS://GitHub.COM/alice/myapp",
			"git@github.com:alice/myapp.git", "git@github.com:/alice/myapp", "github.com:alice/myapp",
			"ssh://git@github.com/alice/myapp.git", "ssh://git@github.com:22/alice/myapp",
			"git://github.com/alice/myapp.git",
			"https://alice@github.com/alice/myapp", "https://alice:s3cret@github.com/alice/myapp.git",
			"https://alice:p@ss@github.com/alice/myapp",
			"https://x-access-token:ghs_16C7@github.com:443/alice/myapp",
			"https://alice:pa/ss@github.com/alice/myapp", "alice:s3cret@github.com:alice/myapp",
			"https://github.com/alice/myapp.git?private_token=s3cret", "https://github.com/alice/myapp#s3cret",
			"  https://github.com/alice/myapp\n", "git+ssh://git@github.com/alice/myapp",
			"git@GitHub.com:Alice/MyApp.git", "ssh://git@ssh.github.com:443/alice/myapp.git",
			"http://github.com:80/alice/myapp", "git://github.com:9418/alice/myapp",
			"https://github.com./alice/myapp",
		}},
		// paths of this host may be case-sensitive
		{"MyApp", "git.example.com/Alice/MyApp",
			[]string{"https://git.example.com/Alice/MyApp", "git@git.example.com:Alice/MyApp.git",
				"ssh+git://Git.Example.com/Alice/MyApp"}},
		{"myapp", "git.example.com/alice/myapp", []string{"https://git.example.com/alice/myapp"}},
		{"app", "gitlab.com/team/sub/app", []string{"git@gitlab.com:Team/Sub/App.git",
			"https://gitlab.com/team/sub/app", "ssh://git@altssh.gitlab.com:443/team/sub/app.git"}},
		{"myapp", "git.example.com:2222/alice/myapp", []string{"ssh://git@git.example.com:2222/alice/myapp.git"}},
		{"pkg", "git.example.com/@scope/pkg",
			[]string{"https://git.example.com/@scope/pkg", "https://alice:s3cret@git.example.com/@scope/pkg",
				"git.example.com:@scope/pkg", "g@git.example.com:@scope/pkg"}},
		{"pkg", "git.example.com:8443/@scope/pkg", []string{"https://git.example.com:8443/@scope/pkg"}},
		{"myapp", "[::1]:2222/myapp", []string{"ssh://git@[::1]:2222/myapp"}},
		{"myapp", "/srv/git/myapp", []string{"/srv/git/myapp.git", "/srv/git/myapp", "file:///srv/git/myapp.git",
			"/srv/git/myapp/.git", "../git/myapp.git", "./../git/myapp", "../git/myapp/"}},
		{"myapp", `C:\git\myapp`, []string{`C:\git\myapp.git`, `C:\git\myapp\.git`}},
		{"myapp", "/srv/work/host:alice/myapp", []string{"./host:alice/myapp"}},
		{"", "", []string{"", "  ", "/"}},
	} {
		for _, u := range tt.urls {
			if id, name := normalURL(u, "/srv/work"); id != tt.id || name != tt.name {
				t.Errorf("normalURL(%q) = %q, %q, want %q, %q", u, id, name, tt.id, tt.name)
			}
		}
	}
}

// FuzzNormalURL: no user and no password of a URL gets into the identity.
func FuzzNormalURL(f *testing.F) {
	f.Add("https", "alice", "s3cret", "github.com", "alice/myapp.git")
	f.Add("ssh", "git", "p@ss:w/rd", "git.example.com:2222", "@scope/pkg")
	f.Add("", "git", "p", "github.com", "alice/myapp")
	f.Fuzz(func(t *testing.T, scheme, user, password, host, path string) {
		normalURL(user, host)                   // no panic for any URL
		const mark = "Zq7" + "Xw2" + "hunter42" // stands in no other part
		password += mark
		for _, s := range []string{scheme, host, path} {
			if strings.Contains(strings.ToLower(s), strings.ToLower(mark)) {
				return
			}
		}
		if host == "" || strings.ContainsAny(host, "/\\@:?#") || user == "" || strings.ContainsAny(user, "/:") {
			return
		}
		credentials := url.UserPassword(user, password).String()
		for _, u := range []string{
			"https://" + credentials + "@" + host + "/" + path,
			"ssh://" + credentials + "@" + host + ":2222/" + path,
			credentials + "@" + host + ":" + path,
		} {
			if id, _ := normalURL(u, "/"); strings.Contains(id, mark) {
				t.Errorf("normalURL(%q) = %q", u, id)
			}
		}
	})
}
