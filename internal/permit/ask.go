package permit

import (
	"slices"
	"strings"
)

// Asks reports whether line, which [Command] refused, may run a command of memento's that is the person's to allow: one
// that Verbs does not have, or has without those words, or whose words nobody checks.
//
// No answer of Asks lets anything run, so it may be wrong on either side. It reads a line coarsely, as if nothing were
// quoted, and takes every part between the shell's separators for a command: also in `cd x && memento forget y`, in
// `sh -c "memento forget y"` and in a substitution. It does not see a name that the line only makes up as it runs.
//
// exe is the path of this binary.
func Asks(line, exe string) bool {
	// no quotes, backslashes and ends of continued lines, and each redirection as >
	simpler := strings.NewReplacer("$(which memento)", "memento", "$(command -v memento)", "memento",
		"`which memento`", "memento", "\r\n", "\n", "\\\n", " ", "`\n", " ", "'", "", `"`, "", `\`, "",
		"&>", " > ", ">&", " > ", ">>", " > ", ">|", " > ", ">", " > ", "<", " > ")
	line = simpler.Replace(strings.ReplaceAll(line, exe, "memento"))
	isSeparator := func(r rune) bool { return strings.ContainsRune("\n;&|(){}`", r) }
	return slices.ContainsFunc(strings.FieldsFunc(line, isSeparator), func(part string) bool {
		return asksPart(wordsOf(part))
	})
}

// wordsOf returns the words of a part of a line without its redirections.
func wordsOf(part string) (out []string) {
	words := strings.Fields(part)
	for i := 0; i < len(words); i++ {
		isNumber := strings.Trim(words[i], "0123456789") == "" // of a file descriptor
		switch {
		case words[i] == ">":
			i++
		case isNumber && i+1 < len(words) && words[i+1] == ">":
		default:
			out = append(out, words[i])
		}
	}
	return out
}

// asksPart is Asks for the words of one part.
func asksPart(words []string) bool {
	wrapped := false // whether a command may begin behind any word
	for i, word := range words {
		_, value, assigns := strings.Cut(word, "=")
		args := words[i+1:]
		switch {
		case assigns && ours(value): // the name of the command comes from a variable
			return true
		case assigns:
		case ours(word):
			return len(args) > 0 && !slices.Contains(harmless[:], args[0]) && (!allowed(args) || isChecked(args))
		case slices.Contains(wrappers[:], word):
			wrapped = true
		case !wrapped:
			return false
		}
	}
	return false
}

// isChecked reports whether the words of an allowed command count only where somebody checks them: numbers of rules, or
// names of records, which may be another project's.
func isChecked(args []string) bool {
	return (args[0] == "rules" || Verbs()[args[0]].Names) && len(Words(args)) > 0
}

// harmless are the options of memento that stand in the place of a verb.
var harmless = [...]string{"-h", "--help", "-v", "--version"}

// wrappers are words behind which, perhaps after options, a command begins.
var wrappers = [...]string{"!", "builtin", "bash", "bunx", "busybox", "cmd", "command", "dash", "do", "doas", "elif",
	"else", "env", "eval", "exec", "find", "fish", "flock", "if", "ionice", "ksh", "nice", "nohup", "npx", "parallel",
	"powershell", "pwsh", "script", "setsid", "sh", "ssh", "start", "stdbuf", "strace", "su", "sudo", "then", "time",
	"timeout", "until", "watch", "while", "xargs", "zsh"}

// ours reports whether word names memento.
func ours(word string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(word), ".exe"), "memento")
}
