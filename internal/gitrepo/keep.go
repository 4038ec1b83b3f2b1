package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5"

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
	return r.repack(ctx, with)
}

// Prune removes all that neither branch reaches from the disk, and what was fetched. Errors: Gather's; the same call
// again goes on.
func (r *Repo) Prune(ctx context.Context, with Remote) error {
	if with.Git == "" {
		return errNoGit
	}
	r.pending, r.size = newPending(), 0
	for _, ref := range [...]string{"FETCH_HEAD", string(fetched)} {
		if err := safefile.Remove(filepath.Join(r.dir, filepath.FromSlash(ref))); err != nil {
			return err
		}
	}
	if err := r.sweep(0); err != nil {
		return err
	}
	if err := r.repack(ctx, with); err != nil {
		return err
	}
	_, err := r.git(ctx, with, "prune", "--expire=now")
	return err
}

func (r *Repo) repack(ctx context.Context, with Remote) error {
	if err := r.store.Close(); err != nil { // Windows removes no open file
		return err
	}
	defer r.reopen()
	_, err := r.git(ctx, with, "repack", "-a", "-d", "-q")
	return err
}

// Renew makes the repository anew with what the remote's branch main reaches. Of the branches those stay whose commits
// main reaches. If the remote cannot be read, or is damaged itself, nothing changes. Errors: Fetch's, ErrDamaged, the
// disk's.
func (r *Repo) Renew(ctx context.Context, from Remote, branches ...string) error {
	at := r.dir + ".new"
	if err := safefile.RemoveTree(at); err != nil {
		return err
	}
	to, err := Open(at)
	if err != nil {
		return err
	}
	head, err := to.Fetch(ctx, from)
	if err == nil && head != "" {
		_, err = to.Files(head)
	}
	for _, name := range branches {
		// of a damaged repository the branch may be damaged, too
		if at, _ := r.Ref(name); err == nil && at != "" {
			if err = to.SetRef(name, at); errors.Is(err, ErrMissing) {
				err = nil
			}
		}
	}
	_ = to.Close() // only read, or of no use
	if err != nil {
		_ = safefile.RemoveTree(at) // else the next Renew does
		return err
	}
	_ = r.store.Close() // only read
	if err := safefile.RemoveTree(r.dir); err != nil {
		return err
	}
	defer r.reopen()
	return safefile.MoveFolder(at, r.dir)
}

// staleAge is the age at which an unfinished file of git is a killed one's. A git whose memento was killed may still be
// writing.
const staleAge = time.Hour

// sweep removes what killed processes left behind: a lock file would keep git from working for ever, and go-git takes
// every file for a branch. The caller holds the lock, so no other memento runs git here.
func (r *Repo) sweep(age time.Duration) error {
	return filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, isPack := d.Name(), filepath.Base(filepath.Dir(path)) == "pack"
		switch {
		case !isPack && (strings.HasSuffix(name, ".lock") || safefile.Temporary(name)):
		case strings.HasPrefix(name, "tmp_"), strings.HasPrefix(name, ".tmp-"), safefile.Temporary(name):
			if info, err := d.Info(); err != nil || time.Since(info.ModTime()) < age {
				return nil
			}
		default:
			return nil
		}
		return safefile.Remove(path)
	})
}

// wholePacks hides packs without an index from go-git, which would read nothing at all because of one. A killed git
// leaves such packs.
type wholePacks struct{ billy.Filesystem }

func (w wholePacks) ReadDir(path string) ([]os.FileInfo, error) {
	entries, err := w.Filesystem.ReadDir(path)
	if filepath.Base(path) != "pack" {
		return entries, err
	}
	indexes := map[string]bool{}
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			indexes[stem] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e os.FileInfo) bool {
		stem, ok := strings.CutSuffix(e.Name(), ".pack")
		return ok && !indexes[stem]
	}), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
