package transcript

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"
)

// entries calls f with each entry in line, split into l, and its offset in the line. A line holds one entry unless the
// client was killed while it wrote: then the next entry follows without a newline. The entry is nil for one that was
// cut off and may have been a prompt.
func (l *fields) entries(line []byte, f func(at int, entry []byte)) {
	if l.split(line) {
		f(0, line)
		return
	}
	whole := func(entry []byte) bool {
		return l.split(entry) && l.typ != "" && (l.uuid != "" || l.timestamp != "")
	}
	begin, end := space(line, 0), len(line)
	for {
		n := skip(line, begin, maxDepth)
		if n < 0 || !whole(line[begin:n]) {
			break
		}
		f(begin, line[begin:n])
		begin = n
	}
	var behind []int // the offsets of the entries behind the tear, the last first
	for {
		at := lastObject(line[begin:end])
		if at < 0 || !whole(line[begin+at:end]) {
			break
		}
		end = begin + at
		behind = append(behind, end)
	}
	if begin < end && line[begin] == '{' {
		switch gjson.GetBytes(line[begin:end], "type").Raw {
		case "", `"user"`, `"human"`, `"attachment"`, `"queue-operation"`:
			f(begin, nil)
		}
	}
	for i, at := range slices.Backward(behind) {
		if end = len(line); i > 0 {
			end = behind[i-1]
		}
		l.split(line[at:end])
		f(at, line[at:end])
	}
}

// lastObject returns the offset of the JSON object at the end of b, -1 for none. It reads b once, from its end.
func lastObject(b []byte) int {
	depth := 0
	for i := len(bytes.TrimRight(b, " \t\r\n")) - 1; i >= 0; i-- {
		switch b[i] {
		case '}', ']':
			if depth++; depth >= maxDepth {
				return -1
			}
		case '{', '[':
			if depth--; depth <= 0 {
				if b[i] == '{' && depth == 0 {
					return i
				}
				return -1
			}
		case '"':
			for escaped := true; escaped; {
				if i = bytes.LastIndexByte(b[:i], '"'); i < 0 {
					return -1
				}
				back := i
				for back > 0 && b[back-1] == '\\' {
					back--
				}
				escaped = (i-back)%2 == 1
			}
		}
		if depth == 0 {
			return -1
		}
	}
	return -1
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
