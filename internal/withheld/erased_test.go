package withheld

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMarks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	if l, err := loadErased(dir); err != nil || !l.empty() {
		t.Fatalf("%+v, %v", l, err)
	}
	for range 2 {
		if err := AddErased(dir, []string{"u1", "toolu_1"}, []string{"The launch is on 3 May"}, noon,
			time.Second); err != nil {
			t.Fatal(err)
		}
	}
	l, err := loadErased(dir)
	if err != nil || l.empty() || !l.hasID("u1") || !l.hasID("toolu_1") || l.hasID("u2") || l.hasID("") {
		t.Errorf("%+v, %v", l, err)
	}
	for _, tt := range []struct {
		words, ts string
		want      bool
	}{
		{"the  launch is on “3 May”", "2026-03-14T12:00:00Z", true},
		{"The launch is on 3 May", "2026-03-14T12:00:01Z", false}, // said again since
		{"The launch is on 4 May", "2026-03-14T11:00:00Z", false},
		{"The launch is on 3 May", "", false},
	} {
		if got := l.hasWords(tt.words, tt.ts); got != tt.want {
			t.Errorf("Words(%q, %q) is %v", tt.words, tt.ts, got)
		}
	}
	data, err := os.ReadFile(ErasedPath(dir))
	if err != nil || strings.Contains(strings.ToLower(string(data)), "launch") || strings.Contains(string(data), "u1") {
		t.Errorf("it holds %s, %v", data, err)
	}
	if len(hashWords("any words at all")) != 8 {
		t.Error("the mark of words is long enough to tell which they were")
	}
	if err := os.WriteFile(ErasedPath(dir), data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadErased(dir); err == nil {
		t.Error("a damaged list reads as a whole one")
	}
	if err := AddErased(dir, []string{"u3"}, nil, noon, time.Second); err == nil {
		t.Error("a damaged list is written over")
	}
}
