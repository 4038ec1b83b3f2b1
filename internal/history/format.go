package history

import (
	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/redact"
)

// Format returns a line of this kind without a line end. ts is an RFC 3339 time, kv are pairs of a key and a value.
// Format leaves out empty values, and takes secrets out of the others.
func Format(ts, session, kind string, kv ...string) string {
	line := []byte{'{'}
	add := func(key, value string) {
		if value = redact.Clean(value); value == "" {
			return
		}
		if len(line) > 1 {
			line = append(line, ',')
		}
		line = append(gjson.AppendJSONString(line, key), ':')
		line = gjson.AppendJSONString(line, value)
	}
	add("ts", ts)
	add("kind", kind)
	add("session", session)
	for i := 0; i < len(kv); i += 2 {
		add(kv[i], kv[i+1])
	}
	return string(append(line, '}'))
}

// FormatMission returns the line of a mission that leaves the journal, with the whole journal as JSON. since is the
// transcript uuid of the prompt that closed the mission, or "".
func FormatMission(ts, session, reason, words, since, journal string) string {
	line := `{"ts":` + jsonx.Quote(ts) + `,"kind":"mission","reason":` + jsonx.Quote(reason) + `,"session":` +
		jsonx.Quote(session) + `,"text":` + jsonx.Quote(words)
	if since != "" {
		line += `,"since":` + jsonx.Quote(since)
	}
	line, _ = redact.JSON(line + `,"journal":` + journal + "}")
	return line
}

// Journal returns the journal that a line of kind "mission" holds, as JSON.
func (l Line) Journal() string { return gjson.Get(l.Raw, "journal").Raw }
