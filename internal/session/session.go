// Package session keeps the session memory: what memento remembers of one running session between two hooks, such as
// its lane and how far its transcript was read. No fact about the work may live here alone: a user may delete this
// memory at any time and loses nothing of the journal or the history.
package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// Memory is the memory of one session.
type Memory struct {
	ID         string
	Lane       string
	Root       string // top folder of its project
	Transcript string
	Started    time.Time
	Since      time.Time // prompts typed earlier were forgotten
	PID        int       // the client's process
	PIDStart   string
	Host       string    // the machine it runs on
	Active     time.Time // its last event, to ten minutes
	Ended      bool
	Handled    []Handled // its last event, and the events of subagents at the same time

	Opened bool      // a prompt of this session opened or continued the mission
	Work   work.Work // facts from its tools
	Turns  Turns

	// How far the journal has taken in the session's words.

	Read    transcript.Position
	Pending []Pending // prompts submitted and not yet seen in the transcript
	// Assumed are prompts that counted as said before the transcript showed them: the fingerprint and the time of
	// each.
	Assumed   []string
	Long      bool // the transcript had a line too long to read while prompts were pending
	New       bool // memento saw the session begin and has read nothing of it yet
	MayRepeat bool // the next lines may have been read before: capture looks for them in the history
	Cut       bool // the transcript was cut or rewritten once, so that any line may have been read before
	Stray     bool // a prompt may have begun another branch of the conversation; nobody has looked yet
	Forked    bool // the transcript begins with the words of the session that this one was forked from

	// What memento counts at a compaction.

	Compactions int    // of this session so far
	Uncounted   bool   // memento has not counted yet what the summary of the last one kept
	Compacted   string // the last prompt captured before it; see capture.Recollection.Newest

	// The last block given to the model, and whether it arrived.

	Block     string
	BlockAt   time.Time
	BlockFrom transcript.Position // where in the transcript to begin to look for the block
	Delivery  string              // a result of transcript.Delivered, "" until there is one
	Again     bool                // the block was given a second time, beside a prompt
	Given     bool                // the block was given at a compaction that the transcript does not show yet
	Bare      bool                // the transcript shows a compaction without a block after it
	Left      string              // fingerprint of the block as it was when the session ended

	// The other lines that the session was given or waits for, and its records.

	Prompts    int       // since the last entry by Claude
	Entry      time.Time // time of that entry, or of the session's start
	Introduced bool      // the session was given the line of its first prompt
	RulesAsked bool      // Claude was asked about earlier sessions, or there was nothing to ask
	Trouble    string    // a problem with the journal that the session is not told of yet
	Unkept     bool      // the session was told since its last start that nothing is kept
	Brought    []string  // records shown to the session: the id and the fingerprint of each
	Record     string    // id of the record of the session itself
	Compared   time.Time // when the search index was last compared with the records
}

// Turns says what of the session stands in the log; see capture.Turns.
type Turns struct {
	ID    string    // of the running turn's prompt, "" for none and for one that is not kept
	Since time.Time // earlier prompts belong to the session that this one was forked from
	Keep  string    // how much of all turns is kept, as the setting past says; "" for not equally much of all

	// of this event alone
	New    bool   // entries were stored
	Answer string // Claude's last answer among them, in the running turn
}

// Pending is a submitted prompt that the transcript has not confirmed. Another hook may have blocked it.
type Pending struct {
	Text string
	At   time.Time
}

const (
	maxMemory  = 8 << 20
	maxAssumed = 32
	// maxPendingText is the longest pending prompt in bytes. A longer one is read from the transcript only.
	maxPendingText = 256 << 10
)

// MaxPending is how many prompts wait for the transcript. Without a transcript, that many prompts count as said.
const MaxPending = 8

// ErrNoSession means that an event or a command names no session.
var ErrNoSession = errors.New("no session id")

// Path returns the path of the memory of session id in dir, memento's folder.
func Path(dir, id string) string { return filepath.Join(dir, safefile.Cache, log.FileName(id)+".json") }

