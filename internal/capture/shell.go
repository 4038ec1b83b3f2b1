package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// How much of a failing command and of its error line is kept, in characters.
const (
	maxCmd = 160
	maxWhy = 200
)

// readShell takes in how a shell command ended. A failure stays open until the same command succeeds.
func readShell(w *work.Work, c work.Call, r transcript.Result, ts, root string) (out []deed) {
	cmd := parseCommand(c.Arg)
	cmd.goIn(root)
	if cmd.key == "" || strings.HasPrefix(cmd.key, "memento") {
		return nil // memento's own commands are no part of the work
	}
	output := asShown(bothEnds(r.Text()))
	if strings.Contains(output, "-----BEGIN ") { // the lines of a key are recognised only together
		output = redact.Clean(output)
	}
	w.Ran++
	made := commitsOf(cmd, output)
	w.Made += len(made)
	requests := cmd.calls("pr", "create") || cmd.calls("mr", "create")
	if !r.Failed && (requests || cmd.calls("git", "push")) {
		w.Made++
	}
	failed := r.Failed || cmd.check && cmd.masked && showsFailure(output)
	noteChecks(w, cmd, output, !failed)
	if failed {
		return readFailure(w, c, cmd, output, r.Failed, ts)
	}
	dropOvercome(w, cmd, true)
	w.Succeed(cmd.key, cmd.dir)
	note := func(ref, act, ctx, commit string) {
		out = append(out, deed{ref: ref, done: &journal.Entry{Act: act, Ctx: "tool: " + ctx, TS: ts},
			happened: log.Entry{Kind: log.Committed, Text: commit}})
	}
	if line := verdictIn(output); cmd.check && line != "" {
		out = append(out, deed{ref: c.ID, happened: log.Entry{Kind: log.Ran,
			Text: keptLine(withoutOutput(cmd.shown), maxCmd), Line: oneLine(line, maxWhy)}})
	}
	for _, commit := range made {
		subject := oneLine(commit[1], journal.MaxAct)
		hash := strings.Fields(strings.Trim(commit[0], "[]"))
		note(c.ID, subject, commit[0], hash[len(hash)-1]+" "+subject)
	}
	if subject := givenSubject(cmd.shown); len(made) == 0 && subject != "" && !cmd.masked {
		subject = oneLine(subject, journal.MaxAct)
		w.Made++
		note(c.ID, subject, "git commit succeeded", subject) // and printed nothing
	}
	if requests {
		if url := pullRequest(output); url != "" {
			note(url, "pull request", url, url)
		}
	}
	return out
}

// goIn puts c's folder relative to root, the project's top folder, before what is shown of c. The folder is "" when it
// is the top one, lies outside it or is not known.
func (c *shellCommand) goIn(root string) {
	if absolute(c.dir) {
		c.dir, _ = below(c.dir, slashed(root))
	}
	if strings.ContainsAny(c.dir, "$~`*") || text.BeginsWithOne(c.dir, ".", "-") {
		c.dir = ""
	}
	if c.dir != "" {
		c.there = "cd " + c.dir + " && "
		c.shown = c.there + c.shown
	}
}

// maxCheck is the number of characters kept of a check.
const maxCheck = 60

// noteChecks notes in w how the checks in a command line ended, as far as that is known of each by itself.
func noteChecks(w *work.Work, cmd shellCommand, output string, passed bool) {
	if !cmd.check {
		return
	}
	plain := parseCommand(withoutOutput(cmd.shown))
	checks := slices.DeleteFunc(slices.Clone(plain.commands), func(words []string) bool { return !isCheck(words) })
	known := passed || len(plain.commands) == 1
	if cmd.masked {
		silent := strings.TrimSpace(output) == "" && !strings.Contains(cmd.shown, "grep")
		known = passed && (silent || verdictIn(output) != "") || !passed && showsFailure(output)
	}
	if len(checks) > 1 && (!passed || plain.masked) {
		known = false
	}
	for _, words := range checks {
		if !changesMore(words) {
			w.Check(work.Check{Key: strings.Join(words[:min(keyWords, len(words))], " "), Dir: cmd.dir,
				Cmd: oneLine(cmd.there+strings.Join(words, " "), maxCheck), Passed: known && passed, Unsure: !known})
		}
	}
}

// changesMore reports whether a command of a build tool does more than test, build or lint.
func changesMore(words []string) bool {
	return len(words) > 1 && words[0] == "go" && text.OneOf(words[1], "run", "generate") ||
		slices.ContainsFunc(words[1:], func(w string) bool {
			return slices.ContainsFunc(strings.Split(w, ":"), func(part string) bool {
				return text.OneOf(part, "deploy", "publish", "release", "install", "clean", "migrate", "generate",
					"start", "serve", "dev", "up", "apply", "push")
			})
		})
}

