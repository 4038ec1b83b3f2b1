package capture

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// maxOutput is how much of an output is read from each of its ends, in bytes.
const maxOutput = 256 << 10

// bothEnds returns the beginning and the end of a long output: the result of a command stands there.
func bothEnds(output string) string {
	if len(output) > 2*maxOutput {
		output = output[:maxOutput] + "\n" + output[len(output)-maxOutput:]
	}
	return output
}

// asShown returns an output as a terminal shows it: without escape sequences. Of a line that was drawn several times
// over itself, such as a progress bar, only the last drawing stays.
func asShown(output string) string {
	if !strings.ContainsAny(output, "\x1b\r") {
		return output
	}
	var b strings.Builder
	for line := range strings.Lines(output) {
		drawn := strings.TrimRight(line, "\r\n")
		drawn = drawn[strings.LastIndexByte(drawn, '\r')+1:]
		for found := true; found; {
			var before string
			before, drawn, found = strings.Cut(drawn, "\x1b")
			b.WriteString(before)
			drawn = behindEscape(drawn)
		}
		b.WriteString(line[len(strings.TrimRight(line, "\n")):])
	}
	return b.String()
}

// behindEscape returns what follows an escape sequence whose first byte was cut off: a colour or a move ends with a
// letter, a title or a link with a bell or with a sequence of its own, any other is one byte long.
func behindEscape(s string) string {
	switch {
	case strings.HasPrefix(s, "["):
		s = strings.TrimLeftFunc(s[1:], func(r rune) bool { return r < '@' || r > '~' })
	case strings.HasPrefix(s, "]"):
		s = strings.TrimLeftFunc(s, func(r rune) bool { return r != '\a' && r != '\x1b' })
		s = strings.TrimPrefix(s, "\x1b")
	}
	return s[min(len(s), 1):]
}

// showsFailure reports whether the output of a check has a line that says the check failed. It matters when the exit
// code is that of another command.
func showsFailure(output string) bool {
	for line := range strings.Lines(output) {
		l := strings.TrimSpace(line)
		if l == "FAIL" || text.BeginsWithOne(l, "--- FAIL", "FAIL\t", "FAIL ", "panic: ", "npm ERR!", "error:", "error[",
			"Testing failed") || text.ContainsOne(l, "FAILED", "error TS", "ERROR task failed", ": error: ") ||
			len(l) >= 12 && strings.EqualFold(l[:12], "build failed") ||
			countsSome(l, "failed") || countsSome(l, "failing") || countsSome(l, "failures") ||
			countsSome(l, "issues") || countsSome(l, "problems") {
			return true
		}
	}
	return false
}

// countsSome reports whether a line counts at least one of thing: "3 failed", not "0 failed".
func countsSome(line, thing string) bool {
	for {
		before, rest, ok := strings.Cut(line, " "+thing)
		if !ok {
			return false
		}
		isBreak := func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) }
		count := before[strings.LastIndexFunc(before, isBreak)+1:]
		if strings.Trim(count, "0123456789") == "" && strings.Trim(count, "0") != "" {
			return true
		}
		line = rest
	}
}

// How well a line says why a command failed.
const (
	anyLine   = iota + 1 // it has words
	someFault            // it says no without naming an error, or is the name of an error alone
	fullError            // it names an error in more than one word
)

// goFailure begins the line in which Go names a test that failed. Behind it come its subtests, then indented lines that
// say why.
const goFailure = "--- FAIL: "

// whyFailed returns the line of a failed command's output that says best why it failed, the first of such lines; "" for
// none. For a Go test it joins the name and the line behind. A line that says nothing of an error is returned only when
// it stands alone.
func whyFailed(output string) string {
	why, best, count, test := "", 0, 0, ""
	for whole := range strings.Lines(output[:min(len(output), maxOutput)]) {
		l := strings.TrimSpace(whole)
		if test != "" && !strings.HasPrefix(l, goFailure) {
			if strings.HasPrefix(whole, "    ") && strings.Contains(l, ".go:") {
				test += " " + l
			}
			break
		}
		if !hasWords(l) {
			continue
		}
		count++
		if strings.HasPrefix(l, goFailure) {
			test = l
			continue
		}
		if rank := rankLine(l); rank > best {
			why, best = l, rank
		}
		if best == fullError {
			break
		}
	}
	switch {
	case test != "":
		return test
	case best == anyLine && count > 1:
		return ""
	}
	return why
}

