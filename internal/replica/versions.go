package replica

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

// Versions calls f with the syncs that changed the record with this id, the newest first, or with all syncs for the id
// "". Without a history there are none. Errors: the disk's.
func (r *Replica) Versions(id string, f func(gitrepo.Commit)) error {
	repo, head, err := r.history()
	if err != nil || repo == nil {
		return err
	}
	defer func() { _ = repo.Close() }()
	path := ""
	if id != "" {
		if path, err = r.pathOf(id); err != nil || path == "" {
			return err
		}
	}
	return repo.Log(head, path, func(c gitrepo.Commit) bool {
		f(c)
		return true
	})
}

// ReadVersion returns the text of the record with this id after a sync, nil when that removed it. Errors: the disk's.
func (r *Replica) ReadVersion(id string, commit gitrepo.ID) ([]byte, error) {
	repo, _, err := r.history()
	if err != nil || repo == nil {
		return nil, err
	}
	defer func() { _ = repo.Close() }()
	path, err := r.pathOf(id)
	if err != nil || path == "" {
		return nil, err
	}
	files, err := repo.Files(commit)
	if err != nil || files[path] == "" {
		return nil, err
	}
	data, err := repo.Read(files[path])
	if err != nil {
		return nil, err
	}
	return record.Send(data, id)
}

// history opens the repository, if there is one, and returns its newest commit, "" for none.
func (r *Replica) history() (*gitrepo.Repo, gitrepo.ID, error) {
	at, _ := pace.History(r.Config.Dir)
	if _, err := safefile.Stat(filepath.Join(at, "HEAD")); errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	repo, err := r.Repo()
	if err != nil {
		return nil, "", err
	}
	head, err := repo.Ref(main)
	if err != nil {
		_ = repo.Close()
		return nil, "", err
	}
	return repo, head, nil
}

// pathOf returns the path of a record in the trees, "" for a project that no tree has.
func (r *Replica) pathOf(id string) (string, error) {
	me, err := r.me()
	if err != nil {
		return "", err
	}
	known, err := r.known(me)
	if err != nil {
		return "", err
	}
	name, slug, _ := naming.Cut(id)
	for _, p := range known {
		if p.name == name {
			return p.path("records/" + slug + ".md"), nil
		}
	}
	return "", nil
}
