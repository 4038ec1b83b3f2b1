package permit

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/fixture"
)

const exe = "/opt/memento/bin/memento"

// approved holds lines that Command approves, with their words.
var approved = []struct {
	line string
	args []string
}{
	{`memento show`, []string{"show"}},
	{`memento done "fix auth middleware" --result "PASETO impl, expiry corrected" --ctx 'user: auth is broken ` +
		`before deploy' --wip 'deploy auth fix' --plan "pricing decision" --plan 'run integration tests'`,
		[]string{"done", "fix auth middleware", "--result", "PASETO impl, expiry corrected", "--ctx",
			"user: auth is broken before deploy", "--wip", "deploy auth fix", "--plan", "pricing decision", "--plan",
			"run integration tests"}},
	{`memento mission "fix auth pipeline -- staging only -- done when: tests pass"`,
		[]string{"mission", "fix auth pipeline -- staging only -- done when: tests pass"}},
	{`memento done --keep "don't change the token format"`, []string{"done", "--keep",
		"don't change the token format"}},
	{`memento done --wip "deploy to staging only"`, []string{"done", "--wip", "deploy to staging only"}},
	{`memento mission --close`, []string{"mission", "--close"}},
	{`memento done --wip ''`, []string{"done", "--wip", ""}},
	{`  memento   status    --json  `, []string{"status", "--json"}},
	{exe + ` done x`, []string{"done", "x"}},
	{`'` + exe + `' 'done' 'x'`, []string{"done", "x"}},
	{`"memento" done x`, []string{"done", "x"}},
	{`'memento' done x`, []string{"done", "x"}},

	// Quoting.
	{`memento done 'a && b | c > d $(id) $x !! * {a,b} ~ #'`,
		[]string{"done", "a && b | c > d $(id) $x !! * {a,b} ~ #"}},
	{`memento done "a && b; c > d * {a,b} ~ # !! 'q'"`, []string{"done", "a && b; c > d * {a,b} ~ # !! 'q'"}},
	{`memento done "costs \$5, \"cheap\", \\ and \` + "`" + `id\` + "`" + `"`,
		[]string{"done", `costs $5, "cheap", \ and ` + "`id`"}},
	{`memento done "a\nb \! \' \*"`, []string{"done", `a\nb \! \' \*`}},
	{`memento done 'a\nb'`, []string{"done", `a\nb`}},
	{`memento done it\'s\ done\;\ \$x\ \~ \*`, []string{"done", "it's done; $x ~", "*"}},
	{`memento done 'it'\''s'`, []string{"done", "it's"}},
	{`memento done 'it'"'"'s'`, []string{"done", "it's"}},
	{`memento done pre"mid dle"'po st'end`, []string{"done", "premid dlepo stend"}},
	{`memento done ""`, []string{"done", ""}},
	{`memento d'on'e x`, []string{"done", "x"}},
	{`memento done src/auth.ts:47 a=b @x 50% a,b +1 a_b`,
		[]string{"done", "src/auth.ts:47", "a=b", "@x", "50%", "a,b", "+1", "a_b"}},
	{`memento done FOO=1`, []string{"done", "FOO=1"}},
	{`memento done if then fi done time coproc`, []string{"done", "if", "then", "fi", "done", "time", "coproc"}},

	// Beyond ASCII: a space that is not ASCII separates no words.
	{`memento done prüfung 認証 fix→auth ✓`, []string{"done", "prüfung", "認証", "fix→auth", "✓"}},
	{"memento done 'a\u00a0--agent\u2003x\u2028y\u3000z' \"\u200b\U0001f469\u200d\U0001f4bb\"",
		[]string{"done", "a\u00a0--agent\u2003x\u2028y\u3000z", "\u200b\U0001f469\u200d\U0001f4bb"}},
	{`memento done x —agent foo`, []string{"done", "x", "—agent", "foo"}},

	// Flags, as package flag reads them.
	{`memento done x -result y`, []string{"done", "x", "-result", "y"}},
	{`memento done --result=y -ctx='user: go on' x`, []string{"done", "--result=y", "-ctx=user: go on", "x"}},
	{`memento done x --result=`, []string{"done", "x", "--result="}},
	{`memento done x --result=--body`, []string{"done", "x", "--result=--body"}},
	{`memento done x --result=a=b=c`, []string{"done", "x", "--result=a=b=c"}},
	{`memento done x --plan "- run tests" --result "-3 %" --wip -`,
		[]string{"done", "x", "--plan", "- run tests", "--result", "-3 %", "--wip", "-"}},
	{`memento show -json --raw`, []string{"show", "-json", "--raw"}},
	{`memento show --said --raw`, []string{"show", "--said", "--raw"}},
	{`memento show --history --json`, []string{"show", "--history", "--json"}},
	{`memento done -- x y`, []string{"done", "--", "x", "y"}},
	{`memento done -- "- x" -3`, []string{"done", "--", "- x", "-3"}},
	{`memento done -`, []string{"done", "-"}},
	{`memento done --help`, []string{"done", "--help"}},
	{`memento doctor -h --json`, []string{"doctor", "-h", "--json"}},
	{`memento help done`, []string{"help", "done"}},
	{`memento help`, []string{"help"}},
	{`memento config`, []string{"config"}},
	{`memento doctor --json`, []string{"doctor", "--json"}},

	// Records.
	{`memento save decision "Use PASETO" --set context="JWT libraries keep breaking; see <https://example.org>" ` +
		`--set 'decision=PASETO v4, local' --set alternatives=JWT --tag auth,db --file src/auth.ts --set ` +
		`stage=accepted --slug paseto`,
		[]string{"save", "decision", "Use PASETO", "--set",
			"context=JWT libraries keep breaking; see <https://example.org>", "--set", "decision=PASETO v4, local",
			"--set", "alternatives=JWT", "--tag", "auth,db", "--file", "src/auth.ts", "--set", "stage=accepted",
			"--slug",
			"paseto"}},
	{`memento save debt x --set stage=open`, []string{"save", "debt", "x", "--set", "stage=open"}},
	{`memento save --tag x debt 'Slow tests'`, []string{"save", "--tag", "x", "debt", "Slow tests"}},
	{`memento save debt Slow tests`, []string{"save", "debt", "Slow", "tests"}},
	{`memento save memento -- "- x"`, []string{"save", "memento", "--", "- x"}},
	{`memento save`, []string{"save"}},
	{`memento list 'auth*' --kind decision,debt --since 7d --json`,
		[]string{"list", "auth*", "--kind", "decision,debt", "--since", "7d", "--json"}},
	{`memento list --status all --tag auth`, []string{"list", "--status", "all", "--tag", "auth"}},
	{`memento show fix-auth`, []string{"show", "fix-auth"}},
	{`memento show -- x`, []string{"show", "--", "x"}},
	{`memento show shop--use-paseto --raw`, []string{"show", "shop--use-paseto", "--raw"}},
	{`memento search "why PASETO; and not JWT?" --limit 5 --json`,
		[]string{"search", "why PASETO; and not JWT?", "--limit", "5", "--json"}},
	{`memento search why paseto`, []string{"search", "why", "paseto"}},
	{`memento archive --as completed a b`, []string{"archive", "--as", "completed", "a", "b"}},
	{`memento restore a b`, []string{"restore", "a", "b"}},
	{`memento archive --as retired a --reason "it's over"`, []string{"archive", "--as", "retired", "a", "--reason",
		"it's over"}},
	{`memento archive a --reason=kept`, []string{"archive", "a", "--reason=kept"}},
	{`memento archive a --as completed`, []string{"archive", "a", "--as", "completed"}},
	{`memento archive a --as=retired --reason "it's over"`,
		[]string{"archive", "a", "--as=retired", "--reason", "it's over"}},
	{`memento search --rebuild`, []string{"search", "--rebuild"}},
	{`memento handoff`, []string{"handoff"}},
	{`memento handoff write`, []string{"handoff", "write"}},
	{`memento handoff write "auth refactor" --note "staging is half deployed"`,
		[]string{"handoff", "write", "auth refactor", "--note", "staging is half deployed"}},
	{`memento rules`, []string{"rules"}},
	{`memento rules keep 482913 310877 --json`, []string{"rules", "keep", "482913", "310877", "--json"}},
	{`memento rules none`, []string{"rules", "none"}},
}

