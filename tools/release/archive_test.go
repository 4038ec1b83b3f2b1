package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"testing"
)

// unordered are files that are not ordered by name.
var unordered = []file{
	{"memento", []byte("\x7fELF and so on"), true},
	{"LICENSE", []byte("MIT License\n"), false},
	{"bin/darwin-arm64/memento", []byte("\xfe\xed\xfa\xcf"), true},
	{"docs/a page.md", nil, false},
}

func TestTarball(t *testing.T) {
	t.Parallel()
	data, err := packTar(unordered)
	if err != nil {
		t.Fatal(err)
	}
	reversed := slices.Clone(unordered)
	slices.Reverse(reversed)
	if again, _ := packTar(reversed); !bytes.Equal(again, data) {
		t.Error("in another order the same files give other bytes")
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("gzip says when it was made, %v, or of what, %q", z.ModTime, z.Name)
	}
	r := tar.NewReader(z)
	for _, f := range sortFiles(unordered) {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil || h.Name != f.name || !bytes.Equal(body, f.data) {
			t.Errorf("%s: %q, want %s with %q; %v", h.Name, body, f.name, f.data, err)
		}
		if fs.FileMode(h.Mode) != f.mode() || !h.ModTime.Equal(fileDate) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" ||
			h.Gname != "" {
			t.Errorf("%s: %+v, want mode %v, the fixed time, and root without a name", f.name, h, f.mode())
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the last file: %v, want the end", err)
	}
}

func TestZipped(t *testing.T) {
	t.Parallel()
	data, err := packZip(unordered)
	if err != nil {
		t.Fatal(err)
	}
	reversed := slices.Clone(unordered)
	slices.Reverse(reversed)
	if again, _ := packZip(reversed); !bytes.Equal(again, data) {
		t.Error("in another order the same files give other bytes")
	}
	unpacked := unzip(t, data)
	if len(unpacked) != len(unordered) {
		t.Fatalf("%d files, want %d", len(unpacked), len(unordered))
	}
	for i, f := range sortFiles(unordered) {
		got := unpacked[i]
		if got.name != f.name || !bytes.Equal(got.data, f.data) || got.run != f.run {
			t.Errorf("%+v, want %+v", got, f)
		}
	}
}

// unzip returns the files in the order of the archive, and checks the rules of every archive.
func unzip(t *testing.T, data []byte) []file {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var files []file
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r) // checks the CRC
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		run := f.Mode() == 0o755
		if !run && f.Mode() != 0o644 {
			t.Errorf("%s: mode %v, want 0755 or 0644", f.Name, f.Mode())
		}
		if f.CreatorVersion>>8 != 3 { // 3 is Unix: only then do the modes count
			t.Errorf("%s: made on system %d, want 3", f.Name, f.CreatorVersion>>8)
		}
		if !f.Modified.Equal(fileDate) {
			t.Errorf("%s: of %v, want %v", f.Name, f.Modified, fileDate)
		}
		if f.Flags&8 != 0 || len(f.Extra) != 0 {
			t.Errorf("%s: flags %x, extra %x; want sizes before the data and nothing extra", f.Name, f.Flags, f.Extra)
		}
		files = append(files, file{f.Name, body, run})
	}
	return files
}
