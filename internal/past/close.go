package past

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Close compresses the turns of a session that is over. A session that goes on opens again by itself. On any error each
// turn is still there once.
func (s Store) Close(project, session string) error {
	unlock, err := s.lock(project)
	if err != nil {
		return err
	}
	defer unlock()
	path, found, err := s.find(project, session, "")
	if err != nil || !found {
		return err
	}
	if _, err := safefile.Stat(path + openEnd); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	j, err := s.load(path)
	if err != nil {
		return err
	}
	return s.replace(path, j.kept(""))
}

// maxIdle is the size, in bytes, up to which Tidy compresses a session: it runs when a session starts, and a person
// waits. CloseLarge compresses a session up to maxEnd.
const (
	maxIdle = 1 << 20
	maxEnd  = 8 << 20
)

// CloseLarge is Close for the end of a session, if it is too large for Tidy. Then nobody waits, but for all hooks there
// are 1.5 s together. Close by a backfill compresses what is larger still.
func (s Store) CloseLarge(project, session string) error {
	path, found, err := s.find(project, session, "")
	if err != nil || !found {
		return err
	}
	unlock, err := s.lock(project)
	if err != nil {
		return err
	}
	defer unlock()
	if open, err := safefile.Stat(path + openEnd); err != nil || open.Size <= maxIdle || open.Size > maxEnd {
		return nil // it is closed, or not of these sizes
	}
	if err := safefile.ReplaceBy(path+closedEnd, 0o600, true,
		func(w io.Writer) error { return packLines(w, path) }); err != nil {
		return err
	}
	return safefile.Remove(path + openEnd)
}

