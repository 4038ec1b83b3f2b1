package past

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// taken says how far the transcript of a session was taken in.
type taken struct{ session, mark string }

func (k *taken) fields(t *jsonx.Table) {
	t.Wordless("session", &k.session)
	t.Wordless("mark", &k.mark)
}

func takenPath(s log.Store) string { return filepath.Join(s.Dir, log.Folder, "taken.jsonl") }

// Mark returns the mark of a transcript that a backfill took in whole: how much of it is kept (a value of the setting
// past), its size in bytes, and the time of its last change.
func Mark(keep string, size int64, changed time.Time) string {
	return fmt.Sprintf("%s %d %d", keep, size, changed.UnixNano())
}

// Taken returns what NoteTaken noted: each session with a mark behind a blank. Of a session there may be several
// transcripts.
func Taken(s log.Store) (map[string]bool, error) {
	out := map[string]bool{}
	err := safefile.Lines(takenPath(s), 1<<16, func(line []byte) bool {
		var k taken
		if jsonx.Read(line, 64, &k, (*taken).fields) {
			out[k.session+" "+k.mark] = true
		}
		return true
	})
	return out, err
}

// NoteTaken notes that a session's transcript was taken in up to mark. A power cut may take the note, and the backfill
// then reads that transcript again.
func NoteTaken(s log.Store, session, mark string) error {
	if err := safefile.Dir(filepath.Dir(takenPath(s))); err != nil {
		return err
	}
	unlock, err := safefile.LockIn(s.Dir, "taken", s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	k := taken{session, mark}
	return safefile.Append(takenPath(s), append(jsonx.Write(&k, (*taken).fields), '\n'), false)
}
