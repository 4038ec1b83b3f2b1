package doctor

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
)

// patient returns the Env of a machine without any file of memento.
func patient(t *testing.T) Env {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"HOME": home, "USER": "alice"}
	getenv := func(name string) string { return vars[name] }
	cfg, err := config.Load(getenv)
	if err != nil {
		t.Fatal(err)
	}
	return Env{
		Config: cfg, Now: func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) },
		Machine: install.Machine{ConfigDir: cfg.ClaudeDir, Dir: home, Exe: filepath.Join(home, "memento"),
			Version: "1.2.3", Getenv: getenv},
		Lane:   func() (project.Lane, error) { return project.NewLane(cfg.Dir, "shop", "", "alice"), nil },
		Paused: func(project.Lane) (string, string) { return "", "" },
	}
}

// says reports whether a finding has this state and contains these words.
func says(found []Finding, state State, words string) bool {
	for _, f := range found {
		if f.State == state && strings.Contains(f.What, words) {
			return true
		}
	}
	return false
}

// TestExamineEnds: the checks end at a problem that makes the later ones impossible.
func TestExamineEnds(t *testing.T) {
	t.Parallel()
	env := patient(t)
	if found := Examine(env); !says(found, OK, "will be made by the first session") ||
		says(found, OK, "no journal here yet") {
		t.Errorf("where nothing is: %+v", found)
	}
	if err := os.MkdirAll(env.Config.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if found := Examine(env); !says(found, OK, "no journal here yet") {
		t.Errorf("with a folder: %+v", found)
	}
	env.Lane = func() (project.Lane, error) { return project.Lane{}, errors.New("a disk that fails") }
	if found := Examine(env); !says(found, Bad, "a disk that fails") || says(found, OK, "no journal here yet") {
		t.Errorf("without a lane: %+v", found)
	}
}

// TestTroubles: of many files with one trouble, five are listed and the others counted.
func TestTroubles(t *testing.T) {
	t.Parallel()
	env := patient(t)
	if err := os.MkdirAll(env.Config.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("a b c d e f g") {
		if err := os.Mkdir(filepath.Join(env.Config.Dir, "shop--"+name+naming.Ending), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	found := Examine(env)
	named := 0
	for _, f := range found {
		if strings.Contains(f.What, "a record is not used") {
			named++
		}
	}
	if named != maxNamed || !says(found, Note, "not used: 2 more") {
		t.Errorf("%d named: %+v", named, found)
	}
	env.Claude = true
	env.Lane = func() (project.Lane, error) { return project.NewLane(env.Config.Dir, "pay", "", "alice"), nil }
	if found := Examine(env); says(found, Bad, "shop--a") {
		t.Errorf("Claude, in another project, is told %+v", found)
	}
}

// TestRehearseFails: a failed rehearsal is a finding, and its folder is removed.
func TestRehearseFails(t *testing.T) {
	t.Parallel()
	env := patient(t)
	if err := os.MkdirAll(env.Config.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	played := ""
	env.Run = func(args []string, dir string, getenv func(string) string, in io.Reader, out io.Writer) int {
		played = dir
		if args[0] == "done" {
			io.WriteString(out, "memento: no room\n")
			return 1
		}
		var event bytes.Buffer
		if _, err := event.ReadFrom(in); err != nil || !strings.Contains(event.String(), `"cwd":`) ||
			getenv("USER") != "you" {
			t.Errorf("%v of %q: %s, %v", args, getenv("USER"), event.String(), err)
		}
		return 0
	}
	f, block := Rehearse(env)
	if f.State != Bad || !strings.Contains(f.What, "ended with 1: memento: no room") || block != "" {
		t.Errorf("%+v, %q", f, block)
	}
	if !strings.HasPrefix(played, env.Config.Dir) {
		t.Errorf("played in %s", played)
	}
	if _, err := os.Lstat(filepath.Dir(played)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s stayed: %v", filepath.Dir(played), err)
	}
}
