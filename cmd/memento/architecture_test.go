package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// fence matches a block of code in a Markdown file: its language and its content.
var fence = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// TestArchitecture plays the example of docs/architecture.md and compares every answer and journal with the page. The
// page's drawing must name every package, except packages inside another one.
func TestArchitecture(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	here := func(s string) string { return strings.ReplaceAll(s, "/home/alice", home) }
	shop := filepath.Join(home, "shop")
	if err := os.Mkdir(shop, 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "USER": "alice", "CLAUDE_CONFIG_DIR": filepath.Join(home, ".claude")}
	seen, answer := map[string]int{}, ""
	for _, f := range fence.FindAllStringSubmatch(string(page), -1) {
		kind, words := f[1], here(f[2])
		seen[kind]++
		switch kind {
		case "event":
			code, out, said := inside(env, shop, time.Now, words, "hook")
			if answer = out; code != 0 || said != "" {
				t.Fatalf("%s\nended with %d and said %s", words, code, said)
			}
		case "answer":
			if strings.TrimSpace(answer) != strings.TrimSpace(words) {
				t.Errorf("the page says\n%s\nand the answer is\n%s", words, answer)
			}
		case "transcript":
			fixture.Append(t, filepath.Join(home, "s1.jsonl"), words)
		case "journal":
			holds(t, filepath.Join(home, ".claude", ".memento", "shop--alice.json"), words)
		}
	}
	house, _, _ := strings.Cut(string(page), "## One event")
	for _, floor := range layers {
		for _, name := range floor {
			if strings.Count(name, "/") < 2 && !regexp.MustCompile(`\b`+filepath.Base(name)+`\b`).MatchString(house) {
				t.Errorf("the house is drawn without %s", name)
			}
		}
	}
	for kind, least := range map[string]int{"event": 4, "answer": 3, "transcript": 1, "journal": 1} {
		if seen[kind] < least {
			t.Errorf("the page has %d blocks of %s, and the example at least %d", seen[kind], kind, least)
		}
	}
}

// holds compares each field in words, a JSON object, with the same field of the JSON file at path.
func holds(t *testing.T, path, words string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(words), &want); err != nil {
		t.Fatal(err)
	}
	for k, v := range want {
		if !reflect.DeepEqual(got[k], v) {
			t.Errorf("the page says %s is %v, and it is %v\n%s", k, v, got[k], data)
		}
	}
}
