package transcript

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/tidwall/gjson"
)

// walk goes through the members of the object, or the elements of the array (with a nil key), that begins at i in b.
// value is called with where each value begins and returns the place behind it, -1 to end the walk. It returns the
// place behind the object or array, and -1 for anything else, when it does not end, and when value does.
func walk(b []byte, i int, value func(key []byte, i int) int) int {
	if i >= len(b) || b[i] != '{' && b[i] != '[' {
		return -1
	}
	closing := b[i] + 2 // as ASCII has it
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

// each calls f with the members of the object, or the elements of the array (with a nil key), that b begins with. It
// ends early for what does not end or nests too deep; f may have been called by then.
func each(b []byte, f func(key, value []byte)) {
	walk(b, 0, func(key []byte, i int) int {
		end := skip(b, i, maxDepth)
		if end >= 0 {
			f(key, b[i:end:end])
		}
		return end
	})
}

// member returns the value of the object's first member with this key, nil when there is none.
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

// literal returns the text of the JSON string raw, false when it is no valid one.
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

// parse returns a copy of the value raw; what is no valid JSON does not exist.
func parse(raw []byte) gjson.Result {
	if raw == nil || !gjson.ValidBytes(raw) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(raw)
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

// strict is skip that gives up, with -1, on a number or word that holds a quotation mark or a bracket: in what is no
// valid JSON, where a part of a value ends is not where it ends for who skips the whole.
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

// skip returns the place behind the value that begins at i, -1 when it does not end or nests to the depth.
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
