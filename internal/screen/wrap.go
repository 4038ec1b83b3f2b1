package screen

import (
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

const (
	tab      = 4       // columns of a tab in fitted lines
	farthest = 30      // the last column in which words may begin that belong to a name before them
	deeper   = 4       // how far lines step in whose words begin beyond that
	joiner   = 0x200d  // it joins two pictures to one
	pictured = 0xfe0f  // it makes a wide picture of the letter before it
	firstInk = 0x1f3fb // the first and the last colour of skin
	lastInk  = 0x1f3ff
)

// Columns returns how many columns s takes, without its styles.
func Columns(s string) (n int) {
	for {
		plain, rest, found := strings.Cut(s, "\x1b")
		n += text.Columns(plain)
		if !found {
			return n
		}
		style := styleAt("\x1b" + rest)
		s = rest[max(0, len(style)-1):]
	}
}

// Wrap breaks a line into lines of at most wide columns, at spaces, else behind a slash, else between two letters.
// Later lines begin below what the line begins with: below its last column that two spaces set apart, or below its
// first word. A line of one word alone, such as a path, stays whole, so that it can be copied.
func Wrap(line string, wide int) string {
	line = strings.ReplaceAll(line, "\t", strings.Repeat(" ", tab))
	if Columns(line) <= wide || !strings.Contains(strings.TrimSpace(line), " ") {
		return line
	}
	return WrapBelow(line, wide, hang(line, wide))
}

// WrapBelow is Wrap for a line whose later lines begin in the column below. A column beyond half the width is none.
func WrapBelow(line string, wide, below int) string {
	if below > wide/2 {
		below = min(4, wide/4)
	}
	var b strings.Builder
	style, room, lead := "", wide, below
	for {
		head, rest := split(line, room, lead)
		b.WriteString(style + head)
		style = lastStyle(style, head)
		if rest == "" {
			return b.String()
		}
		if style != "" {
			b.WriteString(off)
		}
		b.WriteString("\n" + strings.Repeat(" ", below))
		line, room, lead = rest, wide-below, 0
	}
}

// hang returns the column in which the later lines of a line begin.
func hang(line string, wide int) int {
	words := strings.TrimLeft(line, " ")
	lead := len(line) - len(words)
	column, n, spaces := lead, 0, 0
	for rest := line; rest != ""; {
		if style := styleAt(rest); style != "" {
			rest = rest[len(style):]
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		if r == ' ' {
			spaces++
		} else {
			switch {
			case spaces < 2 || n <= lead:
			case n <= wide/2 || column == lead && n <= farthest:
				column = n
			case column == lead:
				column = lead + deeper
			}
			spaces = 0
		}
		if n += text.Columns(string(r)); n > wide {
			break
		}
	}
	if column == lead {
		for _, bullet := range [...]string{"- ", "* "} {
			if strings.HasPrefix(words, bullet) {
				return lead + len(bullet)
			}
		}
	}
	return column
}

// lastStyle returns the style in force behind s, which began in a style.
func lastStyle(style, s string) string {
	for i := range s {
		if now := styleAt(s[i:]); now == off {
			style = ""
		} else if now != "" {
			style = now
		}
	}
	return style
}

// split returns the part of a line that fits in room columns, and the rest, which begins with a word; "" if all fits.
// At least one letter fits. It does not break at a space in the first lead columns.
func split(line string, room, lead int) (head, rest string) {
	n, last := 0, 0                 // columns; the columns of the last letter
	letter, slash, space := 0, 0, 0 // places to break: before this letter, behind a slash, before a space
	begun, joined := false, false
	for i := 0; i < len(line); {
		if style := styleAt(line[i:]); style != "" {
			i += len(style)
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		w := text.Columns(string(r))
		part := w == 0 || joined || r >= firstInk && r <= lastInk // of the letter before
		switch {
		case r == ' ':
			last = 0
		case r == pictured && last == 1:
			w, last = 1, 2
		case w > 0:
			last = w
		}
		switch {
		case r == ' ':
			if begun && n >= lead && line[i-1] != ' ' {
				space = i
			}
		case !part:
			begun, letter = true, i
		}
		if n += w; n > room && r != ' ' {
			return breakAt(line, letter, slash, space)
		}
		joined = r == joiner
		i += size
		if r == '/' {
			slash = i
		}
	}
	return line, ""
}

// breakAt breaks a line before a space, else behind a slash, else before a letter; 0 means that there is none.
func breakAt(line string, letter, slash, space int) (head, rest string) {
	at := letter
	switch {
	case space > 0:
		at = space
	case slash > 0:
		at = slash
	case at == 0:
		_, at = utf8.DecodeRuneInString(line)
	}
	return line[:at], strings.TrimLeft(line[at:], " ")
}
