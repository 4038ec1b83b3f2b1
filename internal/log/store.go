package log

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Folder is the name of the folder of all sessions, in memento's folder.
const Folder = "log"

// Store is the log in memento's folder.
type Store struct {
	Dir  string        // memento's folder
	Wait time.Duration // for the lock of a file
}

const (
	fileEnd   = ".jsonl"
	noProject = "_none"   // the folder of sessions outside any project; no slug begins with "_"
	ownFile   = "project" // the name of a project's own file, without its ending
	monthForm = "2006-01" // the form of the names of the folders of months
	maxLine   = 64 << 20  // bytes of a line
)

// folder returns the path of a project's sessions.
func (s Store) folder(project string) string {
	return filepath.Join(s.Dir, Folder, cmp.Or(project, noProject))
}

// FileName returns the name of the file, without its ending, of the session id. The client's ids are UUIDs, which stay
// as they are.
func FileName(id string) string {
	if IsFileName(id) {
		return id
	}
	return "x-" + text.Fingerprint(id)
}

// IsFileName reports whether a session's id can be the name of a file on every system.
func IsFileName(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return id != "" && len(id) <= 64 && strings.Trim(id, letters) == "" &&
		!slices.Contains(devices, strings.TrimRight(strings.ToLower(id), "0123456789"))
}

// devices are names that Windows keeps for devices, without their digits.
var devices = []string{"con", "prn", "aux", "nul", "com", "lpt"}

// lockName returns the name of the lock of a session's file, or of the project's own for "".
func lockName(project, session string) string {
	if session == "" {
		return "project-" + cmp.Or(project, noProject) + "-log"
	}
	return FileName(session) + "-log"
}

// lock takes the lock of a session's file, or of the project's own for "". Whoever adds, merges or erases holds it.
func (s Store) lock(project, session string) (unlock func(), err error) {
	for _, d := range [...]string{s.Dir, filepath.Join(s.Dir, Folder)} {
		if err := safefile.Dir(d); err != nil {
			return nil, err
		}
	}
	return safefile.LockIn(s.Dir, lockName(project, session), s.Wait)
}

// Unlocked removes the lock of a session that is over.
func Unlocked(dir, session string) {
	_ = safefile.Remove(safefile.LockPath(dir, lockName("", session)))
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

// find returns the path of a session's file, and whether there is one. Without a session it is the project's own file,
// which holds what outlives sessions. at is the likely time of the first entry; a new session's file stands in the
// folder of that month.
func (s Store) find(project, session string, at time.Time) (path string, found bool, err error) {
	folder, name, month := s.folder(project), FileName(session)+fileEnd, cmp.Or(monthOf(at), "0000-00")
	if session == "" {
		_, err = safefile.Stat(s.Own(project))
		return s.Own(project), err == nil, nil
	}
	if _, err := safefile.Stat(filepath.Join(folder, month, name)); err == nil {
		return filepath.Join(folder, month, name), true, nil
	}
	months, err := s.months(project)
	if err != nil {
		return "", false, err
	}
	for _, m := range slices.Backward(months) {
		if _, err := safefile.Stat(filepath.Join(folder, m, name)); err == nil {
			return filepath.Join(folder, m, name), true, nil
		}
	}
	return filepath.Join(folder, month, name), false, nil
}

// Append adds entries to the file of a session without reading it. Secrets are taken out. Entries that the file holds
// already stand in it twice and count once. It does not wait for the disk: a power cut may take the newest entries,
// which the transcript still has. Errors: safefile.ErrBusy, safefile.ErrRefused, the disk's; the file is unchanged
// then.
func (s Store) Append(project, session string, entries []Entry) error {
	return s.Keep(project, nil, session, entries)
}

// Add is Append that reads the file first, and adds what it does not hold yet.
func (s Store) Add(project, session string, entries []Entry) error {
	return s.write(project, session, allOf(session, entries), false, func(known *set, e Entry) bool {
		if e.Kind == Rewound || e.Kind == Restored {
			return (e.Kind == Rewound) != rewound(known.entries)[e.Of]
		}
		return known.add(e)
	})
}

// write adds entries that are prepared, and with force forces them to the disk. Unless isNew is nil, it reads the file
// first and adds those for which isNew returns true.
func (s Store) write(project, session string, entries []Entry, force bool, isNew func(*set, Entry) bool) error {
	if len(entries) == 0 {
		return nil
	}
	unlock, err := s.lock(project, session)
	if err != nil {
		return err
	}
	defer unlock()
	path, _, err := s.find(project, session, firstTime(entries))
	if err != nil {
		return err
	}
	if isNew != nil {
		known, err := load(path)
		if err != nil {
			return err
		}
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return !isNew(known, e) })
		if len(entries) == 0 {
			return nil
		}
	}
	if err := safefile.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Append(path, encodeAll(entries), force)
}

