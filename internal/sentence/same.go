package sentence

import "slices"

// Fingerprint returns the fingerprint of what a text is about; see contentOf. Acts of version control count.
func Fingerprint(words string) string { return contentOf(words, true) }

// SaysSame reports whether two candidates say the same. One that forbids what the other one asks for does not.
func (c Candidate) SaysSame(other Candidate) bool {
	return c.Deny == other.Deny && saySame(c.Words, other.Words)
}

// CountWords returns how many words a fingerprint stands for, and how many of them another one has too.
func CountWords(fingerprint, other string) (all, shared int) {
	return len(fingerprint) / wordLen, countShared(fingerprint, other)
}

// Wordings returns the fingerprints of the sentences among said that Stand takes for one with the sentence text, each
// once.
func Wordings(said []Occurrence, text string) (out []string) {
	for _, g := range group(said) {
		if !slices.ContainsFunc(g.members, func(n int) bool { return said[n].Text == text }) {
			continue
		}
		for _, n := range g.members {
			if !slices.Contains(out, said[n].Words) {
				out = append(out, said[n].Words)
			}
		}
	}
	return out
}
