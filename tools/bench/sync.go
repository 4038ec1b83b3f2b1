package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Budgets of the sync section, in ms and MB, for 10,000 records and 100,000 turns.
const (
	budgetNothing = 300.0
	budgetOne     = 1_000.0
	budgetClone   = 30_000.0
	budgetSync    = 500.0
)

// synced is a store with a remote on the same disk, a second machine, and the same files in a work tree of git's.
type synced struct {
	*bench
	what         string
	words        *vocabulary
	records      int
	desk, laptop *place // two machines
	work         *place // the work tree
	git, remote  string

	hello, nothing, one, turn, arrives *series
	gitNothing, gitOne                 *series
}

// withGit sends what is new in a work tree, as people do by hand.
const withGit = `git add -A; git diff --cached --quiet || git commit -qm news; git pull -q --rebase && git push -q`

// syncs measures memento sync, beside plain git with the same files.
func syncs(b *bench) error {
	records, turns, rounds := 10_000, 100_000, 20
	if b.quick {
		records, turns, rounds = 1_000, 10_000, 10
	}
	s := &synced{bench: b, words: newVocabulary(), records: records,
		what: fmt.Sprintf("%d records and %d turns", records, turns), remote: filepath.Join(b.dir, "remote.git")}
	if !b.hasRoom(s.what, int64(records)*64<<10+int64(turns)*8<<10) {
		return nil
	}
	var err error
	if s.git, err = exec.LookPath("git"); err != nil {
		b.report.skip(s.what, "git is not on PATH", "install git")
		return nil
	}
	for _, p := range []struct {
		to   **place
		name string
	}{{&s.desk, "sync-desk"}, {&s.laptop, "sync-laptop"}, {&s.work, "sync-work"}} {
		if *p.to, err = b.newPlace(p.name); err != nil {
			return err
		}
		defer os.RemoveAll((*p.to).home)
		(*p.to).env = append((*p.to).env, "PATH="+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=alice", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=alice",
			"GIT_COMMITTER_EMAIL=a@example.com")
	}
	defer os.RemoveAll(s.remote)
	for _, step := range []func() error{s.fill(turns), s.measureFirst, s.measureClone, s.makeWorkTree} {
		if err := step(); err != nil {
			return err
		}
	}
	s.begin()
	for i := range rounds {
		if b.isLate(i, rounds) {
			break
		}
		if err := s.measureRound(i); err != nil {
			return err
		}
	}
	b.report.add(s.hello, s.nothing, s.gitNothing, s.one, s.gitOne, s.arrives, s.turn)
	return nil
}

// fill writes the records and turns of the first machine, and makes the remote.
func (s *synced) fill(turns int) func() error {
	return func() error {
		if err := s.words.writeRecords(s.desk, s.memento, s.records); err != nil {
			return err
		}
		if err := s.words.writeTurns(s.desk, turns); err != nil {
			return err
		}
		return runAll(s.desk.command(s.git, "init", "-qb", "main", "--bare", s.remote))
	}
}

// measureOnce measures a program once.
func (s *synced) measureOnce(what string, p program, goals ...goal) (*series, error) {
	if err := s.settle(); err != nil {
		return nil, err
	}
	s.say("sync: %s", what)
	one := &series{name: s.what + ", " + what, weighed: true, program: p, goals: goals}
	t, err := s.runOnce(one)
	one.took = []took{t}
	return one, err
}

// measureFirst measures the sync that sends everything.
func (s *synced) measureFirst() error {
	send, err := s.measureOnce("the first sync", s.desk.command(s.memento, "sync", s.remote, "--all"))
	if err == nil {
		s.report.add(send)
		s.report.addMemory(s.what+", memory of the first sync", budgetSync, send)
	}
	return err
}

