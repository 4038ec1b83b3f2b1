package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// person is a user with a home folder, who works in the folder dir.
type person struct{ home, dir string }

func newPerson(t *testing.T) person {
	t.Helper()
	p := person{home: t.TempDir(), dir: filepath.Join(t.TempDir(), "shop")}
	if err := os.MkdirAll(filepath.Join(p.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// streams returns the streams of a command that the person runs.
func (p person) streams(in io.Reader, out, errs io.Writer) Streams {
	env := map[string]string{"HOME": p.home, "USERPROFILE": p.home, "USER": "alice"}
	return Streams{In: in, Out: out, Err: errs, Getenv: func(k string) string { return env[k] }, Dir: p.dir,
		Now: time.Now}
}

// run runs a command without a terminal and returns its output and exit code.
func (p person) run(args ...string) (out, errs string, code int) {
	var o, e strings.Builder
	code = Main(args, p.streams(strings.NewReader(""), &o, &e))
	return o.String(), strings.ReplaceAll(e.String(), p.dir, "DIR"), code
}

// at runs memento in dir, at a terminal where a person types in, and returns its exit code and output.
func at(t *testing.T, home, dir, in string, args ...string) (code int, out, err string) {
	t.Helper()
	var o, e strings.Builder
	s := person{home, dir}.streams(strings.NewReader(in), &o, &e)
	s.Terminal = true
	code = Main(args, s)
	return code, o.String(), e.String()
}

// meanwhile is an input that runs do before it answers yes.
type meanwhile struct {
	do func()
	io.Reader
}

func (m *meanwhile) Read(p []byte) (int, error) {
	if m.Reader == nil {
		m.do()
		m.Reader = strings.NewReader("y\n")
	}
	return m.Reader.Read(p)
}
