package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// home makes a home folder with this config.json; "" means no file.
func home(t *testing.T, file string) env {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		if err := os.MkdirAll(filepath.Join(dir, ".claude", ".memento"), 0o700); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, filepath.Join(dir, ".claude", ".memento", "config.json"), file)
	}
	return env{"HOME": dir, "USER": "alice"}
}

func load(t *testing.T, e env) Config {
	t.Helper()
	c, err := Load(e.get)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	e := home(t, "")
	claude := filepath.Join(e["HOME"], ".claude")
	want := Config{ClaudeDir: claude, Dir: filepath.Join(claude, ".memento"), Tag: "alice", Enabled: true,
		MaxEntries: 6, MaxFileBytes: 6144, StaleDays: 7, BudgetTokens: 350, Remind: RemindAuto,
		Ask: AskDaily, LaneTTL: 12 * time.Hour,
		MaxInject: 3, GraceDays: 30, Past: PastAnswers, Sync: SyncOff, Notify: NotifyAuto}
	if got := load(t, e); got != want {
		t.Errorf("Load = %+v, want %+v", got, want)
	}
}

// TestPrecedence reads one setting from every source.
func TestPrecedence(t *testing.T) {
	for _, tt := range []struct {
		name, file, env string
		want            int
		source, problem string // problem is a part of it
	}{
		{"config.json", `{"max_entries":8}`, "", 8, "config.json", ""},
		{"the environment wins", `{"max_entries":8}`, "10", 10, "environment", ""},
		{"words in config.json", `{"max_entries":"8"}`, "", 8, "config.json", ""},
		{"too much", `{}`, "100", 24, "environment", "from 4 to 24 is expected; 24 is used"},
		{"too little", `{"max_entries":-1}`, "", 4, "config.json", "4 is used"},
		{"no number in the environment", `{"max_entries":8}`, "many", 8, "config.json", "MEMENTO_MAX_ENTRIES=many"},
		{"no number anywhere", `{"max_entries":[8]}`, "1e9", 6, "default", "max_entries in config.json"},
		{"more than a number holds", ``, strings.Repeat("9", 40), 6, "default", "whole number"},
		{"not JSON", `{"max_entries":8`, "", 6, "default", ""},
		{"not an object", `[8]`, "", 6, "default", ""},
		{"larger than any settings are", `{"max_entries":8,"x":"` + strings.Repeat("x", maxConfigFile) + `"}`, "", 6,
			"default", ""},
	} {
		e := home(t, tt.file)
		e["MEMENTO_MAX_ENTRIES"] = tt.env
		if got := load(t, e).MaxEntries; got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
		settings, err := Settings(e.get)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range settings {
			if s.Name == "max_entries" && (s.Source != tt.source || !strings.Contains(s.Problem, tt.problem) ||
				(s.Problem == "") != (tt.problem == "")) {
				t.Errorf("%s: from %s with problem %q, want %s and %q", tt.name, s.Source, s.Problem, tt.source,
					tt.problem)
			}
		}
	}
}

// TestBudgetSet: a budget that was set to the default holds for later compactions too.
func TestBudgetSet(t *testing.T) {
	if c := load(t, home(t, `{"budget_tokens":350}`)); c.BudgetTokens != 350 || !c.BudgetSet {
		t.Errorf("set to the default: %d, %v", c.BudgetTokens, c.BudgetSet)
	}
	if c := load(t, home(t, `{"budget_tokens":"lots"}`)); c.BudgetTokens != 350 || c.BudgetSet {
		t.Errorf("set to nonsense: %d, %v", c.BudgetTokens, c.BudgetSet)
	}
}

