// Package jsonx reads, changes and writes JSON where encoding/json would lose something or cost a hook its time. An
// object may have fields that only other programs know: they keep their bytes, their order and their layout. A struct
// is read and written by a table of its fields, without reflection. A command whose output has a type uses
// encoding/json.
//
// No file and no format may come in: the package that owns a format names its fields.
package jsonx

import (
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
func Quote(s string) string { return string(gjson.AppendJSONString(nil, s)) }

// Layout lays out valid JSON for a person: indented, with short lists and objects on one line.
func Layout(data []byte) []byte {
	return pretty.PrettyOptions(data, &pretty.Options{Width: 100, Indent: "  "})
}
