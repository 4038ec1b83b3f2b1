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

// file is one in an archive: its path there, with slashes, and whether it runs.
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

// then dates every file, the oldest a zip can say: a clock would make each archive another.
var then = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// sorted is files by name, whatever order they were found in.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// tarball is a .tar.gz of the files, owned by root, named by nobody: the same files give the same bytes under the same
// Go.
func tarball(files []file) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range sorted(files) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()),
			ModTime: then, Format: tar.FormatUSTAR}
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

// zipped is a zip of the files, without folders of their own, each with its Unix mode: the client gives a file its run
// bits back when the archive has them (read in client 2.1.329, which sets mode & 0755 where any of 0111 is set). The
// sizes stand before the data, not after it, for whoever reads a zip from its front.
func zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range sorted(files) {
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
			ModifiedDate:     1<<5 | 1, // 1980-01-01, as DOS says it; Modified would add an extra field to say more
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
