package sentence

import "testing"

func TestKeepsake(t *testing.T) {
	for words, want := range map[string]bool{
		"Remember that staging runs on port 5433.":             true,
		"remember: never on Fridays":                           true,
		"Merk dir, dass wir nur auf staging deployen.":         true,
		"Remember that port. Fix the login.":                   false, // something else is asked for too
		"Remember to run the tests":                            false,
		"remember that bug?":                                   false,
		"Fix the login, and remember that the token must stay": false,
	} {
		if got := IsKeepsake(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
