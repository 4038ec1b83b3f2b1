package sentence

import "testing"

// A rule that names nothing itself points at the sentence before it.
func TestPointsBack(t *testing.T) {
	for words, want := range map[string]bool{
		"so let's not do that again":            true,
		"do it like this from now on":           true,
		"Always do it that way.":                true,
		"never do that":                         true,
		"never push to main":                    false,
		"don't touch this repository":           false,
		"use tabs in the generated files":       false,
		"so the exporter must not block":        false,
		"why did you do that?":                  false,
		"always run the linter before a commit": false,
	} {
		if got := PointsBack(words); got != want {
			t.Errorf("PointsBack(%q) = %v, want %v", words, got, want)
		}
	}
}
