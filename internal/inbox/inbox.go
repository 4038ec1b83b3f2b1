// Package inbox keeps what may be worth a record and nobody asked for: it weighs what was said (triage), and holds what passes until the
// user or Claude accepts or declines it. Of these nothing becomes a record by itself.
package inbox

import (
	"path/filepath"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// maxFile is how large the inbox may be, in bytes.
const maxFile = 4 << 20

func path(dir string) string { return filepath.Join(dir, "inbox.json") }

// Waiting returns how many suggestions wait in the inbox of dir for this project, 0 when it cannot be read.
func Waiting(dir, project string) (n int) {
	data, err := safefile.Read(path(dir), maxFile)
	if err != nil || !gjson.ValidBytes(data) {
		return 0
	}
	gjson.GetBytes(data, "waiting").ForEach(func(_, e gjson.Result) bool {
		if e.IsObject() && e.Get("project").Str == project {
			n++
		}
		return true
	})
	return n
}
