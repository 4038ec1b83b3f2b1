package transcript

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// fields are the values of a line's own keys that memento asks for, as raw JSON; nil for one that is not there. Of a
// key that stands twice the first counts, as it does for gjson.
type fields struct {
	typ, uuid, parent, logical, timestamp, sidechain, cwd, failed                                        []byte
	meta, summary, shown, origin, message, content, attachment, result, denial, subtype, link, operation []byte
	mode, thinking, todos, source                                                                        []byte

	// What the pass over the line saw inside message and toolUseResult, unless one of them is written in a way that
	// only the slower look at it by itself can tell where its parts end.
	spoken []byte  // message.content
	blocks []block // of spoken, where that is a list
	read   bool    // spoken and blocks are all there is
	given  []byte  // toolUseResult.answers
	asked  bool    // given is all there is
}

// block is one part of a message's content, as raw JSON. Of a key that stands twice the last counts.
type block struct{ kind, text, id, name, input, call, failed, content []byte }

// of returns where the value of a key belongs, nil for one that nobody asks for.
func (p *block) of(key []byte) *[]byte {
	switch string(key) {
	case "type":
		return &p.kind
	case "text":
		return &p.text
	case "id":
		return &p.id
	case "name":
		return &p.name
	case "input":
		return &p.input
	case "tool_use_id":
		return &p.call
	case "is_error":
		return &p.failed
	case "content":
		return &p.content
	}
	return nil
}

// split finds the fields of line in one pass that looks at no more of it than it must: what strings hold is skipped at
// the speed of memory. It reports false for what is no JSON object, or is nested deeper than maxDepth; a line that it
// takes may still be no valid JSON. What f held before is gone, but for its memory.
func (f *fields) split(line []byte) bool {
	*f = fields{blocks: f.blocks[:0]}
	i := space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return false
	}
	end := walk(line, i, func(key []byte, i int) int {
		to := f.of(key)
		if to == nil || *to != nil {
			return shallow(line, i)
		}
		end := -1
		switch {
		case to == &f.message && line[i] == '{':
			end = f.look(line, i)
			f.read = end >= 0
		case to == &f.result && line[i] == '{':
			end = f.answers(line, i)
			f.asked = end >= 0
		default:
			end = shallow(line, i)
		}
		if end >= 0 {
			*to = line[i:end:end]
		}
		return end
	})
	return end > 0 && space(line, end) == len(line)
}

// shallow returns the place behind the value that begins at i, -1 when there is none. It goes through the members of an
// object one by one: to count brackets may pass over the place where a line is torn.
func shallow(line []byte, i int) int {
	if line[i] != '{' {
		return strict(line, i, maxDepth)
	}
	return walk(line, i, func(_ []byte, i int) int { return strict(line, i, maxDepth-1) })
}

// look goes through the message that begins at i and returns the place behind it, -1 when strict cannot tell.
func (f *fields) look(line []byte, i int) int {
	return walk(line, i, func(key []byte, i int) (end int) {
		if f.spoken != nil || string(key) != "content" {
			return strict(line, i, maxDepth-1)
		}
		if line[i] != '[' {
			end = strict(line, i, maxDepth-1)
		} else {
			end = walk(line, i, func(_ []byte, i int) int {
				f.blocks = append(f.blocks, block{})
				if line[i] != '{' {
					return strict(line, i, maxDepth-2)
				}
				p := &f.blocks[len(f.blocks)-1]
				return walk(line, i, func(key []byte, i int) int {
					end := strict(line, i, maxDepth-3)
					if to := p.of(key); to != nil && end >= 0 {
						*to = line[i:end:end]
					}
					return end
				})
			})
		}
		if end >= 0 {
			f.spoken = line[i:end:end]
		}
		return end
	})
}

// answers goes through the toolUseResult that begins at i as look does.
func (f *fields) answers(line []byte, i int) int {
	return walk(line, i, func(key []byte, i int) int {
		end := strict(line, i, maxDepth-1)
		if end >= 0 && f.given == nil && string(key) == "answers" {
			f.given = line[i:end:end]
		}
		return end
	})
}

// parts returns the blocks of content, which is the message's or another value of the line.
func (f *fields) parts(content []byte) []block {
	if f.read && len(content) > 0 && content[0] == '[' && len(f.spoken) > 0 && &content[0] == &f.spoken[0] {
		return f.blocks
	}
	f.blocks = f.blocks[:0]
	each(content, func(_, b []byte) {
		var p block
		each(b, func(key, value []byte) {
			if to := p.of(key); to != nil {
				*to = value
			}
		})
		f.blocks = append(f.blocks, p)
	})
	return f.blocks
}

// said returns the content of the message.
func (f *fields) said() []byte {
	if f.read {
		return f.spoken
	}
	return member(f.message, "content")
}

// speaks reports whether a message has a text of Claude's.
func (f *fields) speaks() bool {
	if f.read && len(f.spoken) > 0 && f.spoken[0] == '[' {
		return slices.ContainsFunc(f.blocks, func(p block) bool { return string(p.kind) == `"text"` })
	}
	return bytes.Contains(f.message, []byte(`"text"`))
}

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
	case "cwd":
		return &f.cwd
	case "isApiErrorMessage":
		return &f.failed
	case "isMeta":
		return &f.meta
	case "isCompactSummary":
		return &f.summary
	case "isVisibleInTranscriptOnly":
		return &f.shown
	case "origin":
		return &f.origin
	case "permissionMode":
		return &f.mode
	case "thinkingMetadata":
		return &f.thinking
	case "todos":
		return &f.todos
	case "promptSource":
		return &f.source
	case "message":
		return &f.message
	case "content":
		return &f.content
	case "attachment":
		return &f.attachment
	case "toolUseResult":
		return &f.result
	case "toolDenialKind":
		return &f.denial
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
