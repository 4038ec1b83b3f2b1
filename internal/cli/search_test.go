package cli

import "testing"

func TestSnippet(t *testing.T) {
	for _, c := range []struct{ passage, want string }{
		{"## Outcome\n\nblocked\n\n## Blockers\n", "Outcome: blocked"},
		{"## Outcome\n\nblocked\n\n## Blockers\n\n- no key", "Outcome: blocked Blockers: - no key"},
		{"## Blockers\n\n## Next Actions\n\nship", "Next Actions: ship"},
		{"\n## Blockers\n\n", "Blockers"},
		{"#12 is open\n#", "#12 is open #"},
		{"", ""},
	} {
		if got := snippet(c.passage); got != c.want {
			t.Errorf("%q: %q, want %q", c.passage, got, c.want)
		}
	}
}
