package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"hash/crc32"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive: its path there, with slashes, its data, and whether it is a program.
type file struct {
	name string
	data []byte
	run  bool
}

func (f file) mode() fs.FileMode {
	if f.run {
		return 0o755
	}
	return 0o644
}

// fileDate is the date of every file, the oldest that a zip can hold. The time of the build would change every archive.
var fileDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// sortFiles returns files ordered by name.
func sortFiles(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// packTar returns a .tar.gz of the files, owned by root, without owner names. The same files give the same bytes under
// the same Go.
func packTar(files []file) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range sortFiles(files) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()),
			ModTime: fileDate, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// packZip returns a zip of the files, without entries for folders, each with its Unix mode: the client makes a file a
// program again if the archive says so (read in client 2.1.329, which sets mode & 0755 where any of 0111 is set). The
// sizes stand before the data, for a reader that reads a zip from its start.
func packZip(files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range sortFiles(files) {
		var deflated bytes.Buffer
		d, err := flate.NewWriter(&deflated, flate.BestCompression)
		if err != nil {
			return nil, err
		}
		if _, err := d.Write(f.data); err != nil {
			return nil, err
		}
		if err := d.Close(); err != nil {
			return nil, err
		}
		h := &zip.FileHeader{
			Name: f.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(f.data),
			ModifiedDate:     1<<5 | 1, // 1980-01-01 in DOS form; Modified would add an extra field
			CompressedSize64: uint64(deflated.Len()), UncompressedSize64: uint64(len(f.data)),
		}
		h.SetMode(f.mode())
		w, err := z.CreateRaw(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(deflated.Bytes()); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
