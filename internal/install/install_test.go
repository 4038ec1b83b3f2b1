package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

const (
	hooksJSON = `{"hooks": {
  "SessionStart": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}],
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "if": "Bash(memento *)", "timeout": 5}]}]
}}`
	handoff = "---\nname: handoff\ndisable-model-invocation: true\n---\n\nThe record is made by `memento handoff`.\n"
	skill   = "---\nname: memento\ndescription: Working memory that survives compaction.\n---\n\nThe journal " +
		"holds the mission.\n"
	theirs   = "---\nname: memento-mori\n---\n"
	oldExe   = "/opt/memento/bin/memento"
	exe      = "/home/zoë & co/.local/bin/memento"
	original = "{\r\n\t\"model\": \"opus\",\r\n\t\"env\": {\"A\": \"x \\u0026\\u0026 y\"}\r\n}"
)

// failing calls run on a disk that is full at its n-th change, and returns how many changes there were. A test that
// calls it does not run beside others.
func failing(n int, run func()) (changes int) {
	safefile.TestOnlyFault(func(op, _ string) error {
		if op == "create" || op == "rename" || op == "remove" || op == "mkdir" {
			if changes++; changes == n {
				return syscall.ENOSPC
			}
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	run()
	return changes
}

func options(dir string) Options {
	return Options{Client: client.ClaudeCode, ConfigDir: dir, Exe: exe, HooksJSON: []byte(hooksJSON),
		Skill: []byte(skill),
		Commands: []Command{{"handoff", []byte(handoff)}, {"status",
			[]byte("---\nname: status\n---\n\n`memento status` says it.\n")}}}
}

func install(t *testing.T, opt Options) Report {
	t.Helper()
	r, err := Install(opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func uninstall(t *testing.T, opt Options) Report {
	t.Helper()
	r, err := Uninstall(opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wired(t *testing.T, path, command string) {
	t.Helper()
	w, err := settings.Find([]byte(fixture.Read(t, path)), options("").ours)
	if err != nil {
		t.Fatal(err)
	}
	if len(w) != 2 || w[0].Command != command || w[1].Command != command {
		t.Errorf("wired: %v; want two hooks of %s", w, command)
	}
}

// before lists states of a machine before an installation.
var before = map[string]func(t *testing.T, dir string){
	"an empty folder": func(*testing.T, string) {},
	"no folder": func(t *testing.T, dir string) {
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
	},
	"settings": func(t *testing.T, dir string) { fixture.Put(t, filepath.Join(dir, "settings.json"), original, 0o640) },
	"other skills, journals": func(t *testing.T, dir string) {
		fixture.Put(t, filepath.Join(dir, "settings.json"), `{"model":"opus"}`, 0o644)
		fixture.Put(t, filepath.Join(dir, "skills", "review", "SKILL.md"), "---\nname: review\n---\n", 0o644)
		fixture.Put(t, filepath.Join(dir, ".memento", "app--zoe.json"), `{"mission":"x"}`, 0o600)
	},
	"a skill of another tool in our place": func(t *testing.T, dir string) {
		fixture.Put(t, filepath.Join(dir, "skills", "memento", "SKILL.md"), theirs, 0o644)
	},
	"commands of the user's own, one of them in our place": func(t *testing.T, dir string) {
		fixture.Put(t, filepath.Join(dir, "commands", "memento", "handoff.md"),
			"---\nname: handoff\n---\nHand it over.\n",
			0o644)
		fixture.Put(t, filepath.Join(dir, "commands", "review.md"), "Review it.\n", 0o644)
	},
	"files beside our skill": func(t *testing.T, dir string) {
		fixture.Put(t, filepath.Join(dir, "skills", "memento", "notes.md"), "mine", 0o644)
	},
	"a link into dotfiles": func(t *testing.T, dir string) {
		fixture.Put(t, filepath.Join(dir, "dotfiles", "claude.json"), original, 0o664)
		if err := os.Symlink(filepath.Join("dotfiles", "claude.json"),
			filepath.Join(dir, "settings.json")); err != nil {
			t.Fatal(err)
		}
	},
}

func TestUninstallPutsTheMachineBack(t *testing.T) {
	for name, prepare := range before {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			dir := filepath.Join(home, "klient konfig ü")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			prepare(t, dir)
			was := fixture.Tree(t, home)
			opt := options(dir)

			dry := opt
			dry.DryRun = true
			plan := install(t, dry)
			fixture.Same(t, "a dry run", was, fixture.Tree(t, home))

			r := install(t, opt)
			if !reflect.DeepEqual(plan, r) {
				t.Errorf("the dry run said %+v, the run %+v", plan, r)
			}
			wired(t, filepath.Join(dir, "settings.json"), exe)

			if n := failing(0, func() { r = install(t, opt) }); n != 0 || r.Place.Change != Unchanged ||
				r.Place.Added != nil || r.Place.Removed != nil {
				t.Errorf("a second install made %d changes: %+v", n, r)
			}

			is := fixture.Tree(t, home)
			plan = uninstall(t, dry)
			fixture.Same(t, "a dry run of uninstall", is, fixture.Tree(t, home))
			r = uninstall(t, opt)
			if !reflect.DeepEqual(plan, r) {
				t.Errorf("the dry run said %+v, the run %+v", plan, r)
			}
			after := fixture.Tree(t, home)
			if name == "an empty folder" { // one that is empty afterwards goes
				delete(was, filepath.Base(dir))
			}
			fixture.Same(t, "uninstall", was, after)

			n := failing(0, func() { r = uninstall(t, opt) })
			if n != 0 || r.Place.Change != Unchanged {
				t.Errorf("a second uninstall made %d changes: %+v", n, r)
			}
		})
	}
}

func TestAFailedInstallLeavesTheMachineAsItWas(t *testing.T) {
	fixture.Long(t, "writes to the disk hundreds of times")
	for name, prepare := range before {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for n := 1; ; n++ {
				home := t.TempDir()
				dir := filepath.Join(home, "config")
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				prepare(t, dir)
				was := fixture.Tree(t, home)
				var err error
				failing(n, func() { _, err = Install(options(dir)) })
				if err == nil {
					break
				}
				if !errors.Is(err, syscall.ENOSPC) {
					t.Fatal(err)
				}
				failed++
				if name == "an empty folder" { // one that is empty afterwards goes
					delete(was, filepath.Base(dir))
				}
				fixture.Same(t, fmt.Sprintf("failing at write %d", n), was, fixture.Tree(t, home))
			}
			if failed < 3 {
				t.Errorf("only %d writes could fail", failed)
			}
			home := t.TempDir()
			prepare(t, home)
			was := fixture.Tree(t, filepath.Dir(home))
			opt := options(home)
			opt.Check = func() error { return syscall.EPERM }
			if _, err := Install(opt); !errors.Is(err, syscall.EPERM) {
				t.Errorf("a check that fails: %v", err)
			}
			if name == "an empty folder" {
				delete(was, filepath.Base(home))
			}
			fixture.Same(t, "a check that fails", was, fixture.Tree(t, filepath.Dir(home)))
		})
	}
}

func TestAFailedUpgradeLeavesTheInstallation(t *testing.T) {
	fixture.Long(t, "writes to the disk hundreds of times")
	for n := 1; ; n++ {
		dir := t.TempDir()
		fixture.Put(t, filepath.Join(dir, "settings.json"), original, 0o644)
		opt := options(dir)
		opt.Exe = oldExe
		install(t, opt)
		was := fixture.Tree(t, dir)
		opt.Exe, opt.Skill = exe, []byte(skill+"More.\n")
		var err error
		failing(n, func() { _, err = Install(opt) })
		if err == nil {
			if n < 3 {
				t.Errorf("only %d changes", n-1)
			}
			break
		}
		fixture.Same(t, fmt.Sprintf("failing at write %d", n), was, fixture.Tree(t, dir))
		uninstall(t, options(dir))
		if got := fixture.Read(t, filepath.Join(dir, "settings.json")); got != original {
			t.Errorf("failing at write %d, then uninstalled: %q", n, got)
		}
	}
}

func TestAFailedUninstallCanBeRunAgain(t *testing.T) {
	fixture.Long(t, "writes to the disk hundreds of times")
	for n := 1; ; n++ {
		dir := t.TempDir()
		fixture.Put(t, filepath.Join(dir, "settings.json"), original, 0o644)
		was := fixture.Tree(t, dir)
		opt := options(dir)
		install(t, opt)
		is := fixture.Tree(t, dir)
		var err error
		failing(n, func() { _, err = Uninstall(opt) })
		if err != nil {
			fixture.Same(t, fmt.Sprintf("failing at write %d", n), is, fixture.Tree(t, dir))
		}
		uninstall(t, options(dir))
		fixture.Same(t, fmt.Sprintf("failing at write %d, and then again", n), was, fixture.Tree(t, dir))
		if err == nil {
			if n < 5 {
				t.Errorf("only %d writes", n-1)
			}
			break
		}
	}
}

func TestWhatTheUserChangedSinceIsKept(t *testing.T) {
	t.Parallel()
	const before, edited = "{\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"haiku\"\n}\n"
	edit := func(t *testing.T, path string) {
		fixture.Put(t, path, strings.Replace(fixture.Read(t, path), "opus", "haiku", 1), 0o644)
	}
	upgrade := func(t *testing.T, path string) {
		if r := install(t, options(filepath.Dir(path))); len(r.Place.Added) != 2 || len(r.Place.Removed) != 2 {
			t.Errorf("%+v", r)
		}
		wired(t, path, exe)
	}
	for name, tt := range map[string]struct {
		before string
		since  []func(t *testing.T, path string)
		after  string // "" for no file
		change Change
	}{
		"edited":              {before, []func(*testing.T, string){edit}, edited, Edited},
		"edited and upgraded": {before, []func(*testing.T, string){edit, upgrade}, edited, Edited},
		"upgraded":            {original, []func(*testing.T, string){upgrade}, original, Edited},
		"nothing else in it":  {"{}\n", nil, "", Deleted},
		"removed by the user": {original, []func(*testing.T, string){remove}, "", Unchanged},
		"written by the client": {before, []func(*testing.T, string){rewrite}, strings.TrimSuffix(before, "\n"),
			Edited},
	} {
		t.Run(name, func(t *testing.T) {
			opt := options(t.TempDir())
			path := filepath.Join(opt.ConfigDir, "settings.json")
			fixture.Put(t, path, tt.before, 0o644)
			opt.Exe = oldExe
			install(t, opt)
			for _, step := range tt.since {
				step(t, path)
			}
			r := uninstall(t, options(opt.ConfigDir))
			switch {
			case r.Place.Change != tt.change:
				t.Errorf("%+v", r)
			case tt.after == "" && !IsMissing(path):
				t.Error("settings.json is there")
			case tt.after != "" && fixture.Read(t, path) != tt.after:
				t.Errorf("%q", fixture.Read(t, path))
			}
		})
	}
}

func remove(t *testing.T, path string) {
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// rewrite writes the file in the client's own layout.
func rewrite(t *testing.T, path string) {
	var v any
	if err := json.Unmarshal([]byte(fixture.Read(t, path)), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	fixture.Put(t, path, string(data), 0o644)
}

func TestInstallRefuses(t *testing.T) {
	t.Parallel()
	link := func(t *testing.T, dir string) {
		if err := os.Symlink("nowhere", filepath.Join(dir, "settings.json")); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		change  func(o *Options)
		want    error
		text    string
	}{
		{"settings with comments", func(t *testing.T, dir string) {
			fixture.Put(t, filepath.Join(dir, "settings.json"), "// mine\n{}", 0o644)
		}, nil, nil,
			"settings.json: line 1, column 1: it is not valid JSON, which has no comments"},
		{"a dangling link", link, nil, errDangling, "settings.json: it is a link to a file that does not exist"},
		{"a folder in its place", func(t *testing.T, dir string) {
			fixture.Put(t, filepath.Join(dir, "settings.json", "x"), "", 0o644)
		}, nil, safefile.ErrRefused, "it is not a regular file"},
		{"a relative binary", nil, func(o *Options) { o.Exe = "bin/memento" }, errExe,
			"bin/memento: it cannot be wired: its path is not absolute"},
		{"a binary of another name", nil, func(o *Options) { o.Exe = "/x/memento-0.1.0" }, errExe,
			"must be called memento"},
		{"the plugin's binary", nil, func(o *Options) {
			o.Exe = filepath.Join(o.ConfigDir, "plugins", "cache", "mementohq", "memento", "0.1.0", "bin", "memento")
		}, errExe, "belongs to the plugin"},
		{"the binary a checkout built for itself", nil,
			func(o *Options) {
				o.Cache = "/home/alice/.cache/memento"
				o.Exe = "/home/alice/.cache/memento/build/src/memento/memento"
			}, errExe, "in a cache"},
		{"a relative folder", nil, func(o *Options) { o.ConfigDir = ".claude" }, nil,
			`the client's folder ".claude" is not an absolute path`},
		{"hooks of no plugin", nil, func(o *Options) { o.HooksJSON = []byte("{}") }, nil, "reading the plugin's hooks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.prepare != nil {
				tt.prepare(t, dir)
			}
			opt := options(dir)
			if tt.change != nil {
				tt.change(&opt)
			}
			was := fixture.Tree(t, dir)
			_, err := Install(opt)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %v, want %q", err, tt.text)
			}
			if tt.want != nil && Hint(err) == "" {
				t.Error("no hint")
			}
			fixture.Same(t, "refusing", was, fixture.Tree(t, dir))
		})
	}
}

func TestAWriterInBetweenIsNotOverwritten(t *testing.T) {
	defer safefile.TestOnlyFault(nil)
	for _, was := range []string{"", original} {
		for name, run := range map[string]func(Options) (Report, error){"install": Install, "uninstall": Uninstall} {
			t.Run(fmt.Sprintf("%s, %d bytes", name, len(was)), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "settings.json")
				if was != "" {
					fixture.Put(t, path, was, 0o644)
				}
				if name == "uninstall" {
					install(t, options(dir))
				}
				n := 0
				safefile.TestOnlyFault(func(op, path string) error {
					if filepath.Base(path) == "settings.json" && op == "read" {
						n++
					}
					if n == 2 || op == "create" { // install writes the skill first
						fixture.Put(t, filepath.Join(dir, "settings.json"), `{"theirs": 1}`, 0o644)
					}
					return nil
				})
				if _, err := run(options(dir)); !errors.Is(err, errChanged) || Hint(err) == "" {
					t.Errorf("got %v", err)
				}
				if got := fixture.Read(t, path); got != `{"theirs": 1}` {
					t.Errorf("overwrote it: %q", got)
				}
			})
		}
	}
}

func TestTheFileKeepsItsModeAndItsLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before["a link into dotfiles"](t, dir)
	r := install(t, options(dir))
	target := filepath.Join(dir, "dotfiles", "claude.json")
	if real, err := filepath.EvalSymlinks(target); err != nil || r.Place.Target != real {
		t.Errorf("target %q, want %q, %v", r.Place.Target, real, err)
	}
	wired(t, target, exe)
	for path, mode := range map[string]fs.FileMode{
		target: 0o664, r.Files[0].Path: 0o644,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, mode)
		}
	}
	if info, err := os.Lstat(r.Place.Path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

func TestSkill(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, there string
		change      Change
		left        string // content after uninstall; empty when the file must be gone
	}{
		{"none", "", Created, ""},
		{"current", skill, Unchanged, ""},
		{"an older one", "---\nname: memento\n---\nOld.\n", Edited, ""},
		{"quoted, with CRLF and a BOM", "\ufeff---\r\ndescription: x\r\nname: \"memento\"\r\n---\r\n", Edited, ""},
		{"of another name", theirs, Left, theirs},
		{"named in the text only", "---\ndescription: x\n---\nname: memento\n", Left,
			"---\ndescription: x\n---\nname: memento\n"},
		{"without front matter", "name: memento\n", Left, "name: memento\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "skills", "memento", "SKILL.md")
			if tt.there != "" {
				fixture.Put(t, path, tt.there, 0o644)
			}
			r := install(t, options(dir))
			if r.Files[0].Change != tt.change || (tt.change == Left) != (len(r.Notes) == 1) {
				t.Errorf("%+v", r)
			}
			if tt.change != Left && fixture.Read(t, path) != skill {
				t.Errorf("wrote %q", fixture.Read(t, path))
			}
			uninstall(t, options(dir))
			got, err := os.ReadFile(path)
			if string(got) != tt.left || (tt.left == "") != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("left %q, %v", got, err)
			}
		})
	}
	t.Run("a link", func(t *testing.T) {
		dir := t.TempDir()
		fixture.Put(t, filepath.Join(dir, "dotfiles", "SKILL.md"), skill, 0o644)
		if err := os.Mkdir(filepath.Join(dir, "skills"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../dotfiles", filepath.Join(dir, "skills", "memento")); err != nil {
			t.Fatal(err)
		}
		if r := install(t, options(dir)); r.Files[0].Change != Left {
			t.Errorf("%+v", r)
		}
		if r := uninstall(t, options(dir)); r.Files[0].Change != Left ||
			fixture.Read(t, filepath.Join(dir, "dotfiles", "SKILL.md")) != skill {
			t.Errorf("%+v", r)
		}
	})
}

func TestOurs(t *testing.T) {
	t.Parallel()
	hook := []string{"hook"}
	tests := []struct {
		command string
		args    []string
		want    bool
	}{
		{"/home/zoë & co/.local/bin/memento", hook, true},
		{"memento", hook, true},
		{`C:\Users\Zoë\memento.exe`, hook, true},
		{`C:/tools/Memento.EXE`, hook, true},
		{"/x/memento", []string{}, false},
		{"/x/memento", []string{"hook", "-v"}, false},
		{"/x/memento-mori", hook, false},
		{"/x/memento/run", hook, false},
		{"/x/memento hook", hook, false},
		{"memento hook", nil, false},
		{"/x/memento hook", nil, false},
		{"", nil, false},
	}
	for _, tt := range tests {
		if got := options("").ours(settings.Hook{Command: tt.command, Args: tt.args}); got != tt.want {
			t.Errorf("%q %q: %v", tt.command, tt.args, got)
		}
	}
}
