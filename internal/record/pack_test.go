package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
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

// filler is a bulky body.
var filler = "## Context\n\nWords.\n\n" + strings.Repeat("The same old words.\n\n", bulky/10)

// packed makes a record that a collection archived and compressed.
func packed(t *testing.T, s Store, c *clock, title string) *Record {
	t.Helper()
	in := decision(title)
	in.Body = filler
	r := create(t, s, in)
	must(t)(s.Move(r.ID, "retire", "", "over"))
	c.add(31 * day)
	if out, err := s.Collect(GC{IDs: []string{r.ID}}); err != nil || !slices.Equal(out.Archived, []string{r.ID}) {
		t.Fatalf("%+v, %v", out, err)
	}
	return must(t)(s.Read(r.ID))
}

// files returns the names of the records' files in the folder and the archive.
func files(t *testing.T, s Store) string {
	t.Helper()
	var out []string
	for i, dir := range naming.Folders(s.Dir) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.Contains(e.Name(), naming.Ending) {
				out = append(out, []string{"", naming.Archive + "/"}[i]+e.Name())
			}
		}
	}
	return strings.Join(out, " ")
}

// gunzip returns the content of a compressed file.
func gunzip(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A collection compresses bulky records that it archives, and no others.
func TestPacked(t *testing.T) {
	s, c := store(t)
	r := packed(t, s, c, "Bulky")
	gz := filepath.Join(s.Dir, naming.Archive, "myapp--bulky.md.gz")
	if r.Path != gz || r.Status != schema.Archived || r.Body != filler || !bytes.Equal(gunzip(t, gz), r.Bytes()) {
		t.Errorf("%s is %s: %d bytes", r.Path, r.Status, len(r.Body))
	}
	if info, err := os.Stat(gz); err != nil || info.Size() > 2<<10 {
		t.Errorf("%v, %v", info, err)
	}
	if list, problems, err := s.List(Filter{Status: []string{schema.Archived}}); len(list) != 1 || problems != nil ||
		err != nil {
		t.Errorf("%v, %v, %v", list, problems, err)
	}
	again := must(t)(s.Update(r.ID, r.Hash(), "", func(r *Record) error { r.Tags = append(r.Tags, "old"); return nil }))
	if again.Path != gz || !slices.Contains(must(t)(s.Read(r.ID)).Tags, "old") {
		t.Errorf("%s has %v", again.Path, again.Tags)
	}
	if err := s.Rename(r.ID, "shop--bulky"); err != nil || files(t, s) != ".completed/shop--bulky.md.gz" {
		t.Errorf("%v: %s", err, files(t, s))
	}
	back := must(t)(s.Move("shop--bulky", "restore", "", ""))
	if files(t, s) != "shop--bulky.md" || back.Body != filler || back.Status != schema.Active {
		t.Errorf("%s: %s", back.Status, files(t, s))
	}
	must(t)(s.Move("shop--bulky", "archive", "", "a person's own"))
	small := create(t, s, decision("Small"))
	must(t)(s.Move(small.ID, "retire", "", "over"))
	c.add(31 * day)
	if _, err := s.Collect(GC{}); err != nil || files(t, s) != ".completed/myapp--small.md .completed/shop--bulky.md" {
		t.Errorf("%v: %s", err, files(t, s))
	}
	packed(t, s, c, "Bulky")
	if err := s.Remove("myapp--bulky"); err != nil || strings.Contains(files(t, s), "gz") {
		t.Errorf("%v: %s", err, files(t, s))
	}
}

// A person may compress and decompress a record. When both files exist, the plain one counts.
func TestPackedByHand(t *testing.T) {
	s, c := store(t)
	r := packed(t, s, c, "Bulky")
	plain := idOf(r.Path) + naming.Ending
	fixture.Write(t, plain, strings.Replace(string(r.Bytes()), "Words.", "Other words.", 1))
	if got := must(t)(s.Read(r.ID)); got.Path != plain || !strings.Contains(got.Body, "Other words.") {
		t.Errorf("%s counts", got.Path)
	}
	if out, err := s.Collect(GC{}); err != nil || out.Problems != nil ||
		!strings.HasPrefix(files(t, s), ".completed/myapp--bulky.md .completed/myapp--bulky.md.gz.older-") {
		t.Errorf("%+v, %v: %s", out, err, files(t, s))
	}
	fixture.Write(t, r.Path, string(pack(r.Path, must(t)(s.Read(r.ID)).Bytes()))) // gzip -k
	if _, err := s.Collect(GC{}); err != nil || strings.Contains(files(t, s), ".gz ") ||
		strings.HasSuffix(files(t, s), ".gz") {
		t.Errorf("%v: %s", err, files(t, s))
	}
	if aside := s.asides()[r.ID]; len(aside) != 1 || os.Remove(aside[0]) != nil {
		t.Error(aside)
	}
	fixture.Write(t, r.Path, string(pack(r.Path, r.Bytes())))
	if err := os.Remove(plain); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.Path, filepath.Join(s.Dir, "myapp--bulky.md.gz")); err != nil { // moved out of the archive
		t.Fatal(err)
	}
	if got := must(t)(s.Read(r.ID)); got.Status != schema.Active || got.Body != filler {
		t.Errorf("it is %s", got.Status)
	}
	must(t)(s.Update(r.ID, "", "", func(r *Record) error { r.Tags = []string{"new"}; return nil }))
	if files(t, s) != "myapp--bulky.md" {
		t.Error(files(t, s))
	}
	// What an interrupted restoring left goes.
	twin := filepath.Join(s.Dir, naming.Archive, "myapp--bulky.md.gz")
	fixture.Write(t, twin, string(pack(twin, r.Bytes())))
	must(t)(s.Move(r.ID, "retire", "", "over"))
	if files(t, s) != "myapp--bulky.md" && !strings.Contains(files(t, s), ".md.gz.older-") {
		t.Error(files(t, s))
	}
	if err := s.Remove(r.ID); err != nil || files(t, s) != "" {
		t.Errorf("%v: %s", err, files(t, s))
	}
}

