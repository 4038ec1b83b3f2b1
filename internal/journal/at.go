package journal

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// A journal is the checkpoint of its lane's log. Each change stands in the log before it stands in the journal, so that
// the journal need not be forced to the disk: a torn one is made again from the file of its session. The journal says
// in "at" where in the log it stands. A body that "at" does not fit was edited by hand, and is respected.

// at is a place in the log.
type at struct {
	session string    // whose file the last change stands in, "" for the project's own
	offset  int64     // the size of that file then
	sum     string    // of the journal without its place
	taken   int64     // how much of the session's transcript was taken in, in bytes
	changed time.Time // when, if the log was asked
}

func (a *at) fields(t *jsonx.Table) {
	t.Wordless("session", &a.session)
	jsonx.Number(t, "offset", &a.offset)
	t.Wordless("sum", &a.sum)
	jsonx.Number(t, "taken", &a.taken)
}

// withAt returns the journal body with a place at its end.
func withAt(body []byte, a at) []byte {
	o := jsonx.ObjectOf(string(body))
	o.Set("at", string(jsonx.Write(&a, (*at).fields)))
	return []byte(o.String() + behind(body))
}

// cutAt returns the journal in data without its place, and the place, the zero one for none. data that is no object
// stays as it is.
func cutAt(data []byte) (body []byte, a at) {
	v := gjson.GetBytes(data, "at")
	if !v.IsObject() || !jsonx.Valid(data, maxDepth) {
		return data, at{}
	}
	if !jsonx.Read([]byte(v.Raw), maxDepth, &a, (*at).fields) {
		a = at{}
	}
	o := jsonx.ObjectOf(string(data))
	o.Drop("at")
	return []byte(o.String() + behind(data)), a
}

// behind returns the white space behind an object.
func behind(data []byte) string { return string(data[len(bytes.TrimRight(data, " \t\r\n")):]) }

// difference returns what a change made of the journal before: an object with the fields that have another value after
// it, null for one that is gone.
func difference(before, after []byte) string {
	was, is := jsonx.ObjectOf(string(pretty.Ugly(before))), gjson.ParseBytes(pretty.Ugly(after))
	var out jsonx.Object
	is.ForEach(func(key, value gjson.Result) bool {
		if was.Get(key.Str) != value.Raw {
			out.Set(key.Str, value.Raw)
		}
		return true
	})
	gjson.ParseBytes(before).ForEach(func(key, _ gjson.Result) bool {
		if !is.Get(gjson.Escape(key.Str)).Exists() {
			out.Set(key.Str, "null")
		}
		return true
	})
	return out.String()
}

// applied returns the journal body after a change that difference returned.
func applied(body, change string) string {
	o := jsonx.ObjectOf(body)
	gjson.Parse(change).ForEach(func(key, value gjson.Result) bool {
		if value.Type == gjson.Null {
			o.Drop(key.Str)
		} else {
			o.Set(key.Str, value.Raw)
		}
		return true
	})
	return o.String()
}

// lane returns the name of the store's lane in an entry: the entry's own lane is shared with lanes beside it.
func (s Store) lane() string { return strings.TrimPrefix(s.Lane.Name, s.Lane.Slug) }

// logged returns the journal as the log of a session has it, and its place. It returns "" when the log has no change of
// the lane, or when the journal was removed since.
func (s Store) logged(session string) (body string, a at, err error) {
	a.session = session
	err = log.Store{Dir: s.Lane.Dir}.OfJournal(s.Lane.Slug, session, func(e log.Entry) {
		if e.Of != s.lane() {
			return
		}
		switch e.Kind {
		case log.Carried, log.ByHand:
			body, a.sum, a.taken, a.changed = e.Body, e.Sum, e.Taken, e.Time
		case log.Changed:
			body, a.sum, a.taken, a.changed = applied(body, e.Body), e.Sum, e.Taken, e.Time
		case log.Cleared:
			body, a.changed = "", e.Time
		}
	})
	if body == "" {
		return "", a, err
	}
	return string(jsonx.Layout([]byte(body))), a, err
}

