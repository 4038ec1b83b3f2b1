package rule

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// folder is the folder of what waits in the projects, in memento's folder.
const folder = safefile.Cache + "/rules"

const (
	maxFile  = 8 << 20 // bytes; a larger file is made again
	maxHead  = 1 << 20
	maxDepth = 8
	// maxStatements is how many statements of a project are looked at, the newest.
	maxStatements = 1500
	// maxMessages is how many messages of a session are judged, the newest. After so many in all a Refresh that has to
	// be in time leaves the other sessions to the next one.
	maxMessages = 1000
	// maxRead is of how many sessions a file notes how far they were read once all were, the last ones: more do not run
	// at once.
	maxRead = 16
	// maxTyped is how long a message is that a person types twice, in characters.
	maxTyped = 600
	// judged is the version of the judgements. A higher one makes every file anew from the log.
	judged = 1
)

// Waiting is a statement of the user's that nobody has judged.
type Waiting struct {
	N       int // its number as a rule
	Text    string
	Session string
	Time    time.Time

	worth   int    // see sentence.Statement
	isAgain bool   // it was said in another session too
	ref     string // the prompt
	holdsOn bool   // its form makes it a rule
	isLong  bool   // its message is longer than a person types twice
	isGone  bool   // the user took the prompt back
	asked   int    // how often Claude was asked about it
	rank    int    // see Unjudged
}

// head is the first line of a file.
type head struct {
	judged int
	until  time.Time // what all sessions said before was read; zero until all were read once
	read   []position
}

// position is how far the file of a session was read.
type position struct {
	session string
	size    int64
}

// view is a whole file: statements, oldest first.
type view struct {
	head
	statements []Waiting
}

func (p *position) fields(t *jsonx.Table) {
	t.Wordless("session", &p.session)
	jsonx.Number(t, "size", &p.size)
}

func (h *head) fields(t *jsonx.Table) {
	jsonx.Number(t, "judged", &h.judged)
	t.Time("until", &h.until)
	jsonx.Many(t, "read", &h.read, (*position).fields)
}

func (w *Waiting) fields(t *jsonx.Table) {
	t.Text("text", &w.Text)
	t.Wordless("session", &w.Session)
	t.Wordless("ref", &w.ref)
	t.Time("ts", &w.Time)
	jsonx.Number(t, "worth", &w.worth)
	t.Yes("again", &w.isAgain)
	t.Yes("holds", &w.holdsOn)
	t.Yes("long", &w.isLong)
	t.Yes("gone", &w.isGone)
}

func (s Store) path(slug string) string {
	return filepath.Join(s.Dir, folder, cmp.Or(slug, "_none")+".jsonl")
}

// loadHead returns how far the log was read.
func (s Store) loadHead(slug string) head {
	data, _ := safefile.ReadStart(s.path(slug), maxHead)
	return readHead(data)
}

// readHead reads the first line of a file. One that is missing, damaged or of other judgements has read nothing.
func readHead(data []byte) (h head) {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if !jsonx.Read(first, maxDepth, &h, (*head).fields) || h.judged != judged {
		return head{judged: judged}
	}
	return h
}

func (s Store) load(slug string) (v view) {
	data, _ := safefile.Read(s.path(slug), maxFile)
	if v.head = readHead(data); v.until.IsZero() && v.read == nil {
		return v
	}
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	for line := range bytes.Lines(rest) {
		var w Waiting
		if jsonx.Read(bytes.TrimSpace(line), maxDepth, &w, (*Waiting).fields) && w.Text != "" {
			w.N = NumberOf(w.Text)
			v.statements = append(v.statements, w)
		}
	}
	return v
}

func (s Store) save(slug string, v view) error {
	for _, d := range [...]string{safefile.Cache, folder} {
		if err := safefile.Dir(filepath.Join(s.Dir, d)); err != nil {
			return err
		}
	}
	out := append(jsonx.Write(&v.head, (*head).fields), '\n')
	for i := range v.statements {
		out = append(append(out, jsonx.Write(&v.statements[i], (*Waiting).fields)...), '\n')
	}
	return safefile.ReplaceVolatile(s.path(slug), out, 0o600)
}

// Waiting returns what nobody has judged in a project, each statement once: what looks most like a rule first, and then
// the newest. Requests and reports do not wait.
func (s Store) Waiting(slug string) []Waiting { return s.waiting(slug, s.Rules(slug)) }

