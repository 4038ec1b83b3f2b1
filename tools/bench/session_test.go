//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// TestSession checks that the made-up session is always the same, has the wanted size, consists of whole lines and
// holds the pictures.
func TestSession(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	path, follows, err := b.writeTranscript("plain", 1<<20, 100<<10)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := b.writeTranscript("again", 1<<20, 0)
	if err != nil {
		t.Fatal(err)
	}
	with, _, err := b.writeTranscript("pictures", 4<<20, 0, 1<<20, 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	size := func(path string, least int) []byte {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil || len(data) < least || len(data) > least+3<<20 || !bytes.HasSuffix(data, []byte("\n")) {
			t.Fatalf("%s: %d bytes, %v", path, len(data), err)
		}
		for line := range bytes.Lines(data) {
			if !json.Valid(line) {
				t.Fatalf("%s: %.200s", path, line)
			}
		}
		return data
	}
	if one, two := size(path, 1<<20), size(again, 1<<20); !bytes.Equal(one, two) {
		t.Error("two sessions of one size differ")
	}
	if more := size(follows, 100<<10); bytes.Contains(more, []byte(`"parentUuid":null`)) {
		t.Error("what follows is a session of its own")
	}
	var pictures []int
	for line := range bytes.Lines(size(with, 4<<20)) {
		if bytes.Contains(line, []byte(`"type":"image"`)) {
			pictures = append(pictures, len(line))
		}
	}
	if len(pictures) != 2 || pictures[0] != 1<<20 || pictures[1] != 2<<20 {
		t.Errorf("pictures of %v bytes", pictures)
	}
}

// TestScene checks that a Stop with lag finds one whole new turn: a prompt and three tool calls.
func TestScene(t *testing.T) {
	s := newScene()
	prompts := func(data []byte) int { return bytes.Count(data, []byte(`"promptSource":"typed"`)) }
	if len(s.head) < 300<<10 || prompts(s.head) < 2 {
		t.Errorf("%d bytes with %d prompts", len(s.head), prompts(s.head))
	}
	if calls := bytes.Count(s.turn, []byte(`"tool_use"`)); len(s.turn) > 150<<10 || prompts(s.turn) != 1 || calls != 3 {
		t.Errorf("then %d bytes with %d prompts and %d calls", len(s.turn), prompts(s.turn), calls)
	}
}