var refused = []string{
	// More than one simple command.
	``, ` `, `memento`, `memento ''`,
	`memento done x && touch pwned`, `memento done x || touch pwned`, `memento done x; touch pwned`, `memento done x;`,
	`memento done x & touch pwned`, `memento done x &`, `memento done x |& tee f`, `memento done x | tee f`,
	`memento done x &!`, `memento done x &|`,
	`touch pwned && memento done x`, `touch pwned; memento done x`, `cat f | memento done x`,
	"memento done x\ntouch pwned", "memento done x\n", "\nmemento done x", "memento done x \\\n --wip y",
	"memento done 'a\nb'", "memento done \"a\nb\"",
	"memento done x\rtouch pwned", "memento done x\r\ntouch pwned", "memento done x\r", "memento done 'a\rb'",
	"memento\tdone\tx", "memento done 'a\tb'", "memento done x\x00", "memento done x\x00; touch pwned",
	"mem\x00ento done x",
	"memento done x\x1b[2K", "memento done x\x7f", "memento done x\v&& touch pwned", "memento done x\f",
	"memento done 'x\b'",
	"memento done x\u0080 && touch pwned", "memento done 'x\u0080' && touch pwned",
	"memento done x\u0081 && touch pwned", "memento done x \u0080", "memento done x\u0085touch pwned",
	"memento done 'x\u009b'",
	`{ memento done x; }`, `{ memento done x`, `(memento done x)`, `((memento done x))`, `! memento done x`,
	`!memento done x`, `time memento done x`, `time -p memento done x`, `coproc memento done x`,
	`if memento done x; then touch pwned; fi`, `while memento done x; do :; done`,
	`for i in a; do memento done x; done`, `case x in x) memento done x;; esac`,
	`memento() { touch pwned; }`, `function memento { touch pwned; }`, `memento () done x`, `[[ memento done ]]`,
	`let memento`, `declare memento done`,
	`memento done x #`, `memento done x # && touch pwned`, `memento done x #it's`, `#memento done x`, `memento done #x`,
	`#!/bin/sh`,

	// Redirections.
	`memento done x > f`, `memento done x >f`, `memento done x >> f`, `memento done x 2>&1`, `memento done x &> f`,
	`memento done x >| f`, `>f memento done x`, `memento >f done x`, `memento done >f x`,
	`memento done x < /etc/passwd`, `memento done x <<< y`, `memento done x << EOF`, `memento done x {fd}>f`,
	`memento done x 2>/dev/null`,

	// Environment.
	`FOO=1 memento done x`, `FOO= memento done x`, `FOO+=1 memento done x`, `PATH=/tmp memento done x`, `FOO=1`,
	`a[0]=1 memento done x`, `a=(memento) memento done x`, `env memento done x`, `env FOO=1 memento done x`,
	`export FOO=1`,

	// Another program.
	`\memento done x`, `m\emento done x`, `mem'ento' done x`, `"mem"ento done x`, `''memento done x`,
	`memento'' done x`, `command memento done x`, `builtin memento done x`, `exec memento done x`,
	`sudo memento done x`, `nohup memento done x`, `eval memento done x`, `xargs memento done x`,
	`noglob memento done x`, `- memento done x`,
	`/tmp/memento done x`, `./memento done x`, `../memento done x`, `~/memento done x`, `bin/memento done x`, exe +
		`/ done x`, `/opt/memento/bin/../bin/memento done x`, `/opt//memento/bin/memento done x`, `x` + exe + ` done x`,
	`MEMENTO done x`, `memento.exe done x`, `memento2 done x`, `memento-x done x`, `"memento " done x`,
	`'memento done x'`, `memento\ done x`,
	"mеmento done x" /* Cyrillic е */, "ｍemento done x", "memento\u00a0done x", "memento\u2003done x",
	"\u00a0memento done x", "\ufeffmemento done x", "memento\u200b done x", "memento done\u200b x",
	"\u202ememento done x",
	`$memento done x`, `memento$IFS"done" x`, `$0 done x`, "`memento` done x", `$(memento) done x`,

	// Expansions.
	`memento done $x`, `memento done "$x"`, `memento done ${x}`, `memento done "${x:-y}"`, `memento done $1`,
	`memento done "$@"`, `memento done $?`, `memento done "$"`, `memento done $`, `memento done "a $ b"`,
	`memento done $(id)`, `memento done "$(id)"`, "memento done `id`", "memento done \"`id`\"", `memento done x$(id)`,
	`memento done "a\\$(id)"`, "memento done \"a\\\\`id`\"", `memento done 'a'$(id)'b'`,
	`memento done 'it'$(id)'s'`, `memento done 'a\'$(id)''`, `memento "$(id)"`, `memento done $((1+1))`,
	`memento done "$((1+1))"`, `memento done $[1+1]`, `memento done "$[1+1]"`, `memento done ${ id; }`,
	`memento done ${| id; }`,
	`memento done <(id)`, `memento done >(id)`, `memento done =(id)`, `memento done x=(id)`, `memento done x=<(id)`,
	`memento done $'x'`, `memento done $"x"`, `memento done a$'x'`, `memento done $'\x27'`, `memento $'done' x`,
	`memento done *`, `memento done a*`, `memento done ?`, `memento done [a]`, `memento done [`, `memento done a[b]`,
	`memento done ]`, `memento done @(a)`, `memento done !(a)`, `memento done +(a)`, `memento done a\*b*`,
	`memento done "a"*`,
	`memento done {a,b}`, `memento done x{a,b}`, `memento done {1..3}`, `memento done {`, `memento done }`,
	`memento done {}`,
	`memento done ~`, `memento done ~/x`, `memento done ~root`, `memento done ~+`, `memento done a:~/x`,
	`memento done a=~/x`, `memento done --result=~/x`, `memento done x~y`,
	`memento done =ls`, `memento done ''=ls`, `memento done a:=ls`, `memento done --result==ls`, `memento done "a:"=ls`,
	`memento done =`,
	`memento done !!`, `memento done x!`, `memento done !$`, `memento done ^x^y`, `memento done x^y`,
	`memento done x#y`,
	"memento done a\u00a0b", "memento done a\u2003b", "memento done a\u3000b", "memento done x\u2028touch",
	"memento done x\u202e", "memento done x\u200b", "memento done x\ufeff", "memento done x\u3164y\ue000",

	// Unfinished.
	`memento done "x`, `memento done 'x`, `memento done x\`, `memento done "x\"`, `memento done (`, `memento done )`,
	`memento done x)`, `memento done x }`,

	// Not UTF-8.
	"memento done \xff", "memento done '\xc3'", "memento done 'caf\xe9'", "memento done '\xed\xa0\x80'",
	"memento done '\xc0\xbb'",

	// Verbs.
	`memento sync`, `memento sync --status`, `memento sync --status --json`, `memento sync --off`,
	`memento sync x --all`,
	`memento trust`, `memento trust --json`, `memento trust --yes 00`, `yes | memento trust`, `memento trust <<< y`,
	`memento share x`, `memento share x --undo`, `memento export --claude-md`,
	`memento forget`, `memento forget --yes`, `memento install`, `memento uninstall`,
	`memento pause`, `memento pause --end`, `memento hook`, `memento save decision t --body /etc/passwd`,
	`memento rm x`, `memento import x`, `memento export x`, `memento edit x`, `memento Done x`, `memento don x`,
	`memento don\\e x`, `memento dоne x` /* Cyrillic о */, `memento 'done ' x`, `memento --json done x`,
	`memento -h`, `memento --help`, `memento -- done x`, `memento -`, `memento memento done x`,

	// Records: commands that read a file the person did not offer, that destroy, that leave memento's folder, or that
	// reach other projects.
	`memento save decision x --body -`, `memento save decision x --body=/etc/passwd`,
	`memento save --body /etc/passwd decision x`, `memento save decision x --user`,
	`memento save decision x --user=true`, `memento save decision x --project kiosk`,
	`memento save decision x --project=user`,
	`memento save decision x --agent a1`, `memento save decision x --again`, `memento save --agent=a1 decision x`,
	`memento save profile x`, `memento save initiative x`, `memento save --tag x profile y`,
	`memento save -- profile x`, `memento save Decision x`, `memento save decsion x`, `memento save '' x`,
	`memento save x decision`, `memento save decision x --yes`, `memento save decision x --set`,
	`memento save decision x --set --user`, `memento save decision x --set context=$(id)`,
	`memento save decision x --set context=~/x`, `memento save decision x --set context=*`,
	`memento save decision x --set context=a > f`, `memento save decision x --sett a=b`,
	`memento edit x --set context=y`, `memento rm x --yes`, `memento gc`, `memento gc --dry-run`,
	`memento restore x --reason y`,
	`memento workspace rename a b`, `memento import x`,
	`memento import --dry-run x`, `memento export`, `memento export --out x`,
	`memento list a b`, `memento list *`, `memento list --all=yes`, `memento list --body x`, `memento search x --user`,
	`memento search x > f`, `memento archive --as completed x --yes`,
	`memento archive --as retired x --yes --reason y`, `memento archive x --agent a --reason y`,
	`memento archive x --as`,
	`memento archive x --as --yes`, `memento restore x --as active`, `memento restore x --at 2`,
	`memento index`,
	`memento workspace`, `memento workspace initiatives`, `memento workspace show shop`,
	`memento search x --all`, `memento search x --all=true`, `memento search -all x`,
	`memento search x --project kiosk`,
	`memento search x --project=user`, `memento list --all`, `memento list --project kiosk`, `memento rules drop 1`,
	`memento rules keep 1 --everywhere`, `memento rules keep 1 --as decision`,
	`memento inbox`, `memento export`, `memento show --all`, `memento show --history --project kiosk`,
	`memento handoff --project kiosk`,
	`memento workspace describe shop x`, `memento workspace join`, `memento workspace join shop --to shop`,
	`memento workspace relate a depends-on b`, `memento workspace show a b`, `memento workspace --type x`,
	`memento handoff a b`,
	`memento handoff write a b`, `memento handoff --agent x write a`, `memento handoff --body f`,

	// Flags and words.
	`memento done x --agent foo`, `memento done x -agent foo`, `memento done x --agent=foo`,
	`memento done --agent foo x`, `memento done x '--agent' foo`, `memento done x \--agent foo`,
	`memento done x --"agent" foo`, `memento done -- x --agent foo`, `memento done -- --agent`,
	`memento done x --result --agent foo`, `memento done --json=true --agent=foo x`, `memento done - --agent foo`,
	`memento done '' --agent foo`,
	`memento done x --body /etc/passwd`, `memento done x --body=/etc/passwd`, `memento done x --file f`,
	`memento done x --unknown`, `memento done x -r y`, `memento done x --res y`, `memento done x --Result y`,
	`memento done x --result`, `memento done x --result --`,
	`memento done x --result -- y`, `memento done x --result --wip y`, `memento done x --result -x`,
	`memento done x ---result y`, `memento done x --=y`, `memento done x -=y`, `memento done x ---`,
	`memento done x -3`, `memento done x "- y"`, `memento done x -- --`, `memento done x "--result y"`,
	`memento done x "--result =y"`, `memento done -é`,
	`memento show --json=yes`, `memento show --json=`, `memento show --json=TrUe`, `memento done --json true`,
	`memento done --json 1 x`, `memento show --json=true`, `memento done x --help=true`, `memento done x -h=`,
	`memento done x --result-file y`, `memento done x --helpme`,
	`memento show --body`, `memento show a b`, `memento show --history -n`,
	`memento status x`, `memento status --fix`, `memento doctor --fix`,
	`memento config x=y`, `memento config --set x`, `memento version x`,
	`memento help --json`, `memento help --body x`,
}

func TestCommandApproves(t *testing.T) {
	for _, c := range approved {
		args, ok := Command(c.line, exe)
		if !ok || !slices.Equal(args, c.args) {
			t.Errorf("Command(%q) = %q, %v, want %q", c.line, args, ok, c.args)
			continue
		}
		sound(t, c.line, args)
	}
}

func TestCommandRefuses(t *testing.T) {
	for _, line := range refused {
		for _, line := range []string{line, strings.ReplaceAll(line, "memento", exe)} {
			if args, ok := Command(line, exe); ok || args != nil {
				t.Errorf("Command(%q) = %q, %v, want nothing", line, args, ok)
			}
		}
	}
}

func TestCommandLength(t *testing.T) {
	fits := "memento done '" + strings.Repeat("x", maxLine-len(Quote(exe, []string{"done", ""}))) + "'"
	if args, ok := Command(fits, exe); !ok || len(Quote(exe, args)) != maxLine {
		t.Errorf("a line whose quoted form has %d bytes was refused", maxLine)
	}
	if _, ok := Command(strings.Replace(fits, "x", "xx", 1), exe); ok {
		t.Error("a line whose quoted form is a byte too long was approved")
	}
	if _, ok := Command("memento done"+strings.Repeat(" ", maxLine)+"x", exe); ok {
		t.Error("a line that is too long was approved")
	}
}