// rankLine returns how well a line says why a command failed.
func rankLine(l string) int {
	switch low := strings.ToLower(l); {
	case countsNoErrors(low) || saysPassed(l):
	case text.ContainsOne(low, "error", "fail", "panic", "fatal", "not found", "undefined", "exception", "cannot",
		"denied", "no such file"):
		if strings.ContainsAny(l, " \t") {
			return fullError
		}
		return someFault
	case text.ContainsOne(low, "conflict", "could not", "couldn't", "can't", "unable to", "unknown", "invalid",
		"illegal", "unexpected", "unrecognized", "missing", "required", "rejected", "refused", "aborted", "timed out",
		"timeout", "killed", "not allowed", "not a ", "none of", "no such", "nothing to", "no changes added", "must ",
		"would be", "expected", "no match", "is not "):
		return someFault
	}
	return anyLine
}

// hasWords reports whether a line of an output says anything. A ruled heading, a progress bar and an echoed command do
// not.
func hasWords(l string) bool {
	if text.BeginsWithOne(l, transcript.ExitCode, "> ", "$ ") {
		return false
	}
	for _, rule := range [...]string{"---", "===", "***", "###"} {
		if strings.HasPrefix(l, rule) && strings.HasSuffix(l, rule) {
			return false
		}
	}
	letters := 0
	for _, r := range l {
		switch {
		case r >= 0x2580 && r <= 0x259f, r >= 0x2800 && r <= 0x28ff: // blocks of a bar, dots of a spinner
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters > 2
}

// saysPassed reports whether a line says that a part of a check passed. The part's name may hold the word "error".
func saysPassed(l string) bool {
	return text.BeginsWithOne(l, "ok ", "PASS", "(pass)", "✓", "✔", "--- PASS", "Auto-merging ") ||
		strings.HasSuffix(l, "... ok") || strings.HasSuffix(l, " PASSED")
}

// countsNoErrors reports whether a line, in lower case, says that there were no errors.
func countsNoErrors(line string) bool {
	for _, w := range [...]string{"0 error", "0 fail", "no error", "no fail", "errors: 0", "failed: 0", "failures: 0",
		"without error"} {
		if i := strings.Index(line, w); i >= 0 && (i == 0 || !unicode.IsDigit(rune(line[i-1]))) {
			return true
		}
	}
	return false
}

// verdictIn returns the last line of a passed check's output that says it passed, "" for none.
func verdictIn(output string) string {
	lines := strings.Split(output[max(0, len(output)-maxOutput):], "\n")
	for _, line := range slices.Backward(lines) {
		if l := strings.TrimSpace(line); saysAllPassed(l) {
			return strings.Trim(l, "=-*# ")
		}
	}
	return ""
}

// saysAllPassed reports whether a line of at most 200 characters says that a whole check passed.
func saysAllPassed(l string) bool {
	if text.Runes(l) > 200 {
		return false
	}
	low := strings.ToLower(l)
	return low == "pass" || text.BeginsWithOne(l, "ok \t", "ok  \t") ||
		text.BeginsWithOne(low, "test result: ok", "finished `") ||
		text.ContainsOne(low, "build succeeded", "test succeeded", "all checks passed", "no issues found", "0 issues",
			"compiled successfully", "built in") ||
		strings.HasPrefix(low, "tests:") && strings.Contains(low, "passed") ||
		countsSome(low, "passed") || countsSome(low, "passing") || countsSome(low, "tests passed")
}

// commitsIn returns the commits that git reported: of each "[branch 1a2b3c4] subject" the bracket and the subject.
func commitsIn(output string) (out [][2]string) {
	for l := range strings.Lines(output[:min(len(output), maxOutput)]) {
		bracket, subject, ok := strings.Cut(strings.TrimSpace(l), "] ")
		words := strings.Fields(strings.TrimPrefix(bracket, "["))
		if !ok || bracket == "" || bracket[0] != '[' || subject == "" || len(words) < 2 {
			continue
		}
		hash := words[len(words)-1]
		if len(hash) >= 7 && len(hash) <= 40 && strings.Trim(hash, "0123456789abcdef") == "" {
			out = append(out, [2]string{bracket + "]", subject})
		}
	}
	return out
}

// pullRequest returns the address of a pull or merge request that a command printed, "" for none.
func pullRequest(output string) string {
	for _, w := range strings.Fields(output[max(0, len(output)-maxOutput):]) {
		if len(w) <= maxURL && strings.HasPrefix(w, "https://") &&
			text.ContainsOne(w, "/pull/", "/merge_requests/", "/pull-requests/") {
			return strings.TrimRight(w, ".,)")
		}
	}
	return ""
}
