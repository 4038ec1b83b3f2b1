package journal

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
)

// The shadow journal is a JSON array of the newest events. It is bounded, so that a forgotten MEMENTO_DEBUG fills no
// disk.
const (
	maxDebugEvents = 500
	maxDebugFile   = 1 << 20
)

// debugWrite notes a change of the journal: its new size and each line that went to history.
func (s Store) debugWrite(j *Journal, size int) {
	if !s.Config.Debug {
		return
	}
	s.debug("write", strconv.Itoa(size)+" bytes, "+strconv.Itoa(len(j.Done))+" done, "+strconv.Itoa(len(j.Said))+
		" said, mission "+j.Mission, strings.Join(j.notes, "; "))
	for _, l := range j.out {
		s.debug("history", l.Kind, string(l.JSON()))
	}
}

// Injected notes the words that the event called name put before the model.
func (s Store) Injected(name, words string) {
	s.debug("injected", name, words)
}

// debug adds one event to the shadow journal when MEMENTO_DEBUG is set. It drops its errors: a debugging aid may not
// disturb the work.
func (s Store) debug(kind, what, detail string) {
	if !s.Config.Debug {
		return
	}
	unlock, err := safefile.LockIn(s.Lane.Dir, s.Lane.Name+"-debug", s.Wait)
	if err != nil {
		return
	}
	defer unlock()
	data, _ := safefile.Read(s.Lane.Debug(), maxDebugFile) // one that cannot be read begins anew
	var events []string
	if gjson.ValidBytes(data) {
		for _, e := range gjson.ParseBytes(data).Array() {
			events = append(events, e.Raw)
		}
	}
	events = append(events, `{"ts":`+jsonx.Quote(s.Now.UTC().Format("2006-01-02T15:04:05.000Z"))+`,"event":`+
		jsonx.Quote(kind)+`,"what":`+jsonx.Quote(redact.Clean(what))+`,"detail":`+jsonx.Quote(redact.Clean(detail))+`}`)
	events = events[max(0, len(events)-maxDebugEvents):]
	out := "[\n" + strings.Join(events, ",\n") + "\n]\n"
	for len(out) > maxDebugFile && len(events) > 1 {
		events = events[len(events)/2:]
		out = "[\n" + strings.Join(events, ",\n") + "\n]\n"
	}
	_ = safefile.ReplaceVolatile(s.Lane.Debug(), []byte(out), 0o600)
}

// EndDebug removes the shadow journal of the lane when MEMENTO_DEBUG is off.
func (s Store) EndDebug() {
	if !s.Config.Debug {
		_ = safefile.Remove(s.Lane.Debug())
	}
}
