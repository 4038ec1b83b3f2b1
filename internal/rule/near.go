package rule

import (
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// near returns of a file the rules with words that near reports more than 0 for, and all that was dropped. It decodes
// no other rule: each prompt asks.
func (s Store) near(name string, near func(words string) int) (c contents) {
	first, second := s.begin(name)
	read := func(data []byte, key string, all bool) (out []Rule) {
		gjson.GetBytes(data, key).ForEach(func(_, v gjson.Result) bool {
			var r Rule
			if all || near(v.Get("words").Str) > 0 {
				if _, ok := jsonx.Read([]byte(v.Raw), maxDepth, &r, (*Rule).fields); ok {
					out = append(out, r)
				}
			}
			return true
		})
		return out
	}
	c.rules, c.dropped = read(first, "rules", false), read(first, "dropped", true)
	c.likely = read(second, "likely", false)
	return c
}

// progress returns how far the log was read for a file, and by which judgement. It decodes nothing
// else: each start asks.
func (s Store) progress(name string) (h head) {
	first, _ := s.begin(name)
	h.judged, h.again = int(gjson.GetBytes(first, "judged").Int()), gjson.GetBytes(first, "again").Str
	h.until, _ = time.Parse(time.RFC3339Nano, gjson.GetBytes(first, "until").Str) // what was never read is read now
	gjson.GetBytes(first, "read").ForEach(func(_, v gjson.Result) bool {
		h.read = append(h.read, position{v.Get("session").Str, v.Get("next").Int()})
		return true
	})
	return h
}
