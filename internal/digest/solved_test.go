package digest

import (
	"testing"
)

func TestSolved(t *testing.T) {
	w := Work{passed: func(cmd string) bool { return cmd == "npm test" }}
	for item, want := range map[string]bool{
		"`npm test` -> 2 failing":                              true,
		"`npm run lint` -> 2 errors":                           false,
		"`terraform apply` -> Error: 403 forbidden":            false,
		"`terraform apply` needs the new credentials from Bob": false,
		"the vendor has not answered":                          false,
	} {
		if got := w.isSolved(item); got != want {
			t.Errorf("%q: %t, want %t", item, got, want)
		}
	}
}
