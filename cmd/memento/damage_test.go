//go:build unix

package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
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

// fsck lets git look for damage in the desk's repository.
func (p pair) fsck() {
	p.Helper()
	fixture.Git(p.T, p.desk.dir, "--git-dir="+p.desk.history(), "fsck", "--full", "--strict")
}

// TestDamagedHistory: whatever a disk or a person does to the repository on a machine, the next sync makes it anew from
// the remote and says so. Neither machine loses a record, nor gets back what one of them removed.
func TestDamagedHistory(t *testing.T) {
	fixture.Long(t, "it starts many processes")
	p := newPair(t)
	at := func(names ...string) string { return filepath.Join(append([]string{p.desk.history()}, names...)...) }
	write := func(name, content string) func() {
		return func() {
			path := name
			if !filepath.IsAbs(name) {
				path = at(name)
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			fixture.Write(t, path, content)
		}
	}
	remove := func(name string) func() {
		return func() {
			if err := os.RemoveAll(at(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// each calls damage with the paths of all packs, or indexes.
	each := func(suffix string, damage func(path, content string)) func() {
		return func() {
			found, _ := filepath.Glob(at("objects/pack/*" + suffix))
			if len(found) == 0 {
				t.Fatal("there is no pack")
			}
			for _, path := range found {
				content := fixture.Read(t, path)
				if err := os.Remove(path); err != nil { // it may be read-only
					t.Fatal(err)
				}
				damage(path, content)
			}
		}
	}
	half := func(path, content string) { fixture.Write(t, path, content[:len(content)/2]) }
	garbage := strings.Repeat("\xf0garbage\x00", 40)
	none := strings.Repeat("1", 40) + "\n"
	for _, damage := range []struct {
		name    string
		do      func()
		isQuiet bool // the next fetch brings all that is gone
		isBack  bool // what another machine removed meanwhile comes back
	}{
		{"no packs", remove("objects/pack"), true, false},
		{"no objects", remove("objects"), false, false},
		{"packs cut off", each(".pack", half), false, false},
		{"garbage in packs", each(".pack", func(path, content string) {
			fixture.Write(t, path, content[:12]+garbage+content[min(len(content), 12+len(garbage)):])
		}), false, false},
		{"indexes of garbage", each(".idx", func(path, _ string) { fixture.Write(t, path, garbage) }), true, false},
		{"wrong counts in indexes", each(".idx", func(path, content string) {
			fixture.Write(t, path, content[:40]+"\xff\xff"+content[42:])
		}), true, false},
		{"packs without indexes", each(".idx", func(string, string) {}), true, false},
		{"indexes without packs", each(".pack", func(string, string) {}), true, false},
		{"HEAD of garbage", write("HEAD", garbage), false, false},
		{"settings of garbage", write("config", garbage), false, false},
		{"packed branches of garbage", write("packed-refs", garbage), false, false},
		// nobody knows after these what this machine had
		{"a branch of garbage", write("refs/heads/main", garbage), false, true},
		{"a branch to nothing", write("refs/heads/main", none), false, true},
		{"no branches", remove("refs"), false, true},
	} {
		p.laptop.save("Far " + damage.name)
		p.laptop.run("", "save", "decision", "Gone "+damage.name, "--set", "decision=It goes.")
		p.laptop.run("", "sync")
		p.desk.run("", "sync")
		p.laptop.run("", "rm", "gone-"+strings.ReplaceAll(strings.ToLower(damage.name), " ", "-"), "--yes")
		p.laptop.save("Later " + damage.name)
		p.laptop.run("", "sync")
		p.desk.save("Near " + damage.name)
		damage.do()
		p.desk.run("", "sync", "--status")
		out := p.desk.run("", "sync")
		isSeen := strings.Contains(out, "memento: the history on this machine was damaged: it is made anew")
		// what a pack has lost may be what nobody asks for
		isWrong := isSeen == damage.isQuiet && damage.name != "packs cut off"
		if isWrong || !damage.isBack && !strings.Contains(out, "sent 1 record, received 2 records") {
			t.Errorf("%s: it says %s", damage.name, out)
		}
		p.same(damage.name)
		if isSeen {
			p.fsck()
		}
		for _, c := range []*clone{p.desk, p.laptop} {
			if list := c.run("", "list"); strings.Contains(list, "gone") != damage.isBack {
				t.Errorf("%s: what was removed: %s", damage.name, list)
			}
		}
	}
}

// TestKilledPush: a push that was killed leaves a file in a remote on a disk, which stops all others. Sync says what
// git says of it, and which file it is. It says that somebody else was faster only where somebody was.
func TestKilledPush(t *testing.T) {
	fixture.Long(t, "it waits for others that push")
	p := newPair(t)
	lock := filepath.Join(p.remote, "refs", "heads", "main.lock")
	fixture.Write(t, lock, "")
	p.desk.save("Second")
	out, err := p.desk.try("sync")
	hint := regexp.MustCompile(`(?m)^memento: hint: .*(rm \S+main\.lock)`).FindStringSubmatch(out)
	if err == nil || strings.Contains(out, "faster") || !strings.Contains(out, "File exists") || hint == nil {
		t.Fatalf("it says %v: %s", err, out)
	}
	if out, err := exec.Command("sh", "-c", hint[1]).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.same("a killed push")
}

// TestDamagedRemote: who damages the remote stops every machine. Sync says what helps, and once it is mended all goes
// on: nothing is lost.
func TestDamagedRemote(t *testing.T) {
	fixture.Long(t, "it starts many processes")
	p := newPair(t)
	object := func(kind, content string) string {
		cmd := exec.Command("git", "--git-dir="+p.remote, "hash-object", "--literally", "-w", "--stdin", "-t", kind)
		cmd.Stdin = strings.NewReader(content)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	entry := func(mode, name, id string) string {
		var raw []byte
		_, _ = fmt.Sscanf(id, "%x", &raw)
		return mode + " " + name + "\x00" + string(raw)
	}
	blob := object("blob", "{garbage")
	bomb, deep := object("tree", entry("100644", "f", blob)), object("tree", "")
	for range 8 {
		var all strings.Builder
		for i := range 10 {
			all.WriteString(entry("40000", fmt.Sprint(i), bomb))
		}
		bomb = object("tree", all.String())
	}
	for range 100 {
		deep = object("tree", entry("40000", "d", deep))
	}
	for _, tree := range []struct{ name, id string }{
		{"a format of garbage", object("tree", entry("100644", "memento.json", blob))},
		{"version 0", object("tree", entry("100644", "memento.json", object("blob", `{"version":0}`)))},
		{"nothing", object("tree", "")},
		{"a bomb", object("tree", entry("40000", "bomb", bomb))},
		{"a deep folder", object("tree", entry("40000", "deep", deep))},
	} {
		p.laptop.save("Far " + tree.name)
		p.laptop.run("", "sync") // the desk does not have it
		p.desk.save("Near " + tree.name)
		main := fixture.Git(t, p.desk.dir, "--git-dir="+p.remote, "rev-parse", "main")
		id := object("commit", "tree "+tree.id+"\nparent "+strings.TrimSpace(main)+
			"\nauthor x <> 1773489600 +0000\ncommitter x <> 1773489600 +0000\n\nx\n")
		fixture.Git(t, p.desk.dir, "--git-dir="+p.remote, "update-ref", "refs/heads/main", id)
		if out, err := p.machine("new "+tree.name).try("sync", p.remote, "--all"); err == nil ||
			!strings.Contains(out, "memento: hint: ") {
			t.Errorf("%s: a new machine says %v: %s", tree.name, err, out)
		}
		if out, err := p.desk.try("sync"); err == nil || !strings.Contains(out, "memento: hint: ") {
			t.Errorf("%s: it says %v: %s", tree.name, err, out)
		}
		// whoever damaged it takes that back: nothing is lost meanwhile
		fixture.Git(t, p.desk.dir, "--git-dir="+p.remote, "update-ref", "refs/heads/main", strings.TrimSpace(main))
		p.same(tree.name)
	}
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
	work := filepath.Join(t.TempDir(), "work")
	fixture.Git(t, p.desk.dir, "clone", "-q", p.remote, work)
	found, _ := filepath.Glob(filepath.Join(work, "projects", "*", "records", "*", "first-0.md"))
	if len(found) != 1 {
		t.Fatalf("there are %q", found)
	}
	h := fnv.New32a()
	h.Write([]byte("copy"))
	fixture.Write(t, filepath.Join(filepath.Dir(found[0]), "..", fmt.Sprintf("%02x", byte(h.Sum32())), "copy.md"),
		"---\nid: shop--copy\nkind: decision\ntitle: Copy\n---\nIt is no text: \x00\n")
	fixture.Git(t, work, "add", ".")
	fixture.Git(t, work, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x")
	fixture.Git(t, work, "push", "-q")
	if out := p.laptop.run("", "sync"); strings.Contains(out, "received") ||
		!strings.Contains(out, "copy.md: no memento writes such a file") {
		t.Errorf("of a file that is no text it says %s", out)
	}
}
