package capture

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// masked reports whether another command may have the last word on how c ended: what it is piped into, what follows.
func (c shellCommand) masked() bool {
	return strings.ContainsAny(redirections.Replace(outsideQuotes(c.shown)), "|;&\n")
}

// outsideQuotes returns what of a command line stands outside quotes.
func outsideQuotes(line string) string {
	var b strings.Builder
	var quote rune
	for _, r := range line {
		before := quote
		if quote = quoted(quote, r); quote == 0 && before == 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// calls reports whether a command line runs a command with these words side by side: more than a command that shows
// files or words, which prints them without doing them.
func calls(line string, words ...string) bool {
	for _, all := range commandsIn(line) {
		if text.OneOf(program(all), "cat", "bat", "grep", "egrep",
			"rg",
			"ag", "sed", "awk", "head", "tail", "less", "more", "echo", "printf", "ls", "find", "fd", "diff", "jq",
			"wc", "sort", "strings") {
			continue
		}
		for i := range all {
			if len(all)-i >= len(words) && slices.Equal(all[i:i+len(words)], words) {
				return true
			}
		}
	}
	return false
}

// plain returns an output as a terminal would show it: without colours and other escape sequences, and of a line that
// was drawn again and again over itself, as progress bars are, the last.
func plain(output string) string {
	if strings.IndexByte(output, escape) < 0 && strings.IndexByte(output, '\r') < 0 {
		return output
	}
	var b strings.Builder
	b.Grow(len(output))
	for line := range strings.Lines(output) {
		line, ended := strings.CutSuffix(line, "\n")
		line = strings.TrimRight(line, "\r")
		line = line[strings.LastIndexByte(line, '\r')+1:]
		for at := strings.IndexByte(line, escape); at >= 0; at = strings.IndexByte(line, escape) {
			b.WriteString(line[:at])
			line = line[at+sequence(line[at:]):]
		}
		b.WriteString(line)
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

const escape = 0x1b

// sequence returns the length of the escape sequence that s begins with.
func sequence(s string) int {
	switch {
	case len(s) < 2:
		return len(s)
	case s[1] == '[': // a colour, a move: ends with a letter
		for i := 2; i < len(s); i++ {
			if s[i] >= '@' && s[i] <= '~' {
				return i + 1
			}
		}
		return len(s)
	case s[1] == ']': // a title, a link: ends with a bell or another escape
		if i := strings.IndexAny(s[2:], "\a\x1b"); i >= 0 {
			if s[2+i] == escape {
				i++
			}
			return min(len(s), 2+i+1)
		}
		return len(s)
	}
	return 2
}

// script reports whether the arguments of a package manager name a script that checks something.
func script(args []string) bool {
	for _, w := range args {
		if strings.HasPrefix(w, "-") || text.OneOf(w, "run", "exec", "workspace") {
			continue
		}
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if text.OneOf(part, "test", "tests", "build", "lint", "typecheck", "check", "tsc", "jest", "vitest",
				"eslint",
				"playwright", "e2e", "ci", "compile", "format", "fmt") {
				return true
			}
		}
	}
	return false
}

// complains reports whether a check's output says that it failed, though it was piped into something that did not.
func complains(output string) bool {
	// each line that complains has one
	for _, mark := range [...]string{"FAIL", "ERR", "panic: ", "rror", "fail", "Fail", "ssue", "problem"} {
		if _, _, ok := lineWith(output, mark, bad); ok {
			return true
		}
	}
	return false
}

// lineWith finds the last line of s that holds mark and passes test, and returns its place. Most lines of an output
// hold no mark, and are not looked at: outputs are long.
func lineWith(s, mark string, test func(line string) bool) (from, to int, ok bool) {
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return from, to, ok
		}
		// a mark may begin with the end of the line before
		begin, end := strings.LastIndexByte(s[:at+i+1], '\n')+1, len(s)
		if s[at+i] == '\n' {
			begin = at + i + 1
		}
		if n := strings.IndexByte(s[begin:], '\n'); n >= 0 {
			end = begin + n
		}
		if test(strings.TrimSpace(s[begin:end])) {
			from, to, ok = begin, end, true
		}
		at = max(end, at+i+len(mark))
	}
}

// bad reports whether a line says that something failed.
func bad(l string) bool {
	return strings.HasPrefix(l, "--- FAIL") || strings.HasPrefix(l, "FAIL\t") || l == "FAIL" ||
		strings.HasPrefix(l, "FAIL ") || strings.Contains(l, "BUILD FAILED") || strings.HasPrefix(l, "panic: ") ||
		strings.Contains(l, "error TS") || strings.HasPrefix(l, "npm ERR!") || strings.HasPrefix(l, "error:") ||
		strings.HasPrefix(l, "error[") || strings.Contains(l, "FAILED") ||
		strings.Contains(l, "ERROR task failed") ||
		strings.Contains(l, ": error: ") || strings.HasPrefix(strings.ToLower(l), "build failed") ||
		strings.HasPrefix(l, "Testing failed") ||
		counted(l, "failed") || counted(l, "failing") || counted(l, "failures") || found(l)
}

// found reports whether a line is a linter's count of what it found: "3 issues:", "Found 2 errors.", "✖ 4 problems".
func found(line string) bool {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "✖ "), "Found ")
	n, rest, ok := strings.Cut(line, " ")
	if !ok || strings.Trim(n, "0123456789") != "" || strings.Trim(n, "0") == "" {
		return false
	}
	what, _, _ := strings.Cut(rest, " ")
	return text.OneOf(strings.Trim(what, ":.,;"), "issue", "issues", "error", "errors", "problem", "problems")
}

