package permit

import "strings"

// Quote returns a shell line that runs exe with args: every word in single
// quotes, so that bash, dash and zsh, whatever their options, pass the same
// bytes on. No word stays bare, however plain: zsh expands a global alias
// wherever one does. A word holds no NUL; no program can be given one.
func Quote(exe string, args []string) string {
	var b strings.Builder
	quote(&b, exe)
	for _, a := range args {
		b.WriteByte(' ')
		quote(&b, a)
	}
	return b.String()
}

// quote writes one word. A quote mark in it stands outside the quotes behind a
// backslash; two never meet inside them, which zsh's RC_QUOTES reads as one.
func quote(b *strings.Builder, word string) {
	b.WriteByte('\'')
	b.WriteString(strings.ReplaceAll(word, `'`, `'\''`))
	b.WriteByte('\'')
}