func TestCommandExe(t *testing.T) {
	for _, c := range []struct {
		exe, line string
		ok        bool
	}{
		{"/home/o'brien/my tools/memento", `'/home/o'\''brien/my tools/memento' done x`, true},
		{"/home/o'brien/my tools/memento", `/home/o\'brien/my\ tools/memento done x`, false},
		{"/home/o'brien/my tools/memento", `"/home/o'brien/my tools/memento" done x`, true},
		{"/home/o'brien/my tools/memento", `/home/o'brien/my tools/memento done x`, false},
		{"/home/o'brien/my tools/memento", `memento done x`, true},
		{"/opt/my done", `/opt/my done x`, false},
		{"", `memento done x`, false},
		{"", `'' done x`, false},
		{"memento", `memento done x`, false},
		{"bin/memento", `bin/memento done x`, false},
		{"/opt/a\nb/memento", `memento done x`, false},
		{"/opt/\xff/memento", `memento done x`, false},
	} {
		if _, ok := Command(c.line, c.exe); ok != c.ok {
			t.Errorf("Command(%q, %q) = %v, want %v", c.line, c.exe, ok, c.ok)
		}
	}
}

// TestCommandShell compares the words of every approved line with the words that real shells pass on, for the line
// and for its quoted form. The program is a stub, alone on PATH.
func TestCommandShell(t *testing.T) {
	fixture.Long(t, "asks real shells")
	shells(t, func(t *testing.T, stub string, run func(string) string) {
		for _, c := range approved {
			line := strings.ReplaceAll(c.line, exe, stub)
			want := strings.Join(c.args, "\x00") + "\x00"
			if got := run(line); got != want {
				t.Errorf("%s passes %q, want %q", line, got, want)
			}
			if got := run(Quote(stub, c.args)); got != want {
				t.Errorf("%s passes %q, want %q", Quote(stub, c.args), got, want)
			}
		}
	})
}

