package project

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// An origin is a line in a file that anybody can write. A commit is not: who has its bytes has the repository, or had
// it. So a new folder that names a known project's origin shares its memory if its repository holds one of the commits
// that the project's own folders were at. Its id alone is not enough: build logs and links show ids.

const (
	maxCommits    = 8        // ids of commits kept for one project
	maxPackedRefs = 4 << 20  // bytes of packed-refs that are read
	maxPacks      = 64       // packs that are looked into
	maxCommit     = 64 << 10 // bytes of a commit
	idLen         = sha1.Size
)

// commits returns the ids of the commits that the repository is at: where the branch of origin was last seen, and HEAD.
// It knows repositories with SHA-1 ids only, as nearly all are; others have none.
func commits(gitDir string) (out []string) {
	branch := head(gitDir)
	for _, ref := range [...]string{"refs/remotes/origin/" + branch, "refs/heads/" + branch} {
		if id := resolve(gitDir, ref); id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// resolve returns the commit of a ref, from its own file or from packed-refs; "" for none.
func resolve(gitDir, ref string) string {
	data, err := safefile.ReadForeign(filepath.Join(gitDir, filepath.FromSlash(ref)), 4<<10)
	if id := strings.TrimSpace(string(data)); err == nil && isID(id) {
		return id
	}
	data, err = safefile.ReadForeign(filepath.Join(gitDir, "packed-refs"), maxPackedRefs)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref && isID(id) {
			return id
		}
	}
	return ""
}

func isID(s string) bool {
	return len(s) == 2*idLen && strings.Trim(s, "0123456789abcdef") == ""
}

// holdsCommit reports whether the repository of p has the bytes of one of these commits, in objects of its own: it
// follows no link and no alternates. It does not read commits that are stored as a difference from others.
func (p Project) holdsCommit(ids []string) bool {
	if p.common == "" || len(ids) == 0 {
		return false
	}
	objects := filepath.Join(p.common, "objects")
	if !isOwnDir(objects) {
		return false
	}
	packs := packsIn(filepath.Join(objects, "pack"))
	return slices.ContainsFunc(ids, func(hexID string) bool {
		id, err := hex.DecodeString(hexID)
		if err != nil || len(id) != idLen {
			return false
		}
		if folder := filepath.Join(objects, hexID[:2]); isOwnDir(folder) {
			if f, err := openOwn(filepath.Join(folder, hexID[2:])); err == nil {
				defer f.Close()
				if isCommit(f, false, id) {
					return true
				}
			}
		}
		return slices.ContainsFunc(packs, func(pack string) bool { return packHolds(pack, id) })
	})
}

// isOwnDir reports whether path is a folder and no link to one.
func isOwnDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// openOwn opens a regular file, and no link to one.
func openOwn(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	return safefile.Open(path)
}

// packsIn returns the paths of the packs in a folder, without their endings.
func packsIn(folder string) (out []string) {
	if !isOwnDir(folder) {
		return nil
	}
	names, _ := safefile.Names(folder, ".idx")
	for _, name := range names[:min(len(names), maxPacks)] {
		out = append(out, filepath.Join(folder, strings.TrimSuffix(name, ".idx")))
	}
	return out
}

// packHolds reports whether a pack has the bytes of the commit id.
func packHolds(path string, id []byte) bool {
	index, err := openOwn(path + ".idx")
	if err != nil {
		return false
	}
	defer index.Close()
	at, ok := packOffset(index, id)
	if !ok {
		return false
	}
	pack, err := openOwn(path + ".pack")
	if err != nil {
		return false
	}
	defer pack.Close()
	var start [16]byte // an object's type and size: the last byte has no high bit
	n, _ := pack.ReadAt(start[:], at)
	head := 1 + slices.IndexFunc(start[:n], func(b byte) bool { return b < 0x80 })
	return isCommit(io.NewSectionReader(pack, at+int64(head), maxCommit), true, id)
}

// packOffset returns where in its pack the object id begins, from an index of version 2 (gitformat-pack).
func packOffset(index io.ReaderAt, id []byte) (offset int64, ok bool) {
	const table, fans = 8, 256 * 4
	var start [table + fans]byte
	const version2 = "\xfftOc\x00\x00\x00\x02"
	if n, _ := index.ReadAt(start[:], 0); n < len(start) || string(start[:table]) != version2 {
		return 0, false
	}
	fan := func(i int) int64 { return int64(binary.BigEndian.Uint32(start[table+4*i:])) }
	low, high, all := int64(0), fan(int(id[0])), fan(255)
	if id[0] > 0 {
		low = fan(int(id[0]) - 1)
	}
	at := func(n int) int64 { return low + int64(n) }
	n, ok := sort.Find(int(high-low), func(n int) int {
		var found [idLen]byte
		_, _ = index.ReadAt(found[:], table+fans+at(n)*idLen) // a short index has no such object
		return bytes.Compare(id, found[:])
	})
	var word [4]byte // behind the ids and their checksums
	if _, err := index.ReadAt(word[:], table+fans+all*(idLen+4)+at(n)*4); err != nil || !ok {
		return 0, false
	}
	first := binary.BigEndian.Uint32(word[:])
	return int64(first), first < 1<<31 // a larger pack has another table
}

// isCommit reports whether r has, compressed, the bytes of the commit id. A pack has no kind and size before them.
func isCommit(r io.Reader, isPacked bool, id []byte) bool {
	z, err := zlib.NewReader(r)
	if err != nil {
		return false
	}
	defer z.Close()
	data, err := io.ReadAll(io.LimitReader(z, maxCommit))
	if isPacked {
		data = append(fmt.Appendf(nil, "commit %d\x00", len(data)), data...)
	}
	sum := sha1.Sum(data)
	return err == nil && bytes.HasPrefix(data, []byte("commit ")) && bytes.Equal(sum[:], id)
}
