package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func half(string) float64 { return 0.5 }

// labelled reads a set of sentences: the kind that each is worth, or -, who says it, and its words.
func labelled(t *testing.T, name string) (out [][3]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(l, "\t")
		if len(f) != 3 || f[0] != "-" && !slices.Contains(names[:], f[0]) {
			t.Fatalf("%s: %q", name, l)
		}
		out = append(out, [3]string(f))
	}
	return out
}

// What is suggested is nearly always worth it, and most of what is worth it is suggested: over sentences that the phrases were chosen by,
// and over others that were written before and set aside.
func TestQuality(t *testing.T) {
	for _, name := range []string{"tuned.tsv", "aside.tsv"} {
		right, wrong, missed := 0, 0, 0
		for _, l := range labelled(t, name) {
			by := map[string]string{"u": ByUser, "a": ByAssistant}[l[1]]
			kind := "-"
			if found := Triage(l[2], by, half); len(found) > 0 {
				kind = found[0].Kind
			}
			switch {
			case kind == l[0] && kind != "-":
				right++
			case kind != l[0]:
				if kind != "-" {
					wrong++
				}
				if l[0] != "-" {
					missed++
				}
				if name == "tuned.tsv" || os.Getenv("SHOW") != "" {
					t.Logf("%s for %s: %s", kind, l[0], l[2])
				}
			}
		}
		precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
		t.Logf("%s: precision %.3f, recall %.3f (%d right, %d wrong, %d missed)", name, precision, recall, right, wrong, missed)
		if precision < 0.9 || recall < 0.6 {
			t.Errorf("%s: precision %.3f, recall %.3f, want at least 0.9 and 0.6", name, precision, recall)
		}
	}
}
