package permit

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the largest line, in bytes, that Command reads, and the largest that [Quote] may make of an approved
// line.
const maxLine = 16 << 10

// Command reports whether line is one simple command that may run without a dialog. It returns the words behind the
// program's name, as a shell would pass them.
//
// The program is `memento` or exe, the absolute path of this binary, each bare or in one pair of quotes, or exe as
// [Quote] spells it. The first word behind the program is a verb of [Verbs], and the verb must allow the others.
// Every word is literal: no expansion, glob, redirection or second command anywhere, no assignment, no comment and no
// control character (so no newline and no tab). Command approves no line whose quoted form it would refuse.
func Command(line, exe string) (args []string, ok bool) {
	if len(line) > maxLine || !clean(line) || !clean(exe) || !absolute(exe) {
		return nil, false
	}
	line = strings.Trim(line, " ")
	name, ok := program(line, exe)
	if !ok {
		return nil, false
	}
	words, ok := literals(line)
	if !ok || len(words) < 2 || words[0] != name {
		return nil, false
	}
	args = words[1:]
	if !allowed(args) || len(Quote(exe, args)) > maxLine {
		return nil, false
	}
	return args, true
}

// clean reports whether s is UTF-8 without control characters.
func clean(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// program returns the name of memento that line starts with, in plain spelling and with a space behind it. `\memento`
// is refused: it asks for a particular meaning of the name.
func program(line, exe string) (name string, ok bool) {
	for _, name := range []string{"memento", exe} {
		for _, spelling := range []string{name, `'` + name + `'`, `"` + name + `"`, Quote(name, nil)} {
			if strings.HasPrefix(line, spelling+" ") {
				return name, true
			}
		}
	}
	return "", false
}

// literals returns the words of line, if line is one simple command of literal words and nothing else. The line has
// no space at either end.
//
// literals does not know the grammar of any shell. Outside quotes it takes only characters without a meaning in every
// shell, so that no other syntax can occur. Tests compare every line that it takes with a parser of bash's grammar.
func literals(line string) (words []string, ok bool) {
	for line != "" {
		var word string
		if word, line, ok = literal(line); !ok {
			return nil, false
		}
		words = append(words, word)
		line = strings.TrimLeft(line, " ")
	}
	return words, len(words) > 0
}

// literal takes the first word off line. No shell would expand any part of the word: each part is bare, escaped, or
// in single or double quotes.
func literal(line string) (word, rest string, ok bool) {
	var b strings.Builder
	for line != "" && line[0] != ' ' {
		switch line[0] {
		case '\'':
			inner, behind, ended := strings.Cut(line[1:], "'")
			if !ended {
				return "", "", false
			}
			b.WriteString(inner)
			line = behind
		case '"':
			if line, ok = double(&b, line[1:]); !ok {
				return "", "", false
			}
		case '\\':
			r, size := utf8.DecodeRuneInString(line[1:])
			if size == 0 {
				return "", "", false
			}
			b.WriteRune(r)
			line = line[1+size:]
		default:
			r, size := utf8.DecodeRuneInString(line)
			if !plain(r) && !(r == '=' && assigns(b.String())) {
				return "", "", false
			}
			b.WriteRune(r)
			line = line[size:]
		}
	}
	return b.String(), line, true
}

// assigns reports whether an `=` behind word has no meaning. At the beginning of a word, and behind a colon or
// another `=`, zsh replaces `=NAME` by the path of a command.
func assigns(word string) bool {
	return word != "" && !strings.HasSuffix(word, ":") && !strings.HasSuffix(word, "=")
}

// plain reports whether r has no meaning outside quotes. It lists the few ASCII signs without one; so globs, braces,
// ~, ^, # and ! need no rules. Beyond ASCII it takes every visible character, and refuses spaces and invisible ones.
func plain(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	case r < utf8.RuneSelf:
		return strings.ContainsRune("_./:@%+,-", r)
	}
	return unicode.IsPrint(r)
}

// double copies line to b up to the double quote that ends the string, and returns the text behind that quote. A
// backslash escapes four characters and is plain text before any other.
func double(b *strings.Builder, line string) (rest string, ok bool) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return line[i+1:], true
		case c == '$', c == '`':
			return "", false
		case c == '\\' && i+1 < len(line) && strings.IndexByte("\\\"$`", line[i+1]) >= 0:
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// allowed reports whether args are a verb and the words and flags that it allows. It refuses what another reader
// could read differently: any word that looks like a flag and is none of the verb's, also as a value or behind `--`,
// and a value for a flag that needs none.
func allowed(args []string) bool {
	_, ok := parse(args)
	return ok
}

// Words returns the places in args, as [Command] returned them, of the words that are neither the verb nor a part of
// a flag.
func Words(args []string) []int {
	words, _ := parse(args)
	return words
}

// parse finds the words and flags in args as package flag does, and also takes flags behind words.
func parse(args []string) (words []int, ok bool) {
	spec, ok := Verbs()[args[0]]
	if !ok {
		return nil, false
	}
	ended := false
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" && !ended {
			ended = true
			continue
		}
		if ended || a == "-" || !strings.HasPrefix(a, "-") {
			if flagged(a) || words == nil && spec.First != nil && !slices.Contains(spec.First, a) {
				return nil, false
			}
			words = append(words, i)
			continue
		}
		name, _, assigned := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		switch isValue, isBool := slices.Contains(spec.Value, name), slices.Contains(spec.Bool, name); {
		case isValue && assigned:
		case isValue:
			if i++; i == len(args) || flagged(args[i]) {
				return nil, false
			}
		case isBool && !assigned:
		case !assigned && (name == "h" || name == "help"):
		default:
			return nil, false
		}
	}
	most := spec.Words
	if len(words) > 0 && slices.Contains(spec.Lead, args[words[0]]) {
		most++
	}
	return words, spec.Words == Any || len(words) <= most
}

// flagged reports whether a could be taken for a flag. `-`, `- item` and `-3 %` could not.
func flagged(a string) bool {
	return len(a) > 1 && a[0] == '-' && !strings.ContainsRune(" 0123456789", rune(a[1]))
}

// Quote returns a shell line that runs exe with args. Every word stands in single quotes, so that bash, dash and zsh
// pass on the same bytes, whatever their options. Plain words stand in quotes too, since zsh expands a global alias
// in the place of any bare word. A word holds no NUL, since no program can get one.
//
// A single quote in a word stands outside the quotes, behind a backslash; so no two quotes meet inside quotes, which
// zsh with RC_QUOTES reads as one.
func Quote(exe string, args []string) string {
	line := ""
	for _, word := range append([]string{exe}, args...) {
		line += ` '` + strings.ReplaceAll(word, `'`, `'\''`) + `'`
	}
	return line[1:]
}

// absolute reports whether path is absolute, on this system or on Windows. It goes by the form and not by the system,
// so that tests can try the rules of Windows elsewhere; no absolute path of another system has this form.
func absolute(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, `\\`) || len(path) > 3 && 'A' <= path[0]&^0x20 &&
		path[0]&^0x20 <= 'Z' && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}
