// Package gitrepo is a bare git repository with commits, and exchanges them with a remote. It is the only package
// besides launch that starts a program: the person's own git, which does all of it. What the files mean may not come
// in.
//
// A caller holds a lock: one process at a time writes to a repository. A commit is on the disk, with everything it
// reaches, before Commit returns; so the branch never points to what a power cut took.
package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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

// branch is the one branch: what was merged last.
const branch = "refs/heads/main"

// Open opens the bare repository at dir, and creates it if it is missing. Only its owner can read it. ctx ends what git
// does for it. With isBatch git asks for no password. Errors: a *Problem without git, the disk's.
func Open(ctx context.Context, dir string, isBatch bool) (*Repo, error) {
	program, err := findGit()
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	if err := create(dir); err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	return &Repo{ctx: ctx, dir: dir, program: program, isBatch: isBatch, pending: map[ID][]byte{}}, nil
}

// Close ends the git that reads for the repository.
func (r *Repo) Close() {
	if r.reader != nil {
		r.reader.stop()
		r.reader = nil
	}
}

// settings is the configuration of the repository. It refuses nothing that git would do for others: it keeps git from
// doing more than it was asked for.
const settings = `[core]
	repositoryformatversion = 0
	filemode = false
	bare = true
	logallrefupdates = false
	sharedRepository = 0600
[gc]
	auto = 0
`

// create makes what a bare repository needs, where it is missing. HEAD comes last: with it the repository is whole.
func create(dir string) error {
	head := filepath.Join(dir, "HEAD")
	if _, err := os.Lstat(head); err == nil {
		return safefile.CheckDir(dir)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, sub := range []string{"", "objects", "objects/pack", "objects/info", "refs", "refs/heads"} {
		if err := safefile.Dir(filepath.Join(dir, filepath.FromSlash(sub))); err != nil {
			return err
		}
	}
	if err := safefile.Replace(filepath.Join(dir, "config"), []byte(settings), 0o600); err != nil {
		return err
	}
	return safefile.Replace(head, []byte("ref: "+branch+"\n"), 0o600)
}

// Head returns the commit that the branch points to, "" if there is none. Errors: ErrDamaged, ctx's.
func (r *Repo) Head() (ID, error) { return r.ref(branch) }

func (r *Repo) ref(name string) (ID, error) {
	out, err := r.git(nil, "rev-parse", "--verify", "--quiet", name)
	var failed *gitError
	switch {
	case errors.As(err, &failed) && failed.said == "":
		return "", nil
	case failed != nil:
		return "", damaged(err)
	}
	return ID(strings.TrimSpace(out)), err
}

// SetHead lets the branch point to a commit. It survives a power cut once SetHead returns nil; git forces no branch to
// the disk before version 2.36. On any error the branch is unchanged. Errors: ErrDamaged for a commit that is not
// there, the disk's.
func (r *Repo) SetHead(to ID) error {
	if len(to) != 40 || strings.Trim(string(to), "0123456789abcdef") != "" {
		return damaged(fmt.Errorf("%q is no commit", string(to)))
	}
	if _, err := r.git(nil, "cat-file", "-e", string(to)+"^{commit}"); err != nil {
		return r.local(err)
	}
	return safefile.Replace(filepath.Join(r.dir, filepath.FromSlash(branch)), []byte(string(to)+"\n"), 0o600)
}

// ErrDamaged says that a repository is not what git would write, or not all there. It is the one here, or the remote;
// Renew finds out which.
var ErrDamaged = errors.New("the repository is damaged")

// damage is an error that is ErrDamaged, and says why.
type damage struct{ error }

func (d damage) Unwrap() []error { return []error{ErrDamaged, d.error} }

func damaged(err error) error { return damage{err} }

// local returns the error for a git that failed at work on the repository alone: the disk is full, or the repository is
// damaged.
func (r *Repo) local(err error) error {
	var failed *gitError
	if !errors.As(err, &failed) || errors.Is(err, ErrDamaged) {
		return err
	}
	if k, word := kindOf(kinds, failed.said); k.what == diskFull {
		return &Problem{What: k.what, Why: tell("", failed.said, word), Hint: k.hint, err: err}
	}
	return damaged(err)
}
