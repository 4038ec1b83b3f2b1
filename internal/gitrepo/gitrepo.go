// Package gitrepo is a bare git repository with commits, and exchanges them with a remote. It is the only package that
// imports go-git, and the only one besides launch that starts a program: the person's own git, for fetch and push. What
// the files mean may not come in.
//
// A caller holds a lock: one process at a time writes to a repository. Others may read meanwhile. A commit is on the
// disk, with everything it reaches, before Commit returns; so a reference never points to what a power cut took.
package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/mementohq/memento/internal/safefile"
)

// ID is the name of a commit, a file's content or a folder: 40 lower-case hex digits, "" for none.
type ID string

// maxObject is the size in bytes of the largest object that is read.
const maxObject = 64 << 20

// Repo is a bare repository on the disk. Its methods may not be called at the same time.
type Repo struct {
	dir     string
	store   *filesystem.Storage
	pending memory.ObjectStorage // objects that are not on the disk yet
	size    int64                // of these, in bytes
}

// Open opens the bare repository at dir, and creates it if it is missing. Only its owner can read it.
func Open(dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := create(dir); err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	r := &Repo{dir: dir, pending: newPending()}
	r.reopen()
	return r, nil
}

// Close releases the files of the repository.
func (r *Repo) Close() error { return r.store.Close() }

// reopen lets go-git see the files that another program, or this one, wrote.
func (r *Repo) reopen() {
	if r.store != nil {
		_ = r.store.Close() // only read
	}
	r.store = filesystem.NewStorageWithOptions(wholePacks{osfs.New(r.dir, osfs.WithBoundOS())},
		cache.NewObjectLRU(8*cache.MiByte), filesystem.Options{KeepDescriptors: true, ExclusiveAccess: true})
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
	return safefile.Replace(head, []byte("ref: refs/heads/main\n"), 0o600)
}

// refFile returns the name of the branch called name. It refuses names that git would refuse, and many more.
func refFile(name string) (plumbing.ReferenceName, error) {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || name[0] == '-' {
		return "", fmt.Errorf("%q is no name for a branch", name)
	}
	return plumbing.NewBranchReferenceName(name), nil
}

// Ref returns the commit that the branch called name points to, "" if there is no such branch. Names are made of
// lower-case letters, digits and hyphens.
func (r *Repo) Ref(name string) (ID, error) {
	ref, err := refFile(name)
	if err != nil {
		return "", err
	}
	return r.ref(ref)
}

func (r *Repo) ref(name plumbing.ReferenceName) (ID, error) {
	found, err := r.store.Reference(name)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, damaged(err))
	}
	return ID(found.Hash().String()), nil
}

// SetRef lets the branch called name point to the commit to. It survives a power cut once SetRef returns nil. On any
// error the branch is unchanged. SetRef writes the file itself: go-git neither replaces it whole nor forces it to the
// disk.
func (r *Repo) SetRef(name string, to ID) error {
	ref, err := refFile(name)
	if err != nil {
		return err
	}
	if _, err := r.tree(to); err != nil {
		return err
	}
	path := filepath.Join(r.dir, filepath.FromSlash(string(ref)))
	if err := safefile.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Replace(path, []byte(string(to)+"\n"), 0o600)
}

// hash returns id as go-git has it.
func hash(id ID) (plumbing.Hash, error) {
	var h plumbing.Hash
	if len(id) != 2*len(h) {
		return h, fmt.Errorf("%q is no object's name", string(id))
	}
	if _, err := hex.Decode(h[:], []byte(id)); err != nil {
		return h, fmt.Errorf("%q is no object's name", string(id))
	}
	return h, nil
}

var (
	// ErrDamaged says that a repository is not what git would write, or not all there. It is the one here, or the
	// remote; Renew finds out which.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrMissing says that the repository does not have an object.
	ErrMissing = damaged(errors.New("not in the repository"))
)

// damage is an error that is ErrDamaged, and says why.
type damage struct{ error }

func (d damage) Unwrap() []error { return []error{ErrDamaged, d.error} }

func damaged(err error) error { return damage{err} }

// object returns the content of an object. Errors: ErrMissing, ErrDamaged, safefile.ErrTooLarge.
func (r *Repo) object(kind plumbing.ObjectType, id ID) ([]byte, error) {
	h, err := hash(id)
	if err != nil {
		return nil, damaged(err)
	}
	is, data, err := r.load(h)
	if err == nil && is != kind {
		err = ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", kind, id, err)
	}
	return data, nil
}