func TestClaudeDir(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		env  env
		want string
		err  error
	}{
		{"home", env{"HOME": "/home/alice"}, "/home/alice/.claude", nil},
		{"absolute", env{"HOME": "/home/alice", "CLAUDE_CONFIG_DIR": "/srv/claude"}, "/srv/claude", nil},
		{"with a trailing slash", env{"CLAUDE_CONFIG_DIR": "/srv/claude/"}, "/srv/claude", nil},
		{"relative", env{"HOME": "/home/alice", "CLAUDE_CONFIG_DIR": "conf"}, filepath.Join(wd, "conf"), nil},
		{"no home but a folder", env{"CLAUDE_CONFIG_DIR": "/srv/claude"}, "/srv/claude", nil},
		{"Windows has another name for it", env{"USERPROFILE": "/c/Users/alice"}, "/c/Users/alice/.claude", nil},
		{"nothing", env{}, "", ErrNoHome},
		{"a relative home is none", env{"HOME": "home/alice"}, "", ErrNoHome},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.env["USER"] = "alice"
			c, err := Load(tt.env.get)
			if !errors.Is(err, tt.err) || c.ClaudeDir != tt.want {
				t.Errorf("Load = %q, %v, want %q, %v", c.ClaudeDir, err, tt.want, tt.err)
			}
			if err != nil && c != (Config{}) {
				t.Errorf("with an error, Load = %+v", c)
			}
			if _, err := Settings(tt.env.get); !errors.Is(err, tt.err) {
				t.Errorf("Settings: %v, want %v", err, tt.err)
			}
		})
	}
}

func TestSettingsCoverConfig(t *testing.T) {
	settings, err := Settings(home(t, "").get)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range settings {
		names = append(names, s.Name)
		if s.Env != "MEMENTO_"+strings.ToUpper(s.Name) || s.About == "" || s.Source != "default" || s.Problem != "" {
			t.Errorf("%+v", s)
		}
	}
	if got, want := strings.Join(names, " "), strings.Join(Names(), " "); got != want {
		t.Errorf("Settings lists %s, Names %s", got, want)
	}
}

