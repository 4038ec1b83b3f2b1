package permit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// PowerShell is [Command] for a line of PowerShell: one simple command of literal words that may run without a
// dialog.
//
// The program is `memento`, or exe, the absolute path of this binary; a path, or a name in quotes, stands behind `&`.
// A word is bare, of letters, digits and a few signs, or in one pair of quotes from its first character to its last.
// A word holds nothing that PowerShell would expand, no second command, no stop-parsing sign, and no control
// character.
//
// PowerShell refuses some words that [Command] takes, because Windows PowerShell 5.1 does not pass them on as they
// are: it leaves out an empty word, and a word with a double quote in it, or a backslash at its end, may join or
// split the words behind it. Quoting cannot help, since newer versions pass such words on unchanged. The rules come
// from the language's specification; no PowerShell has run them.
func PowerShell(line, exe string) (args []string, ok bool) {
	if len(line) > maxLine || !clean(line) || !clean(exe) || !absolute(exe) || strings.ContainsRune(exe, '"') {
		return nil, false
	}
	line = strings.Trim(line, " ")
	call := strings.HasPrefix(line, "&")
	words, quoted, ok := psWords(strings.TrimLeft(strings.TrimPrefix(line, "&"), " "))
	if !ok || len(words) < 2 || !psProgram(words[0], exe) || quoted && !call {
		return nil, false
	}
	args = words[1:]
	for _, a := range args {
		if a == "" || strings.ContainsRune(a, '"') || strings.HasSuffix(a, `\`) {
			return nil, false
		}
	}
	if !allowed(args) || len(QuotePowerShell(exe, args)) > maxLine {
		return nil, false
	}
	return args, true
}

// QuotePowerShell returns a line that runs exe with args in PowerShell: every word in single quotes, in which
// PowerShell expands nothing. PowerShell takes typographic quotes for quotes too, so QuotePowerShell doubles them as
// well.
func QuotePowerShell(exe string, args []string) string {
	var b strings.Builder
	b.WriteString("& ")
	psQuote(&b, exe)
	for _, a := range args {
		b.WriteByte(' ')
		psQuote(&b, a)
	}
	return b.String()
}

func psQuote(b *strings.Builder, word string) {
	b.WriteByte('\'')
	for _, q := range [...]string{"'", "\u2018", "\u2019", "\u201a", "\u201b"} {
		word = strings.ReplaceAll(word, q, q+q)
	}
	b.WriteString(word)
	b.WriteByte('\'')
}

// psSingle and psDouble report whether PowerShell takes r for a quote.
func psSingle(r rune) bool { return r == '\'' || '\u2018' <= r && r <= '\u201b' }
func psDouble(r rune) bool { return r == '"' || '\u201c' <= r && r <= '\u201e' }

// psProgram reports whether word names this binary. It ignores case and the kind of slash, as Windows does; the line
// that runs in the end names exe.
func psProgram(word, exe string) bool {
	return word == "memento" || lower(word) == "memento.exe" || word == exe || drive(exe) && samePath(word, exe)
}

// psWords splits line, which begins with a word, and reports whether the first one was in quotes.
func psWords(line string) (words []string, quoted, ok bool) {
	for line != "" {
		var word string
		inQuotes := line[0] == '\'' || line[0] == '"'
		if word, line, ok = psWord(line); !ok || line != "" && line[0] != ' ' {
			return nil, false, false
		}
		quoted = quoted || inQuotes && len(words) == 0
		words = append(words, word)
		line = strings.TrimLeft(line, " ")
	}
	return words, quoted, len(words) > 0
}

// psWord takes one word off the front of line.
func psWord(line string) (word, rest string, ok bool) {
	switch line[0] {
	case '\'':
		return psLiteral(line[1:])
	case '"':
		end := strings.IndexFunc(line[1:], func(r rune) bool { return psDouble(r) || r == '$' || r == '`' })
		if end < 0 || line[1+end] != '"' {
			return "", "", false
		}
		return line[1 : 1+end], line[2+end:], true // no second quote may follow: a word ends with a space
	}
	end := strings.IndexByte(line, ' ')
	if end < 0 {
		end = len(line)
	}
	for _, r := range line[:end] {
		if !psPlain(r) {
			return "", "", false
		}
	}
	return line[:end], line[end:], true
}

// psLiteral reads the text behind a single quote, up to the quote that ends it. A doubled quote stands for one of its
// own shape.
func psLiteral(line string) (word, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		if !psSingle(r) {
			b.WriteRune(r)
			continue
		}
		next, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case next == r:
			b.WriteRune(r)
			i += size
		case r == '\'' && !psSingle(next):
			return b.String(), line[i:], true
		default:
			return "", "", false
		}
	}
	return "", "", false
}

// psPlain reports whether r has no meaning in a bare word. A comma makes a list, and PowerShell takes other dashes
// for hyphens. Beyond ASCII only letters and digits surely have no meaning.
func psPlain(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	case r < utf8.RuneSelf:
		return strings.ContainsRune(`_./:\+=-`, r)
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
