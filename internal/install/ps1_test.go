package install

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// These tests run no PowerShell, since the test machines have none. They read the text of install.ps1: it has the
// options of install.sh, and uses no feature that Windows PowerShell 5.1 lacks. Package plugin tests its pins.

func TestPowerShellOptions(t *testing.T) {
	t.Parallel()
	text := fixture.Read(t, "../../install.ps1")
	head, _, _ := strings.Cut(text, "function ")
	for _, option := range []string{"[switch]$Version", "[switch]$DryRun", "[switch]$Uninstall",
		"[switch]$Help"} {
		if !strings.Contains(head, option) {
			t.Errorf("no parameter %s", option)
		}
	}
	for _, name := range []string{"MEMENTO_BIN_DIR", "MEMENTO_RELEASE_URL", "CLAUDE_CONFIG_DIR"} {
		if !strings.Contains(text, "$env:"+name) {
			t.Errorf("%s is not followed", name)
		}
	}
}

func TestPowerShellIsPlain(t *testing.T) {
	t.Parallel()
	text := fixture.Read(t, "../../install.ps1")
	if i := strings.IndexFunc(text, func(r rune) bool { return r > 126 || r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("not plain ASCII at byte %d: %.40q", i, text[i:])
	}
	// Strings, here-strings and comments may hold any text.
	code := regexp.MustCompile(`(?s)@'\n.*?\n'@`).ReplaceAllString(text, "''")
	code = regexp.MustCompile(`'[^'\n]*'|"[^"\n]*"`).ReplaceAllString(code, "''")
	code = regexp.MustCompile(`(?m)#.*$`).ReplaceAllString(code, "")
	for _, newer := range []string{`&&`, `\|\|`, `\?\?`, `\?\.`, `\s\?\s`, `-Parallel\b`, `\$IsWindows\b`,
		`\butf8NoBOM\b`, `\bclean\s*\{`} {
		if found := regexp.MustCompile(`.*(` + newer + `).*`).FindString(code); found != "" {
			t.Errorf("not in PowerShell 5.1: %s", strings.TrimSpace(found))
		}
	}
	for _, pair := range []string{"()", "{}", "[]"} {
		if open, shut := strings.Count(code, pair[:1]), strings.Count(code, pair[1:]); open != shut {
			t.Errorf("%d of %s and %d of %s", open, pair[:1], shut, pair[1:])
		}
	}
	// A function's return value is all that it writes to the pipeline, so only Write-Host may print.
	if regexp.MustCompile(`\bWrite-Output\b|\becho\b`).MatchString(code) {
		t.Error("prints on the pipeline")
	}
}
