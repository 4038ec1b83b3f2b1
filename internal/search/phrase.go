package search

import "strings"

// Phrases returns what stands in double quotes in a query of a person, or of Claude on purpose: the words of a phrase
// stand together, see HasPhrase. The words beside a prompt have no phrases.
func Phrases(q string) (out []string) {
	parts := strings.Split(q, `"`)
	for i := 1; i+1 < len(parts); i += 2 {
		if strings.TrimSpace(parts[i]) != "" && !strings.Contains(parts[i], "\n") {
			out = append(out, parts[i])
		}
	}
	return out
}

// HasPhrase reports whether the words of phrase stand together in text, whatever their case, accents and endings.
func HasPhrase(text, phrase string) bool {
	whole := func(s string) string {
		var b strings.Builder
		b.WriteByte(' ')
		words(s, false, func(w word) {
			if !w.part {
				b.WriteString(w.text() + " ")
			}
		})
		return b.String()
	}
	return strings.Contains(whole(text), whole(phrase))
}
