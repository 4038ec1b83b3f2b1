//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
)

// clone is a machine with a clone of the repository, in which sessions run.
type clone struct {
	t         *testing.T
	home, dir string
	counted   []string // what its prompts and records are about
}

// run runs memento as a process, again while a lock is busy.
func (c *clone) run(in string, args ...string) string {
	for range 50 {
		var out bytes.Buffer
		cmd := exec.Command(self, args...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.dir, strings.NewReader(in), &out, &out
		cmd.Env = []string{"HOME=" + c.home, "USER=alice", "PATH=" + os.Getenv("PATH"),
			fmt.Sprint("CLAUDE_PID=", os.Getpid()), "GORACE=atexit_sleep_ms=0"}
		err := cmd.Run()
		if err == nil {
			return out.String()
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 75 {
			c.t.Errorf("%q: %v: %s", args, err, &out)
			return ""
		}
	}
	c.t.Errorf("%q: it is busy all the time", args)
	return ""
}

// session is a session of a few prompts, each with its hooks, and of a record.
func (c *clone) session(id string, prompts int) {
	transcript := filepath.Join(c.home, ".claude", "projects", "-x", id+".jsonl")
	hook := func(event, more string) {
		c.run(fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"transcript_path":%q,"cwd":%q%s}`, event, id,
			transcript, c.dir, more), "hook")
	}
	hook("SessionStart", `,"source":"startup"`)
	for n := range prompts {
		jars := fmt.Sprintf("%s-%d", id, n)
		words := "Please count the jars of " + jars + "."
		hook("UserPromptSubmit", fmt.Sprintf(`,"prompt":%q`, words))
		at := time.Now().UTC().Format(time.RFC3339Nano)
		fixture.Append(c.t, transcript,
			fmt.Sprintf(`{"type":"user","uuid":"%s-u%d","sessionId":%[1]q,"timestamp":%[3]q,`+
				`"message":{"role":"user","content":%[4]q}}`+"\n"+`{"type":"assistant","uuid":"%[1]s-a%[2]d",`+
				`"sessionId":%[1]q,`+
				`"timestamp":%[3]q,"message":{"role":"assistant","content":[{"type":"text","text":"Counted."}]}}`+"\n",
				id, n, at, words))
		c.run("", "save", "decision", "Jars of "+jars, "--set", "decision=They are counted.")
		hook("Stop", "")
		c.counted = append(c.counted, jars)
	}
	hook("SessionEnd", `,"reason":"other"`)
}

// said returns what the prompts of all machines are about, as far as this one has them.
func (c *clone) said() map[string]bool {
	out := map[string]bool{}
	store := log.Store{Dir: filepath.Join(c.home, ".claude", ".memento")}
	projects, err := store.Projects()
	for _, p := range projects {
		sessions, failed := store.Sessions(p)
		err = errors.Join(err, failed)
		for _, s := range sessions {
			entries, failed := store.ReadSession(s)
			err = errors.Join(err, failed)
			for _, e := range entries {
				words := strings.TrimPrefix(e.Text, "Please count the jars of ")
				out[strings.TrimSuffix(words, ".")] = true
			}
		}
	}
	if err != nil {
		c.t.Error(err)
	}
	return out
}

// TestClones: on three machines sessions run in clones of one repository, whose folders have other names, while each
// machine syncs. In the end all machines have all prompts and records, in one project. MEMENTO_SEEDS is how many rounds
// there are.
func TestClones(t *testing.T) {
	fixture.Long(t, "it starts many processes")
	rounds := 2
	_, _ = fmt.Sscan(os.Getenv("MEMENTO_SEEDS"), &rounds)
	at := t.TempDir()
	source := fixture.Repository(t, filepath.Join(at, "source"), "https://git.example.com/alice/shop.git")
	remote := filepath.Join(at, "memory.git")
	fixture.Git(t, at, "init", "-q", "--bare", "-b", "main", remote)
	var all []*clone
	for _, name := range []string{"shop", "shop-2", "kiosk"} {
		c := &clone{t: t, home: filepath.Join(at, "home-"+name)}
		c.dir = filepath.Join(c.home, "src", name)
		for _, dir := range []string{filepath.Dir(c.dir), filepath.Join(c.home, ".claude", "projects", "-x")} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		fixture.Git(t, at, "clone", "-q", source, c.dir)
		fixture.Git(t, c.dir, "remote", "set-url", "origin", "git@git.example.com:alice/shop.git")
		all = append(all, c)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		var together sync.WaitGroup
		for i, c := range all {
			prompts, syncs := 1+r.IntN(3), 1+r.IntN(3)
			together.Go(func() { c.session(fmt.Sprintf("%08d-1111-4111-8111-%012d", i, round), prompts) })
			together.Go(func() {
				for range syncs {
					c.run("", "sync", remote, "--all", "--name", filepath.Base(c.dir))
				}
			})
		}
		together.Wait()
	}
	for range 2 {
		for _, c := range all {
			c.run("", "sync")
		}
	}
	for _, c := range all {
		if out := c.run("", "sync"); !strings.Contains(out, "nothing new, here or there") {
			t.Errorf("%s is not quiet: %s", c.home, out)
		}
		if out := c.run("", "workspace"); strings.Count(out, "\n  used ") != 1 {
			t.Errorf("%s has more than one project: %s", c.home, out)
		}
		records, said := c.run("", "list"), c.said()
		for _, from := range all {
			for _, jars := range from.counted {
				if !strings.Contains(records, "Jars of "+jars) {
					t.Errorf("%s lacks the record of %s: %s", c.home, jars, records)
				}
				if !said[jars] {
					t.Errorf("%s lacks the prompt about %s: %v", c.home, jars, said)
				}
			}
		}
	}
}
