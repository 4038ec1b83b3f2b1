package gitrepo

import (
	"context"
	"os"

	"github.com/mementohq/memento/internal/safefile"
)

// The folders beside the repository in which Renew builds the new one, and puts the old one out of the way.
const (
	newSuffix = ".new"
	oldSuffix = ".old"
)

// Renew makes the repository at dir anew with what the branch main of a repository reaches: of the remote, or of this
// one itself, to be rid of all else that lies in it. Of the branches those stay whose commits main reaches. If from
// cannot be read, or is damaged itself, nothing changes. After a kill or a power cut the repository is the old one or
// the new one; the next Commit or Fetch removes what is left of the other. No Repo may have the repository open.
// Errors: Fetch's, ErrDamaged, the disk's, also that the old one could not be removed.
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

// recoverRenew ends a Renew that was killed between its two moves. Renew moves the old repository away only when the
// new one is whole.
func recoverRenew(dir string) error {
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

// removeLeftovers removes what a Renew that was killed left beside the repository. The caller holds the lock.
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
