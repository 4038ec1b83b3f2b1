package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBranch(t *testing.T) {
	dir := t.TempDir()
	shop := filepath.Join(dir, "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git", "worktrees", "wt"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(shop, "src", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "wt"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, data string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	folder(t, shop, ".git", "objects")
	write("wt/.git", "gitdir: ../shop/.git/worktrees/wt\n")
	write("shop/.git/worktrees/wt/HEAD", "ref: refs/heads/side\n")
	for _, c := range []struct{ head, want string }{
		{"ref: refs/heads/main\n", "main"},
		{"ref: refs/heads/alice/fix-#12\n", "alice/fix-#12"},
		{"ref:\trefs/heads/größe\r\n", "größe"},
		{"ref: refs/remotes/origin/main\n", "refs/remotes/origin/main"},
		{"0123456789abcdef0123456789abcdef01234567\n", "0123456"},
		{strings.Repeat("ab", 32) + "\n", "abababa"},
		{"ref: refs/heads/.invalid\n", ""},
		{"ref: refs/heads/a b\n", ""},
		{"ref: refs/heads/a\x1b[31m\n", ""},
		{"ref: refs/heads/" + strings.Repeat("a", 300) + "\n", ""},
		{"ref: refs/heads/\xff\n", ""},
		{"", ""},
		{"nonsense\n", ""},
	} {
		write("shop/.git/HEAD", c.head)
		for _, at := range []string{"", "src/deep"} {
			if got := Branch(filepath.Join(shop, at), ""); got != c.want {
				t.Errorf("%q in %q is %q, want %q", c.head, at, got, c.want)
			}
		}
		if got := Branch(filepath.Join(dir, "wt"), ""); got != "side" {
			t.Errorf("the worktree is on %q", got)
		}
	}
	write("shop/.git/HEAD", "ref: refs/heads/main\n")
	for _, c := range []struct{ at, root, want string }{
		{filepath.Join(shop, "src"), shop, "main"},
		{shop, shop, "main"},
		{filepath.Join(dir, "wt"), shop, "main"}, // moved there for a while
		{shop + "2", shop, "main"},
		{shop, filepath.Join(dir, "wt"), "side"},
		{shop, "/", "main"},
	} {
		if got := Branch(c.at, c.root); got != c.want {
			t.Errorf("%s of a session of %s is on %q, want %q", c.at, c.root, got, c.want)
		}
	}
	if err := os.Remove(filepath.Join(shop, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{shop, filepath.Join(dir, "missing"), "shop", ""} {
		if got := Branch(at, ""); got != "" {
			t.Errorf("%q is on %q", at, got)
		}
	}
}
