// Package session keeps what memento must remember of one running session between two hooks: its lane, how far the
// transcript was read, what was said to it and when. It is machinery: deleting it at any time loses nothing the user
// said, and no fact about the work may live here alone.
package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// Memory is what is remembered of one session.
type Memory struct {
	ID         string
	Lane       string
	Root       string // top folder of its project
	Transcript string
	Started    time.Time
	Since      time.Time // what was typed before was forgotten
	PID        int       // the client's process
	PIDStart   string
	Host       string    // the machine it runs on
	Active     time.Time // its last event, to ten minutes
	Others     []string  // sessions that began beside it and that it was not told of
	Ended      bool
	Handled    []Handled // its last event, and those of subagents beside it

	Opened bool      // a prompt of this session opened or continued the mission
	Work   work.Work // what its tools have shown
	capture
	compaction
	delivery
	notices
	records
}

// capture is how far the session's words were taken in.
type capture struct {
	Read    transcript.Position
	Unheard *Unheard  // what was read of it and not handed on; nil when all was
	Pending []Pending // submitted, not yet seen in the transcript
	// prompts taken as said before the transcript showed them: a mark of each and when it was submitted
	Taken  []string
	Long   bool // a line was too long to be looked at while prompts were pending
	New    bool // memento saw the session begin, and has read nothing of it yet
	Known  bool // what is read next may have been read before: it is looked for in history
	Cut    bool // its transcript was cut or rewritten once, so that may be said of all of it
	Stray  bool // a prompt may have begun another branch, and that was not looked into yet
	Forked bool // its transcript begins with its parent's words
}

// compaction is what is counted at a compaction.
type compaction struct {
	Compactions int    // of this session so far
	Facts       []Fact // those of the last one, until it is known which of them its summary kept
	Compacted   string // the last prompt captured before the last one; see capture.Recollection.Newest
	Unchecked   bool   // the quotations in the summary of the one that began last were not compared with what was typed
	// Misquoted is what that summary quotes as the user's words and the user never typed, until the session was told.
	Misquoted []string
}

// delivery is what was last put before the model to bring its context back, and whether it arrived.
type delivery struct {
	Block     string
	BlockAt   time.Time           // when
	BlockFrom transcript.Position // where to look in the transcript whether it arrived
	Delivery  string              // transcript.Whole or its like, "" while that is not known
	Again     bool                // it was given a second time, beside a prompt
	Given     bool                // it was given at a compaction that the transcript does not show yet
	Bare      bool                // the transcript shows a compaction after which no block was given
	Arrived   []string            // marks of the blocks that arrived whole since the last compaction
}

// notices are what the session was told besides, and what it is to be told.
type notices struct {
	Prompts int       // since the last entry by Claude
	Entry   time.Time // when that was, else the session's start
	Told    bool      // the line of the first prompt was given
	Trouble string    // what went wrong with the journal and was not said yet
	Unkept  bool      // it was said since the session's last start that nothing is kept
	Brought []string  // records it was told of: the id and a mark of each as it was then
	Kept    string    // the record made of what the user wanted remembered, not said yet
}

// records is what became of the session in the records.
type records struct {
	Record   Kept      // what was written of it
	Reports  []string  // marks of the subagents' reports kept last
	Late     []string  // of subagents' records that lack what was asked: the id, and the transcript to come
	Compared time.Time // when the search index was last compared with the records
}

// Fact is something the journal or the user's words had at a compaction.
type Fact struct {
	Kind string // one of journal.Kinds
	Text string
}

// Kept is the record that was written of a session.
type Kept struct {
	ID   string
	Mark string // of the body as memento wrote it
}

// Unheard is what was taken into the journal and is still to be handed on to those who listen; see capture.Listen.
type Unheard struct {
	From  transcript.Position // where it begins in the transcript
	Since time.Time           // what was typed before is of the session that this one was forked from
}

// Pending is a prompt that was submitted; the transcript confirms it, since another hook may have blocked it.
type Pending struct {
	Text string
	At   time.Time
}

const (
	maxState   = 8 << 20
	maxTaken   = 32
	maxReports = 128 // twice as many as may end at once: an event may come twice
	// maxPendingText bounds one pending prompt in bytes; a longer one waits for the transcript, which has it whole.
	maxPendingText = 256 << 10
)

// MaxPending is how many prompts wait for the transcript. When as many do and there is no transcript, they are taken as
// said.
const MaxPending = 8

// ErrNoSession is the reason when an event or a command names no session.
var ErrNoSession = errors.New("no session id")

// Path returns where the state of session id is kept in dir, memento's folder.
func Path(dir, id string) string { return filepath.Join(dir, "state", fileName(id)+".json") }