// load returns an object. Errors: object's.
func (r *Repo) load(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	o, waits := r.pending.Objects[h]
	if !waits {
		size, err := r.store.EncodedObjectSize(h)
		if err == nil && size > maxObject {
			return 0, nil, fmt.Errorf("%w: %d bytes", safefile.ErrTooLarge, size)
		}
		if err == nil {
			o, err = r.store.EncodedObject(plumbing.AnyObject, h)
		}
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return 0, nil, ErrMissing
		}
		if err != nil {
			return 0, nil, damaged(err)
		}
	}
	in, err := o.Reader()
	if err != nil {
		return 0, nil, damaged(err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return 0, nil, damaged(err)
	}
	if objectHash(o.Type(), data) != h {
		return 0, nil, damaged(errors.New("an object is not what its name says"))
	}
	return o.Type(), data, nil
}

// Read returns the content of a file. Errors: ErrMissing, safefile.ErrTooLarge for more than 64 MB.
func (r *Repo) Read(blob ID) ([]byte, error) { return r.object(plumbing.BlobObject, blob) }

// Size returns the size of a file's content in bytes, without reading it. Errors: ErrMissing.
func (r *Repo) Size(blob ID) (int64, error) {
	h, err := hash(blob)
	if err != nil {
		return 0, err
	}
	if o, ok := r.pending.Objects[h]; ok {
		return o.Size(), nil
	}
	size, err := r.store.EncodedObjectSize(h)
	switch {
	case errors.Is(err, plumbing.ErrObjectNotFound):
		err = fmt.Errorf("%s: %w", blob, ErrMissing)
	case err != nil:
		err = fmt.Errorf("%s: %w", blob, damaged(err))
	}
	return size, err
}

// BlobID returns the name that every git repository gives to data.
func BlobID(data []byte) ID { return ID(objectHash(plumbing.BlobObject, data).String()) }

func objectHash(kind plumbing.ObjectType, data []byte) (h plumbing.Hash) {
	s := sha1.New()
	fmt.Fprintf(s, "%s %d\x00", kind, len(data))
	s.Write(data)
	s.Sum(h[:0])
	return h
}

// Put keeps data for the next Commit and returns its name. It does nothing if the repository has it. Read finds it at
// once; it is on the disk when Commit returns.
func (r *Repo) Put(data []byte) (ID, error) {
	h, err := r.put(plumbing.BlobObject, data)
	return ID(h.String()), err
}

func (r *Repo) put(kind plumbing.ObjectType, data []byte) (plumbing.Hash, error) {
	h := objectHash(kind, data)
	// go-git's HasEncodedObject looks in no pack here
	if _, err := r.store.EncodedObjectSize(h); err == nil || r.pending.Objects[h] != nil {
		return h, nil
	}
	if len(data) > maxObject {
		return h, fmt.Errorf("%w: %d bytes", safefile.ErrTooLarge, len(data))
	}
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(data) // to memory
	r.pending.Objects[h] = o
	if r.size += o.Size(); r.size < maxPending {
		return h, nil
	}
	return h, r.flush()
}

// maxPending is how many bytes of objects wait in memory before they become a pack.
const maxPending = 64 << 20

func newPending() memory.ObjectStorage { return memory.NewStorage().ObjectStorage }

// flush writes the pending objects as one pack, which is two files to force to the disk instead of one for each object.
// On an error they stay pending. The index comes first: go-git takes every pack for one that has an index, and git
// passes over an index without a pack. go-git's own writer forces nothing to the disk.
func (r *Repo) flush() error {
	if len(r.pending.Objects) == 0 {
		return nil
	}
	var pack, idx bytes.Buffer
	hashes := slices.SortedFunc(maps.Keys(r.pending.Objects), func(a, b plumbing.Hash) int {
		return bytes.Compare(a[:], b[:])
	})
	sum, err := packfile.NewEncoder(&pack, &r.pending, false).Encode(hashes, 0)
	if err != nil {
		return err
	}
	index := new(idxfile.Writer)
	parser, err := packfile.NewParser(packfile.NewScanner(bytes.NewReader(pack.Bytes())), index)
	if err == nil {
		_, err = parser.Parse()
	}
	if err != nil {
		return err
	}
	table, err := index.Index()
	if err == nil {
		_, err = idxfile.NewEncoder(&idx).Encode(table)
	}
	if err != nil {
		return err
	}
	name := filepath.Join(r.dir, "objects", "pack", "pack-"+sum.String())
	if err := safefile.Replace(name+".idx", idx.Bytes(), 0o600); err != nil {
		return err
	}
	if err := safefile.Replace(name+".pack", pack.Bytes(), 0o600); err != nil {
		return err
	}
	r.pending, r.size = newPending(), 0
	r.reopen()
	return nil
}
