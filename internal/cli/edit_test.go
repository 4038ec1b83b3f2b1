package cli

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// editing runs memento edit with these arguments, at a terminal where edit acts as $EDITOR.
func (p person) editing(edit func(path string) error, args ...string) (code int, out, errs string) {
	var o, e strings.Builder
	s := p.streams(strings.NewReader(""), &o, &e)
	env := s.Getenv
	s.Getenv = func(k string) string {
		if k == "EDITOR" {
			return "an-editor --wait"
		}
		return env(k)
	}
	s.Terminal = true
	s.Edit = func(command, path string) error {
		if command != "an-editor --wait" {
			return errors.New("the editor is " + command)
		}
		return edit(path)
	}
	code = Main(append([]string{"edit"}, args...), s)
	return code, o.String(), e.String()
}

func TestEditInEditor(t *testing.T) {
	replace := func(path, old, new string) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatalf("%s has no %q: %v", path, old, err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paseto := func(path string) error { replace(path, "PASETO v4", "PASETO v3"); return nil }
	for _, test := range []struct {
		name  string
		edit  func(p person, path string) error
		args  []string
		code  int
		says  string // part of the answer or the error
		holds string // part of the record afterwards
		kept  string // part of the text that is kept; "" when none is
	}{
		{name: "changed", edit: func(_ person, path string) error { return paseto(path) },
			says: "edited shop--use-paseto, hash ", holds: "PASETO v3"},
		{name: "with a summary", edit: func(_ person, path string) error { return paseto(path) },
			args: []string{"--summary", "older clients"}, says: "edited", holds: "summary: older clients"},
		{name: "unchanged", edit: func(person, string) error { return nil },
			says:  "shop--use-paseto is as it was, hash ",
			holds: "PASETO v4"},
		{name: "emptied", edit: func(_ person, path string) error { return os.WriteFile(path, []byte("\n"), 0o600) },
			says: "is as it was", holds: "PASETO v4"},
		{name: "not valid", edit: func(_ person, path string) error {
			replace(path, "kind: decision", "kind: none")
			return nil
		}, code: 1, says: "kind stays", holds: "kind: decision", kept: "kind: none"},
		{name: "no front matter", edit: func(_ person, path string) error {
			return os.WriteFile(path, []byte("all gone"), 0o600)
		}, code: 1, says: "front matter", holds: "PASETO v4", kept: "all gone"},
		{name: "changed meanwhile", edit: func(p person, path string) error {
			if out, errs, code := p.run("edit", "use-paseto", "--set", "context=new"); code != 0 {
				t.Fatal(out, errs)
			}
			return paseto(path)
		}, code: 1, says: "--if-match ", holds: "new\n", kept: "PASETO v3"},
		{name: "the editor fails", edit: func(person, string) error { return errors.New("exit status 1") },
			code: 1, says: "hint: set VISUAL or EDITOR", holds: "PASETO v4"},
		{name: "the editor fails late", edit: func(_ person, path string) error {
			paseto(path)
			return errors.New("exit status 1")
		}, code: 1, says: "your text is kept", holds: "PASETO v4", kept: "PASETO v3"},
		{name: "the draft is gone", edit: func(_ person, path string) error { return os.Remove(path) },
			code: 1, says: "no such file", holds: "PASETO v4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPerson(t)
			p.run("save", "decision", "Use PASETO", "--set", "decision=PASETO v4")
			var draft string
			code, out, errs := p.editing(func(path string) error {
				info, err := os.Stat(path)
				if err != nil || info.Mode().Perm()&0o077 != 0 {
					t.Errorf("the draft: %v, %v", info.Mode(), err)
				}
				draft = path
				return test.edit(p, path)
			}, append([]string{"use-paseto"}, test.args...)...)
			if code != test.code || !strings.Contains(out+errs, test.says) {
				t.Errorf("code %d, %q, %q", code, out, errs)
			}
			raw, _, _ := p.run("show", "use-paseto", "--raw")
			if !strings.Contains(raw, test.holds) {
				t.Errorf("the record: %s", raw)
			}
			data, err := os.ReadFile(draft)
			if test.kept == "" && err == nil || !strings.Contains(string(data), test.kept) {
				t.Errorf("kept: %q, %v", data, err)
			}
			if test.kept != "" && !strings.Contains(errs, draft) {
				t.Errorf("the error does not name %s: %s", draft, errs)
			}
		})
	}
}

// A text that was kept is stored by the command in the hint.
func TestKeptText(t *testing.T) {
	p := newPerson(t)
	p.run("save", "decision", "Use PASETO", "--set", "decision=PASETO v4")
	var path string
	p.editing(func(at string) error {
		path = at
		data, _ := os.ReadFile(at)
		return os.WriteFile(at, []byte(strings.Replace(string(data), "kind: decision", "kind: none", 1)), 0o600)
	}, "use-paseto")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mended := strings.Replace(strings.Replace(string(data), "kind: none", "kind: decision", 1), "v4", "v3", 1)
	if err := os.WriteFile(path, []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, _ := p.run("edit", "use-paseto", "--body", path); !strings.HasPrefix(out, "edited ") {
		t.Errorf("%q, %q", out, errs)
	}
}

func TestNoEditor(t *testing.T) {
	p := newPerson(t)
	p.run("save", "decision", "Use PASETO")
	for _, args := range [][]string{{"--set", "title=Use it"}} {
		code, out, errs := p.editing(func(string) error { t.Error("an editor"); return nil },
			append([]string{"use-paseto"}, args...)...)
		if code != 0 {
			t.Errorf("%v: %q, %q", args, out, errs)
		}
	}
	code, out, errs := at(t, p.home, p.dir, "", "edit", "use-paseto")
	if code != 0 || !strings.Contains(out, "EDITOR") {
		t.Errorf("without one: code %d, %q, %q", code, out, errs)
	}
}
