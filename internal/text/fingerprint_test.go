package text

import "testing"

// TestFingerprint: it is the same in all versions, and tells apart where one word ends.
func TestFingerprint(t *testing.T) {
	if got := Fingerprint("rule", "a b"); got != "e4ea9f33f7731e29" {
		t.Errorf("it is %s", got)
	}
	if Fingerprint("rule", "a b") == Fingerprint("rule a", "b") {
		t.Error("the words are joined")
	}
}
