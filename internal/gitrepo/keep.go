package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// manyPacks is how many packs may lie in the repository: each commit and each fetch makes one, and every pack makes
// reading slower.
const manyPacks = 32

// Gather lets git make one pack of all that the branch reaches, with similar objects, such as the versions of a folder,
// as differences, when there are many packs. Errors: a *Problem, ctx's, the disk's; the repository is whole then.
func (r *Repo) Gather() error {
	entries, err := safefile.List(filepath.Join(r.dir, "objects", "pack"))
	if err != nil || len(entries) <= 2*manyPacks { // a pack and its index
		return err
	}
	return r.repack()
}

// Prune removes all that the branch does not reach from the disk, and what was fetched. Errors: Gather's; the same call
// again goes on.
func (r *Repo) Prune() error {
	r.pending, r.size = map[ID][]byte{}, 0
	if err := safefile.RemoveTree(filepath.Join(r.dir, "refs", "sync")); err != nil {
		return err
	}
	if err := r.sweep(0); err != nil {
		return err
	}
	if err := r.repack(); err != nil {
		return err
	}
	_, err := r.git(nil, "prune", "--expire=now")
	return r.local(err)
}

func (r *Repo) repack() error {
	r.Close() // Windows removes no open file
	_, err := r.git(nil, "repack", "-a", "-d", "-q")
	return r.local(err)
}

// Renew makes the repository anew with what the branch main of the remote at url reaches. The branch here stays if main
// reaches its commit. If the remote cannot be read, or is damaged itself, nothing changes. Errors: Fetch's, ErrDamaged,
// the disk's.
func (r *Repo) Renew(url string) error {
	at := r.dir + ".new"
	if err := safefile.RemoveTree(at); err != nil {
		return err
	}
	to, err := Open(r.ctx, at, r.isBatch)
	if err != nil {
		return err
	}
	head, err := to.Fetch(url)
	if err == nil && head != "" {
		_, err = to.Files(head)
	}
	if err != nil {
		_ = safefile.RemoveTree(at) // else the next Renew does
		return err
	}
	// git may not read a damaged repository; the branch may be damaged, too, or lead to what the remote does not have
	if was, err := safefile.Read(filepath.Join(r.dir, filepath.FromSlash(branch)), 1<<10); err == nil {
		_ = to.SetHead(ID(strings.TrimSpace(string(was))))
	}
	r.Close()
	if err := safefile.RemoveTree(r.dir); err != nil {
		return err
	}
	return safefile.MoveFolder(at, r.dir)
}

// staleAge is the age at which an unfinished file of git is a killed one's. A git whose memento was killed may still be
// writing.
const staleAge = time.Hour

// sweep removes what killed processes left behind: a lock file would keep git from working for ever, and a pack with a
// .keep file would outlive what was forgotten. The caller holds the lock, so no other memento runs git here.
func (r *Repo) sweep(age time.Duration) error {
	return filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := d.Name()
		isOurs := safefile.Temporary(name) || strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".keep") ||
			strings.HasPrefix(name, "fast_import_crash_") || name == "FETCH_HEAD"
		if isOld := strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, ".tmp-"); isOld && !isOurs {
			info, err := d.Info()
			isOurs = err == nil && time.Since(info.ModTime()) >= age
		}
		if !isOurs {
			return nil
		}
		return safefile.Remove(path)
	})
}
