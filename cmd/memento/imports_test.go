package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mementohq/memento"

// layers lists the floors of the house, the top floor first. A package may import packages from lower floors only.
var layers = [][]string{
	{"cmd/memento"},
	{"internal/cli"},
	{"internal/doctor"},
	{"internal/hook", "internal/install", "internal/exchange", "internal/backfill",
		"internal/replica", "internal/statusline"},
	{"internal/forget", "internal/rename"},
	{"internal/view"},
	{"internal/digest", "internal/settings"},
	{"internal/capture"},
	{"internal/block", "internal/note", "internal/retrieve", "internal/shared"},
	{"internal/journal", "internal/permit", "internal/record", "internal/rule"},
	{"internal/history"},
	{"internal/session"},
	{"internal/project", "internal/transcript", "internal/withheld", "internal/work"},
	{"internal/config", "internal/search", "internal/naming"},
	{"internal/schema"},
	{"internal/markdown", "internal/past"},
	{"internal/client"},
	{"internal/log"},
	{"internal/sentence"},
	{"internal/event"},
	{"internal/gitrepo", "internal/jsonx", "internal/machine", "internal/notice", "internal/pace", "internal/redact",
		"internal/screen"},
	{"internal/abort", "internal/fixture", "internal/fixture/web", "internal/launch", "internal/safefile", "internal/text", "hooks", "skills"},
}

// forbidden lists packages that the binary must not link, with the reason. Every hook is a new process and initialises
// every linked package, whatever the event.
var forbidden = map[string]string{
	"net":                             "memento opens no connection; and the resolver costs start-up time",
	"net/http":                        "memento opens no connection; it would cost each hook 1 ms",
	"net/url":                         "links net/netip, whose start costs each hook a tenth of a Go hello-world",
	"crypto/tls":                      "memento opens no connection",
	"plugin":                          "no code is loaded at run time",
	"html/template":                   "costs start-up time; output is plain text",
	"text/template":                   "costs start-up time; output is built by hand",
	"log":                             "standard error belongs to the client; see MEMENTO_DEBUG",
	"log/slog":                        "as log",
	"expvar":                          "links net/http",
	"testing":                         "test code in the binary",
	"regexp":                          "patterns compiled at start cost each hook 0.15 ms",
	"mvdan.cc/sh/v3/syntax":           "links regexp; package permit reads the few lines it takes itself",
	"github.com/spf13/cobra":          "costs each hook 0.45 ms; the command table does what is needed",
	"gopkg.in/yaml.v3":                "costs each hook 0.62 ms",
	"github.com/go-git/go-git/v5":     "costs each hook 1.7 ms; package gitrepo runs the person's git",
	"modernc.org/sqlite":              "costs each hook 1 ms",
	"github.com/ncruces/go-sqlite3":   "costs each hook 0.3 ms before the first query",
	"github.com/zricethezav/gitleaks": "costs each hook 45 ms",
	module + "/internal/fixture":      "what tests share is for tests",
	module + "/internal/fixture/web":  "what tests share is for tests",
}

type pkg struct {
	ImportPath string
	Doc        string
	Dir        string
	GoFiles    []string
	Imports    []string
	Standard   bool
}

// listed caches the output of go list, which takes half a second.
var listed = map[string][]pkg{}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	asked := strings.Join(args, " ")
	if pkgs := listed[asked]; pkgs != nil {
		return pkgs
	}
	out, err := exec.Command("go", append([]string{"list", "-json=ImportPath,Doc,Dir,GoFiles,Imports,Standard"},
		args...)...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	listed[asked] = pkgs
	return pkgs
}

func TestImportsPointDown(t *testing.T) {
	floor := map[string]int{}
	for i, l := range layers {
		for _, name := range l {
			floor[module+"/"+name] = i
		}
	}
	for _, p := range list(t, module+"/...") {
		from, ok := floor[p.ImportPath]
		if !ok && len(p.GoFiles) > 0 {
			t.Errorf("%s has no floor in the house: add it to layers", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if to, ours := floor[imp]; ours && to <= from {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, imp)
			}
		}
	}
}

func TestForbiddenImports(t *testing.T) {
	linked := list(t, "-deps", module+"/cmd/memento")
	if len(linked) < 50 {
		t.Fatalf("go list names only %d packages", len(linked))
	}
	for _, p := range linked {
		if why, no := forbidden[p.ImportPath]; no {
			t.Errorf("the binary links %s: %s", p.ImportPath, why)
		}
	}
}

// TestOnePackageDoc: each folder has exactly one package comment.
func TestOnePackageDoc(t *testing.T) {
	docs := map[string]int{}
	sources(t, func(path string, _ []byte, _ *token.FileSet, f *ast.File) {
		if !strings.HasSuffix(path, "_test.go") && f.Doc != nil && !strings.HasPrefix(f.Doc.Text(), "//go:build") {
			docs[filepath.Dir(path)]++
		}
	})
	for _, p := range list(t, module+"/...") {
		if n := docs[filepath.Join("../..", strings.TrimPrefix(p.ImportPath, module))]; n != 1 && len(p.GoFiles) > 0 {
			t.Errorf("%s has %d package comments", p.ImportPath, n)
		}
	}
}

