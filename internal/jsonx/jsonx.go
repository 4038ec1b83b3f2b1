// Package jsonx reads, changes and writes JSON where encoding/json would lose something or cost a hook its time. An
// object may have fields that only other programs know: they keep their bytes, their order and their layout. A struct
// is read and written by a table of its fields, without reflection. A command whose output has a type uses
// encoding/json.
//
// No file and no format may come in: the package that owns a format names its fields.
package jsonx

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"
)

// People read and edit what memento keeps: "a < b" stays "a < b".
func init() { gjson.SetEscapeHTML(false) }

// TooDeep returns the first place where the brackets of data nest more than levels deep, -1 when there is none. It
// makes one pass without recursion. For invalid JSON it may be wrong, so the caller must ask a parser too. Data that
// passes cannot overflow the stack of a parser. An overflow would end the process with exit code 2, and the client
// would take that as an order to block the user.
func TooDeep[T string | []byte](data T, levels int) int {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > levels {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}

// Valid reports whether data is one JSON value that nests at most levels deep.
func Valid(data []byte, levels int) bool { return TooDeep(data, levels) < 0 && gjson.ValidBytes(data) }

// Parse returns the JSON object in data. It returns false when data is no object, or nests more than levels deep.
func Parse(data []byte, levels int) (gjson.Result, bool) {
	if !Valid(data, levels) {
		return gjson.Result{}, false
	}
	root := gjson.ParseBytes(data)
	return root, root.IsObject()
}

// Quote returns s as a JSON string.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	WriteQuoted(&b, s)
	return b.String()
}

// WriteQuoted writes s as a JSON string, byte for byte as gjson.AppendJSONString does.
func WriteQuoted(b *strings.Builder, s string) {
	var room [16]byte
	b.WriteByte('"')
	for s != "" {
		var same string
		var escaped []byte
		same, escaped, s = cutEscaped(s, room[:0])
		b.WriteString(same)
		b.Write(escaped)
	}
	b.WriteByte('"')
}

// appendQuoted is WriteQuoted for a slice of bytes. A long s grows it once.
func appendQuoted(out []byte, s string) []byte {
	var room [16]byte
	out = append(slices.Grow(out, len(s)+len(s)/16+16), '"')
	for s != "" {
		var same string
		var escaped []byte
		same, escaped, s = cutEscaped(s, room[:0])
		out = append(append(out, same...), escaped...)
	}
	return append(out, '"')
}

// cutEscaped returns the beginning of s that a JSON string holds as it is, the escaped form of the character behind it,
// and the rest. Its callers copy the beginning at once: a message may have megabytes.
func cutEscaped(s string, room []byte) (same string, escaped []byte, rest string) {
	for i := 0; i < len(s); {
		c, n := s[i], 1
		switch {
		case c >= utf8.RuneSelf:
			var r rune
			if r, n = utf8.DecodeRuneInString(s[i:]); n > 1 && r != '\u2028' && r != '\u2029' {
				i += n
				continue
			}
		case c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&':
			i++
			continue
		}
		escaped = gjson.AppendJSONString(room, s[i:i+n])
		return s[:i], escaped[1 : len(escaped)-1], s[i+n:]
	}
	return s, nil, ""
}

// Layout lays out valid JSON for a person: indented, with short lists and objects on one line.
func Layout(data []byte) []byte {
	return pretty.PrettyOptions(data, &pretty.Options{Width: 100, Indent: "  "})
}
