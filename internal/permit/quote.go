package permit

import "strings"

// Quote returns a shell line that runs exe with args. Every word stands in single quotes, so that bash, dash and zsh
// pass on the same bytes, whatever their options. Plain words stand in quotes too, since zsh expands a global alias
// in the place of any bare word. A word holds no NUL, since no program can get one.
func Quote(exe string, args []string) string {
	var b strings.Builder
	quote(&b, exe)
	for _, a := range args {
		b.WriteByte(' ')
		quote(&b, a)
	}
	return b.String()
}

// quote writes one word. A single quote in the word stands outside the quotes, behind a backslash; so no two quotes
// meet inside quotes, which zsh with RC_QUOTES reads as one.
func quote(b *strings.Builder, word string) {
	b.WriteByte('\'')
	b.WriteString(strings.ReplaceAll(word, `'`, `'\''`))
	b.WriteByte('\'')
}
