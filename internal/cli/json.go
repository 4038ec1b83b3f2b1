package cli

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// quote is s as a JSON string.
func quote(s string) string { return string(gjson.AppendJSONString(nil, s)) }

// quoteList is items as a JSON array of strings.
func quoteList(items []string) string {
	out := make([]string, len(items))
	for i, s := range items {
		out[i] = quote(s)
	}
	return "[" + strings.Join(out, ",") + "]"
}

// printJSON prints v on one line.
func (c *call) printJSON(v any) {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // these are texts and numbers
}