// firstTime returns the time of the first entry that has one.
func firstTime(entries []Entry) (at time.Time) {
	for _, e := range entries {
		if !e.Time.IsZero() {
			return e.Time
		}
	}
	return at
}

// Own returns the path of the project's own file. It has what left a journal outside any session, and a copy of each
// entry that outlives its session, in the order in which they were kept.
func (s Store) Own(project string) string { return filepath.Join(s.folder(project), ownFile+fileEnd) }

// Decide adds decisions about the rules of a project, and forces them to the disk, but for what somebody was asked: it
// is asked again. Errors: safefile.ErrBusy, safefile.ErrRefused, the disk's; the same call again adds nothing that
// counts twice.
func (s Store) Decide(project string, entries ...Entry) error {
	for i := range entries {
		entries[i].prepare()
	}
	isDecided := slices.ContainsFunc(entries, func(e Entry) bool { return e.Kind != Offered })
	return s.write(project, "", entries, isDecided, nil)
}

// Decisions returns the decisions about the rules of a project, each once, oldest first, without what was erased. A
// project without a file has none. Errors: safefile's, beside the entries before it.
func (s Store) Decisions(project string) ([]Entry, error) {
	entries, err := s.lasting(project, Kept, Dropped, Over, Offered)
	return slices.DeleteFunc(entries, func(e Entry) bool { return !e.Decides() }), err
}

// Missions is Decisions for the missions that left a journal of the project.
func (s Store) Missions(project string) ([]Entry, error) { return s.lasting(project, Mission) }

// lasting returns the entries of these kinds that outlive their session. A hook asks before each command, and a mission
// holds a whole journal: lines of other kinds are passed over unread.
func (s Store) lasting(project string, kinds ...string) ([]Entry, error) {
	var all set
	err := Scan(s.Own(project), maxLine, false, append([]string{Erased}, kinds...), func(e Entry) { all.add(e) })
	entries := slices.DeleteFunc(all.entries, func(e Entry) bool { return !slices.Contains(kinds, e.Kind) })
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	return entries, err
}

// SendDecisions returns the decisions about the rules of a project as they travel to another machine, a line each.
// Errors: safefile's.
func (s Store) SendDecisions(project string) ([]byte, error) {
	return s.Send(Session{Path: s.Own(project)}, "", true)
}

// ReceiveDecisions adds the decisions in lines that travelled. Errors: as Receive.
func (s Store) ReceiveDecisions(project string, lines []byte) error {
	entries := slices.DeleteFunc(Decode(lines), func(e Entry) bool { return !e.Decides() && e.Kind != Erased })
	return s.Receive(project, map[string][]Entry{"": entries})
}

// File returns the path of a session's file, "" for none. Errors: the disk's.
func (s Store) File(project, session string) (string, error) {
	path, found, err := s.find(project, session, time.Now()) // most sessions are of this month
	if !found {
		path = ""
	}
	return path, err
}

// Keep adds what left journals to the files of the sessions that the entries name, and forces it to the disk. What
// outlives its session, and what has none, is added to the project's own file too. What happened in turns of session
// comes first, as with Append. Errors: safefile.ErrBusy, safefile.ErrRefused, the disk's; some entries may stand in the
// files then, and the same call again adds nothing that counts twice.
func (s Store) Keep(project string, left []Entry, session string, turns []Entry) error {
	own, sessions, of := []Entry(nil), []string{}, map[string][]Entry{}
	put := func(session string, entries ...Entry) {
		if of[session] == nil && len(entries) > 0 {
			sessions = append(sessions, session)
		}
		of[session] = append(of[session], entries...)
	}
	put(session, allOf(session, turns)...)
	for _, e := range left {
		e.prepare()
		if e.Session == "" || lasts(e.Kind) {
			own = append(own, e)
		}
		if e.Session != "" {
			put(e.Session, e.of(e.Session))
		}
	}
	for _, session := range sessions {
		if err := s.write(project, session, of[session], len(left) > 0, nil); err != nil {
			return err
		}
	}
	return s.write(project, "", own, true, nil)
}

// Size returns the size of the file of a session, the project's own for "", 0 for none.
func (s Store) Size(project, session string) int64 {
	path, _, _ := s.find(project, session, time.Now())
	at, _ := safefile.Stat(path)
	return at.Size
}

