package gitrepo

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"

	"github.com/mementohq/memento/internal/safefile"
)

// manyPacks is how many packs may lie in the repository: each commit and each fetch makes one, and every pack makes
// reading slower.
const manyPacks = 32

// Gather lets git make one pack of all that the branches reach, with similar objects, such as the versions of a folder,
// as differences, when there are many packs. Errors: a *Problem, ctx's, the disk's; the repository is whole then.
func (r *Repo) Gather(ctx context.Context, with Remote) error {
	entries, err := safefile.List(filepath.Join(r.dir, "objects", "pack"))
	if err != nil || with.Git == "" || len(entries) <= 2*manyPacks { // a pack and its index
		return err
	}
	if err := r.store.Close(); err != nil { // Windows removes no open file
		return err
	}
	defer r.reopen()
	_, err = r.git(ctx, with, "repack", "-a", "-d", "-q")
	return err
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