// Load reads the memory of session id. Errors: fs.ErrNotExist when there is none or it is damaged; safefile.ErrRefused;
// the disk's.
func Load(dir, id string) (Memory, error) {
	s := new(Session)
	err := s.load(dir, id)
	return s.Memory, err
}

// Session is the memory of one session, locked until Save or Release. Bind sets the fields below.
type Session struct {
	Memory
	Before string         // the session that held the lane until this one claimed it, "" for none
	Beside string         // the session that holds the lane that this one would have, "" for none
	Moved  bool           // this session has just left its lane to Beside
	Says   *project.Known // the project that a new session's folder names, and that does not know the folder
	path   string
	stored version
	unlock func()
}

// version is a memory as its file holds it.
type version struct {
	data    []byte // nil without a file
	lane    string
	pending []Pending
}

// load is Load into s. On an error s has the pending prompts alone.
func (s *Session) load(dir, id string) error {
	if id == "" {
		return ErrNoSession
	}
	path := Path(dir, id)
	w, err := readWaiting(promptsPath(dir, id))
	if err != nil {
		return err
	}
	if w.Session == id {
		s.Pending = w.Pending
	}
	s.stored.pending = slices.Clone(s.Pending)
	data, err := safefile.Read(path, maxMemory)
	if errors.Is(err, safefile.ErrTooLarge) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	var m Memory
	ok := decode(data, &m)
	if _, named := project.LaneNamed(dir, m.Lane); !ok || !named || m.ID != id {
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	m.Pending = s.Pending
	s.Memory, s.path, s.stored.data, s.stored.lane = m, path, data, m.Lane
	return nil
}

// Open locks the memory of session id, waiting at most wait, and reads it. A new session has a Memory with only the ID.
// Errors: ErrNoSession, safefile.ErrBusy, safefile.ErrRefused, or the disk's.
func Open(dir, id string, wait time.Duration) (*Session, error) {
	if id == "" {
		return nil, ErrNoSession
	}
	path := Path(dir, id)
	for _, d := range [...]string{dir, filepath.Dir(path)} {
		if err := safefile.Dir(d); err != nil {
			return nil, err
		}
	}
	unlock, err := safefile.LockIn(dir, log.FileName(id), wait)
	if err != nil {
		return nil, err
	}
	s := new(Session)
	if err := s.load(dir, id); err != nil && !errors.Is(err, fs.ErrNotExist) {
		unlock()
		return nil, err
	}
	s.ID, s.path, s.unlock = id, path, unlock
	return s, nil
}

// HasFile reports whether Open found a memory on the disk.
func (s *Session) HasFile() bool { return s.stored.data != nil }

// Save writes the memory, if it changed, and releases it. It does not wait for the disk. On an error the old memory
// stays.
func (s *Session) Save() error {
	defer s.Release()
	return s.keep()
}

// keep writes the memory. What waits is written first: a memory that was not written reads the transcript once more,
// which adds nothing.
func (s *Session) keep() error {
	if err := s.keepPending(filepath.Dir(filepath.Dir(s.path))); err != nil {
		return err
	}
	data := jsonx.Write(&s.Memory, (*Memory).fields)
	if string(data) == string(s.stored.data) {
		return nil
	}
	if err := safefile.ReplaceVolatile(s.path, data, 0o600); err != nil {
		return err
	}
	s.stored.data, s.stored.lane, s.stored.pending = data, s.Lane, slices.Clone(s.Pending)
	return nil
}

// Release unlocks the memory without saving it.
func (s *Session) Release() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

// Submit adds a pending prompt, without its secrets.
func (s *Memory) Submit(words string, now time.Time) {
	if len(words) > maxPendingText {
		return
	}
	s.Pending = append(s.Pending, Pending{Text: redact.Clean(words), At: now})
	if n := len(s.Pending); n > 2*MaxPending {
		s.Pending = s.Pending[n-2*MaxPending:]
	}
}

// AssumeSaid notes that words, submitted at ts, count as said, so that capture skips the same prompt in the
// transcript.
func (s *Memory) AssumeSaid(words, ts string) {
	s.Assumed = append(s.Assumed[max(0, len(s.Assumed)+1-maxAssumed):len(s.Assumed):len(s.Assumed)],
		text.Fingerprint(text.Fold(words))+" "+ts)
}

// DropAssumed reports whether words count as said, and drops the note. ts is when they were submitted.
func (s *Memory) DropAssumed(words string) (ts string, taken bool) {
	if len(s.Assumed) == 0 {
		return "", false
	}
	m := text.Fingerprint(text.Fold(words)) + " "
	at := slices.IndexFunc(s.Assumed, func(t string) bool { return strings.HasPrefix(t, m) })
	if at < 0 {
		return "", false
	}
	ts = strings.TrimPrefix(s.Assumed[at], m)
	s.Assumed = slices.Concat(s.Assumed[:at], s.Assumed[at+1:])
	return ts, true
}

// Show notes that the block words was given to the model at now, when the transcript ended at from.
func (s *Memory) Show(words string, from transcript.Position, now time.Time) {
	s.Block, s.BlockAt, s.BlockFrom, s.Delivery, s.Again = words, now, from, "", false
}

// Restored notes that the event after a compaction came and its block was given. The client writes the compaction into
// the transcript after this event (measured on client 2.1.329). A client that writes it before has called Bounded.
func (s *Memory) Restored() { s.Given, s.Bare = !s.Bare, false }

// Bounded notes that the transcript shows the next compaction.
func (s *Memory) Bounded() { s.Given, s.Bare = false, !s.Given }

// Awaits reports whether nobody knows yet if the last block arrived.
func (s *Memory) Awaits() bool { return s.Block != "" && s.Delivery == "" }

// maxBrought is how many shown records a session remembers. Older ones may be shown again.
const maxBrought = 256

// Bring remembers that the session was shown the record id in the version with this fingerprint.
func (s *Memory) Bring(id, fingerprint string) {
	s.Brought = slices.DeleteFunc(slices.Clone(s.Brought), func(b string) bool { return strings.HasPrefix(b, id+" ") })
	s.Brought = append(s.Brought[max(0, len(s.Brought)+1-maxBrought):], id+" "+fingerprint)
}

// WasBrought reports whether the session was shown this version of the record id.
func (s *Memory) WasBrought(id, fingerprint string) bool {
	return slices.Contains(s.Brought, id+" "+fingerprint)
}

// sweepEvery is the least time between two runs of Sweep.
const sweepEvery = 24 * time.Hour

// Sweep removes the memories of sessions that nothing has touched for age, with their locks, and temporary files older
// than an hour. It reads every file name of sessions and records, so it works once a day. It removes no memory when the
// last Sweep was longer than age ago: a clock that was ahead for one session would make all of them look old. It calls
// last before it removes a memory. It reports whether it did all its work, so that callers can do other daily work.
func Sweep(dir string, age time.Duration, now time.Time, last func()) (swept bool) {
	folder := filepath.Join(dir, safefile.Cache)
	mark := filepath.Join(folder, "swept")
	jumped := false
	if info, err := os.Lstat(mark); err == nil {
		since := now.Sub(info.ModTime())
		if since >= 0 && since < sweepEvery {
			return false
		}
		jumped = since > age
	}
	// note the time before the work, so that two sessions that begin together do not both sweep
	_ = safefile.ReplaceVolatile(mark, nil, 0o600)
	entries, err := safefile.List(folder)
	safefile.Sweep(dir, time.Hour, now)
	folders := []string{folder, WaitingFolder(dir), filepath.Join(dir, naming.Archive)}
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, filepath.Join(folder, e.Name()))
		}
	}
	for _, path := range folders {
		if info, err := os.Lstat(path); err == nil && info.IsDir() { // a link is not followed
			safefile.Sweep(path, time.Hour, now)
		}
	}
	last()
	if err != nil || jumped {
		return false
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > age {
			unlock, err := safefile.LockIn(dir, name, 0) // only who holds a lock may remove its file
			if err != nil {
				continue
			}
			_ = safefile.Remove(filepath.Join(folder, e.Name()))
			_ = safefile.Remove(safefile.LockPath(dir, name))
			log.Unlocked(dir, name)
			unlock()
		}
	}
	return true
}
