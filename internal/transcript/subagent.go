package transcript

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// maxAside is how much of a subagent's transcript is read, in bytes: a hook has milliseconds.
const maxAside = 2 << 20

// Subagent returns a subagent's task, which is the first message in its transcript at path, and the files that it read,
// in order. Both are empty for a missing file.
func Subagent(path string) (task string, read []string) {
	file, _, err := open(path, Position{})
	if err != nil {
		return "", nil
	}
	defer file.Close()
	_, _, _, _ = lines(file, 0, 0, maxAside, nil, func(_ int64, line []byte) bool {
		asked := task == "" && bytes.Contains(line, []byte(`"user"`))
		reads := bytes.Contains(line, []byte(`"tool_use"`)) && bytes.Contains(line, []byte(`"Read"`))
		if !asked && !reads || !jsonx.Valid(line, maxDepth) {
			return true
		}
		content := gjson.GetBytes(line, "message.content")
		if asked && gjson.GetBytes(line, "type").Str == "user" {
			task = flat(content)
		}
		if reads {
			content.ForEach(func(_, b gjson.Result) bool {
				if f := b.Get("input.file_path").Str; b.Get("name").Str == "Read" && f != "" && len(f) < 1<<10 &&
					!slices.Contains(read, f) {
					read = append(read, f)
				}
				return len(read) < 100
			})
		}
		return true
	})
	return task, read
}
