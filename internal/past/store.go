package past

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	// MaxAnswer is the longest answer that is kept, in bytes. Of a longer one the beginning and the end stay.
	MaxAnswer = 8 << 10
	maxLine   = 64 << 20 // bytes of a line, and of a decompressed session's line
	maxFile   = 1 << 30  // bytes of a session's file
)

// ErrDamaged says that a closed session's file is not a whole gzip file.
var ErrDamaged = errors.New("it cannot be decompressed")

// Add stores turns of any projects and sessions. It adds what the files do not hold yet; the same turns a second time
// change nothing. It takes secrets out, and cuts answers to MaxAnswer. It does not wait for the disk: a power cut may
// take the newest turns, which the transcript still has. Errors: safefile.ErrBusy, safefile.ErrRefused, the disk's;
// the sessions before the error are stored.
func (s Store) Add(turns []Turn) error { return s.add(turns, true) }

// Append is Add that reads no file first, for turns that are new: turns added twice stand twice in the file until the
// session is closed, and are read once.
func (s Store) Append(turns []Turn) error { return s.add(turns, false) }

func (s Store) add(turns []Turn, check bool) error {
	for len(turns) > 0 {
		first, n := turns[0], 1
		for n < len(turns) && turns[n].Project == first.Project && turns[n].Session == first.Session {
			n++
		}
		if err := s.addTo(first.Project, first.Session, turns[:n], check); err != nil {
			return err
		}
		turns = turns[n:]
	}
	return nil
}

// addTo stores turns of one session.
func (s Store) addTo(project, session string, turns []Turn, check bool) error {
	unlock, err := s.lock(project)
	if err != nil {
		return err
	}
	defer unlock()
	at, found, err := s.find(project, session, monthIn(turns))
	if err != nil {
		return err
	}
	known := newJoiner()
	if found && check {
		if known, err = s.load(at); err != nil {
			return err
		}
	}
	var more []Turn
	for _, t := range turns {
		if t.PromptID == "" || t.Session == "" {
			continue
		}
		t.clean()
		if !check || known.add(t) {
			more = append(more, t)
		}
	}
	if len(more) == 0 {
		return nil
	}
	if err := safefile.Dir(filepath.Dir(at)); err != nil {
		return err
	}
	return safefile.Append(at+openEnd, encodeAll(more), false)
}

// clean takes secrets out of the turn's texts, and cuts the answer.
func (t *Turn) clean() {
	t.Prompt, t.Asked = redact.Clean(t.Prompt), redact.Clean(t.Asked)
	t.Answer = cutAnswer(t.Answer)
	t.Ran, t.Commits, t.Files = slices.Clone(t.Ran), slices.Clone(t.Commits), slices.Clone(t.Files)
	for i, r := range t.Ran {
		t.Ran[i].Cmd, t.Ran[i].Line = redact.Clean(r.Cmd), redact.Clean(r.Line)
	}
	for _, list := range [...][]string{t.Commits, t.Files} {
		for i := range list {
			list[i] = redact.Clean(list[i])
		}
	}
}

// cutAnswer takes secrets out of an answer, and the middle out of one that is too long: it begins with the conclusion,
// or ends with it. It looks for secrets in more than it keeps, since it does not recognise a part of one.
func cutAnswer(words string) string {
	if len(words) <= 4*MaxAnswer {
		words = redact.Clean(words)
		if len(words) <= MaxAnswer {
			return words
		}
	}
	begin, end := words, words
	if len(words) > 4*MaxAnswer {
		begin, end = redact.Clean(words[:2*MaxAnswer]), redact.Clean(words[len(words)-2*MaxAnswer:])
	}
	const half = MaxAnswer/2 - 8
	return strings.ToValidUTF8(begin[:min(len(begin), half)], "") + "\n" + text.Ellipsis + "\n" +
		strings.ToValidUTF8(end[max(0, len(end)-half):], "")
}

// monthIn returns the month of the first turn that has a time, "" for none.
func monthIn(turns []Turn) string {
	for _, t := range turns {
		if !t.Time.IsZero() {
			return t.Time.UTC().Format(monthForm)
		}
	}
	return ""
}

// monthForm is the form of the names of the folders of months.
const monthForm = "2006-01"

// lock takes the lock of a project's turns.
func (s Store) lock(project string) (unlock func(), err error) {
	for _, d := range [...]string{s.Dir, filepath.Join(s.Dir, Folder)} {
		if err := safefile.Dir(d); err != nil {
			return nil, err
		}
	}
	return safefile.Lock(s.folder(project)+".lock", s.Wait)
}

