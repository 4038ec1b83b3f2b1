package project

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNewLane(t *testing.T) {
	const dir = "/home/alice/.claude/.memento"
	for _, tt := range []struct{ slug, worktree, name string }{
		{"myapp", "", "myapp--alice"},
		{"myapp", "hotfix", "myapp@hotfix--alice"},
		{"myapp", "Hot Fix/../x", "myapp@hot-fix-.-x-20a2b406--alice"},
		{"myapp", "hot-fix-..-x", "myapp@hot-fix-.-x-49d6a761--alice"},
		{"myapp", "HotFix", "myapp@HotFix--alice"},
		{"myapp", "user", "myapp@user-project-35529538--alice"},
		{"myapp", "Hot Fix", "myapp@hot-fix-a1a0bb70--alice"},
		{"", "", "alice"},
	} {
		l := NewLane(dir, tt.slug, tt.worktree, "alice")
		if l.Name != tt.name || l.Slug != tt.slug || l.Dir != dir {
			t.Errorf("NewLane(%q, %q) = %+v, want %s", tt.slug, tt.worktree, l, tt.name)
		}
		again, ok := LaneNamed(dir, l.Name)
		if !ok || again != l {
			t.Errorf("LaneNamed(%q) = %+v, %v, want %+v", l.Name, again, ok, l)
		}
	}
}

func TestLaneNamed(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../alice", "a/b", `a\b`, "/etc/passwd", ".hidden", "a\x00b",
		"myapp--../../x", strings.Repeat("x", 256)} {
		if l, ok := LaneNamed("/m", name); ok {
			t.Errorf("LaneNamed(%q) = %+v", name, l)
		}
	}
	for name, slug := range map[string]string{"alice": "", "myapp--alice": "myapp", "myapp@hotfix--alice": "myapp",
		"myapp--alice~1f3a9c2e": "myapp", "alice~1f3a9c2e": "", "größe--アリス": "größe"} {
		if l, ok := LaneNamed("/m", name); !ok || l.Slug != slug || l.Name != name {
			t.Errorf("LaneNamed(%q) = %+v, %v, want slug %q", name, l, ok, slug)
		}
	}
}

func TestLanePaths(t *testing.T) {
	l := NewLane("/m", "myapp", "", "alice")
	for got, want := range map[string]string{
		l.Journal(): "/m/myapp--alice.json",
		l.Lock():    "/m/locks/myapp--alice.lock",
	} {
		if filepath.ToSlash(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