// measureClone measures the first sync of a second machine, beside git clone.
func (s *synced) measureClone() error {
	git, err := s.measureOnce("git clone", s.work.command(s.git, "clone", "-q", s.remote, filepath.Join(s.work.home,
		"tree")))
	if err != nil {
		return err
	}
	git.yard = true
	clone, err := s.measureOnce("a second machine", s.laptop.command(s.memento, "sync", s.remote, "--all"),
		goal{Of: ofMax, Most: budgetClone})
	if err != nil {
		return err
	}
	s.report.add(git, clone)
	s.report.addMemory(s.what+", memory of the second machine", budgetSync, clone)
	return s.checkArrived()
}

// checkArrived returns an error when the second machine does not have what the first one has.
func (s *synced) checkArrived() error {
	for _, what := range []string{"*--*.md", "log/*/*/*"} {
		at := [2]int{}
		for i, p := range []*place{s.desk, s.laptop} {
			found, err := filepath.Glob(filepath.Join(p.store(), what))
			if at[i] = len(found); err != nil {
				return err
			}
		}
		if at[0] != at[1] || at[0] == 0 {
			return fmt.Errorf("the first machine has %d files %s, and the second %d", at[0], what, at[1])
		}
	}
	return nil
}

// makeWorkTree sends the files of the work tree to a remote of their own.
func (s *synced) makeWorkTree() error {
	s.work.project = filepath.Join(s.work.home, "tree")
	other := filepath.Join(s.work.home, "other.git")
	return runAll(s.work.command(s.git, "init", "-qb", "main", "--bare", other),
		s.work.command(s.git, "remote", "set-url", "origin", other),
		s.work.command(s.git, "push", "-qu", "origin", "HEAD:main"))
}

func (s *synced) begin() {
	call := func(what string, p *place) *series {
		return &series{name: s.what + ", " + what, program: p.command(s.memento, "sync"), weighed: true}
	}
	plain := func(what string) *series {
		return &series{name: s.what + ", " + what, program: s.work.command("/bin/sh", "-c", withGit), yard: true,
			weighed: true}
	}
	s.hello = &series{name: s.what + ", hello-world in Go", yard: true, program: s.desk.command(s.bench.hello)}
	s.nothing, s.gitNothing = call("nothing new", s.desk), plain("git with nothing new")
	s.one, s.gitOne = call("one new record", s.desk), plain("git with one new record")
	s.arrives, s.turn = call("one record arrives", s.laptop), call("one new turn arrives", s.laptop)
	s.nothing.goals = []goal{{Of: ofP50, Most: budgetNothing}}
	s.one.goals = []goal{{Of: ofP50, Most: budgetOne}}
	s.arrives.goals, s.turn.goals = s.one.goals, s.one.goals
}

// measureRound runs each series once, with a new record and a new turn between them.
func (s *synced) measureRound(i int) error {
	if err := s.settle(); err != nil {
		return err
	}
	if err := s.runRound([]*series{s.hello}, []*series{s.nothing}, []*series{s.gitNothing}); err != nil {
		return err
	}
	title, body := s.words.makeRecord(s.records + i)
	if err := runAll(s.desk.command(s.memento, "save", "decision", title, "--set", "decision="+body)); err != nil {
		return err
	}
	into, err := filepath.Glob(filepath.Join(s.work.project, "projects", "*", "records"))
	if err != nil || len(into) != 1 {
		return fmt.Errorf("the records of the work tree stand in %q", into)
	}
	path := filepath.Join(into[0], strings.ReplaceAll(title, " ", "-")+".md")
	if err := os.WriteFile(path, []byte("# "+title+"\n\n"+body+"\n"), 0o600); err != nil {
		return err
	}
	if err := s.runRound([]*series{s.one, s.arrives}, []*series{s.gitOne}); err != nil {
		return err
	}
	session, now := fmt.Sprintf("n%d", i), time.Now().UTC()
	line := turnLine(session, 1, now, s.words.makeText(20), s.words.makeText(60))
	if err := s.desk.put(turnFile(session, now), line); err != nil {
		return err
	}
	if err := runAll(s.desk.command(s.memento, "sync")); err != nil {
		return err
	}
	return s.runRound([]*series{s.turn})
}
