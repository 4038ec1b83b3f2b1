package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/work"
)

// A failure that nothing overcomes is dropped after so many further commands: one whose command was only written
// wrongly, any other, and one of a check. It is dropped at once after manySteps commits, pushes and pull requests.
const (
	slipFades  = 8
	othersFade = 30
	checksFade = 100
	manySteps  = 3
)

// A failure that was probably overcome, because a check that covers it passed or because git went on, is dropped the
// second time that happens, at the next commit, push or pull request, or after so many further commands: likeFades for
// one of a check, gitFades for any other.
const (
	likeFades = 25
	gitFades  = 5
)

// maxCompared is how much of a command is compared with the failures, in bytes: a script may have any length.
const maxCompared = 4 << 10

// dropOvercome removes from w the failures that cmd overcame. passed says that cmd succeeded.
func dropOvercome(w *work.Work, cmd shellCommand, passed bool) {
	if len(cmd.shown) > maxCompared {
		cmd.shown = cmd.shown[:maxCompared] + "…" // which no failure has
	}
	w.Failures = slices.DeleteFunc(w.Failures, func(f work.Failure) bool {
		failed := keptCommand(f.Cmd)
		// the other form of a command was tried in its place, however it ended
		return (passed || isSlip(f.Line)) && wraps(cmd, failed) ||
			passed && (strings.HasPrefix(cmd.key, f.Key+" -") || strings.HasPrefix(f.Key, cmd.key+" -") ||
				gitAgain(cmd, failed))
	})
	if passed {
		for i := range w.Failures {
			f := &w.Failures[i]
			failed := keptCommand(f.Cmd)
			switch likely := gitWentOn(cmd, failed) || covers(cmd, failed); {
			case likely && f.Over > 0:
				f.Made = w.Made - manySteps
			case likely:
				f.Over, f.Made = w.Ran, w.Made
			}
		}
	}
	w.Failures = slices.DeleteFunc(w.Failures, func(f work.Failure) bool {
		steps, fades, overFades := w.Made-f.Made, othersFade, gitFades
		switch {
		case f.Check:
			fades, overFades = checksFade, likeFades
		case isSlip(f.Line):
			fades = slipFades
		}
		return steps >= manySteps || w.Ran-f.Ran > fades || f.Over > 0 && (steps > 0 || w.Ran-f.Over > overFades)
	})
}

// isSlip reports whether an error line says that only the command was written wrongly.
func isSlip(line string) bool {
	return text.ContainsOne(strings.ToLower(line), "unrecognized", "unknown flag", "unknown option", "unknown command",
		"unknown shorthand", "unknown argument", "unexpected argument", "unexpected option", "invalid option",
		"illegal option", "unknown json field", "no such option", "no such command", "is not a git command",
		"command not found", "usage:", "no matches found:", "parse error", "syntaxerror", "syntax error near",
		"unexpected end of file", "unexpected eof", "unmatched")
}

// wraps reports whether one of two command lines is the other with more words in front. A line of several commands is
// compared with none.
func wraps(cmd, failed shellCommand) bool {
	a, b := splitCommands(withoutOutput(cmd.shown)), splitCommands(withoutOutput(failed.shown))
	if len(a) != 1 || len(b) != 1 {
		return false
	}
	short, long := withoutPrefix(a[0]), withoutPrefix(b[0])
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) > 1 && slices.Equal(short, long[len(long)-len(short):])
}

// gitAgain reports whether cmd does the last thing that git refused in failed.
func gitAgain(cmd, failed shellCommand) bool {
	verb := refusedVerb(failed)
	return text.OneOf(verb, "commit", "push", "pull", "fetch", "add", "checkout", "switch", "tag", "clone") &&
		slices.Contains(gitVerbs(cmd.shown), verb)
}

// gitWentOn reports whether cmd shows that a conflict in failed is settled: git commits or pushes again.
func gitWentOn(cmd, failed shellCommand) bool {
	return text.OneOf(refusedVerb(failed), "commit", "merge", "rebase", "cherry-pick", "am", "revert", "pull", "stash",
		"checkout", "switch", "apply", "reset", "restore") &&
		slices.ContainsFunc(gitVerbs(cmd.shown), func(verb string) bool {
			return text.OneOf(verb, "commit", "merge", "rebase", "cherry-pick", "am", "revert", "push")
		})
}

// refusedVerb returns the last git subcommand of a failed command, "" for a check and a command without git.
func refusedVerb(failed shellCommand) string {
	if verbs := gitVerbs(failed.shown); len(verbs) > 0 && !failed.check {
		return verbs[len(verbs)-1]
	}
	return ""
}
