package cli

import (
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
