package permit

import (
	"strings"
	"testing"
)

// TestAsks: a command that is the person's is seen in every form that a line shows; a harmless one is not, and no text
// that only speaks of one.
func TestAsks(t *testing.T) {
	for _, line := range []string{
		`memento forget x`, `memento rules drop 482913`, `memento rules keep 482913 --as decision`,
		`memento rules keep 482913 --everywhere`, `memento trust --yes abc`, `memento config sync auto`,
		`memento export --to x`, `memento import x --apply`, `memento uninstall`, `memento sync setup git@x:y.git`,
		`memento workspace join shop`, `memento search x --all`, `memento rm a --yes`, `memento pause`, `memento gc`,
		`/opt/memento/bin/memento forget x`, `'/opt/memento/bin/memento' forget x`, `./memento forget x`,
		`"memento" forget x`, `me\mento forget x`, `mem''ento forget x`, "memento \\\nforget x",
		"true\nmemento forget x",
		`cd x && memento forget y`, `cd x; memento forget y`, `false || memento forget y`, `ls | memento forget y`,
		`memento show && memento forget y`, `(memento forget y)`, `{ memento forget y; }`, `! memento forget y`,
		`if true; then memento forget y; fi`, `for i in 1; do memento forget $i; done`, `echo $(memento forget y)`,
		"echo `memento forget y`", `memento done "$(memento forget y)"`, `memento $VERB y`, `m=memento; $m forget y`,
		`FOO=1 memento forget y`, `env -C /x memento forget y`, `sudo -u bob memento forget y`,
		`timeout 5 memento forget y`,
		`sh -c 'memento forget y'`, `bash -c "cd x; memento forget y"`, `eval memento forget y`,
		`xargs -n1 memento forget`,
		`find . -exec memento forget {} \;`, `python3 -c "import os; os.system('memento forget y')"`,
		`>x memento forget y`, `2>/dev/null memento forget y`, `memento >x forget y`, `memento 2>&1 forget y`,
		`memento save decision x --user`, `memento save decision x --body /etc/passwd`, `memento restore a --at 2`,
		`memento doctor --fix`, `memento done x --agent a70c`, `memento mission --resume x`,
		`$(which memento) forget y`, "`which memento` forget y", `"$(command -v memento)" forget y`,
		`npx memento forget y`,
		`ssh host memento forget y`, `su alice -c "memento forget y"`, `memento rules keep 482913 2>/dev/null`,
		`CLAUDECODE= memento rules keep 482913`, `memento show barn--decision-x | cat`,
		`& 'C:\bin\memento.exe' forget y`, `memento.exe forget y`, "memento `\nforget y", `cmd /c memento forget y`,
	} {
		if !Asks(line, exe) {
			t.Errorf("%q would not be asked about", line)
		}
	}
	for _, line := range []string{
		``, ` `, `ls -la`, `memento`, `memento --help`, `memento --version`, `memento | head`, `cd memento && ls`,
		`cd x && memento done "built it" --result 'it works'`, `memento list --json | head -20`,
		`memento rules 2>&1 | head`,
		`memento rules > rules.txt`, `memento search paseto 2>/dev/null`, `FOO=1 memento show`, `sh -c 'memento show'`,
		`git commit -m "Explain memento sync"`, `grep -rn "memento forget" docs`, `echo memento forget x`,
		`go test ./cmd/memento -run TestForget`, `cat memento forget`, `git log -- memento`, `make memento`,
		`memento "`, `"`, `\`, `>`, `memento done x >`,
	} {
		if Asks(line, exe) {
			t.Errorf("%q would be asked about", line)
		}
	}
	if !Asks("'/opt/my tools/memento' forget x", "/opt/my tools/memento") {
		t.Error("this binary's own path, with a space in it, would not be asked about")
	}
	for _, words := range reaching {
		for _, form := range []string{"memento %s", "cd ../other && memento %s", "env memento %s",
			"sh -c 'memento %s'"} {
			line := strings.Replace(form, "%s", words, 1)
			if _, ok := Command(line, exe); !ok && !Asks(line, exe) {
				t.Errorf("%q neither runs unasked nor is asked about", line)
			}
		}
	}
}

// FuzzAsks: no line makes Asks fail, and it asks about no line that may run.
func FuzzAsks(f *testing.F) {
	f.Add(`sh -c "memento forget x" 2>&1 | head`)
	f.Fuzz(func(t *testing.T, line string) {
		asks := Asks(line, exe)
		if args, ok := Command(line, exe); ok && asks && !strings.ContainsAny(line, "'\"\\") {
			t.Errorf("%q may run as %q, and is asked about", line, args)
		}
	})
}
