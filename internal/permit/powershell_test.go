package permit

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const winExe = `C:\Users\Zoë O’Hara\bin\memento.exe`

var psApproved = []struct {
	line string
	args []string
}{
	{`memento show`, []string{"show"}},
	{`memento.exe show`, []string{"show"}},
	{`Memento.EXE show`, []string{"show"}},
	{`& memento show`, []string{"show"}},
	{`& 'memento' show`, []string{"show"}},
	{`& "memento.exe"   show --json `, []string{"show", "--json"}},
	{`& 'C:\Users\Zoë O’’Hara\bin\memento.exe' 'show'`, []string{"show"}},
	{`& "C:\Users\Zoë O’Hara\bin\memento.exe" show`, []string{"show"}},
	{`& "c:/users/Zoë O’Hara/BIN/memento.exe" show`, []string{"show"}},
	{`memento done 'fix auth middleware' --result 'PASETO impl, expiry corrected' --plan 'pricing' --plan "run it's tests"`,
		[]string{"done", "fix auth middleware", "--result", "PASETO impl, expiry corrected", "--plan", "pricing",
			"--plan", "run it's tests"}},
	{`memento done 'it''s done' "don’t ‘touch’ it"`, []string{"done", "it's done", "don’t ‘touch’ it"}},
	{`memento done 'don’’t' 'a‘‘b' 'a‛‛‛‛b'`, []string{"done", "don’t", "a‘b", "a‛‛b"}},
	{`memento done '$x $(id) ` + "`n" + ` ; | & > < # @{} %'`, []string{"done", "$x $(id) `n ; | & > < # @{} %"}},
	{`memento done "a; b | c & d > e # f, {g} (h) @i %j"`, []string{"done", "a; b | c & d > e # f, {g} (h) @i %j"}},
	{`memento done '“quoted”'`, []string{"done", "“quoted”"}},
	{`memento done src\auth.ts:47 a=b +1 a_b v1.5 C:/x`,
		[]string{"done", `src\auth.ts:47`, "a=b", "+1", "a_b", "v1.5", "C:/x"}},
	{`memento done prüfung 認証`, []string{"done", "prüfung", "認証"}},
	{`memento done --result=401 x`, []string{"done", "--result=401", "x"}},
	{`memento done -- '- x' -3`, []string{"done", "--", "- x", "-3"}},
	{`memento show --history`, []string{"show", "--history"}},
	{`memento help`, []string{"help"}},
	{`memento save decision 'Use PASETO' --set 'context=tokens have to expire' --set alternatives=JWT --tag auth`,
		[]string{"save", "decision", "Use PASETO", "--set", "context=tokens have to expire", "--set",
			"alternatives=JWT", "--tag", "auth"}},
	{`memento list 'auth*' --json`, []string{"list", "auth*", "--json"}},
	{`memento show fix-auth`, []string{"show", "fix-auth"}},
	{`memento search 'why PASETO?' --kind decision`, []string{"search", "why PASETO?", "--kind", "decision"}},
	{`memento archive --as retired fix-auth --reason 'it is over'`, []string{"archive", "--as", "retired", "fix-auth", "--reason", "it is over"}},
}

