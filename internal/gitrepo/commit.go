package gitrepo

import (
	"bytes"
	"cmp"
	"container/heap"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
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

// Commit is a commit, without its files.
type Commit struct {
	ID      ID
	Who     string
	Time    time.Time
	Message string
}

// commit is a commit as it is stored.
type commit struct {
	Commit
	tree    ID
	parents []ID
}

// commit reads a commit.
func (r *Repo) commit(id ID) (*commit, error) {
	if c := r.commits[id]; c != nil {
		return c, nil
	}
	data, err := r.object(plumbing.CommitObject, id)
	if err != nil {
		return nil, err
	}
	c := &commit{Commit: Commit{ID: id}}
	head, message, _ := strings.Cut(string(data), "\n\n")
	c.Message = message
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			c.tree = ID(value)
		case "parent":
			c.parents = append(c.parents, ID(value))
		case "author":
			c.Who = strings.TrimSpace(value[:strings.LastIndexByte(value, '<')+1])
			c.Who = strings.TrimSpace(strings.TrimSuffix(c.Who, "<"))
		case "committer":
			c.Time = stamp(value)
		}
	}
	r.commits[id] = c
	return c, nil
}

// stamp returns the time at the end of an author's line, the zero time for none.
func stamp(line string) time.Time {
	fields := strings.Fields(line[strings.LastIndexByte(line, '>')+1:])
	if len(fields) == 0 {
		return time.Time{}
	}
	sec, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}

// node is an entry of a stored folder.
type node struct {
	name   string
	folder bool
	id     ID
}

// nodes calls f with the folders and regular files of a stored folder. It passes over links, other repositories, and
// names that no memento gives: git has no use for them either.
func (r *Repo) nodes(tree ID, f func(node) error) error {
	data, err := r.object(plumbing.TreeObject, tree)
	if err != nil {
		return err
	}
	for len(data) > 0 {
		space, zero := bytes.IndexByte(data, ' '), bytes.IndexByte(data, 0)
		if space < 0 || zero < space || len(data) < zero+21 {
			return fmt.Errorf("folder %s: %w", tree, ErrDamaged)
		}
		mode, name := string(data[:space]), string(data[space+1:zero])
		id := ID(hex.EncodeToString(data[zero+1 : zero+21]))
		data = data[zero+21:]
		folder := mode == "40000"
		if !folder && !strings.HasPrefix(mode, "100") || !validName(name) {
			continue
		}
		if err := f(node{name, folder, id}); err != nil {
			return err
		}
	}
	return nil
}

// validName reports whether a file or folder may be called name.
func validName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.EqualFold(name, ".git") && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(c rune) bool { return c == '/' || c == '\\' || unicode.IsControl(c) })
}

// Files returns the content's name of each file of a commit, by path. It passes over links and other repositories.
func (r *Repo) Files(commit ID) (map[string]ID, error) {
	c, err := r.commit(commit)
	if err != nil {
		return nil, err
	}
	l := listing{r: r, files: map[string]ID{}}
	return l.files, l.add(c.tree, "", 0)
}

// listing gathers the files of a commit.
type listing struct {
	r       *Repo
	files   map[string]ID
	folders int
}

func (l *listing) add(tree ID, prefix string, depth int) error {
	if l.folders++; depth > maxDepth || l.folders > maxFolders {
		return damaged(fmt.Errorf("it has more than %d folders, or %d in each other", maxFolders, maxDepth))
	}
	return l.r.nodes(tree, func(n node) error {
		if n.folder {
			return l.add(n.id, prefix+n.name+"/", depth+1)
		}
		if len(l.files) == maxFiles {
			return damaged(fmt.Errorf("it has more than %d files", maxFiles))
		}
		l.files[prefix+n.name] = n.id
		return nil
	})
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
		if _, err := r.commit(p); err != nil {
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
	type item struct {
		key  string // by which git sorts
		data []byte
	}
	var items []item
	for len(paths) > 0 {
		name, _, folder := strings.Cut(paths[0][skip:], "/")
		n, id, mode, key := 1, plumbing.Hash{}, "100644 ", name
		var err error
		if folder {
			prefix := paths[0][:skip+len(name)+1]
			for n < len(paths) && strings.HasPrefix(paths[n], prefix) {
				n++
			}
			mode, key = "40000 ", name+"/"
			id, err = r.putTree(files, paths[:n], len(prefix))
		} else {
			id, err = hash(files[paths[0]])
		}
		if err != nil {
			return plumbing.Hash{}, err
		}
		items = append(items, item{key, append([]byte(mode+name+"\x00"), id[:]...)})
		paths = paths[n:]
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.key, b.key) })
	var data []byte
	for i, it := range items {
		if i > 0 && strings.TrimSuffix(items[i-1].key, "/") == strings.TrimSuffix(it.key, "/") {
			return plumbing.Hash{}, fmt.Errorf("%q is a file and a folder", strings.TrimSuffix(it.key, "/"))
		}
		data = append(data, it.data...)
	}
	return r.put(plumbing.TreeObject, data)
}

// IsAncestor reports whether the commit old is of, or among its ancestors. A commit that the repository does not have
// is an ancestor of none.
func (r *Repo) IsAncestor(old, of ID) (is bool, err error) {
	err = r.walk(of, func(id ID) bool {
		is = is || id == old
		return !is
	})
	return is, err
}

// Common returns the commit nearest to a that is a, or among its ancestors, and of b's history too; "" for none.
func (r *Repo) Common(a, b ID) (ID, error) {
	ofB := map[ID]bool{}
	if err := r.walk(b, func(id ID) bool { ofB[id] = true; return true }); err != nil {
		return "", err
	}
	found := ID("")
	err := r.walk(a, func(id ID) bool {
		if ofB[id] {
			found = id
		}
		return found == ""
	})
	return found, err
}

// walk calls f with a commit and its ancestors, the nearest first, until f returns false.
func (r *Repo) walk(from ID, f func(ID) bool) error {
	seen := map[ID]bool{from: true}
	for next := []ID{from}; len(next) > 0; next = next[1:] {
		if !f(next[0]) {
			return nil
		}
		c, err := r.commit(next[0])
		if err != nil {
			return err
		}
		for _, p := range c.parents {
			if !seen[p] {
				seen[p] = true
				next = append(next, p)
			}
		}
	}
	return nil
}

// Log calls f with the commits that from stands on, itself first, the newest first, until f returns false.
func (r *Repo) Log(from ID, f func(Commit) bool) error {
	if from == "" {
		return nil
	}
	first, err := r.commit(from)
	if err != nil {
		return err
	}
	next, seen := &byTime{first}, map[ID]bool{from: true}
	for next.Len() > 0 {
		c := heap.Pop(next).(*commit)
		if !f(c.Commit) {
			return nil
		}
		for _, id := range c.parents {
			if seen[id] {
				continue
			}
			seen[id] = true
			p, err := r.commit(id)
			if err != nil {
				return err
			}
			heap.Push(next, p)
		}
	}
	return nil
}

// byTime is a heap of commits, the newest first.
type byTime []*commit

func (b byTime) Len() int           { return len(b) }
func (b byTime) Less(i, j int) bool { return b[i].Time.After(b[j].Time) }
func (b byTime) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *byTime) Push(x any)        { *b = append(*b, x.(*commit)) }
func (b *byTime) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}
