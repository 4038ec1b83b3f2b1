package history

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/redact"
)

// Format returns a line of this kind without a line end. ts is an RFC 3339 time, kv are pairs of a key and a value.
// Format leaves out empty values, and takes secrets out of the others.
func Format(ts, session, kind string, kv ...string) string {
	var line strings.Builder
	size := 128
	for _, s := range kv {
		size += len(s) + len(s)/16 + 16
	}
	line.Grow(size)
	add := func(before, key, value string) {
		if value = redact.Clean(value); value != "" {
			line.WriteString(before)
			jsonx.WriteQuoted(&line, key)
			line.WriteByte(':')
			jsonx.WriteQuoted(&line, value)
		}
	}
	add("{", "ts", ts)
	add(",", "kind", kind)
	add(",", "session", session)
	for i := 0; i < len(kv); i += 2 {
		add(",", kv[i], kv[i+1])
	}
	line.WriteByte('}')
	return line.String()
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
