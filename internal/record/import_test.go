package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/schema"
)

// An imported record keeps its status, times and history, and lies in the folder for its status.
func TestImport(t *testing.T) {
	for _, k := range schema.Kinds {
		for _, status := range schema.Statuses() {
			s, c := store(t)
			r := full(k)
			r.Slug, r.Status, r.Created, r.Updated = "imported", status, c.Add(-48*time.Hour), c.Add(-24*time.Hour)
			r.Changes = []Change{{Date: "2026-03-12T09:26:53Z", Summary: "created"},
				{Date: "yesterday", Summary: "was, and: is", Field: "state", Old: "a", New: "b"}}
			made := must(t)(s.Import(r))
			got := must(t)(s.Read(made.ID))
			if got.Status != status || !got.Created.Equal(r.Created) || !got.Updated.Equal(r.Updated) ||
				fmt.Sprint(got.Changes) != fmt.Sprint(r.Changes) || got.Body != r.Body || got.Stage != r.Stage ||
				got.Path != s.Path(got.ID, status) {
				t.Errorf("%s, %s: %+v", k.Name, status, got)
			}
			if got.Problems() != nil {
				t.Errorf("%s: %v", k.Name, got.Problems())
			}
			var exists *ExistsError
			if _, err := s.Import(r); !errors.As(err, &exists) || exists.ID != made.ID {
				t.Errorf("%s a second time: %v", k.Name, err)
			}
		}
	}
}

// Ready returns the record that Import writes, and writes nothing.
func TestReady(t *testing.T) {
	s, c := store(t)
	r := decision("Use PASETO")
	r.Slug = "use-paseto"
	r.Status, r.Created, r.Updated = schema.Active, c.Time, c.Time
	r.Body += "The key is ghp_16C7e42F292c6912E7710c838347Ae178B4a. <private>mine</private>\x1b[31m\n"
	r.Changes = []Change{{Date: "2026-03-12", Summary: "token ghp_16C7e42F292c6912E7710c838347Ae178B4a"}}
	ready := must(t)(s.Ready(r))
	if _, err := os.Stat(s.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	if len(ready.Secrets) != 2 || strings.Contains(string(ready.Bytes()), "ghp_") ||
		strings.Contains(string(ready.Bytes()), "mine") || strings.Contains(string(ready.Bytes()), "\x1b") {
		t.Errorf("%v\n%s", ready.Secrets, ready.Bytes())
	}
	if made := must(t)(s.Import(*ready)); !bytes.Equal(made.Bytes(), ready.Bytes()) || made.ID != ready.ID {
		t.Errorf("made\n%s\nready\n%s", made.Bytes(), ready.Bytes())
	}
	if again, err := s.Ready(r); !errors.As(err, new(*ExistsError)) || again == nil ||
		!bytes.Equal(again.Bytes(), ready.Bytes()) {
		t.Errorf("there already: %+v, %v", again, err)
	}
	file,
		err := Decode("myapp--by-hand",
		[]byte("---\ncreated: 2026-01-01\nupdated: 2026-01-01\ntags: [x]\n---\n<private>mine</private> \x1b[31m\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t)(s.Ready(*file)); got.Body != "[private] [31m\n" {
		t.Errorf("%q", got.Body)
	}
	for _, bad := range []func(*Record){
		func(r *Record) { r.Slug = "../x" }, func(r *Record) { r.Project = "a--b" },
		func(r *Record) { r.Status = "new" }, func(r *Record) { r.Created = time.Time{} },
		func(r *Record) { r.Tags = nil }, func(r *Record) { r.Body = strings.Repeat("word ", 21<<10) },
		func(r *Record) { r.Kind = "note" },
	} {
		r := r
		bad(&r)
		if got, err := s.Ready(r); err == nil {
			t.Errorf("ready: %+v", got)
		}
		if got, err := s.Import(r); err == nil {
			t.Errorf("imported: %+v", got)
		}
	}
	if err := s.Remove(ready.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(*ready); !errors.Is(err, ErrRemoved) {
		t.Errorf("removed a moment ago: %v", err)
	}
}

// Import adds the missing fields of a file and keeps the rest. The copy in memory stays as it was.
func TestImportFile(t *testing.T) {
	const file = "---\r\n# by hand\r\ntitle: 'Use PASETO'   # yes\r\ncreated: 2026-01-02\r\nupdated: " +
		"2026-01-03\r\ntags:\r\n  - auth\r\nmood: \"good\"\r\n---\r\n\r\nWords.\r\n"
	s, _ := store(t)
	r, err := Decode("myapp--use-paseto", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	made := must(t)(s.Import(*r))
	for _, line := range []string{"id: myapp--use-paseto\r\n", "kind: memento\r\n", "project: myapp\r\n",
		"status: active\r\n", "# by hand\r\n", "title: 'Use PASETO'   # yes\r\n", "mood: \"good\"\r\n",
		"\r\n\r\nWords.\r\n"} {
		if !strings.Contains(string(made.Bytes()), line) {
			t.Errorf("%q is not in\n%s", line, made.Bytes())
		}
	}
	if string(r.Bytes()) != file {
		t.Errorf("the original became\n%s", r.Bytes())
	}
}
