package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// TestManPage: what man shows has every word of the help, in its order, and man finds nothing wrong with the page.
func TestManPage(t *testing.T) {
	t.Parallel()
	page := ManPage()
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || strings.ContainsFunc(line, func(r rune) bool { return r > 0x7e }) {
			t.Errorf("man may misread %q", line)
		}
	}
	shown := page
	if path, err := exec.LookPath("groff"); err == nil {
		cmd := exec.Command(path, "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=200n")
		cmd.Stdin = strings.NewReader(page)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil || said.Len() > 0 {
			t.Errorf("groff: %v\n%s", err, said.String())
		}
		shown = string(out)
	} else {
		shown = strings.NewReplacer(`\-`, "-", `\(dq`, `"`, `\(aq`, "'", `\(ga`, "`", `\(ti`, "~", `\(ha`, "^",
			`\[u2026]`, "…").Replace(page)
	}
	if path, err := exec.LookPath("groff"); err == nil { // a terminal that shows ASCII alone
		cmd := exec.Command(path, "-man", "-ww", "-Tascii")
		cmd.Stdin = strings.NewReader(page)
		if said, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(said), "warning") {
			t.Errorf("groff for ASCII: %v\n%.300s", err, said)
		}
	}
	at := 0
	find := func(words string) {
		t.Helper()
		for _, word := range strings.Fields(words) {
			i := strings.Index(shown[at:], word)
			if i < 0 {
				t.Fatalf("%q of %q is missing behind\n%s", word, words, shown[max(0, at-200):at])
			}
			at += i + len(word)
		}
	}
	for _, cmd := range public() {
		_, help, _ := strings.Cut(cmd.help(), "\n\n")
		find(cmd.name)
		for line := range strings.Lines(help) {
			find(line)
		}
	}
	for _, name := range topics() {
		words, _ := topic(name)
		find(words)
	}
}
