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
	for _, test := range []struct {
		name  string
		edit  func(path string) error
		code  int
		says  string // part of the answer or the error
		holds string // part of the record afterwards
	}{
		{name: "changed", edit: func(path string) error { replace(path, "PASETO v4", "PASETO v3"); return nil },
			says: "edited shop--use-paseto, hash ", holds: "PASETO v3"},
		{name: "unchanged", edit: func(string) error { return nil },
			says: "shop--use-paseto is as it was, hash ", holds: "PASETO v4"},
		{name: "not valid", edit: func(path string) error { replace(path, "kind: decision", "kind: none"); return nil },
			says: "memento: note: ", holds: "kind: none"},
		{name: "no front matter", edit: func(path string) error {
			return os.WriteFile(path, []byte("all gone"), 0o600)
		}, code: 1, says: "front matter", holds: "all gone"},
		{name: "the editor fails", edit: func(string) error { return errors.New("exit status 1") },
			code: 1, says: "hint: set VISUAL or EDITOR", holds: "PASETO v4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPerson(t)
			p.run("save", "decision", "Use PASETO", "--set", "decision=PASETO v4")
			file := ""
			code, out, errs := p.editing(func(path string) error { file = path; return test.edit(path) }, "use-paseto")
			if code != test.code || !strings.Contains(out+errs, test.says) {
				t.Errorf("code %d, %q, %q", code, out, errs)
			}
			if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), test.holds) {
				t.Errorf("the record: %s, %v", data, err)
			}
		})
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
