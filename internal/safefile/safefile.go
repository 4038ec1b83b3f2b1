// Package safefile is the only package that locks, writes, renames or removes a file, and the only one that opens
// files at places another program could have prepared. It knows nothing of what the files hold.
//
// The rules it keeps: a symbolic link, a file of another owner and anything but a regular file are refused, never
// followed and never replaced; a file is replaced whole or not at all, and what was acknowledged survives a crash;
// on any error the old content stands and no temporary file stays.
package safefile

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/natefinch/atomic"
)

var (
	// ErrRefused is the reason when something stands in a file's place that memento neither follows nor replaces.
	ErrRefused = errors.New("refused")
	// ErrBusy is the reason when another process kept the lock for the whole time allowed.
	ErrBusy = errors.New("busy: another memento holds the lock")
	// ErrTooLarge is the reason when a file is larger than the caller reads.
	ErrTooLarge = errors.New("too large")
)

// tempPrefix starts the name of every temporary file, so that Sweep can tell one that a killed process left.
const tempPrefix = ".memento-tmp-"

// Temporary reports whether a file of this name in memento's folder was being written when its process was killed.
func Temporary(name string) bool { return strings.HasPrefix(name, tempPrefix) }

// testOnlyFault, when set, is asked before each file operation and may return the error to fail it with.
var testOnlyFault func(op, path string) error

// TestOnlyFault sets what fails in this package, for the tests of others; nil ends it.
func TestOnlyFault(f func(op, path string) error) { testOnlyFault = f }

func fault(op, path string) error {
	if testOnlyFault == nil {
		return nil
	}
	if err := testOnlyFault(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

// Unreadable reports whether err is the disk's or the system's: what stands in the file is not known then, and may be
// there at the next try. A missing, refused or too large file is none.
func Unreadable(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrRefused) &&
		!errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrBusy)
}

func refuse(path, why string) error { return fmt.Errorf("%s: %w: %s", path, ErrRefused, why) }

// SharedError is ErrRefused of a folder that others may write to: they could put theirs in the place of what stands in
// it.
type SharedError struct{ Path string }

func (e *SharedError) Error() string { return e.Path + ": refused: other users may write to it" }
func (e *SharedError) Unwrap() error { return ErrRefused }

// ForeignError is ErrRefused of what belongs to another user.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string { return e.Path + ": refused: it belongs to another user" }
func (e *ForeignError) Unwrap() error { return ErrRefused }

// Dir makes sure that path is a folder only its owner can write to, creating it (0700) with its parents when it is
// missing, and forcing the name of each to the disk. A symbolic link at path itself, another owner, or a folder that
// others may write to is ErrRefused, and so is one in a folder that everybody may write to; parents may be links. A
// parent that its group may write to is let pass: where each user has a group of their own, that is how the client
// makes it. Root makes none in another user's home, who could not use it: that is ErrRefused, too. A folder of another
// user in one of root's own is no home: a container has it from its host.
func Dir(path string) error {
	if err := fault("mkdir", path); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		above, in := nearest(path)
		if _, home := nearest(filepath.Dir(filepath.Dir(path))); in != nil && rootElsewhere(in) && rootElsewhere(home) {
			return &ForeignError{above}
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
		for made := path; made != above && made != filepath.Dir(made); made = filepath.Dir(made) {
			// else a power cut takes the folder, with all that was forced to the disk in it
			forceDir(filepath.Dir(made))
		}
		info, err = os.Lstat(path)
	}
	if err != nil {
		return err
	}
	if err := checkDir(path, info); err != nil {
		return err
	}
	if in, err := os.Stat(filepath.Dir(path)); err == nil && writableByAll(in) {
		return &SharedError{filepath.Dir(path)}
	}
	return nil
}

// testOnlyForced, when set, is told of each folder that is forced to the disk because one was made in it.
var testOnlyForced func(path string)

// forceDir forces the names in the folder at path to the disk. Where a folder cannot be synced there is nothing to
// undo.
func forceDir(path string) {
	if testOnlyForced != nil {
		testOnlyForced(path)
	}
	syncDir(path)
}