// counted reports whether a line counts more than none of them: "3 failed", not "0 failed".
func counted(line, what string) bool {
	for rest := line; ; {
		i := strings.Index(rest, " "+what)
		if i < 0 {
			return false
		}
		n := strings.TrimLeft(lastWord(rest[:i]), "0")
		if n != "" && strings.Trim(n, "0123456789") == "" {
			return true
		}
		rest = rest[i+1+len(what):]
	}
}

func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) })+1:]
}

// maxOutput bounds in bytes how much of an output is looked at, from each end.
const maxOutput = 256 << 10

// whyFailed returns the line of a failed command's output that says what went wrong: the first that names an error in
// more than one word, else the first that names one, else the first that says no in other words, else the only line
// there is; "" when none does. Go names the test in one line and says what is wrong with it in the next, which is
// indented: there it is both, in one. That something looked for is not there counts last.
func whyFailed(output string, cmd shellCommand) string {
	bare, test, weak, missing, only, n := "", "", "", "", "", 0
	for whole := range strings.Lines(output[:min(len(output), maxOutput)]) {
		l := strings.TrimSpace(whole)
		if test != "" && !strings.HasPrefix(l, "--- FAIL: ") { // which may be a part of that test
			if strings.HasPrefix(whole, "    ") && strings.Contains(l, ".go:") {
				return test + " " + l
			}
			return test
		}
		if !says(l) {
			continue
		}
		if n++; only == "" {
			only = l
		}
		low := strings.ToLower(l)
		switch {
		case harmless(low) || passing(l) || excerpt(l):
		case blames(low):
			switch {
			case strings.HasPrefix(l, "--- FAIL: "):
				test = l
			case notThere(l, cmd):
				missing = cmp.Or(missing, l)
			case logged(l):
				weak = cmp.Or(weak, l)
			case strings.ContainsAny(l, " \t"):
				return l
			default:
				bare = cmp.Or(bare, l)
			}
		case weak == "" && objects(low):
			weak = l
		}
	}
	if n > 1 {
		only = ""
	}
	return cmp.Or(test, bare, weak, missing, only)
}

