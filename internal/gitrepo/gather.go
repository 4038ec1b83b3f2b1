package gitrepo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/mementohq/memento/internal/safefile"
)

// Each commit and each fetch makes a pack, and every pack makes reading slower. From time to time small packs become
// one, in which similar objects, such as the versions of a folder, are stored as differences.
const (
	manyPacks = 32      // small packs that may wait
	smallPack = 8 << 20 // bytes; larger packs are left alone
	window    = 10      // how many objects each is compared with, as git does
)

// packFile is a pack on the disk.
type packFile struct {
	stem string // its path without the suffix
	size int64
}

// gather stores the objects of small packs in one, when there are many. A kill leaves objects stored twice at most.
func (r *Repo) gather() error {
	entries, err := safefile.List(filepath.Join(r.dir, "objects", "pack"))
	if err != nil {
		return err
	}
	var small []packFile
	for _, e := range visible(entries) {
		stem, ok := strings.CutSuffix(e.Name(), ".pack")
		if info, err := e.Info(); ok && err == nil && info.Size() < smallPack {
			small = append(small, packFile{filepath.Join(r.dir, "objects", "pack", stem), info.Size()})
		}
	}
	if len(small) <= manyPacks {
		return nil
	}
	slices.SortFunc(small, func(a, b packFile) int { return cmp.Compare(a.size, b.size) })
	n, sum := 0, int64(0)
	for n < len(small) && (n < manyPacks/2 || small[n].size <= 2*sum) { // so that each object is moved a few times only
		sum += small[n].size
		n++
	}
	return r.join(small[:n])
}

// join stores the objects of packs in one, and removes the packs. It hands go-git whole objects, in memory. From the
// disk go-git would take the differences that are there, which go round in a circle where two packs hold each of two
// objects as its difference to the other; and several goroutines of it would read one file at once.
func (r *Repo) join(packs []packFile) error {
	var hashes []plumbing.Hash
	whole := memory.NewStorage()
	for _, p := range packs {
		found, err := packed(p.stem + ".idx")
		if err != nil {
			return damaged(err)
		}
		for _, h := range found {
			if whole.HasEncodedObject(h) == nil {
				continue
			}
			kind, data, err := r.load(h)
			if err != nil {
				return err
			}
			o := new(plumbing.MemoryObject)
			o.SetType(kind)
			_, _ = o.Write(data) // to memory
			if _, err := whole.SetEncodedObject(o); err != nil {
				return err
			}
			hashes = append(hashes, h)
		}
	}
	var pack bytes.Buffer
	if _, err := packfile.NewEncoder(&pack, whole, false).Encode(hashes, window); err != nil {
		return err
	}
	if err := r.storePack(pack.Bytes()); err != nil {
		return err
	}
	if err := r.store.Close(); err != nil { // Windows removes no open file
		return err
	}
	defer r.reopen()
	name := "pack-" + plumbing.Hash(pack.Bytes()[pack.Len()-20:]).String()
	written, err := packed(filepath.Join(r.dir, "objects", "pack", name+".idx"))
	if err != nil || len(written) != len(hashes) {
		return errors.Join(err, fmt.Errorf("%s holds %d of %d objects", name, len(written), len(hashes)))
	}
	for _, p := range packs {
		if filepath.Base(p.stem) == name {
			continue
		}
		for _, suffix := range []string{".pack", ".idx", ".rev", ".bitmap"} {
			if err := safefile.Remove(p.stem + suffix); err != nil {
				return err
			}
		}
	}
	return nil
}

// packed returns the objects that the index of a pack names.
func packed(index string) ([]plumbing.Hash, error) {
	f, err := safefile.Open(index)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table := idxfile.NewMemoryIndex()
	if err := idxfile.NewDecoder(f).Decode(table); err != nil {
		return nil, err
	}
	entries, err := table.Entries()
	if err != nil {
		return nil, err
	}
	var hashes []plumbing.Hash
	for {
		e, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return hashes, nil
		}
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, e.Hash)
	}
}

// wholePacks hides packs without an index from go-git, which would read nothing at all because of one. A killed git
// leaves such packs. It also answers for go-git where no object stands alone, which else looks there for each one.
type wholePacks struct {
	billy.Filesystem
	alone map[string]bool // the folders of objects that are in no pack, by their two digits
}

func newWholePacks(dir string) wholePacks {
	w := wholePacks{osfs.New(dir, osfs.WithBoundOS()), map[string]bool{}}
	entries, err := safefile.List(filepath.Join(dir, "objects"))
	if err != nil {
		return w // then nothing can be read
	}
	for _, e := range entries {
		w.alone[e.Name()] = true
	}
	return w
}

func (w wholePacks) Open(path string) (billy.File, error) {
	if parts := strings.Split(filepath.ToSlash(path), "/"); len(parts) == 3 && parts[0] == "objects" &&
		!w.alone[parts[1]] {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return w.Filesystem.Open(path)
}

func (w wholePacks) ReadDir(path string) ([]os.FileInfo, error) {
	entries, err := w.Filesystem.ReadDir(path)
	if filepath.Base(path) != "pack" {
		return entries, err
	}
	return visible(entries), err
}

// visible returns the entries of a folder of packs without those of packs that have no index.
func visible[E interface{ Name() string }](entries []E) []E {
	indexes := map[string]bool{}
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			indexes[stem] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e E) bool {
		stem, ok := strings.CutSuffix(e.Name(), ".pack")
		return ok && !indexes[stem]
	})
}
