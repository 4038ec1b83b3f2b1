package gitrepo

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// maxObject is the size in bytes of the largest file that is stored.
const maxObject = 64 << 20

// validPath reports whether a file may be called p.
func validPath(p string) bool {
	isOdd := func(c rune) bool { return c == '\\' || unicode.IsControl(c) }
	return fs.ValidPath(p) && p != "." && !strings.ContainsFunc(p, isOdd) &&
		!strings.Contains("/"+strings.ToLower(p)+"/", "/.git/")
}

// Files returns the content's name of each file of a commit, by path. It passes over links, other repositories and
// names that no memento gives. Errors: ErrDamaged, also for more than maxOutput bytes of paths; ctx's.
func (r *Repo) Files(commit ID) (map[string]ID, error) {
	// -t lists folders too, so that the limit holds for a tree of nothing but folders
	out, err := r.git(nil, "ls-tree", "-r", "-t", "-z", "--full-tree", string(commit))
	if err != nil {
		return nil, r.local(err)
	}
	files := map[string]ID{}
	for entry := range strings.SplitSeq(out, "\x00") {
		about, path, _ := strings.Cut(entry, "\t")
		mode, id, _ := strings.Cut(about, " blob ")
		if strings.HasPrefix(mode, "100") && validPath(path) {
			files[path] = ID(id)
		}
	}
	return files, nil
}

// BlobID returns the name that every git repository gives to data.
func BlobID(data []byte) ID {
	s := sha1.New()
	fmt.Fprintf(s, "blob %d\x00", len(data))
	s.Write(data)
	return ID(hex.EncodeToString(s.Sum(nil)))
}

// reader is a git that prints the content of one file after the other.
type reader struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said bytes.Buffer
}

func (r *Repo) newReader() (*reader, error) {
	to := &reader{cmd: r.command("cat-file", "--batch")}
	to.cmd.Stderr = &to.said
	in, err := to.cmd.StdinPipe()
	out, errOut := to.cmd.StdoutPipe()
	if err := errors.Join(err, errOut); err != nil {
		return nil, err
	}
	if err := to.cmd.Start(); err != nil {
		return nil, notStarted(err)
	}
	to.in, to.out = in, bufio.NewReaderSize(out, 64<<10)
	return to, nil
}

// stop ends the git, which may be in the middle of a file.
func (f *reader) stop() {
	_ = f.in.Close()
	_ = f.cmd.Process.Kill()
	_ = f.cmd.Wait() // it was killed
}

// Read returns a file's content. Errors: safefile.ErrTooLarge beyond max bytes, ErrDamaged without the file, ctx's.
func (r *Repo) Read(blob ID, max int64) ([]byte, error) {
	data, waits := r.pending[blob]
	if waits && int64(len(data)) <= max {
		return data, nil
	}
	id, data, err := r.object(string(blob), "blob", max)
	if err == nil && (id != blob || BlobID(data) != blob) {
		err = damaged(errors.New("it is not what its name says"))
	}
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", blob, err)
	}
	return data, nil
}

// commitAt returns the commit that a name of git's leads to. Errors: ErrDamaged if it is not here, ctx's.
func (r *Repo) commitAt(name string) (ID, error) {
	id, _, err := r.object(name, "commit", maxObject)
	return id, err
}

// object returns the object that a name of git's leads to, if it is of the kind. Errors: as of Read.
func (r *Repo) object(name, kind string, max int64) (id ID, data []byte, err error) {
	if r.reader == nil {
		if r.reader, err = r.newReader(); err != nil {
			return "", nil, err
		}
	}
	id, data, err = r.reader.read(name, kind, max)
	if err == nil {
		return id, data, nil
	}
	said := &r.reader.said
	r.Close() // what it prints next is not known
	if r.ctx.Err() != nil {
		return "", nil, r.ctx.Err()
	}
	if !errors.Is(err, safefile.ErrTooLarge) {
		err = damaged(fmt.Errorf("%w %s", err, bytes.TrimSpace(said.Bytes())))
	}
	return "", nil, err
}

func (f *reader) read(name, kind string, max int64) (id ID, data []byte, err error) {
	if _, err := fmt.Fprintln(f.in, name); err != nil {
		return "", nil, err
	}
	line, err := f.out.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	var size int64
	if _, err := fmt.Sscanf(line, "%s "+kind+" %d\n", &id, &size); err != nil {
		return "", nil, errors.New("it is not there")
	}
	if size > max {
		return "", nil, fmt.Errorf("%w: %d bytes", safefile.ErrTooLarge, size)
	}
	data = make([]byte, size+1) // a line's end follows
	_, err = io.ReadFull(f.out, data)
	return id, data[:size], err
}

// maxPending is how many bytes of files wait in memory before git stores them.
const maxPending = 64 << 20

// Put keeps data for the next Commit, which writes it to the disk, and returns its name. Read finds it at once.
func (r *Repo) Put(data []byte) (ID, error) {
	if len(data) > maxObject {
		return "", fmt.Errorf("%w: %d bytes", safefile.ErrTooLarge, len(data))
	}
	id := BlobID(data)
	if r.pending[id] == nil {
		r.pending[id] = data
		r.size += len(data)
	}
	if r.size < maxPending {
		return id, nil
	}
	_, err := r.store("")
	return id, err
}

// store gives git what is pending, in one pack, and more commands of fast-import's. It returns what git prints.
func (r *Repo) store(commands string) (string, error) {
	var in bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(r.pending)) {
		fmt.Fprintf(&in, "blob\ndata %d\n%s\n", len(r.pending[id]), r.pending[id])
	}
	in.WriteString(commands + "done\n")
	out, err := r.git(&in, "fast-import", "--quiet", "--force", "--done")
	if err != nil {
		return "", fmt.Errorf("storing a commit: %w", r.local(err))
	}
	r.pending, r.size = map[ID][]byte{}, 0
	return out, nil
}

// Commit stores a commit of files, by path, which Put and Files named, and points the branch here to it. It writes only
// what the repository lacks. It is on the disk, with all that was Put, when Commit returns. On an error there is no new
// commit, and what was Put waits on. parent is "" for a first commit. who is a name; no mail address is stored.
func (r *Repo) Commit(files map[string]ID, parent ID, who, message string, at time.Time) (ID, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "commit %s\nmark :1\ncommitter %s <> %d +0000\ndata %d\n%s\n", branch, cleanName(who), at.Unix(),
		len(message), message)
	if parent != "" {
		fmt.Fprintf(&b, "from %s\n", parent)
	}
	b.WriteString("deleteall\n")
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if !validPath(p) {
			return "", fmt.Errorf("storing a commit: %q is no path for a file", p)
		}
		fmt.Fprintf(&b, "M 100644 %s %s\n", files[p], p)
	}
	b.WriteString("\nget-mark :1\n")
	out, err := r.store(b.String())
	return ID(strings.TrimSpace(out)), err
}

// cleanName returns who without what an author's line cannot hold.
func cleanName(who string) string {
	return cmp.Or(strings.NewReplacer("<", "", ">", "").Replace(text.OneLine(who)), "memento")
}