// says reports whether a line of an output says anything: it is no rule, bracket or bar, not the command, echoed, and
// no heading that the command itself printed.
func says(l string) bool {
	if strings.HasPrefix(l, exitCode) || strings.HasPrefix(l, "> ") || strings.HasPrefix(l, "$ ") {
		return false
	}
	for _, mark := range [...]string{"---", "===", "***", "###"} {
		if strings.HasPrefix(l, mark) && strings.HasSuffix(l, mark) {
			return false
		}
	}
	letters := 0
	for _, r := range l {
		switch {
		case r >= 0x2580 && r <= 0x259f, r >= 0x2800 && r <= 0x28ff: // of a bar, or a wheel that turns
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters > 2
}

// passing reports whether a line says that a part of a check passed, whatever that part is called.
func passing(l string) bool {
	if text.BeginsWithOne(l, "ok ", "PASS", "(pass)", "✓", "✔", "--- PASS", "Auto-merging ") {
		return true
	}
	return strings.HasSuffix(l, "... ok") || strings.HasSuffix(l, " PASSED")
}

// excerpt reports whether a line is one of a source file, which is shown beside an error.
func excerpt(l string) bool {
	for _, begin := range [...]string{"raise ", "throw ", `File "`} {
		if strings.HasPrefix(l, begin) {
			return true
		}
	}
	rest := strings.TrimLeft(l, "0123456789> ")
	return len(rest) < len(l) && (strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, "│")) ||
		strings.HasSuffix(l, ";") || strings.HasSuffix(l, "{")
}

// logged reports whether a line begins with a time, as what a program notes while it runs does: tests that pass log
// errors too.
func logged(l string) bool {
	l = strings.TrimLeft(l, "[(")
	return len(l) > 5 && l[0] >= '0' && l[0] <= '9' && (l[2] == ':' && l[5] == ':' ||
		l[4] == '-' && strings.Trim(l[:4], "0123456789") == "")
}

// objects reports whether a line, in lower case, says no without naming an error.
func objects(line string) bool {
	return text.ContainsOne(line, "conflict", "could not", "couldn't", "can't", "unable to", "unknown", "invalid",
		"illegal", "unexpected", "unrecognized", "missing", "required", "rejected", "refused", "aborted", "timed out",
		"timeout", "killed", "not allowed", "not a ", "none of", "no such", "nothing to", "no changes added", "must ",
		"would be", "expected", "no match", "is not ")
}

// refused reports whether an output says, in a line that begins with it, that something went wrong.
func refused(output string) bool {
	for l := range strings.Lines(output[:min(len(output), maxOutput)]) {
		if text.BeginsWithOne(l, "error:", "fatal:", "CONFLICT", "! [", " ! [", "Error:") {
			return true
		}
	}
	return false
}

// readsLast reports whether the last word on how a command line ended is that of a command that only reads.
func readsLast(cmd shellCommand) bool {
	all := simple(cmd.shown)
	last := bare(all[len(all)-1])
	return len(last) > 0 && onlyReads(last)
}

// blames reports whether a line, in lower case, names an error.
func blames(line string) bool {
	return text.ContainsOne(line, "error", "fail", "panic", "fatal", "not found", "undefined", "exception", "cannot",
		"denied", "no such file")
}

// harmless reports whether a line, in lower case, only counts errors that are not there.
func harmless(line string) bool {
	for _, w := range [...]string{"0 error", "0 fail", "no error", "no fail", "errors: 0", "failed: 0", "failures: 0",
		"without error"} {
		if i := strings.Index(line, w); i >= 0 && (i == 0 || !unicode.IsDigit(rune(line[i-1]))) {
			return true
		}
	}
	return false
}

// verdict returns the line of a passed check's output that sums it up, "" when there is none: the last that says so.
func verdict(output string) string {
	output = "\n" + output[max(0, len(output)-maxOutput):]
	last, out := 0, ""
	// each line that sums up has one
	for _, mark := range [...]string{"\nok ", "pass", "Pass", "PASS", "ucceeded", "UCCEEDED", "ssues", "ompiled s",
		"esult: ok", "inished `", "uilt in"} {
		if from, to, ok := lineWith(output, mark, sumsUp); ok && from >= last {
			last, out = from, strings.Trim(strings.TrimSpace(output[from:to]), "=-*# ")
		}
	}
	return out
}

// sumsUp reports whether a line says that a check passed.
func sumsUp(l string) bool {
	if l == "" || text.Runes(l) > 200 {
		return false
	}
	low := strings.ToLower(l)
	return strings.HasPrefix(l, "ok \t") || strings.HasPrefix(l, "ok  \t") || counted(low, "passed") ||
		counted(low, "passing") || counted(low, "tests passed") ||
		strings.Contains(low, "build succeeded") || strings.Contains(low, "test succeeded") ||
		strings.Contains(low, "all checks passed") || strings.Contains(low, "no issues found") ||
		strings.Contains(low, "0 issues") ||
		strings.Contains(low, "compiled successfully") || strings.HasPrefix(low, "test result: ok") ||
		strings.HasPrefix(low, "tests:") && strings.Contains(low, "passed") ||
		strings.HasPrefix(low, "finished `") ||
		strings.Contains(low, "built in") || low == "pass"
}

// commits returns what git printed for the commits made, each "[branch 1a2b3c4] subject" in two parts.
func commits(output string) (out [][2]string) {
	for l := range strings.Lines(output[:min(len(output), maxOutput)]) {
		l = strings.TrimSpace(l)
		inner, rest, ok := strings.Cut(strings.TrimPrefix(l, "["), "] ")
		if !ok || !strings.HasPrefix(l, "[") || rest == "" {
			continue
		}
		words := strings.Fields(inner)
		if len(words) < 2 {
			continue
		}
		hash := words[len(words)-1]
		if len(hash) >= 7 && len(hash) <= 40 && strings.Trim(hash, "0123456789abcdef") == "" {
			out = append(out, [2]string{"[" + inner + "]", rest})
		}
	}
	return out
}

// pullRequest returns the address of a pull or merge request that a command printed.
func pullRequest(output string) string {
	for _, w := range strings.Fields(output[max(0, len(output)-maxOutput):]) {
		if strings.HasPrefix(w, "https://") && (strings.Contains(w, "/pull/") ||
			strings.Contains(w, "/merge_requests/") || strings.Contains(w, "/pull-requests/")) && len(w) <= maxURL {
			return strings.TrimRight(w, ".,)")
		}
	}
	return ""
}
