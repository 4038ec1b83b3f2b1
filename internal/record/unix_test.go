//go:build unix

package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

func TestLinksRefused(t *testing.T) {
	s, _ := store(t)
	r := create(t, s, decision("Fix auth"))
	outside := filepath.Join(t.TempDir(), "outside.md")
	fixture.Write(t, outside, string(r.Bytes()))
	if err := os.Remove(r.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, r.Path); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"read": second(s.Read(r.ID)), "create": second(s.Create(decision("Fix auth"))),
		"complete": second(s.Move(r.ID, schema.Completed, "")),
		"update":   second(s.Update(r.ID, "", "", func(r *Record) error { r.Body = "y"; return nil })),
	} {
		if !errors.Is(err, safefile.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, _ := os.ReadFile(outside); !bytes.Equal(got, r.Bytes()) {
		t.Error("a link was followed")
	}
	elsewhere, _ := store(t)
	fixture.Write(t, filepath.Join(elsewhere.Dir, "x"), "")
	if err := os.Symlink(t.TempDir(), filepath.Join(elsewhere.Dir, naming.Archive)); err != nil {
		t.Fatal(err)
	}
	if err := second(elsewhere.Create(decision("Fix auth"))); !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("an archive that is a link: %v", err)
	}
}
