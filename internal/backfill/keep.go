package backfill

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/transcript"
)

// abandoned is the age from which a temporary file belongs to a process that was killed.
const abandoned = time.Hour

// packedEnd is the end of the name of a compressed file.
const packedEnd = ".gz"

// ErrOwnFolder says that a folder is no place for copies: the client deletes what lies in its folder, and memento what
// lies in memento's.
var ErrOwnFolder = errors.New("it is in the client's folder of transcripts, or in memento's")

// errSmaller says why a copy stays as it is.
var errSmaller = errors.New("it is smaller than its copy, which stays as it is")

// Kept says what Keep kept.
type Kept struct {
	Files    int   // that have a copy now
	Copied   int   // of these, copied by this call
	Bytes    int64 // of the files
	New      int64 // of these, of the files copied by this call
	Packed   int64 // bytes of the copies
	Problems []Problem
}

// keeper copies transcripts, compressed, into a folder.
type keeper struct {
	dir  string
	dry  bool
	kept Kept
}

// Keep copies the transcripts with all that lies beside them of the same session (the transcripts of subagents, results
// of tools) into the folder dir, which has the client's layout: dir/PROJECT/SESSION.jsonl.gz. They are copied as they
// are, private words and all. A file that has not changed since its last copy is left out, by its size and time; one
// that grew is copied anew, one that became smaller is a problem. A copy is written whole or not at all, so that the
// same call goes on. With dry it only counts. A file that cannot be read is a problem. Errors: ErrOwnFolder, the disk's
// for dir; what was copied stays.
func (b *Backfill) Keep(dir string, all []Transcript, dry bool) (Kept, error) {
	for _, own := range []string{b.Folder(), b.Config.Dir} {
		if isWithin(dir, own) {
			return Kept{}, fmt.Errorf("%s: %w", dir, ErrOwnFolder)
		}
	}
	k := &keeper{dir: resolve(dir), dry: dry}
	var size, done int64
	sessions := map[string]bool{}
	for _, t := range all {
		sessions[t.Session] = true
		size += t.Size
	}
	var folders []string
	for _, t := range all {
		if strings.HasSuffix(t.Path, packedEnd) {
			continue // it is a copy
		}
		folder := filepath.Dir(t.Path)
		to := filepath.Base(folder)
		if err := k.keep(t.Path, to); err != nil {
			return k.kept, err
		}
		if err := k.keepBeside(strings.TrimSuffix(t.Path, ".jsonl"), to); err != nil {
			return k.kept, err
		}
		if !slices.Contains(folders, folder) {
			if !dry {
				safefile.Sweep(filepath.Join(k.dir, to), abandoned, b.Now)
			}
			folders = append(folders, folder)
		}
		if done += t.Size; b.Said != nil {
			b.Said(done, size)
		}
	}
	for _, folder := range folders {
		if err := k.keepAgents(folder, sessions); err != nil {
			return k.kept, err
		}
	}
	return k.kept, nil
}

// isWithin reports whether path is the folder dir or in it, whichever links lead there.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(resolve(dir), resolve(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolve returns the path without links, also of a file that is not there yet.
func resolve(path string) string {
	for rest := ""; ; {
		if at, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(at, rest)
		}
		above := filepath.Dir(path)
		if above == path {
			return filepath.Join(path, rest)
		}
		path, rest = above, filepath.Join(filepath.Base(path), rest)
	}
}

// keepAgents copies the transcripts of subagents that older clients write beside those of the sessions.
func (k *keeper) keepAgents(folder string, sessions map[string]bool) error {
	entries, err := safefile.List(folder)
	if err != nil {
		k.kept.Problems = append(k.kept.Problems, Problem{folder, err})
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if !strings.HasPrefix(e.Name(), "agent-") || !strings.HasSuffix(e.Name(), ".jsonl") || !e.Type().IsRegular() {
			continue
		}
		if session, _, err := transcript.About(path); err != nil || !sessions[session] {
			continue
		}
		if err := k.keep(path, filepath.Base(folder)); err != nil {
			return err
		}
	}
	return nil
}

// maxDeep is how deep the folder beside a transcript is searched.
const maxDeep = 8