func TestSet(t *testing.T) {
	for _, tt := range []struct {
		name, file, setting, value, want string
	}{
		{"a first one", "", "max_entries", "8", `{"max_entries":8}`},
		{"what is not ours stays, in its order", `{ "zeta": {"a": 1.0}, "max_entries": 6, "alpha": [1, 2] }`,
			"max_entries", "8", `{ "zeta": {"a": 1.0}, "max_entries": 8, "alpha": [1, 2] }`},
		{"a switch", `{}`, "enabled", "off", `{"enabled":false}`},
		{"a switch by number", `{}`, "debug", "1", `{"debug":true}`},
		{"a count of one is no switch", `{}`, "stale_days", "1", `{"stale_days":1}`},
		{"a choice in any case", `{}`, "remind", "NEVER", `{"remind":"never"}`},
		{"an instance called by number", `{}`, "instance_tag", "007", `{"instance_tag":"007"}`},
		{"an instance called no", `{}`, "instance_tag", "no", `{"instance_tag":"no"}`},
		{"taken back", `{"a":1,"max_entries":8}`, "max_entries", "", `{"a":1}`},
		{"taken back, never set", ``, "max_entries", "", `{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := home(t, tt.file)
			dir := filepath.Join(e["HOME"], ".claude", ".memento")
			if err := Set(dir, tt.setting, tt.value); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(dir, "config.json"))
			if err != nil || string(data) != tt.want {
				t.Errorf("config.json holds %s, %v, want %s", data, err, tt.want)
			}
			settings, err := Settings(e.get)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range settings {
				if s.Problem != "" {
					t.Errorf("%s has problem %q", s.Name, s.Problem)
				}
				if s.Name == tt.setting && tt.value != "" && s.Source != "config.json" {
					t.Errorf("%s is from %s", s.Name, s.Source)
				}
			}
		})
	}
}

// TestSetLoad: Load reads what Set wrote.
func TestSetLoad(t *testing.T) {
	e := home(t, "")
	dir := filepath.Join(e["HOME"], ".claude", ".memento")
	for name, value := range map[string]string{"max_entries": "9", "max_file_kb": "16", "stale_days": "1",
		"budget_tokens": "100", "enabled": "no", "debug": "on", "remind": "always", "ask": "never",
		"instance_tag": "yes",
		"lane_ttl":     "48", "max_inject": "0", "grace_days": "14", "past": "words", "past_days": "90", "sync": "auto",
		"notify": "never"} {
		if err := Set(dir, name, value); err != nil {
			t.Fatal(err)
		}
	}
	got := load(t, e)
	want := Config{ClaudeDir: got.ClaudeDir, Dir: dir, Tag: "yes", MaxEntries: 9, MaxFileBytes: 16 << 10, StaleDays: 1,
		BudgetTokens: 100, BudgetSet: true, Debug: true, Remind: RemindAlways,
		Ask: AskNever, LaneTTL: 48 * time.Hour, GraceDays: 14,
		Past: PastWords, PastDays: 90, Sync: SyncAuto, Notify: NotifyNever}
	if got != want {
		t.Errorf("Load = %+v, want %+v", got, want)
	}
}

func TestSetRefuses(t *testing.T) {
	for _, tt := range []struct{ name, file, setting, value, says string }{
		{"an unknown name", `{}`, "max_entry", "8", `unknown setting "max_entry"`},
		{"no number", `{}`, "max_entries", "eight", "from 4 to 24"},
		{"out of range", `{}`, "max_entries", "80", "from 4 to 24"},
		{"no such choice", `{}`, "remind", "sometimes", "auto, always, never"},
		{"no switch", `{}`, "debug", "maybe", "true or false"},
		{"broken JSON", `{"max_entries":8,}`, "max_entries", "9", "not a JSON object"},
		{"broken JSON, to take back", `{"max_entries":8,}`, "max_entries", "", "not a JSON object"},
		{"a list", `[]`, "max_entries", "9", "not a JSON object"},
		{"an empty file", " ", "max_entries", "9", "not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(home(t, tt.file)["HOME"], ".claude", ".memento")
			if err := Set(dir, tt.setting, tt.value); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Set: %v, want %s", err, tt.says)
			}
			if data, err := os.ReadFile(filepath.Join(dir, "config.json")); err != nil || string(data) != tt.file {
				t.Errorf("config.json holds %q, %v, want %q", data, err, tt.file)
			}
		})
	}
}

// TestConfigLink: memento neither reads nor writes a config.json that is a link.
func TestConfigLink(t *testing.T) {
	e := home(t, "{}")
	dir := filepath.Join(e["HOME"], ".claude", ".memento")
	path, elsewhere := filepath.Join(dir, "config.json"), filepath.Join(t.TempDir(), "theirs.json")
	fixture.Write(t, elsewhere, `{"max_entries":8}`)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, elsewhere, path)
	if c := load(t, e); c.MaxEntries != 6 {
		t.Errorf("max_entries is %d: the link was followed", c.MaxEntries)
	}
	if err := Set(dir, "max_entries", "9"); !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("Set: %v, want ErrRefused", err)
	}
	if data, err := os.ReadFile(elsewhere); err != nil || string(data) != `{"max_entries":8}` {
		t.Errorf("what it leads to holds %s, %v", data, err)
	}
}

func TestHome(t *testing.T) {
	both := env{"HOME": "/h/alice", "USERPROFILE": `C:\Users\alice`}
	for _, c := range []struct {
		env     env
		windows bool
		want    string
	}{
		{both, false, "/h/alice"},
		{both, true, `C:\Users\alice`}, // the client's folder is there, even if Git Bash sets another HOME
		{env{"HOME": `D:\alice`}, true, `D:\alice`},
		{env{"USERPROFILE": "/c/Users/alice"}, false, "/c/Users/alice"},
		{env{}, true, ""},
	} {
		if got := homeOf(c.env.get, c.windows); got != c.want {
			t.Errorf("with %v on Windows (%v) the home is %q, want %q", c.env, c.windows, got, c.want)
		}
	}
}