// TestVerbs: a caller cannot change the table, and the table has no flag that must never be approved.
func TestVerbs(t *testing.T) {
	Verbs()["forget"] = Spec{Words: Any}
	Verbs()["done"].Value[0] = "body"
	if _, ok := Command("memento forget", exe); ok {
		t.Error("a verb was added")
	}
	if _, ok := Command("memento done --body x", exe); ok {
		t.Error("a flag was added")
	}
	for verb, spec := range Verbs() {
		for _, name := range append(spec.Value, spec.Bool...) {
			if slices.Contains([]string{"agent", "body", "fix", "yes", "user", "delete", "dir", "out", "to", "from"},
				name) || name == "file" && verb != "save" || name == "project" && verb != "list" && verb != "search" {
				t.Errorf("%s allows --%s", verb, name)
			}
		}
	}
}

// shells calls check for every shell on this machine. The PATH of the shell holds nothing but stub, a program named
// memento that prints its arguments, each ended by a NUL.
func shells(t *testing.T, check func(t *testing.T, stub string, run func(line string) string)) {
	stub := filepath.Join(t.TempDir(), "memento")
	if err := os.WriteFile(stub, []byte("#!/bin/sh\nprintf '%s\\0' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, shell := range [][]string{
		{"bash", "--norc", "--noprofile"},
		{"dash"},
		{"zsh", "-f"},
		{"zsh", "-f", "-o", "RC_QUOTES", "-o", "EXTENDED_GLOB", "-o", "MAGIC_EQUAL_SUBST", "-o", "BRACE_CCL", "-o",
			"GLOB_SUBST", "-o", "SH_WORD_SPLIT"},
	} {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			path, err := exec.LookPath(shell[0])
			if err != nil {
				t.Skip("SKIPPED: no such shell: ", err) // ./test.sh names it
			}
			check(t, stub, func(line string) string {
				cmd := exec.Command(path, append(shell[1:len(shell):len(shell)], "-c", line)...)
				cmd.Env = []string{"PATH=" + filepath.Dir(stub), "LC_ALL=C.UTF-8"}
				cmd.Dir = t.TempDir()
				out, err := cmd.Output()
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
				return string(out)
			})
		})
	}
}