// keepBeside copies the files in the folder of a session.
func (k *keeper) keepBeside(folder, to string) error {
	to = filepath.Join(to, filepath.Base(folder))
	if strings.Count(to, string(filepath.Separator)) > maxDeep {
		return nil
	}
	entries, err := safefile.ListFolder(folder)
	if err != nil {
		k.kept.Problems = append(k.kept.Problems, Problem{folder, err})
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir():
			err = k.keepBeside(path, to)
		case e.Type().IsRegular():
			err = k.keep(path, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keep copies one file into the folder to of the copies. It returns the disk's error for the copy alone.
func (k *keeper) keep(path, to string) error {
	at := filepath.Join(k.dir, to, filepath.Base(path)+packedEnd)
	source, err := safefile.Open(path)
	if err != nil {
		return k.problem(path, err)
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return k.problem(path, err)
	}
	packed, size, current := copyAt(at, info)
	switch {
	case !current && size > info.Size():
		return k.problem(path, errSmaller)
	case !current && !k.dry:
		unread, err := k.write(at, source, info)
		if unread != nil {
			return k.problem(path, unread)
		}
		if err != nil {
			return err
		}
		packed, _, _ = copyAt(at, info)
	}
	if !current {
		k.kept.Copied++
		k.kept.New += info.Size()
	}
	k.kept.Files++
	k.kept.Bytes += info.Size()
	k.kept.Packed += packed
	return nil
}

// problem notes that a file could not be copied. It returns nil.
func (k *keeper) problem(path string, err error) error {
	if err == nil {
		err = errors.New("it is not a regular file")
	}
	k.kept.Problems = append(k.kept.Problems, Problem{path, err})
	return nil
}

// write writes the copy of a file in the state info, and gives it the file's time, which says of which state it is.
// unread is the error of reading, err the disk's for the copy.
func (k *keeper) write(at string, source io.Reader, info fs.FileInfo) (unread, err error) {
	folder := filepath.Dir(at)
	if err := safefile.Dir(folder); err != nil {
		return nil, err
	}
	err = safefile.ReplaceBy(at, 0o600, true, func(w io.Writer) (err error) {
		unread, err = pack(w, source, info)
		return errors.Join(unread, err)
	})
	if unread != nil {
		return unread, nil
	}
	if err == nil {
		err = safefile.Touch(at, info.ModTime()) // without the time the next call copies again
	}
	return nil, err
}

// pack writes as much of source as it had in its state info, compressed. unread is the error of reading, err that of
// writing.
func pack(w io.Writer, source io.Reader, info fs.FileInfo) (unread, err error) {
	z := gzip.NewWriter(w)
	z.ModTime = info.ModTime()
	buffer := make([]byte, 256<<10)
	for left := info.Size(); left > 0; {
		n, rerr := source.Read(buffer[:min(int64(len(buffer)), left)])
		left -= int64(n)
		if _, err := z.Write(buffer[:n]); err != nil {
			return nil, err
		}
		if rerr == io.EOF {
			return errors.New("it became shorter while it was read"), nil
		}
		if rerr != nil {
			return rerr, nil
		}
	}
	return nil, z.Close()
}

// copyAt returns the size of the copy at path, the size of the file that it is of, modulo 4 GB, and whether it is of
// the file in the state info. All are zero without a copy that is whole.
func copyAt(path string, info fs.FileInfo) (packed, size int64, current bool) {
	f, err := safefile.Open(path)
	if err != nil {
		return 0, 0, false
	}
	defer f.Close()
	at, err := f.Stat()
	if err != nil || !at.Mode().IsRegular() {
		return 0, 0, false
	}
	size, ok := unpackedSize(f, at.Size())
	if !ok {
		return 0, 0, false
	}
	// some disks keep times to two seconds
	current = size == info.Size()&0xffffffff && at.ModTime().Sub(info.ModTime()).Abs() <= 2*time.Second
	return at.Size(), size, current
}

// unpackedSize returns the size of the content of a gzip file, modulo 4 GB.
func unpackedSize(f *os.File, size int64) (unpacked int64, ok bool) {
	var head [2]byte
	var tail [4]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || head != [2]byte{0x1f, 0x8b} {
		return 0, false
	}
	if _, err := f.ReadAt(tail[:], size-4); err != nil {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint32(tail[:])), true
}
