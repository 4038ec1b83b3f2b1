package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// viewer is a person at a terminal who looks at pages.
type viewer struct {
	person
	opened []string // the files that the browser got
	fails  error
	in     io.Reader
	env    map[string]string
}

func newViewer(t *testing.T) *viewer {
	v := &viewer{person: newPerson(t), env: map[string]string{}}
	v.run("mission", "Ship the loyalty card")
	return v
}

func (v *viewer) view(args ...string) (out, errs string, code int) {
	var o, e strings.Builder
	in := v.in
	if in == nil {
		in = strings.NewReader("")
	}
	s := v.streams(in, &o, &e)
	getenv := s.Getenv
	s.Getenv = func(name string) string {
		if words := v.env[name]; words != "" {
			return words
		}
		return getenv(name)
	}
	s.Terminal = true
	s.Browse = func(path string) error {
		if v.fails == nil {
			v.opened = append(v.opened, path)
		}
		return v.fails
	}
	code = Main(append([]string{"view"}, args...), s)
	return o.String(), e.String(), code
}

// TestView: at a terminal the page opens, and only there; Claude's never does.
func TestView(t *testing.T) {
	v := newViewer(t)
	page := filepath.Join(v.home, ".claude", ".memento", "cache", "view", "shop.html")
	if out, errs, code := v.view(); code != exitOK || out != page+"\n" || errs != "" || len(v.opened) != 1 ||
		v.opened[0] != page {
		t.Errorf("%d, %q, %q, opened %q", code, out, errs, v.opened)
	}
	if info, err := os.Stat(page); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if !strings.Contains(fixture.Read(t, page), `"mission":"Ship the loyalty card"`) {
		t.Error("the page lacks the mission")
	}
	v.opened = nil
	for _, args := range [][]string{{"--no-open"}, {"--out", "-"}} {
		if _, errs, code := v.view(args...); code != exitOK || errs != "" || v.opened != nil {
			t.Errorf("%q: %d, %q, opened %q", args, code, errs, v.opened)
		}
	}
	v.env["CLAUDECODE"] = "1"
	if out, _, code := v.view(); code != exitOK || out != page+"\n" || v.opened != nil {
		t.Errorf("Claude's: %d, %q, opened %q", code, out, v.opened)
	}
	delete(v.env, "CLAUDECODE")
	if out, _, code := v.run("view"); code != exitOK || out != page+"\n" {
		t.Errorf("without a terminal: %d, %q", code, out)
	}
	v.fails = fs.ErrNotExist
	if out, errs, code := v.view(); code != exitOK || out != page+"\n" || !strings.Contains(errs, "no browser") {
		t.Errorf("no browser: %d, %q, %q", code, out, errs)
	}
	v.fails = errors.New("it is broken")
	if _, errs, code := v.view(); code != exitOK || !strings.Contains(errs, "does not start: it is broken") {
		t.Errorf("a broken browser: %d, %q", code, errs)
	}
}

// TestViewOut: a copy is the person's. It overwrites a page and nothing else.
func TestViewOut(t *testing.T) {
	v := newViewer(t)
	mine := filepath.Join(v.dir, "mine.html")
	for range 2 {
		if out, errs, code := v.view("--out", "mine.html"); code != exitOK || out != mine+"\n" {
			t.Errorf("%d, %q, %q", code, out, errs)
		}
	}
	fixture.Write(t, mine, "my own")
	if _, errs, code := v.view("--out", "mine.html"); code != exitUsage || fixture.Read(t, mine) != "my own" {
		t.Errorf("over another file: %d, %q", code, errs)
	}
	inside := filepath.Join(v.home, ".claude", ".memento", "a.html")
	if _, errs, code := v.view("--out", inside); code != exitUsage || !strings.Contains(errs, "memento's own folder") {
		t.Errorf("in memento's folder: %d, %q", code, errs)
	}
	if v.view("--out", "kept.html"); !fixture.Exists(filepath.Join(v.dir, "kept.html")) {
		t.Fatal("no copy")
	}
	v.run("forget", "--all", "--yes")
	if !fixture.Exists(filepath.Join(v.dir, "kept.html")) {
		t.Error("forget took the person's copy")
	}
}

// TestViewErased: forget removes the pages, whatever it erases.
func TestViewErased(t *testing.T) {
	v := newViewer(t)
	folder := filepath.Join(v.home, ".claude", ".memento", "cache", "view")
	for _, words := range []string{"loyalty card", "nothing of it", ""} {
		v.view("--no-open")
		v.view("--all", "--no-open")
		if names := fixture.Names(t, folder); len(names) != 2 {
			t.Fatalf("%q", names)
		}
		args := []string{"forget", "--yes"}
		if words != "" {
			args = append(args, words)
		}
		out, errs, code := v.run(args...)
		if names := fixture.Names(t, folder); len(names) > 0 {
			t.Errorf("%q left %q: %d, %s%s", args, names, code, out, errs)
		}
	}
}