// packLines writes to w what the closed file of the session at path holds, and behind it the lines of the running one,
// compressed. It decodes no line, so that it holds one at a time: the next Close joins those of one turn. It returns
// ErrDamaged for a closed file that cannot be read to its end, since nothing behind that could be read either.
func packLines(w io.Writer, path string) error {
	closed, err := safefile.Read(path+closedEnd, maxFile)
	if err == nil {
		err = checkPacked(path+closedEnd, closed)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := w.Write(closed); err != nil {
		return err
	}
	z := gzip.NewWriter(w)
	var failed error
	if err := safefile.Lines(path+openEnd, maxLine, func(line []byte) bool {
		if _, failed = z.Write(line); failed == nil {
			_, failed = z.Write([]byte{'\n'})
		}
		return failed == nil
	}); err != nil {
		return err
	}
	return cmp.Or(failed, z.Close())
}

// closeIdle is Close for a hook: it does not wait for the disk. The first call writes the compressed file, and a call
// that comes when that is on the disk for sure removes the other one.
func (s Store) closeIdle(one Session, now time.Time) error {
	unlock, err := s.lock(one.Project)
	if err != nil {
		return err
	}
	defer unlock()
	open, err := safefile.Stat(one.path + openEnd)
	if errors.Is(err, fs.ErrNotExist) || err == nil && open.Size > maxIdle {
		return nil
	}
	j, err := s.load(one.path)
	if err != nil {
		return err
	}
	packed := pack(encodeAll(j.kept("")))
	closed, err := safefile.Read(one.path+closedEnd, maxFile)
	if err != nil || !bytes.Equal(closed, packed) {
		return safefile.ReplaceVolatile(one.path+closedEnd, packed, 0o600)
	}
	if at, err := safefile.Stat(one.path + closedEnd); err != nil || now.Sub(time.Unix(0, at.Time)) < written {
		return err
	}
	return safefile.Remove(one.path + openEnd)
}

// written is the time after which a file that was written is on the disk, whatever the system does.
const written = time.Hour

// write writes the compressed file of the session at path, and removes it when there are no turns.
func (s Store) write(path string, turns []Turn) error {
	if len(turns) == 0 {
		return safefile.Remove(path + closedEnd)
	}
	return safefile.Replace(path+closedEnd, pack(encodeAll(turns)), 0o600)
}

// Tidy closes the sessions whose files nothing changed for age, applies the limits, and removes what killed processes
// left. It does not wait for the disk. It stops when inTime returns false; the next call goes on.
func (s Store) Tidy(l Limits, now time.Time, age time.Duration, inTime func() bool) error {
	projects, err := s.Projects()
	if err != nil {
		return err
	}
	for _, project := range projects {
		sessions, err := s.Sessions(project)
		if err != nil {
			return err
		}
		for _, one := range sessions {
			if one.Closed || now.Sub(one.Opened) < age {
				continue
			}
			if !inTime() {
				return nil
			}
			if err := s.closeIdle(one, now); err != nil {
				return err
			}
		}
	}
	folders, err := s.Folders()
	for _, folder := range folders {
		if inTime() {
			safefile.Sweep(folder, abandoned, now)
		}
	}
	if err != nil {
		return err
	}
	_, err = s.Limit(l, inTime)
	return err
}

// abandoned is the age from which a temporary file belongs to a process that was killed.
const abandoned = time.Hour

// Limits say how long turns are kept. A zero time sets no limit.
type Limits struct {
	Turns   time.Time // earlier turns go
	Answers time.Time // of earlier turns only the answers go
}

// Limit removes what is older than the limits, in every project, and returns how many turns it changed or removed. It
// opens no month in which an earlier call left nothing to remove. It stops when inTime returns false; then the next
// call begins again with the same months.
func (s Store) Limit(l Limits, inTime func() bool) (n int, err error) {
	last := max(monthOf(l.Turns), monthOf(l.Answers))
	if last == "" {
		return 0, nil
	}
	projects, err := s.Projects()
	if err != nil {
		return 0, err
	}
	path := filepath.Join(s.Dir, Folder, "limited")
	done, first := "", "" // the limits that were applied last, and the first month in which they left something
	if data, err := safefile.Read(path, 1<<10); err == nil {
		done = string(data)
	}
	if was := limitsOf(done); (was.Turns.IsZero() == l.Turns.IsZero()) && (was.Answers.IsZero() == l.Answers.IsZero()) {
		first = monthOf(was.Turns)
		if at := monthOf(was.Answers); first == "" || at != "" && at < first {
			first = at
		}
	}
	late := false
	for _, project := range projects {
		changed, err := s.rewrite(project, func(month string) bool {
			late = late || !inTime()
			return month <= last && month >= first && !late
		}, l.Keeps)
		if n += changed; err != nil {
			return n, err
		}
	}
	if now := l.String(); !late && now != done && len(projects) > 0 {
		err = safefile.ReplaceVolatile(path, []byte(now), 0o600)
	}
	return n, err
}

// Keeps applies the limits to a turn. It returns false for one that goes.
func (l Limits) Keeps(t *Turn) bool {
	if t.Time.Before(l.Answers) {
		t.Answer = ""
	}
	return !t.Time.Before(l.Turns)
}

// String packs the limits, by their day.
func (l Limits) String() string {
	return l.Turns.UTC().Format(time.DateOnly) + " " + l.Answers.UTC().Format(time.DateOnly)
}

// limitsOf unpacks what String packed.
func limitsOf(packed string) (l Limits) {
	one, two, _ := strings.Cut(packed, " ")
	l.Turns, _ = time.Parse(time.DateOnly, one)
	l.Answers, _ = time.Parse(time.DateOnly, two)
	return l
}

// monthOf returns the name of a month's folder, "" for the zero time.
func monthOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(monthForm)
}

// rewrite changes the turns of a project's sessions in some months. keep changes a turn, and returns false for one that
// goes. rewrite returns how many turns went or changed. It writes only sessions in which something did.
func (s Store) rewrite(project string, in func(month string) bool, keep func(*Turn) bool) (n int, err error) {
	sessions, err := s.Sessions(project)
	if err != nil || len(sessions) == 0 {
		return 0, err
	}
	unlock, err := s.lock(project)
	if err != nil {
		return 0, err
	}
	defer unlock()
	for _, one := range sessions {
		if !in(one.Month) {
			continue
		}
		j, err := s.load(one.path)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return n, err
		}
		left, changed := changeAll(j.kept(project), keep)
		if changed == 0 {
			continue
		}
		n += changed
		if err := s.replace(one.path, left); err != nil {
			return n, err
		}
	}
	return n, nil
}

