package rule

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// judged is the version of the judgements in a file. When package sentence judges differently, a higher one here makes
// every file anew from the log.
const judged = 1

// maxDepth is the deepest nesting of JSON that is read.
const maxDepth = 70

// What the user decides about a rule.
const (
	keeps = "keep"
	drops = "drop"
)

// head is the first line of a file.
type head struct {
	version, judged int
	read            []position
	until           time.Time // what all sessions said before was read
	again           string    // the session of the log that was judged again last; "" when all are
	rules, dropped  []Rule
	others          string
}

// second is the second line of a file, which only a prompt needs.
type second struct {
	likely []Rule // which may be rules, and do not stand
}

// position is how far the file of a session was read.
type position struct {
	session string
	next    int64
}

// line is any other line of a file: a candidate, or a decision.
type line struct {
	sentence.Occurrence
	ref      string // uuid of the prompt, "" for none
	lane     string // in which it was said
	gone     bool   // the user rewound the prompt
	decision string // keeps or drops, "" for a candidate
	said     int    // of a decision: what was known of the rule then
	sessions int
	also     []string // of a decision: the fingerprints of its other wordings
	others   string
}

// contents is a whole file.
type contents struct {
	head
	second
	lines   []line
	strange [][]byte // lines that another version wrote
}

func (p *position) fields(t *jsonx.Table) {
	t.Wordless("session", &p.session)
	jsonx.Number(t, "next", &p.next)
}

func (r *Rule) fields(t *jsonx.Table) {
	t.Text("text", &r.Text)
	t.Wordless("kind", &r.Kind)
	t.Yes("user", &r.User)
	t.Yes("deny", &r.Deny)
	t.Wordless("words", &r.Words)
	jsonx.Number(t, "said", &r.Said)
	jsonx.Number(t, "sessions", &r.Sessions)
	jsonx.Number(t, "projects", &r.Projects)
	t.Wordless("first", &r.First)
	t.Wordless("last", &r.Last)
	t.Wordless("session", &r.Session)
	t.Wordless("lane", &r.lane)
	jsonx.Number(t, "sure", &r.Sure)
	t.Yes("older", &r.Older)
	t.Yes("accepted", &r.Accepted)
	t.WordlessList("also", &r.also)
}

func (h *head) fields(t *jsonx.Table) {
	jsonx.Number(t, "version", &h.version)
	jsonx.Number(t, "judged", &h.judged)
	jsonx.Many(t, "read", &h.read, (*position).fields)
	t.Time("until", &h.until)
	t.Wordless("again", &h.again)
	jsonx.Many(t, "rules", &h.rules, (*Rule).fields)
	jsonx.Many(t, "dropped", &h.dropped, (*Rule).fields)
}

func (s *second) fields(t *jsonx.Table) { jsonx.Many(t, "likely", &s.likely, (*Rule).fields) }

func (l *line) fields(t *jsonx.Table) {
	t.Wordless("ts", &l.At)
	t.Wordless("decision", &l.decision)
	t.Wordless("session", &l.Session)
	t.Wordless("ref", &l.ref)
	t.Wordless("lane", &l.lane)
	t.Text("text", &l.Text)
	t.Wordless("kind", &l.Kind)
	t.Yes("user", &l.User)
	t.Yes("deny", &l.Deny)
	jsonx.Number(t, "sure", &l.Sure)
	t.Wordless("words", &l.Words)
	t.Yes("gone", &l.gone)
	jsonx.Number(t, "said", &l.said)
	jsonx.Number(t, "sessions", &l.sessions)
	t.WordlessList("also", &l.also)
}

// begin returns the first two lines of a file. A file that is missing, damaged or foreign has none.
func (s Store) begin(name string) (first, second []byte) {
	path := s.path(name)
	if safefile.Check(path) != nil {
		return nil, nil
	}
	data, err := safefile.ReadStart(path, usualHead)
	if err == nil && len(data) == usualHead && bytes.Count(data, []byte("\n")) < 2 {
		data, err = safefile.ReadStart(path, maxHead)
	}
	if err != nil {
		return nil, nil
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	second, _, _ = bytes.Cut(rest, []byte("\n"))
	return first, second
}

// head returns the first line of a file. A file that is missing, damaged or foreign has an empty one.
func (s Store) head(name string) (h head) {
	first, _ := s.begin(name)
	if _, ok := jsonx.Read(first, maxDepth, &h, (*head).fields); !ok {
		return head{}
	}
	return h
}

// decode reads a file. It is false for one that does not begin as memento writes it.
func decode(data []byte) (c contents, ok bool) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	_, rest, _ = bytes.Cut(rest, []byte("\n")) // what is likely is worked out again
	if c.head.others, ok = jsonx.Read(first, maxDepth, &c.head, (*head).fields); !ok || c.version < 1 {
		return contents{}, false
	}
	for raw := range bytes.Lines(rest) {
		raw = bytes.TrimRight(raw, "\r\n")
		var l line
		if others, ok := jsonx.Read(raw, maxDepth, &l, (*line).fields); ok && l.Text != "" {
			l.others = others
			c.lines = append(c.lines, l)
		} else if len(raw) > 0 {
			c.strange = append(c.strange, raw)
		}
	}
	return c, true
}