// List reports a file that it cannot decompress, and the file stays. A small file with a huge text is not decompressed
// whole.
func TestPackedDamaged(t *testing.T) {
	s, c := store(t)
	r := packed(t, s, c, "Bulky")
	whole, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	wrong := slices.Clone(whole)
	wrong[len(wrong)-6] ^= 1 // in the checksum
	bomb := pack("x"+naming.Packed, bytes.Repeat([]byte("0"), 64<<20))
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{"cut": {whole[:len(whole)/2], ErrDamaged}, "checksum": {wrong, ErrDamaged},
		"tail": {append(slices.Clone(whole), "tail"...), ErrDamaged}, "bomb": {bomb, safefile.ErrTooLarge}} {
		fixture.Write(t, r.Path, string(tt.data))
		if _, err := s.Read(r.ID); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, problems, err := s.List(Filter{Status: schema.Statuses()}); len(problems) != 1 || err != nil {
			t.Errorf("%s: %v, %v", name, problems, err)
		}
		if out, err := s.Collect(GC{Purge: true, All: true}); err != nil || len(out.Problems) != 1 ||
			files(t, s) != ".completed/myapp--bulky.md.gz" {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
		if _, err := s.Move(r.ID, "restore", "", ""); err == nil {
			t.Errorf("%s: it was restored", name)
		}
		if now, err := os.ReadFile(r.Path); err != nil || !bytes.Equal(now, tt.data) {
			t.Errorf("%s: it was changed: %v", name, err)
		}
		if err := s.Rename(r.ID, "shop--bulky"); err != nil || files(t, s) != ".completed/shop--bulky.md.gz" {
			t.Errorf("%s: %v: %s", name, err, files(t, s))
		}
		if err := s.Rename("shop--bulky", r.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	n := testing.AllocsPerRun(1, func() { _, _ = Unpack(bomb) })
	if out, _ := Unpack(bomb); len(out) > schema.MaxBytes+1 || n > 100 {
		t.Errorf("%d bytes, %v allocations", len(out), n)
	}
	if err := s.Remove(r.ID); err != nil || files(t, s) != "" {
		t.Errorf("%v: %s", err, files(t, s))
	}
}
