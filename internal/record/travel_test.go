package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

func TestPut(t *testing.T) {
	s, _ := store(t)
	var told []string
	s.Index = listener(func(saved *Record, deleted string) {
		if saved != nil {
			deleted = "+" + saved.ID
		}
		told = append(told, deleted)
	})
	r := create(t, s, Record{Kind: "decision", Title: "Use it", Project: "shop", Tags: []string{"a"},
		Body: "## Context\n\nOld.\n"})
	was := r.Bytes()
	told = nil
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
	want := []string{"+" + r.ID, "+" + r.ID, "+shop--new", "shop--new", "shop--new"}
	if !slices.Equal(told, want) {
		t.Errorf("the index heard %q, want %q", told, want)
	}
}

func TestWalk(t *testing.T) {
	s, _ := store(t)
	for i, kind := range []string{"decision", "subagent", "session"} {
		create(t, s, Record{Kind: kind, Title: fmt.Sprint("title ", i), Slug: fmt.Sprint(kind, i), Project: "shop",
			Tags: []string{"a"}, Body: "x\n"})
	}
	other := create(t, s, Record{Kind: "decision", Title: "other", Slug: "other", Project: "blog", Tags: []string{"a"},
		Body: "x\n"})
	if _, err := s.Move("shop--decision0", "complete", "", ""); err != nil {
		t.Fatal(err)
	}
	list := func(project string) (ids []string, stamps map[string]safefile.Stamp) {
		stamps = map[string]safefile.Stamp{}
		if err := s.Walk(project, func(id, path string, n safefile.Stamp) {
			if data, err := ReadFile(path); err != nil || int64(len(data)) != n.Size {
				t.Errorf("%s: %v, %+v", path, err, n)
			}
			ids, stamps[id] = append(ids, id), n
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(ids)
		return ids, stamps
	}
	ids, before := list("shop")
	if want := []string{"shop--decision0", "shop--session1", "shop--subagent1"}; len(ids) != 3 || ids[0] != want[0] {
		t.Errorf("got %q", ids)
	}
	if all, _ := list(""); len(all) != 4 {
		t.Errorf("of all projects: %q", all)
	}
	if _, err := s.Update(ids[1], "", "", func(r *Record) error { r.Body = "y\n"; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, after := list("shop"); after[ids[1]] == before[ids[1]] || after[ids[0]] != before[ids[0]] {
		t.Error("a stamp does not follow the file")
	}
	// Of two files of one record the one that counts comes.
	data, _ := os.ReadFile(other.Path)
	twin := filepath.Join(s.Dir, naming.Archive, filepath.Base(other.Path))
	if err := os.WriteFile(twin, data, 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	_ = s.Walk("blog", func(id, path string, _ safefile.Stamp) {
		if n++; path != other.Path || id != other.ID {
			t.Errorf("%s is at %s", id, path)
		}
	})
	if n != 1 {
		t.Errorf("%d files", n)
	}
	if err := (Store{Dir: filepath.Join(s.Dir, "none")}).Walk("", nil); err != nil {
		t.Error(err)
	}
}