// months returns the names of the folders of a project's months, oldest first.
func (s Store) months(project string) (out []string, err error) {
	entries, err := safefile.ListFolder(s.folder(project))
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// find returns the path of a session's files, without their endings, and whether there is one. A new session's files
// stand in the folder of this month.
func (s Store) find(project, session, month string) (path string, found bool, err error) {
	folder, name := s.folder(project), stem(session)
	months, err := s.months(project)
	if err != nil {
		return "", false, err
	}
	if i := slices.Index(months, month); i >= 0 {
		months = append([]string{month}, slices.Delete(months, i, i+1)...)
	}
	for _, m := range months {
		for _, end := range [...]string{openEnd, closedEnd} {
			if _, err := safefile.Stat(filepath.Join(folder, m, name+end)); err == nil {
				return filepath.Join(folder, m, name), true, nil
			}
		}
	}
	if month == "" {
		month = "0000-00" // no turn has a time
	}
	return filepath.Join(folder, month, name), false, nil
}

// load reads the files of a session, whose path has no ending. Errors: ErrDamaged beside the turns that could be read,
// safefile.ErrRefused, the disk's.
func (s Store) load(path string) (*joiner, error) {
	j := newJoiner()
	return j, eachLine(path, func(_ []byte, t Turn, ok bool) {
		if ok {
			j.add(t)
		}
	})
}

// eachLine calls f with each line of a session's files, whose path has no ending, and with the turn that it holds, if
// it holds one. It reads the closed file first. Errors: ErrDamaged after all lines that could be read,
// safefile.ErrRefused, the disk's.
func eachLine(path string, f func(line []byte, t Turn, ok bool)) error {
	read := func(line []byte) bool {
		t, ok := decode(line)
		f(line, t, ok)
		return true
	}
	data, err := safefile.Read(path+closedEnd, maxFile)
	var damaged error
	switch {
	case err == nil:
		data, damaged = unpack(path+closedEnd, data)
		for line := range bytes.Lines(data) {
			read(bytes.TrimSuffix(line, []byte("\n")))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := safefile.Lines(path+openEnd, maxLine, read); err != nil {
		return err
	}
	return damaged
}

// unpack returns the content of a closed session's file.
func unpack(path string, data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %v", path, ErrDamaged, err)
	}
	out, err := io.ReadAll(io.LimitReader(z, maxFile))
	if err != nil {
		return out, fmt.Errorf("%s: %w: %v", path, ErrDamaged, err)
	}
	return out, nil
}

// checkPacked returns ErrDamaged for a closed session's file that cannot be read to its end.
func checkPacked(path string, data []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		_, err = io.Copy(io.Discard, z)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %v", path, ErrDamaged, err)
	}
	return nil
}

// pack returns the content of a closed session's file.
func pack(data []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = z.Write(data) // a write to a buffer cannot fail
	_ = z.Close()
	return b.Bytes()
}

// Read returns the turns of a session, oldest first, with their numbers. An unknown session has none. An error ends the
// turns: ErrDamaged, safefile.ErrRefused, the disk's.
func (s Store) Read(project, session string) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		path, found, err := s.find(project, session, "")
		j := newJoiner()
		if found {
			j, err = s.load(path)
		}
		for _, t := range j.live(project) {
			if !yield(t, nil) {
				return
			}
		}
		if err != nil {
			yield(Turn{}, err)
		}
	}
}

// Each calls f with all turns of a project, session by session, those of the oldest month first. A damaged session has
// the turns that can be read. Errors: the disk's.
func (s Store) Each(project string, f func(Turn)) error {
	sessions, err := s.Sessions(project)
	for _, one := range sessions {
		j, _ := s.load(one.path)
		for _, t := range j.live(project) {
			f(t)
		}
	}
	return err
}

// Session is a session of which turns are kept.
type Session struct {
	Project string
	ID      string // as the client calls it; of an id that is no file name, the name of its file
	Month   string // of its first turn, "2026-11"
	Size    int64  // of its files, in bytes
	Changed time.Time
	Opened  time.Time // when its lines changed that are not compressed, zero for none
	Closed  bool      // its files are compressed

	path string // without ending
}

// Sessions returns the sessions of a project, those of the oldest month first.
func (s Store) Sessions(project string) (out []Session, err error) {
	months, err := s.months(project)
	if err != nil {
		return nil, err
	}
	for _, month := range months {
		folder := filepath.Join(s.folder(project), month)
		entries, err := safefile.ListFolder(folder)
		if err != nil {
			return nil, err
		}
		at := map[string]int{}
		for _, e := range entries {
			name, open := strings.CutSuffix(e.Name(), openEnd)
			if !open {
				var closed bool
				if name, closed = strings.CutSuffix(e.Name(), closedEnd); !closed {
					continue
				}
			}
			file, err := safefile.Stat(filepath.Join(folder, e.Name()))
			if err != nil {
				continue // it was closed or erased meanwhile
			}
			i, known := at[name]
			if !known {
				i, at[name] = len(out), len(out)
				out = append(out, Session{Project: project, ID: name, Month: month, Closed: true,
					path: filepath.Join(folder, name)})
			}
			one := &out[i]
			one.Size += file.Size
			if open {
				one.Closed, one.Opened = false, time.Unix(0, file.Time)
			}
			if changed := time.Unix(0, file.Time); changed.After(one.Changed) {
				one.Changed = changed
			}
		}
	}
	return out, nil
}

// Projects returns the projects that have turns, sorted.
func (s Store) Projects() (out []string, err error) {
	entries, err := safefile.ListFolder(filepath.Join(s.Dir, Folder))
	for _, e := range entries {
		if name := e.Name(); e.IsDir() {
			if name == noProject {
				name = ""
			}
			out = append(out, name)
		}
	}
	return out, err
}

// Folders returns the paths of the folders that hold sessions.
func (s Store) Folders() (paths []string, err error) {
	projects, err := s.Projects()
	for _, project := range projects {
		months, err := s.months(project)
		if err != nil {
			return paths, err
		}
		for _, month := range months {
			paths = append(paths, filepath.Join(s.folder(project), month))
		}
	}
	return paths, err
}