// fileName makes an id safe as a file name. The client's are UUIDs and stay as they are.
func fileName(id string) string {
	if !Reserved(id) && len(id) <= 64 && strings.Trim(id,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" {
		return id
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	return fmt.Sprintf("x-%016x", h.Sum64())
}

// Reserved reports whether name, without its ending, is no session's in the state folder: what install, Forget and
// record keep there.
func Reserved(name string) bool { return name == "install" || name == "forgotten" || name == "removed" }

// Load reads the state of session id. Errors: fs.ErrNotExist for a session not seen yet (or whose state was damaged),
// safefile.ErrRefused, or what the disk said.
func Load(dir, id string) (Memory, error) {
	s := new(Session)
	err := s.load(dir, id)
	return s.Memory, err
}

// Session is the state of one session, held under its lock until Save or Release.
type Session struct {
	Memory
	Before string          // the session that held the lane before this one claimed it, "" for none
	Beside string          // the session that holds the lane this one would have, "" for none
	Moved  bool            // it left its lane to that one just now
	Former *project.Former // what its project was called before, when it was bound just now and something speaks for it
	// the project that its folder says it belongs to and that does not know the folder, when it was bound just now
	Says   *project.Known
	path   string
	stored version
	unlock func()
}

// version is a state as it stands on disk.
type version struct {
	data    []byte // nil where none does
	lane    string
	others  string // fields of another version of memento
	pending []Pending
}

// load is Load into s, which is the zero Session on an error.
func (s *Session) load(dir, id string) error {
	if id == "" {
		return ErrNoSession
	}
	path := Path(dir, id)
	data, err := safefile.Read(path, maxState)
	if errors.Is(err, safefile.ErrTooLarge) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	data = safefile.Newest(data)
	others, ok := decode(data, &s.Memory)
	if ok {
		_, ok = project.LaneNamed(dir, s.Lane)
	}
	if !ok || s.ID != id {
		*s = Session{}
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	s.path, s.stored = path, version{data: data, lane: s.Lane, others: others, pending: s.Pending}
	return nil
}

// Open locks the state of session id, waiting at most wait, and reads it: for a session not seen yet, the zero State
// with the ID. Errors: ErrNoSession, safefile.ErrBusy, safefile.ErrRefused, or what the disk said.
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
	unlock, err := safefile.Lock(strings.TrimSuffix(path, ".json")+".lock", wait)
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

// Known reports whether the state stood on the disk when it was opened.
func (s *Session) Known() bool { return s.stored.data != nil }

// Save writes the state, if it changed, and releases it. It is not forced to the disk. On error the old state stands.
func (s *Session) Save() error {
	defer s.Release()
	return s.keep()
}

// keep writes the state behind the versions that stand there, or in place of them when a prompt has gone from it: one
// that another hook blocked was never said, and stays nowhere. All other words in it stand in the journal and its
// history too. When the lane is another they are replaced as well: whose a file is says its newest version, and who
// forgets the lane before looks for no older.
func (s *Session) keep() error {
	data := encode(&s.Memory, s.stored.others)
	if string(data) == string(s.stored.data) {
		return nil
	}
	alone := s.stored.data == nil || s.stored.lane != s.Lane ||
		slices.ContainsFunc(s.stored.pending, func(p Pending) bool {
			return !slices.ContainsFunc(s.Pending, func(q Pending) bool { return p.Text == q.Text })
		})
	if err := safefile.Supersede(s.path, data, alone); err != nil {
		return err
	}
	s.stored.data, s.stored.lane, s.stored.pending = data, s.Lane, s.Pending
	return nil
}

// Release gives the state up, unchanged unless it was saved.
func (s *Session) Release() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

// Submit notes a prompt as pending, without the secrets in it.
func (c *capture) Submit(words string, now time.Time) {
	if len(words) > maxPendingText {
		return
	}
	c.Pending = append(c.Pending, Pending{Text: redact.Clean(words), At: now})
	if n := len(c.Pending); n > 2*MaxPending {
		c.Pending = c.Pending[n-2*MaxPending:]
	}
}

// Take remembers that words, submitted at ts, were taken as said, so that the transcript's line of the same prompt is
// not taken again.
func (c *capture) Take(words, ts string) {
	c.Taken = append(c.Taken[max(0, len(c.Taken)+1-maxTaken):len(c.Taken):len(c.Taken)], fingerprint(words)+" "+ts)
}

// WasTaken reports whether words were taken as said before, once for each time they were, and when they were submitted:
// "" where an earlier version took them.
func (c *capture) WasTaken(words string) (ts string, taken bool) {
	if len(c.Taken) == 0 {
		return "", false
	}
	m := fingerprint(words)
	at := slices.IndexFunc(c.Taken, func(t string) bool { return t == m || strings.HasPrefix(t, m+" ") })
	if at < 0 {
		return "", false
	}
	_, ts, _ = strings.Cut(c.Taken[at], " ")
	c.Taken = slices.Concat(c.Taken[:at], c.Taken[at+1:])
	return ts, true
}

// Report remembers that the report with this mark is kept.
func (r *records) Report(mark string) {
	r.Reports = append(r.Reports[max(0, len(r.Reports)+1-maxReports):len(r.Reports):len(r.Reports)], mark)
}

// Reported reports whether it is kept already.
func (r *records) Reported(mark string) bool { return slices.Contains(r.Reports, mark) }

// maxBrought is how many records are remembered as brought; the oldest may come again.
const maxBrought = 256

// Bring remembers that the record with this id was shown as mark has it.
func (t *notices) Bring(id, mark string) {
	t.Brought = slices.DeleteFunc(slices.Clone(t.Brought), func(b string) bool { return strings.HasPrefix(b, id+" ") })
	t.Brought = append(t.Brought[max(0, len(t.Brought)+1-maxBrought):], id+" "+mark)
}

// WasBrought reports whether the record was shown as it still is.
func (t *notices) WasBrought(id, mark string) bool { return slices.Contains(t.Brought, id+" "+mark) }

func fingerprint(words string) string {
	h := fnv.New64a()
	h.Write([]byte(text.Fold(words)))
	return fmt.Sprintf("%016x", h.Sum64())
}

// saved reads the state in the file at path, of whatever session; the zero State is one that cannot be read. The error
// is the disk's, safefile.ErrRefused or safefile.ErrTooLarge.
func saved(path string) (s Memory, err error) {
	data, err := safefile.Read(path, maxState)
	if err != nil {
		return Memory{}, err
	}
	if _, ok := decode(safefile.Newest(data), &s); !ok {
		return Memory{}, nil
	}
	return s, nil
}

// IDs lists the sessions whose state is kept in dir, in no particular order. What cannot be read is left out.
func IDs(dir string) (out []string) {
	entries, err := safefile.List(filepath.Join(dir, "state"))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || Reserved(name) {
			continue
		}
		if s, err := saved(filepath.Join(dir, "state", e.Name())); err == nil && s.ID != "" {
			out = append(out, s.ID)
		}
	}
	return out
}

// Waiting lists the sessions that hold one of the chosen lanes, whose client is gone, and that have prompts which no
// transcript had shown.
func Waiting(c config.Config, chosen func(project.Lane) bool, now time.Time) (ids []string) {
	folder := filepath.Join(c.Dir, "state")
	entries, err := safefile.List(folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".holder")
		if !ok {
			continue
		}
		if lane, ok := project.LaneNamed(c.Dir, name); !ok || !chosen(lane) {
			continue
		}
		id, err := safefile.Read(filepath.Join(folder, e.Name()), 1<<10)
		if err != nil {
			continue
		}
		if s, err := Load(c.Dir, string(id)); err == nil && s.Lane == name && len(s.Pending) > 0 && !s.Runs(c, now) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// sweepEvery is how often sessions that begin sweep.
const sweepEvery = 24 * time.Hour

// Sweep removes the state of sessions that nothing has touched for age, and their locks; and what killed processes left
// an hour ago in memento's folders. It does so once a day: it looks at the name of every session and record that there
// is. When the last time was longer than age ago no state goes: a clock that is ahead for one session makes all look
// old. Before any goes it calls last. It reports whether it did all of that, so that others do then what is due once a
// day.
func Sweep(dir string, age time.Duration, now time.Time, last func()) (swept bool) {
	folder := filepath.Join(dir, "state")
	mark := filepath.Join(folder, "swept")
	jumped := false
	if info, err := os.Lstat(mark); err == nil {
		since := now.Sub(info.ModTime())
		if since >= 0 && since < sweepEvery {
			return false
		}
		jumped = since > age
	}
	// first, so that two that begin together do not both sweep; unnoted, the next does
	_ = safefile.ReplaceVolatile(mark, nil, 0o600)
	safefile.Sweep(folder, time.Hour, now)
	safefile.Sweep(dir, time.Hour, now)
	safefile.Sweep(ReportFolder(dir), time.Hour, now)
	for _, name := range [...]string{".completed", "index"} { // records' and their index's
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.IsDir() { // a link is not followed
			safefile.Sweep(filepath.Join(dir, name), time.Hour, now)
		}
	}
	last()
	entries, err := safefile.List(folder)
	if err != nil || jumped {
		return false
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || Reserved(name) {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > age {
			_ = safefile.Remove(filepath.Join(folder, e.Name()))
			_ = safefile.Remove(filepath.Join(folder, name+".lock"))
		}
	}
	return true
}