// readFailure takes in a command that failed. failed says that its exit code shows that, not only its output. A command
// that only looked for something tells nothing of the work.
func readFailure(w *work.Work, c work.Call, cmd shellCommand, output string, failed bool, ts string) []deed {
	dropOvercome(w, cmd, false)
	why := whyFailed(output)
	if failed && cmd.onlyLooks() || cmd.check && cmd.masked && why == "" {
		return nil
	}
	f := work.Failure{Key: cmd.key, Dir: cmd.dir, Cmd: keptLine(cmd.shown, maxCmd), Line: oneLine(why, maxWhy), TS: ts,
		Check: cmd.check}
	w.Fail(f)
	return []deed{{ref: c.ID, happened: log.Entry{Kind: log.Ran, Text: f.Cmd, Line: f.Line, Failed: true}}}
}

// commitsOf returns the commits that a command made, as commitsIn does.
func commitsOf(cmd shellCommand, output string) [][2]string {
	if !cmd.calls("commit") && !cmd.calls("git", "revert") && !cmd.calls("git", "cherry-pick") {
		return nil
	}
	made := commitsIn(output)
	if text.ContainsOne(cmd.shown, "--amend", "--fixup") {
		made = made[max(0, len(made)-1):] // the amended commit is gone
	}
	return made
}

// givenSubject returns the subject of the message that a command line gives to git commit, "" where it gives none as
// plain words.
func givenSubject(line string) string {
	isCommit := func(words []string) bool {
		for len(words) > 2 && text.OneOf(words[1], "-C", "-c") {
			words = append(words[:1:1], words[3:]...)
		}
		return len(words) > 1 && words[0] == "git" && words[1] == "commit"
	}
	if !slices.ContainsFunc(parseCommand(line).commands, isCommit) || strings.Contains(line, "--dry-run") {
		return ""
	}
	_, rest, _ := strings.Cut(line, "commit ")
	at := strings.IndexAny(rest, `"'`)
	options := strings.Fields(strings.TrimSuffix(rest[:max(0, at)], "="))
	if len(options) == 0 {
		return ""
	}
	if last := options[len(options)-1]; last != "--message" && (last[0] != '-' || last[len(last)-1] != 'm') {
		return ""
	}
	message := rest[at+1:]
	if strings.HasPrefix(message, "$(cat <<") {
		_, message, _ = strings.Cut(message, "\n")
	}
	subject, _, _ := strings.Cut(message, "\n")
	subject, _, _ = strings.Cut(subject, rest[at:at+1])
	if strings.ContainsAny(subject, "$`") { // the shell puts something else there
		return ""
	}
	return subject
}

// oneLine returns s in one line of at most limit characters, without secrets.
func oneLine(s string, limit int) string {
	s, _ = text.Cut(strings.Join(strings.Fields(redact.Clean(s[:min(len(s), 4*maxArg)])), " "), limit)
	return s
}

// lineEnd stands in a kept command for the end of a line. A space there would make another command.
const lineEnd = " ⏎ "

// keptLine returns a command in one line of at most limit characters, without secrets and with lineEnd between its
// lines, a space within quotation marks. keptCommand reads the result.
func keptLine(cmd string, limit int) string {
	cmd = redact.Clean(cmd[:min(len(cmd), 4*maxArg)])
	var b strings.Builder
	var quote rune
	for _, r := range cmd {
		if quote = quoteAfter(quote, r); r == '\n' && quote == 0 {
			b.WriteString(lineEnd)
		} else {
			b.WriteRune(r)
		}
	}
	end := strings.TrimSpace(lineEnd)
	words := slices.CompactFunc(strings.Fields(b.String()), func(a, b string) bool { return a == end && b == end })
	cmd, _ = text.Cut(strings.Trim(strings.Join(words, " "), lineEnd), limit)
	return cmd
}

// keptCommand parses a command that keptLine returned.
func keptCommand(cmd string) shellCommand {
	return parseCommand(strings.ReplaceAll(cmd, lineEnd, "\n"))
}

// A failure stays until its command succeeds, whatever its last arguments. After so many further commands, or manySteps
// commits, pushes and pull requests, it is dropped: by then it was overcome another way.
const (
	othersFade = 30
	checksFade = 100
	manySteps  = 3
)

// dropOvercome removes from w the failures that cmd overcame. passed says that cmd succeeded.
func dropOvercome(w *work.Work, cmd shellCommand, passed bool) {
	w.Failures = slices.DeleteFunc(w.Failures, func(f work.Failure) bool {
		fades := othersFade
		if f.Check {
			fades = checksFade
		}
		return w.Made-f.Made >= manySteps || w.Ran-f.Ran > fades ||
			passed && work.MayBeSame(f.Dir, cmd.dir) &&
				(strings.HasPrefix(cmd.key, f.Key+" -") || strings.HasPrefix(f.Key, cmd.key+" -"))
	})
}