// current returns j, or the journal as the log has it when the log is ahead: a process was killed after it had written
// the log. A journal that somebody edited since is respected.
func (s Store) current(j *Journal) (*Journal, error) {
	if j.raw == "" || j.at.sum != text.Fingerprint(j.raw) ||
		j.at.offset == (log.Store{Dir: s.Lane.Dir}).Size(s.Lane.Slug, j.at.session) {
		return j, nil
	}
	body, a, err := s.logged(j.at.session)
	if err != nil || body == "" || a.sum == j.at.sum {
		return j, err
	}
	return s.decoded(body, a)
}

// decoded returns the journal body that the log has, up to a.
func (s Store) decoded(body string, a at) (*Journal, error) {
	j, err := decode([]byte(body))
	if err != nil {
		return &Journal{}, nil // a person may have erased what it began with
	}
	j.at, j.dirty = at{session: a.session, sum: text.Fingerprint(body), taken: a.taken}, true
	return j, nil
}

// again makes the journal from the log, as it was after the lane's last change in the file of any session. It returns
// an empty one when the log has none. The file that was written last need not have that change: a mission that was
// parked goes to the file of its own session.
func (s Store) again() (*Journal, error) {
	sessions, err := log.Store{Dir: s.Lane.Dir}.Sessions(s.Lane.Slug)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(sessions, func(a, b log.Session) int { return b.Changed.Compare(a.Changed) })
	var newest string
	var last at
	for _, one := range append(sessions, log.Session{}) {
		if one.ID != "" && one.Changed.Add(time.Second).Before(last.changed) { // the clock of files may be coarse
			continue
		}
		body, a, err := s.logged(one.ID)
		if err != nil {
			return nil, err
		}
		if a.changed.After(last.changed) {
			newest, last = body, a
		}
	}
	if newest == "" {
		return &Journal{}, nil
	}
	return s.decoded(newest, last)
}

// TakenIn returns how much of a session's transcript the journal has taken in, in bytes, 0 for unknown.
func (j *Journal) TakenIn(session string) int64 {
	if j.at.session != session {
		return 0
	}
	return j.at.taken
}

// TakenIn returns the IDs of the lane's prompts that were taken in, by the log, and how much of the transcript of a
// session was, in bytes. A fork's transcript begins with prompts of another session.
func (s Store) TakenIn(session string) (typed map[string]bool, taken int64) {
	typed = map[string]bool{}
	_ = history.Newest(s.Lane, session, history.Recent, func(e log.Entry) bool {
		typed[e.ID] = typed[e.ID] || e.Kind == log.Typed
		return true
	})
	_ = log.Store{Dir: s.Lane.Dir}.OfJournal(s.Lane.Slug, session, func(e log.Entry) { taken = max(taken, e.Taken) })
	return typed, taken
}

// clear notes that somebody removed the journal, if the log of the session has it.
func (s Store) clear(j *Journal) error {
	body, _, err := s.logged(s.Session)
	if body != "" {
		j.out = append(j.out, log.Entry{Kind: log.Cleared, Of: s.lane(), Session: s.Session, Time: s.Now,
			Text: "the journal was removed"})
	}
	return err
}

// note returns the entries for a change of the journal from before to after, which stand in the file of a session. What
// the journal was before goes there too, unless the file has it: a is where the journal stood.
func (s Store) note(a at, session, before string, after []byte) []log.Entry {
	var out []log.Entry
	entry := func(kind, text, sum, body string) {
		out = append(out, log.Entry{Kind: kind, Of: s.lane(), Session: session, Time: s.Now, Text: text, Sum: sum,
			Body: body, Taken: s.Taken})
	}
	sum, found := text.Fingerprint(before), string(pretty.Ugly([]byte(before)))
	switch {
	case before == "":
		entry(log.Carried, "", text.Fingerprint(string(after)), string(pretty.Ugly(after)))
		return out
	case a.sum != sum:
		entry(log.ByHand, "the journal was edited", sum, found)
	case a.session != session:
		entry(log.Carried, "", sum, found)
	}
	if before != string(after) {
		entry(log.Changed, "", text.Fingerprint(string(after)), difference([]byte(before), after))
	}
	return out
}