// CheckDir is Dir for a folder that may be missing, which it leaves so.
func CheckDir(path string) error { return look(path, checkDir) }

func checkDir(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(path, "it is a symbolic link")
	case !info.IsDir():
		return refuse(path, "it is not a folder")
	case !owned(info):
		return &ForeignError{path}
	case writableByOthers(info):
		return &SharedError{path}
	}
	return nil
}

// Check reports whether path may be read or replaced: nil when it is missing or a regular file of this user,
// ErrRefused otherwise, with the reason in words.
func Check(path string) error { return look(path, checkFile) }

// look has judge say what it makes of what stands at path, should anything do.
func look(path string, judge func(string, fs.FileInfo) error) error {
	if err := fault("stat", path); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return judge(path, info)
}

func checkFile(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(path, "it is a symbolic link")
	case !info.Mode().IsRegular():
		return refuse(path, "it is not a regular file")
	case !owned(info):
		return &ForeignError{path}
	}
	return nil
}

// Read returns the content of the regular file at path. Errors: fs.ErrNotExist, ErrRefused (a link, a foreign or
// irregular file), ErrTooLarge when it holds more than max bytes, or what the disk said.
func Read(path string, max int64) ([]byte, error) {
	f, info, err := openOwn(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > max {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d", path, ErrTooLarge, info.Size(), max)
	}
	if err := fault("read", path); err != nil {
		return nil, err
	}
	data := make([]byte, 0, cmp.Or(info.Size(), 512))
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > max {
			return nil, fmt.Errorf("%s: %w: at most %d bytes", path, ErrTooLarge, max)
		}
		// what is written behind it meanwhile is read the next time
		if err == io.EOF || err == nil && int64(len(data)) == info.Size() {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// openOwn opens the regular file of this user at path, and says what it is. Errors: fs.ErrNotExist, ErrRefused, or what
// the disk said.
func openOwn(path string) (*os.File, fs.FileInfo, error) {
	if noFollow == 0 { // only looking before tells a link
		if err := Check(path); err != nil {
			return nil, nil, err
		}
	}
	f, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err != nil {
		if why := Check(path); errors.Is(why, ErrRefused) {
			err = why
		}
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = checkFile(path, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// ReadForeign is Read for a file that is not memento's, whoever owns it and wherever a link leads: a repository's
// configuration. What is no regular file is ErrRefused all the same.
func ReadForeign(path string, max int64) ([]byte, error) {
	data, err := ReadStart(path, max+1)
	if int64(len(data)) > max {
		return nil, fmt.Errorf("%s: %w: at most %d bytes", path, ErrTooLarge, max)
	}
	return data, err
}

// ReadStart is ReadForeign, of the first max bytes only.
func ReadStart(path string, max int64) ([]byte, error) {
	if err := fault("open", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, refuse(path, "it is not a regular file")
	}
	if err := fault("read", path); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, max))
}

// Lines calls f with each line of the file at path, without its end, until f returns false, holding no more than one
// line in memory. Lines longer than max bytes are skipped, and the slice is f's only during the call. A missing file
// has no lines. Errors: ErrRefused, or what the disk said.
func Lines(path string, max int, f func(line []byte) bool) error {
	file, err := toRead(path)
	if file == nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 64<<10)
	var line []byte
	for size := 0; ; {
		piece, err := r.ReadSlice('\n')
		if size += len(piece); size <= max {
			line = append(line, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) == size && size > 0 && !f(bytes.TrimRight(line, "\r\n")) || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, size = line[:0], 0
	}
}

// toRead opens a file of memento's own for reading; nil without an error for one that is missing.
func toRead(path string) (*os.File, error) {
	file, _, err := openOwn(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := fault("read", path); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// LinesWith is Lines for those lines alone that hold one of words, and of these for the newest, of at most most bytes
// in all. A long file is searched at the speed of memory: what holds none of the words is not even split into lines.
// Each line is at most max bytes long; a longer one is left out.
func LinesWith(path string, max int, most int64, words [][]byte, f func(line []byte) bool) error {
	file, err := toRead(path)
	if file == nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	type extent struct{ at, size int64 }
	var found []extent // the newest first
	buffer := make([]byte, 256<<10)
	left, begin, full := most, int64(-1), false
	for from, end := info.Size(), info.Size(); end > 0 && !full; { // from the end of the file, a window at a time
		if from -= windowSize; from < 0 {
			from = 0
		}
		start, err := lineFrom(file, from, end)
		if err != nil {
			return err
		}
		found = found[:0]
		if err := linesWith(io.NewSectionReader(file, 0, end), start, max, words, &buffer,
			func(at int64, line []byte) bool {
				found = append(found, extent{at, int64(len(line))})
				return true
			}); err != nil {
			return err
		}
		for _, x := range slices.Backward(found) {
			if full = begin >= 0 && left < x.size; full {
				break
			}
			begin, left = x.at, left-x.size
		}
		end = start
	}
	if begin < 0 {
		return nil
	}
	return linesWith(file, begin, max, words, &buffer, func(_ int64, line []byte) bool { return f(line) })
}

// windowSize is how much of a file is looked through at once for its newest lines, in bytes.
var windowSize int64 = 32 << 20

// lineFrom returns where the first line begins that does at the offset from or behind it, end for none before that.
func lineFrom(file *os.File, from, end int64) (int64, error) {
	if from == 0 {
		return 0, nil
	}
	b := make([]byte, 64<<10)
	for at := from - 1; at < end; {
		n, err := file.ReadAt(b, at)
		if i := bytes.IndexByte(b[:n], '\n'); i >= 0 {
			return min(at+int64(i)+1, end), nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if n == 0 {
			break
		}
		at += int64(n)
	}
	return end, nil
}

// linesWith calls f with the lines of file from the offset at on that hold one of words, and where each begins, until f
// returns false.
func linesWith(file io.ReaderAt, at int64, max int, words [][]byte, buffer *[]byte,
	f func(at int64, line []byte) bool) error {
	held, over := 0, false // how much of the buffer is filled; whether it begins within a line that is too long
	for {
		b := *buffer
		n, err := file.ReadAt(b[held:], at+int64(held))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		held += n
		whole := bytes.LastIndexByte(b[:held], '\n') + 1
		last := n == 0 || err != nil
		if last {
			whole = held // a last line may have no end
		}
		switch {
		case whole > 0:
			from := 0
			if over { // its end
				if from = bytes.IndexByte(b[:whole], '\n') + 1; from == 0 {
					from = whole
				}
				over = false
			}
			if !holding(b[from:whole], max, words, func(i int, line []byte) bool { return f(at+int64(from+i), line) }) {
				return nil
			}
			at += int64(whole)
			held = copy(b, b[whole:held])
		case held > max:
			over, held = true, 0
			at += int64(len(b))
		case held == len(b):
			*buffer = append(b, make([]byte, len(b))...)
		}
		if last {
			return nil
		}
	}
}

// holding calls f with the lines of b, at most max bytes long, that hold one of words, and where each begins. It
// reports whether f always returned true.
func holding(b []byte, max int, words [][]byte, f func(at int, line []byte) bool) bool {
	next := make([]int, len(words)) // where each word stands next, len(b) for nowhere
	for i := range next {
		next[i] = -1
	}
	for at := 0; at < len(b); {
		first := len(b)
		for i, w := range words {
			if next[i] < at {
				if k := bytes.Index(b[at:], w); k >= 0 {
					next[i] = at + k
				} else {
					next[i] = len(b)
				}
			}
			first = min(first, next[i])
		}
		if first == len(b) {
			break
		}
		begin, end := bytes.LastIndexByte(b[at:first], '\n')+1+at, len(b)
		if i := bytes.IndexByte(b[first:], '\n'); i >= 0 {
			end = first + i
		}
		at = min(end+1, len(b))
		if at-begin <= max && !f(begin, bytes.TrimRight(b[begin:end], "\r")) {
			return false
		}
	}
	return true
}

// Open opens a file that is not memento's for reading, as os.Open does; should a pipe stand there, it waits for nobody.
func Open(path string) (*os.File, error) {
	if err := fault("open", path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDONLY|nonBlock, 0)
}

// List returns what stands in the folder at path, sorted by name.
func List(path string) ([]os.DirEntry, error) {
	if err := fault("list", path); err != nil {
		return nil, err
	}
	return os.ReadDir(path)
}

// ListFolder is List for one of memento's folders: a missing one has nothing in it. Errors: also ErrRefused when it is no folder, or a
// link to one, since what that leads to is somebody else's.
func ListFolder(path string) ([]os.DirEntry, error) {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: it is a link, or no folder", path, ErrRefused)
	}
	entries, err := List(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// open opens path for reading without following a link and without waiting for a writer, should a pipe stand there.
func open(path string) (f *os.File, err error) {
	err = patiently("open", path, func() error {
		f, err = os.OpenFile(path, os.O_RDONLY|noFollow|nonBlock, 0)
		return err
	})
	return f, err
}

// inUseWait is how long a file is waited for that another process has open.
const inUseWait = 250 * time.Millisecond

// patiently does f, the operation op on path, again and again for a moment while the system says that another process
// has the file open: Windows then lets nobody put another in its place, be it that it is only read (seen under wine
// 8.0, where one of five writers at a time failed by the others' readers). Elsewhere it is done once.
func patiently(op, path string, f func() error) error {
	deadline := time.Now().Add(inUseWait)
	for pause := 500 * time.Microsecond; ; pause += pause / 2 {
		err := fault(op, path)
		if err == nil {
			err = f()
		}
		if err == nil || !inUse(err) && (testOnlyInUse == nil || !errors.Is(err, testOnlyInUse)) ||
			time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// testOnlyInUse is an error taken for the system's word that a file is open elsewhere.
var testOnlyInUse error

// Replace puts data in place of the file at path, with permissions perm: durable when it returns nil, and on any
// error the old content stands and nothing else is left in the folder. A link, a foreign or an irregular file at
// path is ErrRefused. The folder must exist.
func Replace(path string, data []byte, perm fs.FileMode) error {
	return writing(path, replace(path, data, perm, durable, nil))
}

// ReplaceOrdered is Replace for what can be made again: after a power cut the file is whole, but in the first seconds
// (until the file system writes its journal by itself) it may be the old one, or none where none was. It leaves out
// forcing the folder to the disk, a third of what Replace takes.
func ReplaceOrdered(path string, data []byte, perm fs.FileMode) error {
	return writing(path, replace(path, data, perm, ordered, nil))
}

// ReplaceVolatile is Replace for machinery that may be lost in a power cut: whole or not at all, but not forced to
// the disk, which costs a tenth of the time.
func ReplaceVolatile(path string, data []byte, perm fs.FileMode) error {
	return writing(path, replace(path, data, perm, volatile, nil))
}

// strength is what of a replacement a power cut leaves.
type strength int

const (
	volatile strength = iota // anything; that it is whole is only sure for who reads it before
	ordered                  // the old file or the new one, whole
	durable                  // the new one
)

// writing says which file was to be written, rather than which temporary one could not be.
func writing(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: "writing", Path: path, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "writing", Path: path, Err: link.Err}
	}
	return err
}

// Hint returns what a person can do about an error of this package, "" when it is not for a person to mend. It is for a
// change that was made whole or not at all: it says that nothing was changed.
func Hint(err error) string {
	step, failed := hint(err)
	if failed {
		step += "; nothing was changed"
	}
	return step
}

// Step is Hint for where something may have been changed, or nothing was to be.
func Step(err error) string {
	step, _ := hint(err)
	return step
}

// hint is what Step returns, and whether the error is the disk's.
func hint(err error) (step string, failed bool) {
	var shared *SharedError
	var foreign *ForeignError
	switch {
	case errors.As(err, &shared):
		return "chmod go-w " + ShellWord(shared.Path), false
	case errors.As(err, &foreign):
		return whose(foreign.Path), false
	case errors.Is(err, ErrRefused):
		return "memento doctor", false
	case errors.Is(err, ErrBusy):
		return "another memento is writing; run the command again", false
	case diskFull(err):
		return room(err), true
	case tooManyOpen(err):
		return "close some programs or raise the limit (ulimit -n), then run the command again", true
	case broken(err):
		return "the disk reported an error: see what the system log says of it, then run the command again", true
	case inUse(err):
		return "a program may have the file open: close it and run the command again, or see that the folder is yours to write to", true
	case errors.Is(err, fs.ErrPermission):
		return theirs(err), true
	case readOnly(err):
		return "see that the folder can be written to", true
	case notFolder(err):
		return inTheWay(err), false
	}
	return "", false
}

// replace does last, unless nil, when data is on the disk and nothing has its name yet.
func replace(path string, data []byte, perm fs.FileMode, how strength, last func() error) (err error) {
	if err := Check(path); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := fault("create", path); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return err
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
		}
	}()
	if err := fault("write", path); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if perm != 0o600 { // what CreateTemp gives
		if err := f.Chmod(perm); err != nil {
			return err
		}
	}
	if how != volatile {
		if err := fault("sync", path); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	if err := fault("close", path); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := patiently("rename", path, func() error { return atomic.ReplaceFile(temp, path) }); err != nil {
		return err
	}
	if how == durable {
		syncDir(dir) // the replacement stands; where a folder cannot be synced there is nothing to undo
	}
	return nil
}

// SetAside renames the file at path to path.label-<time> and returns the new name. An existing file is never
// overwritten.
func SetAside(path, label string, now time.Time) (string, error) {
	stem := path + "." + label + "-" + now.UTC().Format("20060102T150405Z")
	for n, name := 1, stem; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, patiently("rename", path, func() error { return os.Rename(path, name) })
		} else if err != nil || n > 99 {
			return "", fmt.Errorf("%s: no free name to set it aside", path)
		}
		name = fmt.Sprintf("%s-%d", stem, n)
	}
}

// Move renames a file within memento's folder, refusing when something stands at the new name.
func Move(from, to string) error {
	if err := Check(from); err != nil {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return patiently("rename", to, func() error { return os.Rename(from, to) })
}

// Remove removes the file at path, a link itself and never what it points to. A missing file is no error.
func Remove(path string) error {
	err := patiently("remove", path, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// scratchPrefix starts the name of a folder that Scratch makes; it is temporary, too.
const scratchPrefix = tempPrefix + "scratch-"

// Scratch makes a new folder of its own in the folder dir, "" for the system's temporary folder, and returns it with
// the func that removes it and all it holds.
func Scratch(dir string) (scratch string, remove func(), err error) {
	scratch, err = os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return "", nil, err
	}
	return scratch, func() { os.RemoveAll(scratch) }, nil
}

// Touch says of the file at path that it was changed at this time, and changes nothing in it. Errors: fs.ErrNotExist,
// ErrRefused, or what the system said.
func Touch(path string, at time.Time) error {
	if err := Check(path); err != nil {
		return err
	}
	if err := fault("touch", path); err != nil {
		return err
	}
	return os.Chtimes(path, time.Time{}, at)
}

// Writable reports why no file can be made in dir, as far as the system tells without making one.
func Writable(dir string) error {
	if err := fault("access", dir); err != nil {
		return err
	}
	if err := access(dir); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}

// probed is how many bytes Probe writes: more than a journal has.
const probed = 64 << 10

// Probe reports why nothing could be kept in dir, by writing a file, forcing it to the disk and removing it; nil when
// it can.
func Probe(dir string) error {
	if err := fault("create", dir); err != nil {
		return writing(dir, err)
	}
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return writing(dir, err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err = fault("write", dir); err == nil {
		_, err = f.Write(make([]byte, probed))
	}
	if err == nil {
		err = f.Sync()
	}
	return writing(dir, err)
}

// Leftover lists the temporary files and folders in dir that are older than age: what a killed process left behind.
// What cannot be listed has none.
func Leftover(dir string, age time.Duration, now time.Time) (paths []string) {
	var names []string
	// of a folder with thousands of records a sorted list takes three times as long
	err := Names(dir, "", func(n Name) {
		if Temporary(n.Name) {
			names = append(names, n.Name)
		}
	})
	if err != nil {
		return nil
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > age &&
			(info.Mode().IsRegular() || info.IsDir() && strings.HasPrefix(name, scratchPrefix)) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Sweep removes what Leftover lists.
func Sweep(dir string, age time.Duration, now time.Time) {
	for _, path := range Leftover(dir, age, now) {
		os.RemoveAll(path)
	}
}

// Folder makes the folder at path when it is missing, as the user's own commands would: readable by whom the umask
// lets. It is for the client's folders and a project's; memento's own are Dir's. The parent must exist.
func Folder(path string) error {
	if err := fault("mkdir", path); err != nil {
		return err
	}
	err := os.Mkdir(path, 0o755)
	if err == nil {
		forceDir(filepath.Dir(path))
	}
	if info, serr := os.Stat(path); errors.Is(err, fs.ErrExist) && serr == nil && info.IsDir() {
		return nil
	}
	return err
}

// Shared reports whether anybody else has any right to the folder at path, or its owner not all of them. A link,
// something other than a folder, or a folder of another user is ErrRefused; a missing one is nobody's.
func Shared(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var shared *SharedError
	if err := checkDir(path, info); err != nil && !errors.As(err, &shared) {
		return false, err
	}
	return modes && info.Mode().Perm() != 0o700, nil
}

// Private makes the folder at path its owner's alone. Errors as for Shared.
func Private(path string) error {
	if shared, err := Shared(path); err != nil || !shared {
		return err
	}
	if err := fault("chmod", path); err != nil {
		return err
	}
	return os.Chmod(path, 0o700)
}

// RemoveTree removes the folder at path and all it holds, of a link only the link. A missing one is no error.
func RemoveTree(path string) error {
	if err := fault("remove", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// LockIn is Lock for the file called name in dir, memento's folder, that many sessions change: it makes the folders,
// and takes state/NAME.lock.
func LockIn(dir, name string, wait time.Duration) (unlock func(), err error) {
	state := filepath.Join(dir, "state")
	for _, d := range [...]string{dir, state} {
		if err := Dir(d); err != nil {
			return nil, err
		}
	}
	return Lock(filepath.Join(state, name+".lock"), wait)
}

// Lock waits at most wait for the exclusive lock named by the file at path, which is created when missing, and
// returns the func that releases it. The lock belongs to the process: one that dies, however it dies, releases it,
// so nothing stale can stand in the way. Errors: ErrBusy after wait, ErrRefused, or what the disk said.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	return await(path, wait, tryLock)
}

// LockFolder is Lock for a folder that is there, and makes no file: for what is to leave no trace. Not every system and
// disk can lock a folder; the error is then what it said.
func LockFolder(path string, wait time.Duration) (unlock func(), err error) {
	return await(path, wait, func(path string) (*os.File, error) {
		if err := fault("lock", path); err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			f.Close()
			return nil, err
		}
		return f, nil
	})
}

func await(path string, wait time.Duration, try func(path string) (*os.File, error)) (unlock func(), err error) {
	deadline := time.Now().Add(wait)
	for pause := 500 * time.Microsecond; ; {
		f, err := try(path)
		if err == nil {
			return func() { f.Close() }, nil // closing releases; an explicit unlock would add nothing
		}
		if !errors.Is(err, ErrBusy) {
			return nil, err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return nil, fmt.Errorf("%s: %w", path, ErrBusy)
		}
		time.Sleep(min(pause, left))
		if pause < 8*time.Millisecond {
			pause += pause / 2
		}
	}
}

func tryLock(path string) (*os.File, error) {
	if err := fault("lock", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow|nonBlock, 0o600)
	if err != nil {
		if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
			return nil, refuse(path, "it is not a regular file")
		}
		return nil, err
	}
	if err = fault("flock", path); err == nil {
		err = flock(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	held, err := f.Stat()
	if err == nil {
		err = checkFile(path, held) // a pipe can be opened and locked too
	}
	if err == nil {
		var named fs.FileInfo
		if named, err = os.Lstat(path); err == nil && !os.SameFile(held, named) {
			err = ErrBusy // removed between open and lock: somebody else will make or has made a new one
		}
	}
	if err != nil {
		f.Close()
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrBusy
		}
		return nil, err
	}
	return f, nil
}
