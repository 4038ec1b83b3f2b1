package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// owners are the packages that store JSON. Only the owner of a file knows its fields. Other packages ask the owner to
// read, erase or rename, so that each promise covers a new field too.
var owners = []string{"journal", "history", "session", "project", "withheld", "config",
	"rule", "log", "past", "pace"}

// sharedFields lists, by package, fields of foreign formats that have the name of an owner's field, with the reason.
var sharedFields = map[string]struct{ fields, why string }{
	"transcript": {"answers id kind name notes plan status subject task text trigger type user version words",
		"the client's lines"},
	"client":  {"*", "the lines of another client"},
	"install": {"version name", "the client's settings, its skills, and the files of its installations"},
	"record": {"branch field id kind new project session status summary",
		"the front matter of a record's own file, which is no JSON"},
	"exchange": {"*", "documents of other layouts, among them those of memento's ancestor"},
	"history":  {"act ctx result verified", "what an entry was in the journal it left, and where it came from"},
}

// fieldName matches the name of a field.
var fieldName = regexp.MustCompile(`^[a-z][a-z_]*$`)

// jsonName matches a field in a piece of JSON.
var jsonName = regexp.MustCompile(`"([a-z][a-z_]*)":`)

// literal returns the text of a string literal. It splits a path in JSON into its parts.
func literal(e ast.Expr) (parts []string) {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return nil
	}
	s, _ := strconv.Unquote(b.Value)
	for _, part := range strings.Split(s, ".") {
		if fieldName.MatchString(part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// writtenFields returns the JSON fields that a Go file writes: in tags of structs, in pieces of JSON, in functions and
// tables that name fields, and in calls that set a field.
func writtenFields(f *ast.File) map[string]bool {
	out := map[string]bool{}
	note := func(e ast.Expr) {
		for _, part := range literal(e) {
			out[part] = true
		}
	}
	for _, d := range f.Decls {
		fn, _ := d.(*ast.FuncDecl)
		names := fn != nil && (fn.Name.Name == "fields" ||
			fn.Name.Name == "specs" || strings.HasPrefix(fn.Name.Name, "encode"))
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if n.Tag != nil {
					if tag := regexp.MustCompile(`json:"([a-z_]+)`).FindStringSubmatch(n.Tag.Value); tag != nil {
						out[tag[1]] = true
					}
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					for _, m := range jsonName.FindAllStringSubmatch(s, -1) {
						out[m[1]] = true
					}
				}
				if names {
					note(n)
				}
			case *ast.CallExpr:
				switch called(n) {
				case "set", "put", "keep", "keepAt", "Format", "Set", "SetRaw":
					for _, a := range n.Args {
						note(a)
					}
				}
			}
			return true
		})
	}
	return out
}

// called returns the name of the function or method in a call.
func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// readFields calls f with each JSON field that a Go file reads, or compares with the name of a field.
func readFields(file *ast.File, f func(at ast.Node, field string)) {
	note := func(e ast.Expr) {
		for _, part := range literal(e) {
			f(e, part)
		}
	}
	key := func(e ast.Expr) bool { // a key from gjson
		switch e := e.(type) {
		case *ast.SelectorExpr:
			return e.Sel.Name == "Str"
		case *ast.Ident:
			return e.Name == "key"
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			on := ""
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					on = x.Name
				}
			}
			if on == "gjson" || on == "sjson" || on != "url" && called(n) == "Get" {
				for _, a := range n.Args {
					note(a)
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				if key(n.X) {
					note(n.Y)
				}
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && key(n.Tag) {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						note(e)
					}
				}
			}
		}
		return true
	})
}

// foreignFields calls report with each field that a package reads although another package owns it.
func foreignFields(written map[string]map[string]bool, pkg string, file *ast.File,
	report func(at ast.Node, field string, owners []string)) {
	shared := strings.Fields(sharedFields[pkg].fields)
	readFields(file, func(at ast.Node, field string) {
		if written[pkg][field] && slices.Contains(owners, pkg) || slices.Contains(shared, "*") ||
			slices.Contains(shared, field) {
			return
		}
		var theirs []string
		for _, owner := range owners {
			if owner != pkg && written[owner][field] {
				theirs = append(theirs, owner)
			}
		}
		if theirs != nil {
			report(at, field, theirs)
		}
	})
}

// TestFieldsStayAtHome: no package reads fields from JSON of another package.
func TestFieldsStayAtHome(t *testing.T) {
	written := map[string]map[string]bool{}
	short := func(p pkg) string { return strings.TrimPrefix(p.ImportPath, module+"/internal/") }
	ours(t, func(p pkg, name string, fset *token.FileSet, f *ast.File) {
		if slices.Contains(owners, short(p)) {
			if written[short(p)] == nil {
				written[short(p)] = map[string]bool{}
			}
			maps.Copy(written[short(p)], writtenFields(f))
		}
	})
	for owner, fields := range map[string]string{
		"journal": "mission act cmd", "history": "number trigger facts",
		"session": "lane pending block told",
		"project": "slug roots called", "withheld": "pauses refs", "config": "lane_ttl",
		"log": "asked line reason agent body", "past": "mark",
	} {
		for _, field := range strings.Fields(fields) {
			if !written[owner][field] {
				t.Errorf("it is not seen that %s writes %q", owner, field)
			}
		}
	}
	used := map[string]bool{}
	ours(t, func(p pkg, name string, fset *token.FileSet, f *ast.File) {
		foreignFields(written, short(p), f, func(at ast.Node, field string, theirs []string) {
			t.Errorf("%s reads %q: ask %s, which writes it", fset.Position(at.Pos()), field,
				strings.Join(theirs, " or "))
		})
		readFields(f, func(_ ast.Node, field string) { used[short(p)+" "+field] = true })
	})
	for p, shared := range sharedFields {
		for _, field := range strings.Fields(shared.fields) {
			if !used[p+" "+field] && field != "*" {
				t.Errorf("%s reads no %q: take it out of sharedFields", p, field)
			}
		}
	}

	// Two lists of foreign fields that the code once had, and fields by which the test finds them.
	for source, want := range map[string]string{
		`func machine(key string) bool { switch key { case "mission_ref", "branch": return true }; return false ` +
			`}`: "branch mission_ref",
		`var words = gjson.GetBytes(line, ` +
			`"journal.mission").String()`: "journal mission",
		`func f() { raw, _ = sjson.Delete(raw, "pending") ` +
			`}`: "pending",
		`func f(k gjson.Result) bool { return k.Str == "pending" ` +
			`}`: "pending",
		`func f(k gjson.Result) bool { return k.Str == "nobodys" || name == "pending" }`: "",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "planted.go", "package forget\n"+source,
			parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		foreignFields(written, "forget", f, func(_ ast.Node, field string, _ []string) { got = append(got, field) })
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("in %s it finds %q", source, got)
		}
	}
}
