package text

import "testing"

func TestCountAll(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		all  []Counted
		want string
	}{
		{nil, ""},
		{[]Counted{{0, "record"}, {0, "turn"}}, ""},
		{[]Counted{{1, "record"}, {0, "turn"}}, "1 record"},
		{[]Counted{{3, "record"}, {1, "turn"}, {0, "rule"}, {2, "journal"}}, "3 records, 1 turn and 2 journals"},
	} {
		if got := CountAll(tt.all...); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.all, got, tt.want)
		}
	}
}
