package permit

import (
	"slices"
	"strings"
)

// Asks reports whether line, which [Command] refused, may run a command of memento's that is the
// person's to allow: one that Verbs does not have, or has without those words.
//
// No answer of Asks lets anything run, so it may be wrong on either side. It reads a line coarsely, as if nothing were
// quoted, and takes every part between the shell's separators for a command: also in `cd x && memento forget y`, in
// `sh -c "memento forget y"` and in a substitution. It does not see a name that the line only makes up as it runs.
//
// exe is the path of this binary.
func Asks(line, exe string) bool {
	starts, wrapped := true, false // whether a word could name the command, and whether it could until the part ends
	words := coarse(strings.ReplaceAll(line, exe, "memento"))
	for i := 0; i < len(words); i++ {
		word := words[i]
		_, value, assigns := strings.Cut(word, "=")
		switch {
		case word == end:
			starts, wrapped = true, false
		case word == redirects:
			if i+1 < len(words) && words[i+1] != end {
				i++
			}
		case !starts && !wrapped:
		case assigns:
			if ours(value) { // the name of the command comes from a variable
				return true
			}
		case ours(word):
			if args := call(words[i+1:]); len(args) > 0 && !slices.Contains(harmless[:], args[0]) && !allowed(args) {
				return true
			}
			starts, wrapped = false, false
		default:
			starts, wrapped = false, wrapped || slices.Contains(wrappers[:], word)
		}
	}
	return false
}

// harmless are the options of memento that stand in the place of a verb.
var harmless = [...]string{"-h", "--help", "-v", "--version"}

// wrappers are words behind which, perhaps after options, a command begins.
var wrappers = [...]string{"!", "builtin", "bash", "cmd", "command", "dash", "do", "doas", "elif", "else", "env", "eval",
	"exec", "find", "if", "nice", "nohup", "parallel", "powershell", "pwsh", "setsid", "sh", "start", "stdbuf", "sudo",
	"then", "time", "timeout", "until", "watch", "while", "xargs", "zsh"}

// ours reports whether word names memento.
func ours(word string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(word), ".exe"), "memento")
}

// call returns the arguments at the beginning of words.
func call(words []string) (args []string) {
	for i := 0; i < len(words) && words[i] != end; i++ {
		if words[i] == redirects {
			i++
			continue
		}
		args = append(args, words[i])
	}
	return args
}

// end and redirects stand in the result of coarse for a separator and a redirection.
const end, redirects = ";", ">"

// coarse splits line into words, without its quotes and backslashes.
func coarse(line string) (words []string) {
	var word []byte
	flush := func(sign string) {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		if word = nil; sign != "" {
			words = append(words, sign)
		}
	}
	line = strings.NewReplacer("\r\n", "\n", "\\\n", " ", "`\n", " ").Replace(line)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t':
			flush("")
		case '\n', ';', '&', '|', '(', ')', '{', '}', '`':
			flush(end)
		case '<', '>':
			if strings.Trim(string(word), "0123456789") == "" {
				word = nil // the number of a file descriptor
			}
			flush(redirects)
			for i+1 < len(line) && strings.IndexByte("<>&| ", line[i+1]) >= 0 {
				i++
			}
		case '\'', '"', '\\':
		default:
			word = append(word, c)
		}
	}
	flush("")
	return words
}
