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
		return l.split(entry) && l.typ != nil && (l.uuid != nil || l.timestamp != nil) && gjson.ValidBytes(entry)
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
		l.split(line[begin:end])
		switch string(l.typ) {
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
