package session

import (
	"reflect"
	"strings"

	"github.com/tidwall/gjson"
)

// unknown returns the fields of a state on disk that this version does not know, as they are to stand at the end of the object:
// `,"key":value` each. Versions may take turns at one session, after an upgrade or where two are wired: what one of them
// remembers is not for the other to drop. Of what it holds inside a field of ours nothing is kept.
func unknown(data []byte) string {
	t := reflect.TypeFor[State]()
	names := make(map[string]bool, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names[name] = true
	}
	var b strings.Builder
	gjson.ParseBytes(data).ForEach(func(k, v gjson.Result) bool {
		if !names[k.Str] && !names[strings.ToLower(k.Str)] { // encoding/json takes any case for the same
			b.WriteString("," + k.Raw + ":" + v.Raw)
		}
		return true
	})
	return b.String()
}
