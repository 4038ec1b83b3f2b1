package suggest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func sent(t *testing.T, b Box, project string) string {
	t.Helper()
	data, err := b.SendDecided(project)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDecidedTravels: nobody is asked again what was decided on another machine, whatever the project is called there.
// No words travel.
func TestDecidedTravels(t *testing.T) {
	desk, laptop := box(t), box(t)
	if got := sent(t, desk, "shop"); got != "" {
		t.Errorf("without an inbox it sends %q", got)
	}
	add(t, desk, entry("shop", "one"), entry("shop", "two"), entry("shop", "three"), entry("barn", "four"))
	if err := desk.Decline(1); err != nil {
		t.Fatal(err)
	}
	if err := desk.Accept(2, func(Suggestion) error { return nil }); err != nil {
		t.Fatal(err)
	}
	lines := sent(t, desk, "shop")
	if strings.Count(lines, "\n") != 2 || strings.Contains(lines, "one") || sent(t, desk, "barn") != "" {
		t.Errorf("it sends %q, and of barn %q", lines, sent(t, desk, "barn"))
	}
	add(t, laptop, entry("store", "two"), entry("barn", "two"))
	for range 2 {
		if err := laptop.ReceiveDecided("store", []byte(lines)); err != nil {
			t.Fatal(err)
		}
	}
	if got := quotes(t, laptop, "store"); got != "" {
		t.Errorf("what was decided elsewhere still waits: %s", got)
	}
	if add(t, laptop, entry("store", "one"), entry("store", "two"), entry("store", "three")) != 1 {
		t.Errorf("it asks again: %s", quotes(t, laptop, "store"))
	}
	if got := quotes(t, laptop, "barn"); !strings.Contains(got, "two") {
		t.Errorf("of another project waits %q", got)
	}
	if got := sent(t, laptop, "store"); got != lines {
		t.Errorf("the laptop sends %q, the desk %q", got, lines)
	}
	if err := laptop.ReceiveDecided("store", nil); err != nil {
		t.Fatal(err)
	}
	if got := sent(t, laptop, "store"); got != lines {
		t.Errorf("a lost file took decisions away: %q", got)
	}
}

func TestMergeDecided(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""}, {"a1\n", "", "a1\n"}, {"b2\na1\n", "c3\na1\n", "a1\nb2\nc3\n"}, {"a1\nsome words", "", "a1\n"},
	} {
		if got := string(MergeDecided([]byte(tt.a), []byte(tt.b))); got != tt.want {
			t.Errorf("%q with %q is %q", tt.a, tt.b, got)
		}
		if got := string(MergeDecided([]byte(tt.b), []byte(tt.a))); got != tt.want {
			t.Errorf("%q with %q is %q", tt.b, tt.a, got)
		}
	}
}

// A damaged inbox sends nothing, and is no reason to send nothing else.
func TestDecidedDamaged(t *testing.T) {
	b := box(t)
	add(t, b, entry("shop", "one"))
	if err := os.WriteFile(filepath.Join(b.Dir, "inbox.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := sent(t, b, "shop"); got != "" {
		t.Errorf("it sends %q", got)
	}
}
