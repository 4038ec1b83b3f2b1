package history

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
)

// Format returns an entry of this kind. ts is an RFC 3339 time, kv are pairs of a key and a value. Format leaves out
// empty values, and takes secrets out of the others.
func Format(ts, session, kind string, kv ...string) log.Entry {
	e := log.Entry{Kind: kind, Session: session}
	e.Time, _ = time.Parse(time.RFC3339, ts)
	for i := 0; i < len(kv); i += 2 {
		switch value := redact.Clean(kv[i+1]); {
		case value == "":
		case kv[i] == "text":
			e.Text = value
		case kv[i] == "asked":
			e.Asked = value
		default:
			e.Extra += "," + jsonx.Quote(kv[i]) + ":" + jsonx.Quote(value)
		}
	}
	return e
}

// FormatMission returns the entry of a mission that leaves the journal, with the whole journal as JSON. since is the
// transcript uuid of the prompt that closed the mission, or "".
func FormatMission(ts, session, reason, words, since, journal string) log.Entry {
	e := Format(ts, session, log.Mission, "reason", reason, "text", words, "since", since, "ref",
		gjson.Get(journal, "mission_ref").String())
	journal, _ = redact.JSON(journal)
	e.Extra += `,"journal":` + journal
	return e
}

// once are the kinds whose entries with a ref count once, whenever they were written.
const once = " said opened approved applied confirmed "

// Bind says that entries left the journal of a lane, and gives them ids: the same words that leave it twice, after a
// kill between two writes, have one id and count once.
func Bind(lane project.Lane, entries []log.Entry) {
	for i := range entries {
		e := &entries[i]
		e.Lane = key(lane)
		h := fnv.New64a()
		ref := between([]byte(e.Extra), `"ref":"`)
		parts := []string{e.Lane, e.Kind, e.Session, e.Text}
		switch {
		case ref != "" && strings.Contains(once, " "+e.Kind+" "):
			parts = append(parts, ref)
		case e.Kind == "done", e.Kind == "subagent" && strings.Contains(e.Extra, `"verb":"report"`):
			parts = append(parts, e.Extra)
		default:
			parts = append(parts, e.Extra, e.Time.UTC().Format(time.RFC3339Nano))
		}
		for _, part := range parts {
			h.Write([]byte(part + "\x00"))
		}
		e.ID = fmt.Sprintf("%016x", h.Sum64())
	}
}

// Journal returns the journal that a line of kind "mission" holds, as JSON.
func (l Line) Journal() string { return gjson.Get(l.Raw, "journal").Raw }