// FuzzCommand: by a shell's grammar, every approved line is one simple command of literal words that package flag
// reads as the verb allows. Any printable text can go into the journal.
func FuzzCommand(f *testing.F) {
	for _, c := range approved {
		f.Add(c.line, c.args[len(c.args)-1])
	}
	for _, line := range refused {
		f.Add(line, line)
	}
	f.Fuzz(func(t *testing.T, line, text string) {
		for _, line := range []string{line, "memento done " + text} {
			if args, ok := Command(line, exe); ok {
				sound(t, line, args)
			}
		}

		args := []string{"done", "--result", text, "--", text}
		quoted := Quote(exe, args)
		isPlain := utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
		if words, ok := parsed(quoted); isPlain && (!ok || !slices.Equal(words[1:], args)) {
			t.Errorf("%s reads as %q, %v", quoted, words, ok)
		}
		want := isPlain && (len(text) < 2 || text[0] != '-' || strings.ContainsAny(text[1:2], " 0123456789")) &&
			len(quoted) <= maxLine
		if got, ok := Command(quoted, exe); ok != want || ok && !slices.Equal(got, args) {
			t.Errorf("Command(%s) = %q, %v, want %v", quoted, got, ok, want)
		}
	})
}

// sound fails the test unless line, approved as args, keeps the promises of Command.
func sound(t *testing.T, line string, args []string) {
	t.Helper()
	words, ok := parsed(strings.Trim(line, " "))
	if !ok || !slices.Equal(words[1:], args) || words[0] != "memento" && words[0] != exe {
		t.Errorf("%q was approved as %q but a shell's grammar has %q, %v", line, args, words, ok)
	}
	if len(line) > maxLine || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
		t.Errorf("%q was approved", line)
	}
	quoted := Quote(exe, args)
	if again, ok := Command(quoted, exe); !ok || !slices.Equal(again, args) {
		t.Errorf("Command(%s) = %q, %v, want %q", quoted, again, ok, args)
	}
	read(t, line, args)
}

