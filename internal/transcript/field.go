package transcript

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// fields are the values of a line's own keys that memento asks for, as raw JSON; nil for one that is not there. Of a key
// that stands twice the first counts, as it does for gjson.
type fields struct {
	typ, uuid, parent, logical, timestamp, sidechain                                             []byte
	meta, summary, shown, origin, message, content, attachment, result, subtype, link, operation []byte
}

// split finds the fields of line in one pass that looks at no more of it than it must: what strings hold is skipped at the
// speed of memory. It reports false for what is no JSON object, or is nested deeper than maxDepth; a line that it takes
// may still be no valid JSON.
func split(line []byte) (f fields, ok bool) {
	i := space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return f, false
	}
	end := each(line[i:], func(key, value []byte) {
		if to := f.of(key); to != nil && *to == nil {
			*to = value
		}
	})
	return f, end > 0 && space(line, i+end) == len(line)
}

// each calls f with the members of the object, or the elements of the array (with a nil key), that b begins with, and
// returns the place behind it. It returns -1 for anything else, when it does not end, and when it nests too deep; f may
// have been called by then.
func each(b []byte, f func(key, value []byte)) int {
	if len(b) == 0 || b[0] != '{' && b[0] != '[' {
		return -1
	}
	closing := b[0] + 2 // as ASCII has it
	for i := space(b, 1); i < len(b); {
		if b[i] == closing {
			return i + 1
		}
		var key []byte
		if closing == '}' {
			end := quoted(b, i)
			if end < 0 {
				return -1
			}
			key = b[i+1 : end-1]
			if i = space(b, end); i >= len(b) || b[i] != ':' {
				return -1
			}
			i = space(b, i+1)
		}
		end := skip(b, i)
		if end < 0 {
			return -1
		}
		f(key, b[i:end:end])
		if i = space(b, end); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return -1
}

// member returns the value of the object's first member with this key, nil when there is none.
func member(object []byte, key string) (found []byte) {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	each(object, func(k, value []byte) {
		if found == nil && string(k) == key {
			found = value
		}
	})
	return found
}

// str returns the text of a JSON string, "" for any other value.
func str(raw []byte) string {
	switch {
	case len(raw) < 2 || raw[0] != '"':
		return ""
	case bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1])
	}
	return parse(raw).Str
}

// parse returns a copy of the value raw; what is no valid JSON does not exist.
func parse(raw []byte) gjson.Result {
	if raw == nil || !gjson.ValidBytes(raw) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(raw)
}

// of returns where the value of a key belongs, nil for one that nobody asks for.
func (f *fields) of(key []byte) *[]byte {
	switch string(key) {
	case "type":
		return &f.typ
	case "uuid":
		return &f.uuid
	case "parentUuid":
		return &f.parent
	case "logicalParentUuid":
		return &f.logical
	case "timestamp":
		return &f.timestamp
	case "isSidechain":
		return &f.sidechain
	case "isMeta":
		return &f.meta
	case "isCompactSummary":
		return &f.summary
	case "isVisibleInTranscriptOnly":
		return &f.shown
	case "origin":
		return &f.origin
	case "message":
		return &f.message
	case "content":
		return &f.content
	case "attachment":
		return &f.attachment
	case "toolUseResult":
		return &f.result
	case "subtype":
		return &f.subtype
	case "prUrl":
		return &f.link
	case "operation":
		return &f.operation
	}
	return nil
}

// space returns the first place from i on that holds no white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// quoted returns the place behind the string that begins at i, -1 when none does or it does not end.
func quoted(b []byte, i int) int {
	if b[i] != '"' {
		return -1
	}
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		back := i - 2
		for b[back] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i
		}
	}
}

// skip returns the place behind the value that begins at i, -1 when it does not end or nests too deep.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return quoted(b, i)
	case '{', '[':
	default:
		start := i
		for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
			i++
		}
		if i == start {
			return -1
		}
		return i
	}
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = quoted(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			if depth++; depth >= maxDepth {
				return -1
			}
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
