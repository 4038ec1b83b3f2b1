package transcript

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/tidwall/gjson"
)

// walk goes through the object or array that begins at i in b. It calls value with the key of each member, nil in an
// array, and the offset of its value; value returns the offset behind that, -1 to stop. walk returns the offset behind
// the object or array, -1 for another value, for one that does not end, and when value stops.
func walk(b []byte, i int, value func(key []byte, i int) int) int {
	if i >= len(b) || b[i] != '{' && b[i] != '[' {
		return -1
	}
	closing := b[i] + 2 // in ASCII
	for i = space(b, i+1); i < len(b); {
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
			if i = space(b, i+1); i >= len(b) {
				return -1
			}
		}
		end := value(key, i)
		if end < 0 {
			return -1
		}
		if i = space(b, end); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return -1
}

// each calls f with the members of the object or array at the beginning of b, with a nil key in an array. It stops at a
// value that does not end or nests too deep.
func each(b []byte, f func(key, value []byte)) {
	walk(b, 0, func(key []byte, i int) int {
		end := skip(b, i, maxDepth)
		if end >= 0 {
			f(key, b[i:end:end])
		}
		return end
	})
}

// member returns the value of the object's first member with this key, nil for none.
func member(object []byte, key string) (found []byte) {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	walk(object, 0, func(k []byte, i int) int {
		end := skip(object, i, maxDepth)
		if end >= 0 && string(k) == key {
			found = object[i:end:end]
			return -1
		}
		return end
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
	s, _ := literal(raw)
	return s
}

// literal returns the text of the JSON string raw, false for an invalid one.
func literal(raw []byte) (string, bool) {
	in := raw[1 : len(raw)-1]
	var b strings.Builder
	b.Grow(len(in))
	for i := 0; ; i += 2 {
		from := i
		for i+8 <= len(in) && ordinary(binary.LittleEndian.Uint64(in[i:])) {
			i += 8
		}
		for i < len(in) && in[i] >= ' ' && in[i] != '\\' {
			i++
		}
		b.Write(in[from:i])
		if i == len(in) {
			return b.String(), true
		}
		if in[i] != '\\' || i+1 == len(in) {
			return "", false
		}
		c := in[i+1]
		switch {
		case c == 'n':
			c = '\n'
		case c == 't':
			c = '\t'
		case c == 'r':
			c = '\r'
		case c == 'b':
			c = '\b'
		case c == 'f':
			c = '\f'
		case c == '"', c == '\\', c == '/':
		default: // \u
			v := parse(raw)
			return v.Str, v.Exists()
		}
		b.WriteByte(c)
	}
}

// ordinary reports whether none of eight bytes is a control character or a backslash.
func ordinary(x uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	slash := x ^ '\\'*ones
	return ((x-' '*ones)&^x|(slash-ones)&^slash)&tops == 0
}

// parse returns a copy of the value raw. The result of invalid JSON does not exist.
func parse(raw []byte) gjson.Result {
	if raw == nil || !gjson.ValidBytes(raw) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(raw)
}

// space returns the first offset from i on without white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// quoted returns the offset behind the string that begins at i, -1 for none and for one that does not end.
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

// strict is skip that returns -1 for a number or word with a quotation mark or a bracket in it. In invalid JSON,
// skipping such a value by itself and skipping the object around it would end in different places.
func strict(b []byte, i, depth int) int {
	end := skip(b, i, depth)
	if c := b[i]; c == '"' || c == '{' || c == '[' {
		return end
	}
	for ; i < end; i++ {
		if c := b[i]; c == '"' || c == '{' || c == '[' {
			return -1
		}
	}
	return end
}

// skip returns the offset behind the value that begins at i, -1 for one that does not end or nests to the depth.
func skip(b []byte, i, depth int) int {
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
	for n := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = quoted(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			if n++; n >= depth {
				return -1
			}
		case '}', ']':
			if n--; n == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