func (c *contents) encode() []byte {
	c.version = 1
	var out bytes.Buffer
	out.Write(jsonx.Write(&c.head, (*head).fields, c.head.others))
	out.WriteByte('\n')
	out.Write(jsonx.Write(&c.second, (*second).fields, ""))
	for i := range c.lines {
		out.WriteByte('\n')
		out.Write(jsonx.Write(&c.lines[i], (*line).fields, c.lines[i].others))
	}
	for _, raw := range c.strange {
		out.WriteByte('\n')
		out.Write(raw)
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// read returns the contents of a file. One that is missing, damaged or too large is empty: all but decisions is made
// again from the log. isDamaged tells such a file from a missing one.
func (s Store) read(name string) (c contents, isDamaged bool, err error) {
	data, err := safefile.Read(s.path(name), maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return contents{}, false, nil
	case errors.Is(err, safefile.ErrTooLarge):
		return contents{}, true, nil
	case err != nil:
		return contents{}, false, err
	}
	c, ok := decode(data)
	return c, !ok, nil
}

// change runs edit on a file under the lock of all rules and writes the result, with the rules that follow. It first
// sets a damaged file aside. It writes nothing when edit returns false.
func (s Store) change(name string, edit func(*contents) bool) error {
	unlock, err := safefile.LockIn(s.Dir, Folder, s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	return s.changeLocked(name, edit)
}

func (s Store) changeLocked(name string, edit func(*contents) bool) error {
	if err := safefile.Dir(filepath.Join(s.Dir, Folder)); err != nil {
		return err
	}
	c, isDamaged, err := s.read(name)
	if err == nil && isDamaged {
		_, err = safefile.SetAside(s.path(name), "corrupt", s.Now)
	}
	if err != nil || !edit(&c) {
		return err
	}
	c.conclude(name == ownName)
	replace := safefile.ReplaceVolatile // the log has all of it
	if slices.ContainsFunc(c.lines, func(l line) bool { return l.decision != "" }) {
		replace = safefile.ReplaceOrdered
	}
	return replace(s.path(name), c.encode(), 0o600)
}

// conclude sorts the lines by time, bounds them, and works out the rules.
func (c *contents) conclude(own bool) {
	slices.SortStableFunc(c.lines, func(a, b line) int { return strings.Compare(a.At, b.At) })
	c.bound()
	c.rules, c.dropped, c.likely = nil, nil, nil
	var kept []line
	for _, l := range c.lines {
		switch r := l.rule(); l.decision {
		case keeps:
			kept = append(kept, l)
		case drops:
			c.dropped = append(c.dropped, r)
		}
	}
	var said []sentence.Occurrence
	var from []*line
	for i := range c.lines {
		l := &c.lines[i]
		if l.decision == "" && !l.gone && !slices.ContainsFunc(c.dropped, l.rule().isOf) {
			said, from = append(said, l.Occurrence), append(from, l)
		}
	}
	for _, st := range sentence.Stand(said, 0) {
		if len(c.rules) < maxRules {
			c.rules = append(c.rules, ruleOf(st, from, own))
		}
	}
	for _, l := range kept {
		r := l.rule()
		r.Accepted, r.Sure = true, accepted
		if i := slices.IndexFunc(c.rules, r.SaysSame); i >= 0 {
			c.rules[i].Accepted, c.rules[i].Sure = true, accepted
			c.rules[i].User = c.rules[i].User || l.User
			continue
		}
		c.rules = append(c.rules, r)
	}
	slices.SortStableFunc(c.rules, func(a, b Rule) int { return b.Sure - a.Sure })
	c.rules = c.rules[:min(len(c.rules), maxRules)]
	for _, l := range slices.Backward(from) {
		r := l.rule()
		if len(c.likely) < maxLikely && l.Kind != "" && l.Sure >= likely && !own &&
			!slices.ContainsFunc(c.rules, r.SaysSame) && !slices.ContainsFunc(c.likely, r.SaysSame) {
			c.likely = append(c.likely, r)
		}
	}
}

// ruleOf returns the rule for what stands. from are the candidates that it was worked out from; one of them has its
// text.
func ruleOf(st sentence.Standing, from []*line, own bool) Rule {
	r := Rule{Text: st.Text, Kind: st.Kind, User: st.User, Said: st.Times, Sessions: st.Sessions, First: st.First,
		Last: st.Last, Sure: st.Sure, Older: st.Older}
	for _, l := range slices.Backward(from) {
		if l.Text == st.Text {
			r.Words, r.Deny = l.Words, l.Deny
			break
		}
	}
	projects := map[string]bool{}
	for _, l := range from {
		if l.At == st.Last && l.rule().SaysSame(r) {
			r.Session, r.lane = l.Session, l.lane
		}
		if own && l.rule().SaysSame(r) {
			projects[slugOf(l.lane)] = true
		}
	}
	r.Projects = len(projects)
	return r
}

// rule returns what a line says by itself.
func (l line) rule() Rule {
	return Rule{Text: l.Text, Kind: l.Kind, User: l.User, Deny: l.Deny, Words: l.Words, Said: max(1, l.said),
		Sessions: max(1, l.sessions), First: l.At, Last: l.At, Session: l.Session, Sure: l.Sure, lane: l.lane,
		also: l.also}
}

// bound drops the oldest plain requests and decisions.
func (c *contents) bound() {
	var said []sentence.Occurrence
	decisions := 0
	for _, l := range c.lines {
		if l.decision == "" {
			said = append(said, l.Occurrence)
		} else {
			decisions++
		}
	}
	if len(said) <= maxCandidates && decisions <= maxDecisions {
		return
	}
	said = sentence.Newest(said, maxCandidates)
	said = said[max(0, len(said)-2*maxCandidates):]
	c.lines = slices.DeleteFunc(c.lines, func(l line) bool {
		if l.decision != "" {
			decisions--
			return decisions >= maxDecisions
		}
		if len(said) > 0 && said[0] == l.Occurrence {
			said = said[1:]
			return false
		}
		return true
	})
}
