package transcript

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/text"
)

// fields are the values in a line. Of a key that stands twice the first counts, as it does for gjson.
type fields struct {
	values map[string]gjson.Result
	spoken gjson.Result // message.content

	marked bool // a line of the file, up to this one, has a mark of a typed line; see writer
}

// split finds the fields of line. It reports false for a line that is no JSON object or nests deeper than maxDepth. It
// reuses the memory of f.
func (f *fields) split(line []byte) bool {
	if f.values == nil {
		f.values = map[string]gjson.Result{}
	}
	clear(f.values)
	root, ok := jsonx.Parse(line, maxDepth)
	root.ForEach(func(key, v gjson.Result) bool {
		if _, twice := f.values[key.Str]; !twice {
			f.values[key.Str] = v
		}
		return true
	})
	f.spoken = f.values["message"].Get("content")
	return ok
}

// str returns the text of the field key, "" for any other value.
func (f *fields) str(key string) string { return f.values[key].Str }

// is reports whether the field key is true.
func (f *fields) is(key string) bool { return f.values[key].Type == gjson.True }

// has reports whether the line has the field key.
func (f *fields) has(key string) bool { return f.values[key].Exists() }

// isTyped reports whether the line is a message in a person's place.
func (f *fields) isTyped() bool { return f.str("type") == "user" || f.str("type") == "human" }

// content returns the content of the line's message. Some lines have it without a message around it.
func (f *fields) content() gjson.Result {
	if f.spoken.Exists() {
		return f.spoken
	}
	return f.values["content"]
}

// blocks returns the parts of content, a message's, if that is a list.
func blocks(content gjson.Result) []gjson.Result {
	if !content.IsArray() {
		return nil
	}
	return content.Array()
}

// speaks reports whether the message has a text.
func (f *fields) speaks() bool {
	return f.spoken.Type == gjson.String ||
		slices.ContainsFunc(blocks(f.spoken), func(p gjson.Result) bool { return p.Get("type").Str == "text" })
}

// entries calls f with each entry in line, split into l, and its offset in the line. A line holds one entry, unless the
// client was killed while it wrote: then the next entry follows without a newline. The entry is nil for what was cut
// off and may have been a prompt, and for a line that is nil, which was too long to be read.
func (l *fields) entries(line []byte, f func(at int, entry []byte)) {
	if line == nil || l.split(line) {
		f(0, line)
		return
	}
	at := len(line)
	for at > 0 && bytes.HasSuffix(bytes.TrimRight(line, " \t\r\n"), []byte("}")) {
		at = bytes.LastIndex(line[:at], []byte(`{"`))
		if at > 0 && l.split(line[at:]) && l.has("type") && (l.has("uuid") || l.has("timestamp")) {
			break
		}
	}
	if at <= 0 {
		at = len(line)
	}
	switch kind := gjson.GetBytes(line[:at], "type").Str; {
	case l.split(line[:at]):
		f(0, line[:at])
	case line[0] == '{' && text.OneOf(kind, "", "user", "human", "attachment", "queue-operation"):
		f(0, nil)
	}
	if at < len(line) {
		l.split(line[at:])
		f(at, line[at:])
	}
}
