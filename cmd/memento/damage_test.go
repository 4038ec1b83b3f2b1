//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/text"
)

// pair is two machines that have synced a few times, and their remote.
type pair struct {
	*testing.T
	desk, laptop *clone
	remote       string
}

func newPair(t *testing.T) pair {
	at := t.TempDir()
	p := pair{T: t, remote: filepath.Join(at, "memory.git")}
	fixture.Git(t, at, "init", "-q", "--bare", "-b", "main", p.remote)
	p.desk, p.laptop = p.machine("desk"), p.machine("laptop")
	for i, c := range []*clone{p.desk, p.laptop} {
		c.save(fmt.Sprint("First ", i))
		c.run("", "sync", p.remote, "--all")
	}
	p.desk.run("", "sync")
	return p
}

// machine is a machine with a clone of the repository.
func (p pair) machine(name string) *clone {
	c := &clone{t: p.T, home: filepath.Join(filepath.Dir(p.remote), name)}
	c.dir = fixture.Repository(p.T, filepath.Join(c.home, "shop"), "https://git.example.com/alice/shop.git")
	return c
}

func (c *clone) save(title string) {
	c.run("", "save", "decision", title, "--set", "decision=It is so.")
	c.counted = append(c.counted, strings.ReplaceAll(strings.ToLower(title), " ", "-"))
}

