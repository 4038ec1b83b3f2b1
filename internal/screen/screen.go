// Package screen knows the terminal at which a person reads: how wide it is, and whether it shows weight and colours.
// It fits lines and tables to that width. Where nobody reads at a terminal a Screen is zero: it changes nothing. What
// is printed may not come in.
package screen

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Screen is the terminal that standard output goes to; the zero value is none.
type Screen struct {
	Wide   int  // in columns, at least leastWide, or 0 for no terminal
	Styled bool // whether it shows weight and colours
}

// The width of a terminal that does not tell its own, and the least width that lines are fitted to.
const (
	usualWide = 80
	leastWide = 20
)

// Of returns the terminal that out is.
func Of(out *os.File, getenv func(name string) string) (s Screen) {
	if !term.IsTerminal(int(out.Fd())) {
		return s
	}
	wide, _, err := term.GetSize(int(out.Fd()))
	if err != nil || wide < 1 {
		wide = usualWide
		if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
			wide = n
		}
	}
	s.Wide = max(wide, leastWide)
	kind := getenv("TERM")
	isDumb := kind == "dumb" || kind == "" && runtime.GOOS != "windows"
	s.Styled = !isDumb && obeys(out) && getenv("NO_COLOR") == ""
	return s
}

// The styles: few, and none that a person has to see to understand the words. Weight and faintness are readable on dark
// and light ground; red is the one colour that is as readable on both.
const (
	strong = "\x1b[1m"
	quiet  = "\x1b[2m"
	alarm  = "\x1b[31m"
	off    = "\x1b[0m"
)

// Strong makes words stand out: what a list is looked through for.
func (s Screen) Strong(words string) string { return s.in(strong, words) }

// Quiet makes words step back: what stands beside the title.
func (s Screen) Quiet(words string) string { return s.in(quiet, words) }

// Alarm marks words that say that something is wrong.
func (s Screen) Alarm(words string) string { return s.in(alarm, words) }

func (s Screen) in(style, words string) string {
	if !s.Styled || words == "" {
		return words
	}
	return style + words + off
}

// styleAt returns the style that s begins with, "" for none.
func styleAt(s string) string {
	for _, style := range [...]string{strong, quiet, alarm, off} {
		if strings.HasPrefix(s, style) {
			return style
		}
	}
	return ""
}

// Harmless returns s without characters that a terminal obeys, except line breaks, tabs and, with styles, the styles of
// this package. What it takes out it replaces, so that nothing is gone unseen.
func Harmless(s string, styles bool) string {
	if !strings.ContainsFunc(s, obeyed) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if style := styleAt(s[i:]); style != "" && styles {
			b.WriteString(style)
			i += len(style)
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if obeyed(r) {
			r = '\ufffd'
		}
		b.WriteRune(r)
		i += size
	}
	return b.String()
}

// obeyed reports whether a terminal obeys r instead of showing it. A line break and a tab it may obey.
func obeyed(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }
