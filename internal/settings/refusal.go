package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// Refusal says why a file stays unedited, and where the fault is: lines and columns count from 1, columns in
// characters. The client silently ignores a whole file with comments, a trailing comma or a second "hooks" key
// (measured on client 2.1.329).
type Refusal string

func (r Refusal) Error() string { return string(r) }

// refuse returns a Refusal for the offset at in text; at -1 means the whole file.
func refuse(text string, at int, format string, args ...any) Refusal {
	reason := fmt.Sprintf(format, args...)
	if at < 0 {
		return Refusal(reason)
	}
	before := text[:min(at, len(text))]
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return Refusal(fmt.Sprintf("line %d, column %d: %s", strings.Count(before, "\n")+1, column, reason))
}

// sound returns a Refusal unless text is valid JSON of at most maxDepth levels.
func sound(text string) error {
	if at := jsonx.TooDeep(text, maxDepth); at >= 0 {
		return refuse(text, at, "the file nests deeper than %d levels", maxDepth)
	}
	if gjson.Valid(text) {
		return nil
	}
	// gjson does not say what is wrong. encoding/json does.
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(text), &raw), &syntax) {
		return refuse(text, -1, "the file is not valid JSON")
	}
	if syntax.Offset >= int64(len(text)) && strings.Contains(syntax.Error(), "unexpected end") {
		return refuse(text, len(text), "the file is not valid JSON: it ends too soon")
	}
	at := int(syntax.Offset) - 1
	switch before := strings.TrimRight(text[:at], " \t\r\n"); {
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		return refuse(text, -1, "the file is UTF-16, and settings are UTF-8")
	case text[at] == '/' && strings.ContainsAny(text[at+1:min(at+2, len(text))], "/*"), text[at] == '#':
		return refuse(text, at, "the file has comments, which JSON does not allow")
	case strings.HasSuffix(before, ",") && (text[at] == '}' || text[at] == ']'):
		return refuse(text, len(before)-1, "the file has a comma before a closing %q, which JSON does not allow",
			text[at])
	}
	if r, size := utf8.DecodeRuneInString(text[at:]); size > 1 { // encoding/json names only its first byte
		return refuse(text, at, "the file is not valid JSON: %U does not belong there", r)
	}
	return refuse(text, at, "the file is not valid JSON: %s", misplaced(syntax.Error(), text[at]))
}

// misplaced says in plain words what encoding/json says about the character c.
func misplaced(why string, c byte) string {
	for _, of := range [...]struct{ place, expected string }{
		{"looking for beginning of value", "stands where a value is expected"},
		{"looking for beginning of object key string", "stands where a name in double quotes is expected"},
		{"after object key:value pair", "stands where a comma or a closing } is expected"},
		{"after array element", "stands where a comma or a closing ] is expected"},
		{"after object key", "stands where a colon is expected"},
		{"after top-level value", "stands behind the end"},
		{"in string literal", "stands inside double quotes, where it has to be written with a backslash"},
	} {
		if strings.HasSuffix(why, of.place) {
			return fmt.Sprintf("%q %s", c, of.expected)
		}
	}
	return fmt.Sprintf("%q does not belong there", c)
}

// kind names the JSON type of v, for an error.
func kind(v gjson.Result) string {
	switch {
	case v.IsArray():
		return "an array"
	case v.IsObject():
		return "an object"
	case v.IsBool():
		return "true or false"
	case v.Type == gjson.Number:
		return "a number"
	case v.Type == gjson.String:
		return "a string"
	}
	return "null"
}
