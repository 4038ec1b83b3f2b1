// Package jsonx reads, changes and writes JSON where encoding/json would lose something or cost a hook its time: an
// object of which other programs know more fields than memento does keeps their bytes, the order of its fields and its
// layout, and a struct is read and written by a table of its fields, without reflection. A command whose output has a
// type uses encoding/json.
//
// It knows no file and no format: which fields there are says the package that owns them.
package jsonx

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"
)

// People read and edit what memento keeps: "a < b" stays "a < b".
func init() { gjson.SetEscapeHTML(false) }

// TooDeep returns where the brackets of data first nest more than levels deep, -1 where they do not: in one pass
// without recursion. Of data that is no valid JSON it may be wrong, so that a parser has to be asked too; what it lets
// through overflows no parser's stack, which would end the process with exit code 2: the client takes that as an order
// to block the user.
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

// Parse returns the JSON object that data holds; false when it holds none, or one that nests more than levels deep.
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

// WriteQuoted writes s as a JSON string, byte for byte as gjson.AppendJSONString does, and copies what needs no escape
// in one go: a message may be megabytes.
func WriteQuoted(b *strings.Builder, s string) {
	var room [16]byte
	b.WriteByte('"')
	from := 0
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
		escaped := gjson.AppendJSONString(room[:0], s[i:i+n])
		b.WriteString(s[from:i])
		b.Write(escaped[1 : len(escaped)-1])
		i += n
		from = i
	}
	b.WriteString(s[from:])
	b.WriteByte('"')
}

// Layout returns valid JSON laid out for a person: indented, with short lists and objects in one line.
func Layout(data []byte) []byte {
	return pretty.PrettyOptions(data, &pretty.Options{Width: 100, Indent: "  "})
}