var psRefused = []string{
	``, ` `, `&`, `& `, `memento`, `& memento`, `& 'memento'`,
	// Another program, or a string in the place of the program.
	`'memento' show`, `"memento" show`, `"C:\Users\Zoë O’Hara\bin\memento.exe" show`, `. memento show`,
	`& & memento show`, `&& memento show`, `MEMENTO show`, `memento.ps1 show`, `.\memento show`,
	`C:\Users\eve\memento.exe show`,
	`& 'C:\Users\Zoë O’Hara\bin\memento.exe' show`, `& 'C:\Users\ZOË O’’HARA\bin\memento.exe' show`,
	`& 'C:\Users\Zoë O’’Hara\bin\..\bin\memento.exe' show`, `& 'mem'ento show`, `& mem'ento' show`,
	`& 'memento'show`, `& 'memento' 'show`, `& $exe show`, `& (gcm memento) show`, `iex 'memento show'`,
	`Start-Process memento show`, `memento\show`, "mеmento show" /* Cyrillic е */, "memento\u00a0show",
	"memento\u2003show x", "\ufeffmemento show",
	// More than one command.
	`memento done x; calc`, `memento done x;calc`, `memento done x | calc`, `memento done x && calc`,
	`memento done x || calc`, `memento done x &`, `memento done x & calc`, "memento done x\ncalc",
	"memento done x\r\ncalc", "memento done x\u0085calc", "memento done x\u2028calc", "memento done 'x\ny'",
	"memento\tdone\tx", "memento done x\x00", "memento done x `\ny",
	`if (1) { memento done x }`, `memento done x # and more`, `memento done #x`, `memento done <#x#> y`,
	`{ memento done x }`, `(memento done x)`, `$(memento done x)`, `@(memento done x)`, `! memento done x`,
	`$x = memento done x`,
	// Redirection, expansion, lists, stop-parsing.
	`memento done x > f`, `memento done x 2>&1`, `memento done x *> f`, `memento done x < f`, `memento done $x`,
	`memento done "$x"`, `memento done "$(calc)"`, `memento done ${x}`, `memento done $env:X`,
	`memento done (calc)`, `memento done @x`, `memento done @(1)`, `memento done {x}`, `memento done a,b`,
	`memento done 'a','b'`, `memento done --% x`, `memento done '--%' x`, `memento done x --result --%`,
	"memento done `$x", "memento done \"`$x\"", "memento done a`b", `memento done *`, `memento done a?`,
	`memento done [a]`, `memento done ~`, `memento done 50%`, `memento done it's`, `memento done a"b`,
	`memento done 'a'b`, `memento done 'a''`, `memento done "a" "b`, `memento done 'a'"b"`, `memento done "a""b"`,
	`memento done a'b'`,
	// A typographic quote ends what an ASCII quote began, and a dash of another length is a hyphen.
	`memento done 'don’t'`, `memento done 'a’ --agent b ‘c'`, `memento done ‘a’`, `memento done “a”`,
	`memento done "a” b"`, `memento done "a“b"`, `memento done "a„`, `memento done 'a‘’b'`, `memento done 'a'’b'`,
	`memento done 'a’'b'`, `memento done x –agent y`, `memento done x —agent y`, `memento done x ―agent y`,
	`memento done→x`,
	// Words that Windows PowerShell 5.1 does not pass on as they are.
	`memento done --wip ''`, `memento done x --result '' --wip y`, `memento done 'say "hi"'`, `memento done 'a" --agent "b'`,
	`memento done 'C:\'`, `memento done C:\ x`, `memento done x --result 'a b\'`,
	// Words and flags that the verbs do not allow.
	`memento forget`, `memento uninstall`, `memento done x --agent a1`, `memento done x '--agent' a1`,
	`memento done x --body f`, `memento done x --agent=a`, `memento mission --resume 1`, `memento hook`,
	`memento show x y`, `memento save decision x --body f`, `memento save decision x --user`,
	`memento save profile x`, `memento rm x --yes`, `memento edit x --set a=b`, `memento gc`, `memento import f`,
	`memento done -- --agent x`, `memento pause`,
}

func TestPowerShellApproves(t *testing.T) {
	for _, c := range psApproved {
		args, ok := PowerShell(c.line, winExe)
		if !ok || !slices.Equal(args, c.args) {
			t.Errorf("PowerShell(%s) = %q, %v, want %q", c.line, args, ok, c.args)
			continue
		}
		psSound(t, c.line, args)
	}
}

func TestPowerShellRefuses(t *testing.T) {
	for _, line := range psRefused {
		if args, ok := PowerShell(line, winExe); ok {
			t.Errorf("%q was approved as %q", line, args)
		}
	}
	for _, exe := range []string{"", "memento.exe", `bin\memento.exe`, `C:memento.exe`, "C:\\a\nb", `C:\a"b.exe`} {
		if args, ok := PowerShell("memento show", exe); ok {
			t.Errorf("as %q it was approved: %q", exe, args)
		}
	}
	if _, ok := PowerShell("memento done '"+strings.Repeat("a", maxLine)+"'", winExe); ok {
		t.Error("a line that is too long was approved")
	}
	if _, ok := PowerShell("memento done \""+strings.Repeat("’", 5000)+"\"", winExe); ok {
		t.Error("a line whose quoted form is too long was approved")
	}
}

func TestQuotePowerShell(t *testing.T) {
	for _, c := range []struct{ exe, word, want string }{
		{`C:\bin\memento.exe`, "x", `& 'C:\bin\memento.exe' 'x'`},
		{winExe, "it's", `& 'C:\Users\Zoë O’’Hara\bin\memento.exe' 'it''s'`},
		{"/opt/memento", "a‘b’c‚d‛e", `& '/opt/memento' 'a‘‘b’’c‚‚d‛‛e'`},
		{"/opt/memento", "$(x) `n \"", "& '/opt/memento' '$(x) `n \"'"},
	} {
		if got := QuotePowerShell(c.exe, []string{c.word}); got != c.want {
			t.Errorf("QuotePowerShell(%q, %q) = %s, want %s", c.exe, c.word, got, c.want)
		}
	}
}

