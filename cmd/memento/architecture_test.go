package main

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/text"
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
			if words = here(counted(f[2])); strings.TrimSpace(counted(answer)) != strings.TrimSpace(words) {
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

// counted returns a hook's answer with "exact" in place of its number of tokens, if that is the number of its words.
// The words hold the path of a folder, which is longer in a test than on the page.
func counted(answer string) string {
	var a struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if json.Unmarshal([]byte(answer), &a) != nil {
		return answer
	}
	tokens := (text.Quarters(a.HookSpecificOutput.AdditionalContext) + 3) / 4
	return strings.Replace(answer, "("+text.Count(tokens, "token")+")", "(exact)", 1)
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

// dotted matches a name with a dot: a function or a type of a package, a method of a type.
var dotted = regexp.MustCompile(`\b[a-zA-Z]+(?:\.[a-zA-Z]+)+\b`)

// TestArchitectureNames checks that every function, method and type that docs/architecture.md names exists.
func TestArchitectureNames(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	exists := declared(t)
	if len(exists) < 5000 || !exists["journal.Store.Update"] || exists["journal.Store.Updated"] {
		t.Fatalf("%d names are declared", len(exists))
	}
	prose := fence.ReplaceAllString(string(page), "")
	n := 0
	for _, name := range dotted.FindAllString(prose, -1) {
		if slices.Contains([]string{".md", ".go", ".json", ".jsonl"}, filepath.Ext(name)) {
			continue
		}
		if n++; !exists[name] {
			t.Errorf("the page names %s, which does not exist", name)
		}
	}
	for _, walk := range regexp.MustCompile(`(?s)passes: .*?\n\n`).FindAllString(prose, -1) {
		for _, span := range regexp.MustCompile("`([a-zA-Z]+)`").FindAllStringSubmatch(walk, -1) {
			if n++; !exists[span[1]] {
				t.Errorf("a walk names %s, which does not exist", span[1])
			}
		}
	}
	if n < 30 {
		t.Errorf("the page names %d functions, methods and types", n)
	}
}

// TestPackageDocsNameFiles checks that every file that the doc of a package names is there.
func TestPackageDocsNameFiles(t *testing.T) {
	n := 0
	sources(t, func(path string, _ []byte, _ *token.FileSet, f *ast.File) {
		for _, name := range regexp.MustCompile(`\b[a-z][a-z_]*\.go\b`).FindAllString(f.Doc.Text(), -1) {
			if n++; !fixture.Exists(filepath.Join(filepath.Dir(path), name)) {
				t.Errorf("the doc of %s names %s, which does not exist", f.Name.Name, name)
			}
		}
	})
	if n < 7 {
		t.Errorf("%d files are named", n)
	}
}

// declared returns the packages, functions, methods and types outside tests: hook, Read, event.Read, Store.Update and
// journal.Store.Update. A method also counts as a function of its package: hook.bind.
func declared(t *testing.T) map[string]bool {
	names := map[string]bool{}
	add := func(pkg, receiver, name string) {
		for _, parts := range [][]string{{name}, {pkg, name}, {receiver, name}, {pkg, receiver, name}} {
			names[strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ".")] = true
		}
	}
	sources(t, func(path string, _ []byte, _ *token.FileSet, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		pkg := f.Name.Name
		names[pkg] = true
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				receiver := ""
				if d.Recv != nil {
					at := d.Recv.List[0].Type
					if star, ok := at.(*ast.StarExpr); ok {
						at = star.X
					}
					if id, ok := at.(*ast.Ident); ok {
						receiver = id.Name
					}
				}
				add(pkg, receiver, d.Name.Name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						add(pkg, "", s.Name.Name)
					}
				}
			}
		}
	})
	return names
}
