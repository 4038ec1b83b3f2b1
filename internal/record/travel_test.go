package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

func TestPut(t *testing.T) {
	s, _ := store(t)
	r := create(t, s, Record{Kind: "decision", Title: "Use it", Project: "shop", Tags: []string{"a"},
		Body: "## Context\n\nOld.\n"})
	was := r.Bytes()
	put := func(id string, was, to []byte, want error) {
		t.Helper()
		err := s.Put(Arrival{id, was, to})
		if want == nil && err != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("put %s: %v, want %v", id, err, want)
		}
	}
	conflict := func(id string, was, to []byte) {
		t.Helper()
		before, _ := ReadFile(s.pathOf(id))
		if err := s.Put(Arrival{id, was, to}); !errors.As(err, new(*ConflictError)) {
			t.Errorf("put %s: %v", id, err)
		}
		if after, _ := ReadFile(s.pathOf(id)); string(after) != string(before) {
			t.Errorf("%s was changed to\n%s", id, after)
		}
	}
	archived := []byte(strings.Replace(string(was), "status: active", "status: archived", 1))
	conflict(r.ID, nil, archived)
	conflict(r.ID, archived, was)
	conflict("shop--none", was, archived)
	put(r.ID, was, archived, nil)
	if got, err := s.Read(r.ID); err != nil || got.Status != schema.Archived ||
		filepath.Dir(got.Path) != filepath.Join(s.Dir, naming.Archive) || string(got.Bytes()) != string(archived) {
		t.Errorf("archived: %+v, %v", got, err)
	}
	if _, err := os.Stat(r.Path); err == nil {
		t.Error("the active file is still there")
	}
	put(r.ID, archived, archived, nil)
	put(r.ID, archived, was, nil)
	put("shop--new", nil, was, nil)
	bad := []byte("---\nno key\n---\n")
	put("shop--new", was, bad, nil)
	put("shop--new", bad, nil, nil)
	put(r.ID, was, []byte(strings.Repeat("x", schema.MaxBytes+1)), ErrInvalid)
	if err := s.Put(Arrival{"no id", nil, was}); err == nil {
		t.Error("a bad id is taken")
	}
}

// Walk names each record of a project, with the stamp of the file that counts.
func TestWalk(t *testing.T) {
	s, _ := store(t)
	for i, kind := range []string{"decision", "subagent"} {
		create(t, s, Record{Kind: kind, Title: fmt.Sprint("title ", i), Project: "shop", Tags: []string{"a"},
			Body: "x\n"})
	}
	create(t, s, decision("of another project"))
	r := must(t)(s.Move("shop--title-0", schema.Completed, ""))
	fixture.Write(t, s.Path(r.ID, schema.Active), string(r.Bytes())) // of two files the folder's counts
	var got []string
	walk := func(id, path string, n safefile.Stamp) {
		if data, err := ReadFile(path); err != nil || int64(len(data)) != n.Size || path != s.Path(id, schema.Active) {
			t.Errorf("%s: %v, %+v", path, err, n)
		}
		got = append(got, id)
	}
	if err := s.Walk("shop", walk); err != nil || !slices.Equal(got, []string{"shop--title-0", "shop--title-1"}) {
		t.Errorf("of shop: %q, %v", got, err)
	}
	if err := s.Walk("", walk); err != nil || len(got) != 5 {
		t.Errorf("of all projects: %q, %v", got, err)
	}
	if err := (Store{Dir: filepath.Join(s.Dir, "none")}).Walk("", nil); err != nil {
		t.Error(err)
	}
}
