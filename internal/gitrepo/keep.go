package gitrepo

import (
	"context"
	"fmt"
	"os"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/mementohq/memento/internal/safefile"
)

// The folders beside the repository in which Keep builds the new one, and puts the old one out of the way.
const (
	newSuffix = ".new"
	oldSuffix = ".old"
)

// Keep builds the repository anew, with only what the commits only reach, and removes the old one with everything that
// lay around in it. A branch stays if it points to one of the commits that are left. After a kill or a power cut the
// repository is the old one or the new one; the next Commit or Fetch removes what is left of the other. An error may
// also mean that the new repository stands and the old one could not be removed.
func (r *Repo) Keep(only ...ID) error {
	if err := r.keep(only); err != nil {
		return fmt.Errorf("rebuilding %s: %w", r.dir, err)
	}
	return nil
}

func (r *Repo) keep(only []ID) error {
	if err := r.prepare(); err != nil {
		return err
	}
	if err := r.copyTo(r.dir+newSuffix, only); err != nil {
		_ = safefile.RemoveTree(r.dir + newSuffix) // else the next Commit does
		return err
	}
	if err := r.store.Close(); err != nil {
		return err
	}
	r.pending, r.commits = pending{}, map[ID]*commit{}
	defer r.reopen()
	return exchange(r.dir)
}

// copyTo makes a repository at dir with what the commits only reach.
func (r *Repo) copyTo(dir string, only []ID) error {
	if err := create(dir); err != nil {
		return err
	}
	to := &Repo{dir: dir, commits: map[ID]*commit{}}
	to.reopen()
	defer to.Close()
	kept, seen := map[ID]bool{}, map[ID]bool{}
	for next := append([]ID{}, only...); len(next) > 0; {
		id := next[len(next)-1]
		next = next[:len(next)-1]
		if id == "" || kept[id] {
			continue
		}
		kept[id] = true
		c, err := r.commit(id)
		if err != nil {
			return err
		}
		next = append(next, c.parents...)
		if err := r.copyObject(to, plumbing.CommitObject, id); err != nil {
			return err
		}
		if err := r.copyTree(to, c.tree, 0, seen); err != nil {
			return err
		}
	}
	if err := to.flush(); err != nil {
		return err
	}
	refs, err := r.store.IterReferences()
	if err != nil {
		return err
	}
	return refs.ForEach(func(ref *plumbing.Reference) error {
		id := ID(ref.Hash().String())
		if ref.Type() != plumbing.HashReference || !kept[id] {
			return nil
		}
		return to.setRef(ref.Name(), id)
	})
}

// Renew makes the repository at dir anew from the remote. Of the branches those stay whose commits the remote has. If
// the remote cannot be read, or is damaged itself, nothing changes. No Repo may have the repository open. Errors:
// Fetch's, ErrDamaged, the disk's.
func Renew(ctx context.Context, dir string, from Remote, branches ...string) error {
	if err := removeLeftovers(dir); err != nil {
		return err
	}
	if err := fetchNew(ctx, dir, from, branches); err != nil {
		_ = safefile.RemoveTree(dir + newSuffix) // else the next Commit does
		return err
	}
	return exchange(dir)
}

// fetchNew makes the repository that takes the place of the one at dir.
func fetchNew(ctx context.Context, dir string, from Remote, branches []string) error {
	to, err := Open(dir + newSuffix)
	if err != nil {
		return err
	}
	defer to.Close()
	head, err := to.Fetch(ctx, from)
	if err != nil || head == "" {
		return err
	}
	if _, err := to.Files(head); err != nil {
		return err
	}
	old := &Repo{dir: dir}
	old.reopen()
	defer old.Close()
	for _, name := range branches {
		at, _ := old.Ref(name) // it may be damaged, too
		isIn, err := to.IsAncestor(at, head)
		if err == nil && isIn {
			err = to.SetRef(name, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) copyObject(to *Repo, kind plumbing.ObjectType, id ID) error {
	data, err := r.object(kind, id)
	if err != nil {
		return err
	}
	_, err = to.put(kind, data)
	return err
}

func (r *Repo) copyTree(to *Repo, tree ID, depth int, seen map[ID]bool) error {
	if seen[tree] {
		return nil
	}
	seen[tree] = true
	if depth > maxDepth {
		return fmt.Errorf("more than %d folders deep", maxDepth)
	}
	if err := r.copyObject(to, plumbing.TreeObject, tree); err != nil {
		return err
	}
	return r.nodes(tree, func(n node) error {
		if n.folder {
			return r.copyTree(to, n.id, depth+1, seen)
		}
		if seen[n.id] {
			return nil
		}
		seen[n.id] = true
		return r.copyObject(to, plumbing.BlobObject, n.id)
	})
}

// exchange puts the repository that is whole at dir.new in the place of the one at dir.
func exchange(dir string) error {
	if err := safefile.MoveFolder(dir, dir+oldSuffix); err != nil {
		return err
	}
	// nor has another process's Open done it
	if err := safefile.MoveFolder(dir+newSuffix, dir); err != nil && !exists(dir) {
		_ = safefile.MoveFolder(dir+oldSuffix, dir) // else the next Open ends what this began
		return err
	}
	return safefile.RemoveTree(dir + oldSuffix)
}

// recoverKeep ends a Keep that was killed between its two moves. Keep moves the old repository away only when the new
// one is whole.
func recoverKeep(dir string) error {
	if exists(dir) || !exists(dir+oldSuffix) {
		return nil
	}
	from := dir + newSuffix
	if !exists(from) {
		from = dir + oldSuffix
	}
	if err := safefile.MoveFolder(from, dir); err != nil && !exists(dir) { // nor has another process done it
		return err
	}
	return nil
}

// removeLeftovers removes what a Keep that was killed left beside the repository. The caller holds the lock.
func removeLeftovers(dir string) error {
	for _, suffix := range []string{newSuffix, oldSuffix} {
		if exists(dir + suffix) {
			if err := safefile.RemoveTree(dir + suffix); err != nil {
				return err
			}
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
