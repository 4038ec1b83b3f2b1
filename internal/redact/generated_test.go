package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// leaks reports whether clean still holds the secret v, or the half of it.
func leaks(clean, v string) bool {
	if len(v) >= 16 && (strings.Contains(clean, v[:len(v)/2]) || strings.Contains(clean, v[len(v)/2:])) {
		return true
	}
	return strings.Contains(clean, v)
}

// TestGenerated holds the matcher to what it promises on generated text: at most 2 % of the secrets are stored, at most
// .3 % of the innocent texts changed; of the kinds it was made with, and of those that were written down before it was
// run on them.
func TestGenerated(t *testing.T) {
	const rounds = 8 // how many of each kind a seed makes
	for _, set := range []Set{Tuned, Aside} {
		secrets, innocents := Count(set)
		all, missed := map[string]int{}, map[string]int{}
		lost := map[string]int{}
		examples := map[string]string{}
		seeds := []uint64{1, 2, 3, 4}
		for _, seed := range seeds {
			for _, s := range Make(set, seed, rounds*secrets) {
				all[s.Group()]++
				clean := Clean(s.Text)
				if Clean(clean) != clean {
					t.Errorf("%q became %q, and that another thing", s.Text, clean)
				}
				if leaks(clean, s.Value) {
					missed[s.Group()]++
					lost[s.Kind]++
					examples[s.Kind] = fmt.Sprintf("%q (%s)", clean, s.Value)
				}
			}
		}
		total, stored := 0, 0
		for _, g := range slices.Sorted(maps.Keys(all)) {
			t.Logf("%v %-12s %5d of %5d stored", set, g, missed[g], all[g])
			total += all[g]
			stored += missed[g]
		}
		n, changed := 0, 0
		touched := map[string]int{}
		for _, seed := range seeds {
			for _, s := range Innocent(set, seed, rounds*innocents) {
				n++
				if clean := Clean(s.Text); clean != s.Text {
					changed++
					touched[s.Kind]++
					examples[s.Kind] = fmt.Sprintf("%q", clean)
				}
			}
		}
		t.Logf("%v, seeds %v: of %d kinds %d of %d secrets stored (%.2f %%); of %d kinds %d of %d innocent texts "+
			"changed (%.2f %%)", set, seeds,
			secrets, stored, total, 100*float64(stored)/float64(total), innocents, changed, n,
			100*float64(changed)/float64(n))
		if stored*50 > total {
			t.Errorf("%v: %d of %d secrets are stored", set, stored, total)
		}
		if changed*1000 > n*3 {
			t.Errorf("%v: %d of %d innocent texts are changed", set, changed, n)
		}
		for _, m := range []map[string]int{lost, touched} {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				t.Logf("%4d  %s   %s", m[k], k, examples[k])
			}
		}
	}
}