func FuzzPowerShell(f *testing.F) {
	for _, c := range psApproved {
		f.Add(c.line, c.args[len(c.args)-1])
	}
	for _, line := range psRefused {
		f.Add(line, line)
	}
	f.Fuzz(func(t *testing.T, line, text string) {
		for _, line := range []string{line, "memento done " + text, "& memento done '" + text + "'", `memento done "` +
			text + `"`} {
			if args, ok := PowerShell(line, winExe); ok {
				psSound(t, line, args)
			}
		}
		args := []string{"done", "--result", text, "--", text}
		want := text != "" && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl) &&
			!strings.Contains(text, `"`) && !strings.HasSuffix(text, `\`) &&
			(len(text) < 2 || text[0] != '-' || strings.ContainsAny(text[1:2], " 0123456789"))
		quoted := QuotePowerShell(winExe, args)
		want = want && len(quoted) <= maxLine
		if got, ok := PowerShell(quoted, winExe); ok != want || ok && !slices.Equal(got, args) {
			t.Errorf("PowerShell(%s) = %q, %v, want %v", quoted, got, ok, want)
		}
	})
}

// psSound fails the test unless line, approved as args, keeps the promises of PowerShell: another reader finds the
// same words, and so does the program when it reads the command line of the quoted form.
func psSound(t *testing.T, line string, args []string) {
	t.Helper()
	words, ok := psTokens(line)
	if ok && words[0] == "&" {
		words = words[1:]
	}
	if !ok || len(words) == 0 || !slices.Equal(words[1:], args) || !strings.EqualFold(words[0], "memento") &&
		!strings.EqualFold(words[0], "memento.exe") &&
		!strings.EqualFold(strings.ReplaceAll(words[0], "/", `\`), winExe) {
		t.Errorf("%q was approved as %q but reads as %q, %v", line, args, words, ok)
	}
	quoted := QuotePowerShell(winExe, args)
	if words, ok := psTokens(quoted); !ok || !slices.Equal(words, append([]string{"&", winExe}, args...)) {
		t.Errorf("%s reads as %q, %v, want %q", quoted, words, ok, args)
	}
	if again, ok := PowerShell(quoted, winExe); !ok || !slices.Equal(again, args) {
		t.Errorf("PowerShell(%s) = %q, %v, want %q", quoted, again, ok, args)
	}
	if got := argv(legacy(args)); !slices.Equal(got, args) {
		t.Errorf("Windows PowerShell 5.1 passes %q on as %q", args, got)
	}
	read(t, line, args)
}

// psTokens splits line by the rules of PowerShell's language specification, 2.3, for text without special meaning,
// and refuses all other text. `&` is a word at the beginning only.
func psTokens(line string) (words []string, ok bool) {
	const single, double, space = "'‘’‚‛", "\"“”„",
		" \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u0085"
	const between, bare, inSingle, inDouble, after = 0, 1, 2, 3, 4
	state := between
	var word []rune
	runes := append([]rune(line), ' ')
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if unicode.IsControl(r) {
			return nil, false
		}
		is := func(set string) bool { return strings.ContainsRune(set, r) }
		switch state {
		case inSingle, inDouble:
			set := single
			if state == inDouble {
				set = double
				if r == '$' || r == '`' {
					return nil, false
				}
			}
			switch {
			case !is(set):
				word = append(word, r)
			case i+1 < len(runes) && strings.ContainsRune(set, runes[i+1]):
				// of two quotes the first one counts, whatever their shapes
				word = append(word, r)
				i++
			default:
				state = after
			}
		case between:
			switch {
			case is(space):
			case r == '&' && len(words) == 0:
				words = append(words, "&")
			case is(single):
				state, word = inSingle, nil
			case is(double):
				state, word = inDouble, nil
			case is("|;<>(){}$`@#,&–—―%*?[]~!"):
				return nil, false
			default:
				state, word = bare, []rune{r}
			}
		default: // bare, after
			switch {
			case is(space):
				words, state = append(words, string(word)), between
			case state == after, is("|;<>(){}$`@#,&%*?[]~!"), is(single), is(double):
				return nil, false
			default:
				word = append(word, r)
			}
		}
	}
	return words, state == between && len(words) > 0
}

// legacy returns the command line that Windows PowerShell 5.1 makes of words: words with white space in quotes, and
// nothing escaped.
func legacy(args []string) string {
	var b strings.Builder
	for _, a := range args {
		switch {
		case a == "":
		case strings.ContainsFunc(a, unicode.IsSpace):
			b.WriteString(` "` + a + `"`)
		default:
			b.WriteString(" " + a)
		}
	}
	return b.String()
}

// argv splits a command line as programs on Windows do.
func argv(line string) (args []string) {
	var word []byte
	started, quoted := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			n := 0
			for i < len(line) && line[i] == '\\' {
				n, i = n+1, i+1
			}
			started = true
			if i < len(line) && line[i] == '"' {
				word = append(word, strings.Repeat(`\`, n/2)...)
				if n%2 == 1 {
					word = append(word, '"')
				} else {
					quoted = !quoted
				}
				continue
			}
			word = append(word, strings.Repeat(`\`, n)...)
			i--
		case c == '"':
			quoted, started = !quoted, true
		case (c == ' ' || c == '\t') && !quoted:
			if started {
				args, word, started = append(args, string(word)), nil, false
			}
		default:
			word, started = append(word, c), true
		}
	}
	if started {
		args = append(args, string(word))
	}
	return args
}