// OfJournal calls f with each entry in the file of a session, the project's own for "", that has a state of a journal,
// in their order. Errors: the disk's.
func (s Store) OfJournal(project, session string, f func(Entry)) error {
	path, _, err := s.find(project, session, time.Now())
	if err != nil {
		return err
	}
	return Scan(path, maxLine, false, []string{Carried, Changed, ByHand, Cleared}, f)
}

// Scan calls f with the entries of a file of the log that are of kinds, with lanes also with those of a lane, and with
// all for neither. It parses no other line, and skips what is no entry, and lines longer than most bytes. A missing
// file has none. Errors: safefile's, after the entries before it.
func Scan(path string, most int, lanes bool, kinds []string, f func(Entry)) error {
	var marks [][]byte
	for _, kind := range kinds {
		marks = append(marks, []byte(`"kind":"`+kind+`"`))
	}
	if lanes {
		marks = append(marks, []byte(`"lane":"`))
	}
	return safefile.Lines(path, most, func(line []byte) bool {
		isIn := func(mark []byte) bool { return bytes.Contains(line, mark) }
		if len(marks) > 0 && !slices.ContainsFunc(marks, isIn) {
			return true
		}
		e, ok := Parse(line)
		if ok && (len(marks) == 0 || lanes && e.Lane != "" || slices.Contains(kinds, e.Kind)) {
			f(e)
		}
		return true
	})
}

// rewound returns the turns that the user took back, by the last entry about each.
func rewound(entries []Entry) map[string]bool {
	last := map[string]Entry{}
	for _, e := range entries {
		if was := last[e.Of]; (e.Kind == Rewound || e.Kind == Restored) && !e.Time.Before(was.Time) {
			last[e.Of] = e
		}
	}
	out := map[string]bool{}
	for id, e := range last {
		if e.Kind == Rewound {
			out[id] = true
		}
	}
	return out
}

// load reads the file of a session.
func load(path string) (*set, error) {
	all := &set{}
	return all, Scan(path, maxLine, false, nil, func(e Entry) { all.add(e) })
}

// Read returns the entries of a session that hold, each once, in the order in which they came: without those that were
// erased, and without turns that the user took back. An unknown session has none. Errors: safefile.ErrRefused, the
// disk's, beside the entries before it.
func (s Store) Read(project, session string) ([]Entry, error) {
	path, found, err := s.find(project, session, time.Time{})
	if err != nil || !found {
		return nil, err
	}
	return readLive(path)
}

func readLive(path string) ([]Entry, error) {
	all, err := load(path)
	gone := rewound(all.entries)
	return slices.DeleteFunc(all.entries, func(e Entry) bool {
		return !e.Happened() || e.Aside || e.Kind == Erased || e.Kind == Rewound || e.Kind == Restored ||
			gone[e.Turn()]
	}), err
}

// Session is a session of which entries are kept.
type Session struct {
	Project string
	ID      string // as the client calls it; of an id that is no file name, the name of its file
	Month   string // of its first entry, "2026-11"
	Size    int64  // of its file, in bytes
	Changed time.Time
	Number  uint64 // of its file, 0 where the system has none
	Path    string
}

// ReadSession is Read for a session that Sessions listed.
func (s Store) ReadSession(one Session) ([]Entry, error) { return readLive(one.Path) }

// Sessions returns the sessions of a project, those of the oldest month first. A session with the same Number, Size and
// Changed as before has the same entries.
func (s Store) Sessions(project string) (out []Session, err error) {
	months, err := s.months(project)
	if err != nil {
		return nil, err
	}
	for _, month := range months {
		folder, first := filepath.Join(s.folder(project), month), len(out)
		names, err := safefile.Names(folder, fileEnd)
		for _, name := range names {
			path := filepath.Join(folder, name)
			if at, err := safefile.Stat(path); err == nil { // else it was erased meanwhile
				out = append(out, Session{Project: project, ID: strings.TrimSuffix(name, fileEnd), Month: month,
					Size: at.Size, Changed: time.Unix(0, at.Time), Number: at.Number, Path: path})
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		slices.SortFunc(out[first:], func(a, b Session) int { return strings.Compare(a.ID, b.ID) })
	}
	return out, nil
}

// Projects returns the projects that have sessions, sorted.
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

// each calls f with each session for which chosen returns true, and with each project's own file as one without an ID.
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
		if path, found, _ := s.find(project, "", time.Time{}); found {
			sessions = append(sessions, Session{Project: project, Path: path})
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