// try runs a program that may fail, and returns what it printed.
func (c *clone) try(args ...string) (string, error) {
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = c.dir, []string{"HOME=" + c.home, "USER=alice",
		"PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// history is the repository of a machine.
func (c *clone) history() string { return filepath.Join(c.home, ".claude", ".memento", "sync", "repo") }

// same reports an error unless both machines are quiet, and have all records that were saved on either.
func (p pair) same(when string) {
	p.Helper()
	p.desk.run("", "sync")
	p.laptop.run("", "sync")
	for _, c := range []*clone{p.desk, p.laptop} {
		if out := c.run("", "sync"); !strings.Contains(out, "nothing new, here or there") {
			p.Errorf("%s: %s is not quiet: %s", when, c.home, out)
		}
		list := c.run("", "list")
		for _, slug := range slices.Concat(p.desk.counted, p.laptop.counted) {
			if !strings.Contains(list, slug) {
				p.Errorf("%s: %s lacks %s: %s", when, c.home, slug, list)
			}
		}
	}
}

// TestDamagedHistory: whatever a disk or a person does to the repository on a machine, the next sync makes it anew from
// the remote and says so. Neither machine loses a record, nor gets back what one of them removed. Whoever damages the
// remote stops every machine with a hint; once the remote is mended, all goes on.
func TestDamagedHistory(t *testing.T) {
	fixture.Long(t, "it starts many processes")
	p := newPair(t)
	packs := func(suffix string, change func(content string) string) {
		found, _ := filepath.Glob(filepath.Join(p.desk.history(), "objects/pack/*"+suffix))
		if len(found) == 0 {
			t.Fatal("there is no pack")
		}
		for _, path := range found {
			content := fixture.Read(t, path)
			if err := os.Remove(path); err != nil { // it may be read-only
				t.Fatal(err)
			}
			fixture.Write(t, path, change(content))
		}
	}
	overwrite := func(name, content string) { fixture.Write(t, filepath.Join(p.desk.history(), name), content) }
	garbage := strings.Repeat("\xf0garbage\x00", 40)
	for _, damage := range []struct {
		name string
		do   func()
	}{
		{"garbage in packs", func() {
			packs(".pack", func(content string) string {
				return content[:12] + garbage + content[min(len(content), 12+len(garbage)):]
			})
		}},
		{"indexes of garbage", func() { packs(".idx", func(string) string { return garbage }) }},
		{"settings of garbage", func() { overwrite("config", garbage) }},
		{"a branch to nothing", func() { overwrite("refs/heads/main", strings.Repeat("1", 40)+"\n") }},
	} {
		p.laptop.save("Far " + damage.name)
		p.laptop.run("", "save", "decision", "Gone "+damage.name, "--set", "decision=It goes.")
		p.laptop.run("", "sync")
		p.desk.run("", "sync")
		p.laptop.run("", "rm", "gone-"+strings.ReplaceAll(damage.name, " ", "-"), "--yes")
		p.laptop.save("Later " + damage.name)
		p.laptop.run("", "sync")
		p.desk.save("Near " + damage.name)
		damage.do()
		p.desk.run("", "sync", "--status")
		out := p.desk.run("", "sync")
		isSeen := strings.Contains(out, "memento: the history on this machine was damaged: it is made anew")
		if !strings.Contains(out, "sent 1 record, received 2 records") {
			t.Errorf("%s: it says %s", damage.name, out)
		}
		p.same(damage.name)
		if isSeen {
			fixture.Git(t, p.desk.dir, "--git-dir="+p.desk.history(), "fsck", "--full", "--strict")
		}
		for _, c := range []*clone{p.desk, p.laptop} {
			if list := c.run("", "list"); strings.Contains(list, "gone") {
				t.Errorf("%s: what was removed: %s", damage.name, list)
			}
		}
	}

	p.laptop.save("Far")
	p.laptop.run("", "sync") // the desk does not have it
	p.desk.save("Near")
	before := p.commit("memento.json", "{garbage")
	for _, c := range []*clone{p.machine("new"), p.desk} {
		if out, err := c.try("sync", p.remote, "--all"); err == nil || !strings.Contains(out, "memento: hint: ") {
			t.Errorf("%s says %v: %s", c.home, err, out)
		}
	}
	fixture.Git(t, p.desk.dir, "--git-dir="+p.remote, "update-ref", "refs/heads/main", before)
	p.same("a damaged remote")
}

// commit writes a file into the remote, as somebody's git does. It returns the branch's commit before.
func (p pair) commit(name, content string) (before string) {
	work := filepath.Join(p.TempDir(), "work")
	fixture.Git(p.T, p.desk.dir, "clone", "-q", p.remote, work)
	before = strings.TrimSpace(fixture.Git(p.T, work, "rev-parse", "HEAD"))
	fixture.Write(p.T, filepath.Join(work, name), content)
	fixture.Git(p.T, work, "add", ".")
	fixture.Git(p.T, work, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x")
	fixture.Git(p.T, work, "push", "-q")
	return before
}

// TestReceived: sync counts what this machine takes in, and not what passes through its history: another project that
// was not chosen here, or a file that no memento sends.
func TestReceived(t *testing.T) {
	fixture.Long(t, "syncs 7 times as processes")
	p := newPair(t)
	p.laptop.run("", "sync", p.remote, "--project", "shop")
	blog := p.machine("blog")
	fixture.Git(t, blog.dir, "remote", "set-url", "origin", "https://git.example.com/alice/blog.git")
	blog.save("Of the blog")
	blog.save("Of the blog, too")
	if out := blog.run("", "sync", p.remote, "--project", "blog"); strings.Contains(out, "received") {
		t.Errorf("the blog says %s", out)
	}
	if out := p.laptop.run("", "sync"); strings.Contains(out, "received") {
		t.Errorf("the shop says %s", out)
	}
	own := fixture.Git(t, p.desk.dir, "--git-dir="+p.remote, "ls-tree", "-r", "--name-only", "main")
	first := regexp.MustCompile(`(?m)^(projects/\S+/records)/\S+/first-0\.md$`).FindStringSubmatch(own)
	if first == nil {
		t.Fatalf("the remote has %s", own)
	}
	p.commit(fmt.Sprintf("%s/%s/copy.md", first[1], text.Fingerprint("copy")[14:]),
		"---\nid: shop--copy\nkind: decision\ntitle: Copy\n---\nIt is no text: \x00\n")
	if out := p.laptop.run("", "sync"); strings.Contains(out, "received") ||
		!strings.Contains(out, "copy.md: no memento writes such a file") {
		t.Errorf("of a file that is no text it says %s", out)
	}
}
