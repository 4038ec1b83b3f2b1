package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// staleAge is the age at which an unfinished file of git is a killed one's. A git whose memento was killed may still be
// writing.
const staleAge = time.Hour

// prepare removes what killed processes left behind: a lock file would keep git from working for ever, and go-git takes
// every file for a branch. The caller holds the lock, so no other memento runs git here.
func (r *Repo) prepare() error {
	if err := removeLeftovers(r.dir); err != nil {
		return err
	}
	var locks []string
	for _, name := range []string{"HEAD", "config", "packed-refs", "shallow"} {
		if lock := filepath.Join(r.dir, name+".lock"); exists(lock) {
			locks = append(locks, lock)
		}
	}
	err := filepath.WalkDir(filepath.Join(r.dir, "refs"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".lock") || safefile.Temporary(d.Name())) {
			locks = append(locks, path)
		}
		return err
	})
	for _, lock := range locks {
		if err == nil {
			err = safefile.Remove(lock)
		}
	}
	if err != nil {
		return err
	}
	return sweepPacks(filepath.Join(r.dir, "objects", "pack"))
}

// sweepPacks removes unfinished packs from the folder dir.
func sweepPacks(dir string) error {
	safefile.Sweep(dir, staleAge, time.Now())
	entries, err := safefile.List(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "tmp_") && !strings.HasPrefix(e.Name(), ".tmp-") {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAge {
			if err := safefile.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
