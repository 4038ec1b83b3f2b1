package sentence

import "testing"

func TestEnded(t *testing.T) {
	for words, want := range map[string]string{
		"Mission accomplished, thanks!":                "finished",
		"The mission is complete.":                     "finished",
		"We are done with this project, thanks":        "over",
		"The mission is over":                          "over",
		"ok, I'm switching to a different project now": "left",
	} {
		if !Closes(words) {
			t.Errorf("%q closes no mission", words)
		}
		if got := Ended(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
