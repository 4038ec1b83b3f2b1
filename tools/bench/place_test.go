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
	kinds := map[string]string{"cache/index/base": cache, "log/shop/2026-01/s1.jsonl": "log", "shop--fix.md": ".md",
		"shop--alice.json": ".json"}
	for name := range kinds {
		if err := p.put(name, []byte("before")); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.keep(); err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(p.store(), filepath.FromSlash(name)) }
	for name, want := range kinds {
		for what, change := range map[string]func() error{
			"written again": func() error { return p.put(name, []byte("before")) },
			"changed":       func() error { return p.put(name, []byte("after")) },
			"removed":       func() error { return os.Remove(path(name)) },
		} {
			if err := p.restore(); err != nil {
				t.Fatal(err)
			}
			if got, err := p.wrote(); err != nil || len(got) > 0 {
				t.Errorf("put back: %q, %v", got, err)
			}
			if err := change(); err != nil {
				t.Fatal(err)
			}
			if got, err := p.wrote(); err != nil || !slices.Equal(got, []string{want}) {
				t.Errorf("%s, %s: %q, %v", name, what, got, err)
			}
		}
	}
}
