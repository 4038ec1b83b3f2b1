package project

import (
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func TestOriginURL(t *testing.T) {
	for _, c := range []struct{ name, config, want string }{
		{"plain",
			"[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@github.com:alice/shop.git\n\tfetch = " +
				"+refs/heads/*:refs/remotes/origin/*\n", "git@github.com:alice/shop.git"},
		{"upper case keys", "[Remote \"origin\"]\n\tURL = https://example.org/a.git\n", "https://example.org/a.git"},
		{"another remote first", "[remote \"upstream\"]\n\turl = up\n[remote \"origin\"]\n\turl = mine\n", "mine"},
		{"another remote only", "[remote \"upstream\"]\n\turl = up\n", ""},
		{"a remote whose name begins alike", "[remote \"origin2\"]\n\turl = up\n", ""},
		{"subsections keep their case", "[remote \"Origin\"]\n\turl = up\n", ""},
		{"comment behind the value", "[remote \"origin\"]\n\turl = mine ; the one\n", "mine"},
		{"quoted", "[remote \"origin\"]\n\turl = \"/srv/my repos/a # b.git\"\n", "/srv/my repos/a # b.git"},
		{"escaped", "[remote \"origin\"]\n\turl = C:\\\\repos\\\\a\n", `C:\repos\a`},
		{"windows line ends", "[remote \"origin\"]\r\n\turl = mine\r\n", "mine"},
		{"pushurl is another key", "[remote \"origin\"]\n\tpushurl = there\n", ""},
		{"one to fetch from, one more to push to", "[remote \"origin\"]\n\turl = mine\n\turl = mirror\n", "mine"},
		{"an empty one is none", "[remote \"origin\"]\n\turl =\n\turl = mine\n", "mine"},
		{"ends in a backslash of its own", "[remote \"origin\"]\n\turl = C:\\\\repos\\\\\n\tfetch = x\n", `C:\repos\`},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			fixture.Write(t, filepath.Join(dir, "config"), c.config)
			if got, err := originURL(dir); got != c.want || err != nil {
				t.Errorf("got %q and %v, want %q", got, err, c.want)
			}
		})
	}
}