// read fails the test unless package flag, given the verb's flags, takes args.
func read(t *testing.T, line string, args []string) {
	t.Helper()
	spec, ok := Verbs()[args[0]]
	if !ok {
		t.Errorf("%q was approved", line)
		return
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, name := range spec.Value {
		fs.String(name, "", "")
	}
	for _, name := range append(spec.Bool, "h", "help") {
		fs.Bool(name, false, "")
	}
	var words []string
	for rest := args[1:]; len(rest) > 0; {
		if err := fs.Parse(rest); err != nil {
			t.Errorf("%q was approved, but: %v", line, err)
			return
		}
		ended := len(rest) > fs.NArg() && rest[len(rest)-fs.NArg()-1] == "--"
		rest = fs.Args()
		if ended {
			words = append(words, rest...)
			break
		}
		if len(rest) > 0 {
			words, rest = append(words, rest[0]), rest[1:]
		}
	}
	if spec.First != nil && len(words) > 0 && !slices.Contains(spec.First, words[0]) {
		t.Errorf("%q was approved with %q as its first word", line, words[0])
	}
	if len(words) > 0 && slices.Contains(spec.Lead, words[0]) {
		words = words[1:]
	}
	if spec.Words != Any && len(words) > spec.Words {
		t.Errorf("%q was approved with %q, %d words are allowed", line, words, spec.Words)
	}
}
