package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestWrote checks that wrote returns the kind of each file an event writes. The event's budget depends on the kind.
func TestWrote(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	p, err := b.newPlace("home")
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, data string) {
		t.Helper()
		if err := p.put(name, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"cache/s1.json", "cache/index/base", "shop--alice.json", "log/shop/2026-01/s1.jsonl", "shop--fix.md",
		"workspace.json",
	} {
		put(name, "before")
	}
	if err := p.keep(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		what    string
		lasting bool
	}{
		{"cache/s1.json", sessionMemory, false},
		{"cache/index/base", index, false},
		{"shop--alice.json", journal, true},
		{"shop--alice~1f3a9c2e.json", journal, true},
		{"log/shop/2026-01/s1.jsonl", entries, true},
		{"shop--fix.md", record, true},
		{"workspace.json", "workspace.json", true},
	} {
		for _, data := range []string{"before", "after"} { // written again, and changed
			if err := p.restore(); err != nil {
				t.Fatal(err)
			}
			put(c.name, data)
			got, err := p.wrote()
			if err != nil || !slices.Equal(got, []string{c.what}) || isLasting(c.what) != c.lasting {
				t.Errorf("%s, %s: %q, %v", c.name, data, got, err)
			}
		}
	}
	if err := p.restore(); err != nil {
		t.Fatal(err)
	}
	if got, err := p.wrote(); err != nil || len(got) > 0 {
		t.Errorf("put back: %q, %v", got, err)
	}
	if err := os.Remove(filepath.Join(p.store(), "shop--fix.md")); err != nil {
		t.Fatal(err)
	}
	if got, err := p.wrote(); err != nil || !slices.Equal(got, []string{record}) {
		t.Errorf("removed: %q, %v", got, err)
	}
}
