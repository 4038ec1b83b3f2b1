package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

// Limits of a tree that is read: a small one can name the same folder again and again, and so have any number of files.
const (
	maxFiles   = 2_000_000
	maxFolders = 50_000
	maxDepth   = 32
)

// tree returns the name of a commit's folder.
func (r *Repo) tree(commit ID) (ID, error) {
	data, err := r.object(plumbing.CommitObject, commit)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return ID(strings.TrimPrefix(line, "tree ")), nil
}

// validName reports whether a file or folder may be called name.
func validName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.EqualFold(name, ".git") && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(c rune) bool { return c == '/' || c == '\\' || unicode.IsControl(c) })
}

// Files returns the content's name of each file of a commit, by path. It passes over links and other repositories.
func (r *Repo) Files(commit ID) (map[string]ID, error) {
	tree, err := r.tree(commit)
	if err != nil {
		return nil, err
	}
	l := listing{r: r, files: map[string]ID{}}
	return l.files, l.add(tree, "", 0)
}

// listing gathers the files of a commit.
type listing struct {
	r       *Repo
	files   map[string]ID
	folders int
}

// add adds the regular files of a stored folder, and of those in it. It passes over links, other repositories, and
// names that no memento gives: git has no use for them either.
func (l *listing) add(tree ID, prefix string, depth int) error {
	if l.folders++; depth > maxDepth || l.folders > maxFolders {
		return damaged(fmt.Errorf("it has more than %d folders, or %d in each other", maxFolders, maxDepth))
	}
	data, err := l.r.object(plumbing.TreeObject, tree)
	for err == nil && len(data) > 0 {
		space, zero := bytes.IndexByte(data, ' '), bytes.IndexByte(data, 0)
		if space < 0 || zero < space || len(data) < zero+21 {
			return fmt.Errorf("folder %s: %w", tree, ErrDamaged)
		}
		mode, name, id := string(data[:space]), string(data[space+1:zero]), ID(hex.EncodeToString(data[zero+1:zero+21]))
		data = data[zero+21:]
		switch {
		case !validName(name):
		case mode == "40000":
			err = l.add(id, prefix+name+"/", depth+1)
		case strings.HasPrefix(mode, "100"):
			if l.files[prefix+name] = id; len(l.files) > maxFiles {
				return damaged(fmt.Errorf("it has more than %d files", maxFiles))
			}
		}
	}
	return err
}

// Commit stores a commit of files, by path, which Put and Files named. It writes only folders that the repository does
// not have. It is on the disk, with all that was Put, when Commit returns. On an error there is no new commit. who is a
// name; no mail address is stored.
func (r *Repo) Commit(files map[string]ID, parents []ID, who, message string, at time.Time) (ID, error) {
	paths := slices.Sorted(maps.Keys(files))
	for _, p := range paths {
		for name := range strings.SplitSeq(p, "/") {
			if !validName(name) {
				return "", fmt.Errorf("%q is no path for a file", p)
			}
		}
	}
	tree, err := r.putTree(files, paths, 0)
	if err != nil {
		return "", fmt.Errorf("storing a commit: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		if _, err := r.tree(p); err != nil {
			return "", fmt.Errorf("storing a commit: %w", err)
		}
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	who = cleanName(who)
	for _, role := range []string{"author", "committer"} {
		fmt.Fprintf(&b, "%s %s <> %d +0000\n", role, who, at.Unix())
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(strings.ReplaceAll(message, "\x00", ""), "\n"))
	h, err := r.put(plumbing.CommitObject, []byte(b.String()))
	if err == nil {
		err = r.flush()
	}
	if err != nil {
		return "", fmt.Errorf("storing a commit: %w", err)
	}
	return ID(h.String()), nil
}

// cleanName returns who without what an author's line cannot hold.
func cleanName(who string) string {
	who = strings.Map(func(c rune) rune {
		if c == '<' || c == '>' || unicode.IsControl(c) {
			return -1
		}
		return c
	}, who)
	return cmp.Or(strings.TrimSpace(who), "memento")
}

// putTree stores the folder of paths, which are sorted and have the same first skip bytes.
func (r *Repo) putTree(files map[string]ID, paths []string, skip int) (plumbing.Hash, error) {
	items := map[string][]byte{} // by the names by which git sorts
	for len(paths) > 0 {
		name, _, isFolder := strings.Cut(paths[0][skip:], "/")
		n, mode, key := 1, "100644 ", name
		id, err := hash(files[paths[0]])
		if isFolder {
			mode, key = "40000 ", name+"/"
			prefix := paths[0][:skip+len(key)]
			for n < len(paths) && strings.HasPrefix(paths[n], prefix) {
				n++
			}
			id, err = r.putTree(files, paths[:n], len(prefix))
		}
		if err != nil {
			return plumbing.Hash{}, err
		}
		items[key] = append([]byte(mode+name+"\x00"), id[:]...)
		paths = paths[n:]
	}
	var data []byte
	for _, key := range slices.Sorted(maps.Keys(items)) {
		if items[key+"/"] != nil {
			return plumbing.Hash{}, fmt.Errorf("%q is a file and a folder", key)
		}
		data = append(data, items[key]...)
	}
	return r.put(plumbing.TreeObject, data)
}

// Common returns the newest commit that the histories of a and b have in common, "" for none. A commit that the
// repository does not have has none. Errors: ErrDamaged, ctx's.
func (r *Repo) Common(ctx context.Context, with Remote, a, b ID) (ID, error) {
	if _, err := r.tree(a); a == "" || errors.Is(err, ErrMissing) {
		return "", nil
	}
	out, err := r.git(ctx, with, "merge-base", string(a), string(b))
	var failed *gitError
	switch {
	case errors.As(err, &failed) && failed.said == "":
		return "", nil
	case failed != nil:
		return "", damaged(err)
	}
	return ID(strings.TrimSpace(out)), err
}
