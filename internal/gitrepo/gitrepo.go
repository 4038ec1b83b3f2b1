// Package gitrepo is a copy of a remote git repository, and makes the commits that go there. It is the only package
// besides launch that starts a program: the person's own git, which does all of it. What the files mean may not come
// in.
//
// A caller holds a lock: one process at a time works with a repository. The copy has nothing that cannot be fetched
// again, but for the older commits of a remote that began anew: it may be removed at any moment.
package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mementohq/memento/internal/safefile"
)

// ID is the name of a commit or of a file's content: 40 lower-case hex digits, "" for none.
type ID string

// Repo is a bare repository on the disk. Its methods may not be called at the same time.
type Repo struct {
	ctx     context.Context // ends every git that is at work
	dir     string
	program string // the path of git
	isBatch bool   // ask nothing: fail instead
	pending map[ID][]byte
	size    int // of what is pending, in bytes
	reader  *reader
}

// branch is the one branch: what was fetched or committed last.
const branch = "refs/heads/main"

// Open opens the bare repository at dir, and creates it if it is missing. Only its owner can read it. ctx ends what git
// does for it. With isBatch git asks for no password. Errors: a *Problem without git, the disk's.
func Open(ctx context.Context, dir string, isBatch bool) (*Repo, error) {
	program, err := findGit()
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	isNew := err == nil && !exists(filepath.Join(dir, "HEAD"))
	if isNew {
		err = safefile.RemoveTree(dir) // what a killed init left
	}
	if err == nil {
		err = safefile.Dir(dir)
	}
	r := &Repo{ctx: ctx, dir: dir, program: program, isBatch: isBatch, pending: map[ID][]byte{}}
	if err == nil && isNew {
		_, err = r.git(nil, "init", "--quiet", "--bare", "--template=", "--shared=0600")
	}
	return r, err
}

// Close ends the git that reads for the repository.
func (r *Repo) Close() {
	if r.reader != nil {
		r.reader.stop()
		r.reader = nil
	}
}

// Has reports whether a commit is here.
func (r *Repo) Has(commit ID) bool {
	_, err := r.commitAt(string(commit))
	return err == nil
}

// manyPacks is how many packs may be in the repository. Each commit or fetch makes one, and each makes reading slower.
const manyPacks = 32

// Gather lets git make one pack of all that the branch reaches, when there are many packs, and remove what killed
// processes left. Errors: a *Problem, ErrDamaged, ctx's, the disk's; the repository is whole then.
func (r *Repo) Gather() error {
	entries, err := safefile.List(filepath.Join(r.dir, "objects", "pack"))
	if err != nil || len(entries) <= 2*manyPacks { // a pack and its index
		return err
	}
	r.Close() // Windows removes no open file
	_, err = r.git(nil, "gc", "--quiet", "--prune=now")
	return r.local(err)
}

// Renew makes the repository anew from the branch main of the remote at url, with "" of itself: without older
// histories. If that cannot be read, or is damaged itself, nothing changes. Errors: Fetch's, ErrDamaged, the disk's.
func (r *Repo) Renew(url string) error {
	at := r.dir + ".new"
	if err := safefile.RemoveTree(at); err != nil {
		return err
	}
	to, err := Open(r.ctx, at, r.isBatch)
	if err != nil {
		return err
	}
	head, err := to.Fetch(cmp.Or(url, r.dir))
	if err == nil && head != "" {
		_, err = to.Files(head)
	}
	if err != nil {
		_ = safefile.RemoveTree(at) // else the next Renew does
		return err
	}
	r.Close()
	if err := safefile.RemoveTree(r.dir); err != nil {
		return err
	}
	return safefile.MoveFolder(at, r.dir)
}

// ErrDamaged says that the repository here, or the remote, is not what git would write. Renew finds out which.
var ErrDamaged = errors.New("the repository is damaged")

func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }

// local returns the error for a git that failed in the repository alone: a full disk, or a damaged repository.
func (r *Repo) local(err error) error {
	var failed *gitError
	if !errors.As(err, &failed) || errors.Is(err, ErrDamaged) {
		return err
	}
	if k, _ := kindOf(failed.said); k.what == diskFull {
		return problemOf("", "", err)
	}
	return damaged(err)
}