// changeAll returns what keep leaves of the turns, and how many went or changed.
func changeAll(all []Turn, keep func(*Turn) bool) (left []Turn, changed int) {
	for _, t := range all {
		if t.Gone {
			left = append(left, t)
			continue
		}
		was := string(encode(&t))
		t.Ran, t.Commits, t.Files = slices.Clone(t.Ran), slices.Clone(t.Commits), slices.Clone(t.Files)
		stays := keep(&t)
		if stays {
			left = append(left, t)
		}
		if !stays || string(encode(&t)) != was {
			changed++
		}
	}
	return left, changed
}

// replace writes a session anew. It removes the lines of a running session last: until then each turn stands in both
// files, and what is erased from one may still be in the other. The caller does the same again after an error.
func (s Store) replace(path string, turns []Turn) error {
	if err := s.write(path, turns); err != nil {
		return err
	}
	return safefile.Remove(path + openEnd)
}

// Rename gives the turns of the project from to the project to. When to has turns of a session too, both are joined. A
// run that was cut off goes on where it stopped.
func (s Store) Rename(from, to string) error {
	sessions, err := s.Sessions(from)
	if err != nil {
		return err
	}
	for _, one := range sessions {
		if err := s.move(one, to); err != nil {
			return err
		}
	}
	return s.drop(from)
}

// move moves one session to another project.
func (s Store) move(one Session, to string) error {
	unlock, err := s.lock(one.Project)
	if err != nil {
		return err
	}
	j, err := s.load(one.path)
	unlock()
	if err != nil {
		return err
	}
	turns := j.kept(to)
	if err := s.Add(turns); err != nil {
		return err
	}
	if len(turns) > 0 {
		if err := s.Close(to, turns[0].Session); err != nil {
			return err
		}
	}
	return s.remove(one)
}

// remove removes a session's files.
func (s Store) remove(one Session) error {
	unlock, err := s.lock(one.Project)
	if err != nil {
		return err
	}
	defer unlock()
	for _, end := range [...]string{closedEnd, openEnd} {
		if err := safefile.Remove(one.path + end); err != nil {
			return err
		}
	}
	return nil
}

// drop removes the empty folders of a project, and its lock.
func (s Store) drop(project string) error {
	if left, err := s.Sessions(project); err != nil || len(left) > 0 {
		return err
	}
	if _, err := safefile.Stat(s.folder(project)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := safefile.RemoveTree(s.folder(project)); err != nil {
		return err
	}
	return safefile.Remove(filepath.Clean(s.folder(project)) + ".lock")
}

// Files lists the files of the chosen sessions.
func (s Store) Files(chosen func(project, file string) bool) (paths []string, err error) {
	err = s.each(chosen, func(one Session) error {
		for _, end := range [...]string{closedEnd, openEnd} {
			if _, err := safefile.Stat(one.path + end); err == nil {
				paths = append(paths, one.path+end)
			}
		}
		return nil
	})
	return paths, err
}

// Forget removes the turns of the chosen sessions and returns their files; see IsFileOf.
func (s Store) Forget(chosen func(project, file string) bool) (paths []string, err error) {
	if paths, err = s.Files(chosen); err != nil {
		return nil, err
	}
	if err := s.each(chosen, s.remove); err != nil {
		return nil, err
	}
	projects, err := s.Projects()
	for _, project := range projects {
		if err == nil {
			err = s.drop(project)
		}
	}
	return paths, err
}

// each calls f with each session for which chosen returns true.
func (s Store) each(chosen func(project, file string) bool, f func(Session) error) error {
	projects, err := s.Projects()
	if err != nil {
		return err
	}
	for _, project := range projects {
		sessions, err := s.Sessions(project)
		if err != nil {
			return err
		}
		for _, one := range sessions {
			if chosen(project, one.ID) {
				if err := f(one); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// IsFileOf reports whether file, as Forget passes it, is the name of the files of the session id.
func IsFileOf(file, id string) bool { return file == stem(id) }

// Check returns ErrDamaged for a session whose closed file cannot be read, or the disk's error. It looks at the file's
// beginning and its size alone.
func (s Store) Check(one Session) error {
	if _, err := safefile.Stat(one.path + closedEnd); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	data, err := safefile.ReadStart(one.path+closedEnd, 2)
	if err == nil && string(data) != "\x1f\x8b" {
		err = fmt.Errorf("%s: %w", one.path+closedEnd, ErrDamaged)
	}
	return err
}