// ours calls do with each Go file of this module that the binary links.
func ours(t *testing.T, do func(p pkg, name string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	linked := map[string]pkg{}
	for _, p := range list(t, "-deps", module+"/cmd/memento") {
		if strings.HasPrefix(p.ImportPath, module+"/") {
			linked[filepath.Join("../..", strings.TrimPrefix(p.ImportPath, module))] = p
		}
	}
	files := 0
	sources(t, func(path string, _ []byte, set *token.FileSet, f *ast.File) {
		p, name := linked[filepath.Dir(path)], filepath.Base(path)
		if slices.Contains(p.GoFiles, name) {
			do(p, name, set, f)
			files++
		}
	})
	if files < 50 {
		t.Fatalf("go list names only %d files", files)
	}
}

// selectors calls do with each x.name in a file; x is "" when it is no plain name.
func selectors(f *ast.File, do func(at *ast.SelectorExpr, x, name string)) {
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x := ""
			if id, ok := sel.X.(*ast.Ident); ok {
				x = id.Name
			}
			do(sel, x, sel.Sel.Name)
		}
		return true
	})
}

// TestOnlySafefileWrites: no package but safefile writes, renames, removes or locks files, because safefile handles
// links, owners and crashes.
func TestOnlySafefileWrites(t *testing.T) {
	writing := map[string]bool{}
	for _, name := range strings.Fields("Chmod Chown Chtimes Create CreateTemp Lchown Link Mkdir MkdirAll MkdirTemp OpenFile OpenRoot Remove RemoveAll Rename Symlink Truncate WriteFile") {
		writing[name] = true
	}
	ours(t, func(p pkg, name string, fset *token.FileSet, f *ast.File) {
		if p.ImportPath == module+"/internal/safefile" {
			return
		}
		selectors(f, func(at *ast.SelectorExpr, x, name string) {
			opensNull := name == "OpenFile" && p.ImportPath == module+"/internal/launch"
			if (x == "os" || x == "ioutil") && writing[name] && !opensNull {
				t.Errorf("%s: %s.%s belongs in internal/safefile", fset.Position(at.Pos()), x, name)
			}
		})
		for _, imp := range f.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			may := slices.Contains([]string{"cmd/memento", "internal/abort", "internal/launch"},
				strings.TrimPrefix(p.ImportPath, module+"/")) || strings.HasPrefix(name, "process_")
			if path == "github.com/natefinch/atomic" || path == "syscall" && !may {
				t.Errorf("%s imports %s: that belongs in internal/safefile", name, path)
			}
		}
	})
}

// TestOnlyLaunchStarts: no package but launch starts programs, and gitrepo, which runs the person's git. Package hook
// imports neither; of what it is given, only Sync starts a program, and only one file calls that.
func TestOnlyLaunchStarts(t *testing.T) {
	executing := 0
	for _, p := range list(t, module+"/...") {
		if !slices.Contains(p.Imports, "os/exec") {
			continue
		}
		switch strings.TrimPrefix(p.ImportPath, module+"/") {
		case "internal/gitrepo", "internal/launch":
			executing++
		case "internal/fixture": // which is in no program
		default:
			t.Errorf("%s imports os/exec: programs are started by internal/launch, and git by internal/gitrepo",
				p.ImportPath)
		}
	}
	if executing != 2 {
		t.Error("internal/gitrepo or internal/launch runs nothing: this test looks for another package")
	}
	for _, p := range list(t, "-deps", module+"/internal/hook") {
		if p.ImportPath == module+"/internal/launch" || p.ImportPath == module+"/internal/gitrepo" {
			t.Errorf("internal/hook reaches %s", p.ImportPath)
		}
	}
	starting := []string{"StartProcess", "ForkExec", "Exec", "CreateProcess", "CreateProcessAsUser"}
	syncs := 0
	ours(t, func(p pkg, name string, fset *token.FileSet, f *ast.File) {
		selectors(f, func(at *ast.SelectorExpr, x, called string) {
			if field, ok := at.X.(*ast.SelectorExpr); ok && called == "Sync" && field.Sel.Name == "env" &&
				p.ImportPath == module+"/internal/hook" {
				if syncs++; filepath.Base(name) != "sessionend.go" {
					t.Errorf("%s: only sessionend.go may start a sync", fset.Position(at.Pos()))
				}
			}
			isSystem := slices.Contains([]string{"os", "syscall", "unix", "windows"}, x)
			if isSystem && slices.Contains(starting, called) {
				t.Errorf("%s: %s.%s belongs in internal/launch", fset.Position(at.Pos()), x, called)
			}
		})
	})
	if syncs != 2 { // is there one, and the call
		t.Errorf("hooks name Sync %d times: this test looks for other names", syncs)
	}
}

// TestSeamsStayInTests: the binary calls no function that exists for tests of other packages.
func TestSeamsStayInTests(t *testing.T) {
	ours(t, func(p pkg, name string, fset *token.FileSet, f *ast.File) {
		selectors(f, func(at *ast.SelectorExpr, _, name string) {
			if strings.HasPrefix(name, "TestOnly") {
				t.Errorf("%s: %s is for tests", fset.Position(at.Pos()), name)
			}
		})
	})
}

// TestNoExit: only main exits. Any other exit would break the promise that hooks exit with 0; flag.ExitOnError and a
// panic in a goroutine exit with 2, which blocks the user.
func TestNoExit(t *testing.T) {
	ours(t, func(p pkg, name string, fset *token.FileSet, f *ast.File) {
		main := p.ImportPath == module+"/cmd/memento"
		ast.Inspect(f, func(n ast.Node) bool {
			if n, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: a goroutine, whose panic nobody can recover", fset.Position(n.Pos()))
			}
			return true
		})
		selectors(f, func(at *ast.SelectorExpr, x, name string) {
			if x == "os" && name == "Exit" && !main || x == "flag" && name == "ExitOnError" {
				t.Errorf("%s: %s.%s", fset.Position(at.Pos()), x, name)
			}
		})
	})
}
