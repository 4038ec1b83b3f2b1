package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

const (
	maxExported = 65  // exported names of a package, methods included
	maxLines    = 80  // of a function
	maxBranches = 25  // of a function: if, for and case
	maxColumns  = 120 // of a line; a tab is four
	longWords   = 60  // columns of strings on a line that may be wider, because strings do not break
)

// large lists what may exceed a limit, with the reason.
var large = map[string]string{
	"search.base":      "a table of irregular verbs",
	"sentence.wordCue": "a table of words that announce a rule",
	"redact.field":     "a table of the forms of made-up secrets",
}

// shows lists the packages with more exported names. A number may fall, but not rise. A mission, its storage and its
// changes are one promise; so is what the words of a language mean, with its tables.
var shows = map[string]int{"journal": 70, "log": 72}

// source is a parsed Go file.
type source struct {
	path string // from this folder
	src  []byte
	set  *token.FileSet
	file *ast.File
}

// parseAll parses every Go file of the repository, once for all tests.
var parseAll = sync.OnceValues(func() (all []source, err error) {
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git" ||
			d.Name() == "dist"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		s := source{path: path, set: token.NewFileSet()}
		if s.src, err = os.ReadFile(path); err == nil {
			s.file, err = parser.ParseFile(s.set, path, s.src, parser.ParseComments|parser.SkipObjectResolution)
		}
		all = append(all, s)
		return err
	})
	return all, err
})

// sources calls visit with every Go file of the repository.
func sources(t *testing.T, visit func(path string, src []byte, set *token.FileSet, f *ast.File)) {
	t.Helper()
	all, err := parseAll()
	if err != nil || len(all) < 300 {
		t.Fatalf("%d Go files: %v", len(all), err)
	}
	for _, s := range all {
		visit(s.path, s.src, s.set, s.file)
	}
}

// TestFunctionsAreShort limits the lines and branches of each function.
func TestFunctionsAreShort(t *testing.T) {
	sources(t, func(path string, _ []byte, set *token.FileSet, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			lines := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
			branches := 0
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CommClause:
					branches++
				case *ast.CaseClause:
					if n.List != nil {
						branches++
					}
				}
				return true
			})
			name := f.Name.Name + "." + fn.Name.Name
			if (lines > maxLines || branches > maxBranches) && large[name] == "" {
				t.Errorf("%s: %s has %d lines and %d branches", path, name, lines, branches)
			}
		}
	})
}

// TestPackagesShowLittle limits the exported names of each package.
func TestPackagesShowLittle(t *testing.T) {
	shown := map[string]int{}
	sources(t, func(path string, _ []byte, _ *token.FileSet, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		count := func(id *ast.Ident) {
			if id.IsExported() {
				shown[filepath.Dir(path)]++
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				count(d.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						count(s.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							count(id)
						}
					}
				}
			}
		}
	})
	for dir, n := range shown {
		if limit := max(maxExported, shows[filepath.Base(dir)]); n > limit {
			t.Errorf("%s shows %d names, at most %d", dir, n, limit)
		}
	}
}

// TestLinesFitTheScreen limits lines to 120 columns, except lines with one long string.
func TestLinesFitTheScreen(t *testing.T) {
	sources(t, func(path string, src []byte, set *token.FileSet, f *ast.File) {
		words := map[int]int{} // columns of strings on a line or around the line
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
				for l := set.Position(s.Pos()).Line; l <= set.Position(s.End()).Line; l++ {
					words[l] += columns(s.Value)
				}
			}
			return true
		})
		var wide []string
		for i, line := range strings.Split(string(src), "\n") {
			if columns(aligned.ReplaceAllString(line, " ")) > maxColumns && words[i+1] <= longWords {
				wide = append(wide, fmt.Sprint(i+1))
			}
		}
		if len(wide) > 0 {
			t.Errorf("%s: wider than %d columns: line %s", path, maxColumns, strings.Join(wide, ", "))
		}
	})
}

// aligned matches the spaces that gofmt puts between a key and its value.
var aligned = regexp.MustCompile(`  +`)

func columns(s string) int { return utf8.RuneCountInString(s) + 3*strings.Count(s, "\t") }
