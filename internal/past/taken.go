package past

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// taken says how far the transcript of a session was taken in.
type taken struct{ session, mark string }

func (k *taken) fields(t *jsonx.Table) {
	t.Wordless("session", &k.session)
	t.Wordless("mark", &k.mark)
}

func (s Store) takenPath() string { return filepath.Join(s.Dir, Folder, "taken.jsonl") }

// Mark returns the mark of a transcript that a backfill took in whole: how much of it is kept (a value of the setting
// past), its size in bytes, and the time of its last change.
func Mark(keep string, size int64, changed time.Time) string {
	return fmt.Sprintf("%s %d %d", keep, size, changed.UnixNano())
}

// ReadMark returns the mark of a transcript that hooks read up to an offset. file is the fingerprint of the file up to
// there.
func ReadMark(keep string, offset int64, file string) string {
	return fmt.Sprintf("%s to %d %s", keep, offset, file)
}

// ReadUpTo returns what a result of ReadMark was made of, and nothing for another mark.
func ReadUpTo(mark string) (keep string, offset int64, file string) {
	parts := strings.SplitN(mark, " ", 4)
	if len(parts) < 4 || parts[1] != "to" {
		return "", 0, ""
	}
	offset, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return "", 0, ""
	}
	return parts[0], offset, parts[3]
}

// Taken returns the mark that NoteTaken noted last for each session.
func (s Store) Taken() (map[string]string, error) {
	out := map[string]string{}
	err := safefile.Lines(s.takenPath(), 1<<16, func(line []byte) bool {
		var k taken
		if _, ok := jsonx.Read(line, maxLevels, &k, (*taken).fields); ok {
			out[k.session] = k.mark
		}
		return true
	})
	return out, err
}

// NoteTaken notes that a session's transcript was taken in up to mark. A power cut may take the note, and the backfill
// then reads that transcript again.
func (s Store) NoteTaken(session, mark string) error {
	unlock, err := s.lock("taken")
	if err != nil {
		return err
	}
	defer unlock()
	k := taken{session, mark}
	return safefile.Append(s.takenPath(), append(jsonx.Write(&k, (*taken).fields, ""), '\n'), false)
}