func (s Store) waiting(slug string, rules List) (out []Waiting) {
	all, decided := s.load(slug).statements, rules.All()
	known := map[int]bool{}
	for _, r := range decided {
		known[r.N] = true
	}
	for _, w := range slices.Backward(all) {
		if w.isGone || known[w.N] || w.worth == 0 {
			continue
		}
		known[w.N] = true
		words := sentence.WordsOf(w.Text)
		if !slices.ContainsFunc(decided, func(r Rule) bool { return words.IsAlike(r.words) }) {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b Waiting) int { return b.worth - a.worth })
	return out
}

// Refresh takes in what the log of a project has of new messages, and keeps the rules that follow from their form or
// from being said twice. It judges each session anew whose file changed: the first time all of the project's, then
// those of sessions and those that it read last; without sessions all that were written since all were read. When
// InTime says that time is over, it writes what it has, and the next call goes on. A session that cannot be read is
// left out the first time: memento doctor names it.
func (s Store) Refresh(slug string, sessions ...string) error {
	listed := time.Now().Add(-time.Second) // the clock of files may be coarse
	h := s.loadHead(slug)
	isFirst := h.until.IsZero()
	isAll := isFirst || len(sessions) == 0
	if isAll {
		all, err := s.log().Sessions(slug)
		if isFirst && (err != nil || len(all) == 0) {
			return err
		}
		for _, one := range all {
			if one.Changed.After(h.until) {
				sessions = append(sessions, one.ID)
			}
		}
	}
	sizes := map[string]int64{}
	for _, p := range h.read {
		sizes[p.session], sessions = p.size, append(sessions, p.session)
	}
	paths := map[string]string{} // of the sessions that have something new
	for _, id := range sessions {
		path, err := s.log().File(slug, id)
		if info, statErr := os.Lstat(path); err == nil && statErr == nil && info.Size() != sizes[id] {
			paths[id] = path
		}
	}
	if len(paths) == 0 && !isFirst {
		return nil
	}
	unlock, err := safefile.LockIn(s.Dir, "rules", s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	v, count := s.load(slug), 0
	var failed error
	for _, id := range sessions {
		path := paths[id]
		delete(paths, id) // once
		switch {
		case path == "":
		case s.InTime != nil && (count >= maxMessages || !s.InTime()):
			isAll = false
		default:
			n, err := v.readSession(id, path)
			if count += n; !isFirst {
				failed = errors.Join(failed, err)
			}
		}
	}
	if isAll && failed == nil {
		v.until, v.read = listed, v.read[max(0, len(v.read)-maxRead):]
	}
	slices.SortStableFunc(v.statements, func(a, b Waiting) int { return a.Time.Compare(b.Time) })
	if err := s.keepSaid(slug, v.statements); err != nil {
		return err
	}
	v.statements = v.statements[max(0, len(v.statements)-maxStatements):]
	return errors.Join(s.save(slug, v), failed)
}

// readSession judges anew what was typed in a session, and returns how many messages that were. What another session
// has already is a copy.
func (v *view) readSession(id, path string) (n int, err error) {
	info, err := os.Lstat(path) // what is added now is read next time
	if err != nil {
		return 0, err
	}
	var said []log.Entry
	err = history.Spoken(path, func(e log.Entry) {
		if e.Kind == log.Typed {
			said = append(said, e)
			return
		}
		for i := range said {
			if said[i].ID == e.Of {
				said[i].Gone = e.Kind == log.Rewound
			}
		}
	})
	if err != nil {
		return 0, err
	}
	v.statements = slices.DeleteFunc(v.statements, func(w Waiting) bool { return w.Session == id })
	known := map[string]bool{}
	for _, w := range v.statements {
		known[w.ref] = true
	}
	said = said[max(0, len(said)-maxMessages):]
	for _, e := range said {
		if known[e.ID] {
			continue
		}
		for _, one := range sentence.Statements(e.Text, e.Asked != "") {
			words := redact.Clean(one.Text) // a person may have written a secret into the log
			v.statements = append(v.statements, Waiting{N: NumberOf(words), Text: words, Session: id,
				Time: e.Time, worth: one.Worth, ref: e.ID, holdsOn: one.HoldsOn && e.Ref() != "",
				isLong: len(e.Text) > maxTyped, isGone: e.Gone})
		}
	}
	v.read = slices.DeleteFunc(v.read, func(p position) bool { return p.session == id })
	v.read = append(v.read, position{id, info.Size()})
	return len(said), nil
}

// keepSaid keeps what says by its form that it holds on, and what was said twice in words that can be judged here. It
// notes what was said again, and lets go of what was taken back.
func (s Store) keepSaid(slug string, statements []Waiting) error {
	entries, err := s.log().Decisions(slug)
	if err != nil {
		return err
	}
	type place struct {
		n   int
		ref string
	}
	held := map[place]bool{}
	closed := map[string]bool{} // sessions whose mission left
	for _, e := range entries {
		if e.By == BySaid {
			held[place{e.Rule, e.Of}] = e.Kind == log.Kept
		}
	}
	missions, err := s.log().Missions(slug)
	if err != nil {
		return err
	}
	for _, m := range missions {
		closed[m.Session] = true
	}
	var more []log.Entry
	again := saidTwice(statements, closed)
	for i, w := range statements {
		statements[i].isAgain = again[i]
		at := place{w.N, w.ref}
		e := log.Entry{Kind: log.Kept, By: BySaid, Rule: w.N, Text: w.Text, Of: w.ref, Session: w.Session, Time: w.Time}
		_, known := held[at]
		switch {
		case held[at] && w.isGone:
			e.Kind, e.Time = log.Dropped, s.Now
		case !w.isGone && !held[at] && (w.holdsOn || again[i] && !sentence.IsForeign(w.Text)):
			if known { // the user came back to it
				e.Time = s.Now
			}
		default:
			continue
		}
		held[at] = e.Kind == log.Kept
		more = append(more, e)
	}
	return s.log().Decide(slug, more...)
}

const (
	// day is how far apart two prompts are that say the same twice, unless the mission of the first one left.
	day = 24 * time.Hour
	// maxRetyped is how long a sentence may be that a person types twice in the same words, in bytes.
	maxRetyped = 80
	// maxHolders is how many statements with a word are looked at, the newest: a word that more have tells nothing.
	maxHolders = 24
	// template is how many sentences of a message were said in another session too, word by word, when the message was
	// sent again and not typed again.
	template = 3
)

// saidTwice returns the places of the statements that the user said in another session before, or again, a day or a
// closed mission apart, in nearly the same words. What a machine repeats and everyday work are none.
func saidTwice(all []Waiting, closed map[string]bool) map[int]bool {
	out, sent := map[int]bool{}, sentAgain(all)
	holders := map[string][]int{} // by word
	words := map[int]sentence.Words{}
	for i := range all {
		w := &all[i]
		if w.isGone || w.isLong || sent[w.ref] || strings.Contains(w.Text, " --") || strings.HasPrefix(w.Text, "/") {
			continue
		}
		mine := sentence.WordsOf(w.Text)
		if words[i] = mine; mine.IsChore() {
			continue
		}
		alike := map[int]bool{}
		for _, word := range mine.Content {
			near := holders[word]
			for _, k := range near[max(0, len(near)-maxHolders):] {
				if !alike[k] && mine.IsAlike(words[k]) &&
					(len(w.Text) <= maxRetyped || key(w.Text) != key(all[k].Text)) {
					alike[k] = true
				}
			}
			holders[word] = append(near, i)
		}
		sessions := map[string]bool{w.Session: true}
		for k := range alike {
			if closed[all[k].Session] || w.Time.Sub(all[k].Time) >= day {
				sessions[all[k].Session] = true
			}
		}
		if len(sessions) < 2 {
			continue
		}
		out[i] = true
		for k := range alike {
			out[k] = true
		}
	}
	return out
}

// sentAgain returns the prompts that were sent in several sessions, and not typed again.
func sentAgain(all []Waiting) map[string]bool {
	first, same := map[string]string{}, map[string]int{}
	for _, w := range all {
		if session, known := first[key(w.Text)]; !known {
			first[key(w.Text)] = w.Session
		} else if session != w.Session {
			same[w.ref]++
		}
	}
	out := map[string]bool{}
	for ref, n := range same {
		out[ref] = n >= template
	}
	return out
}
