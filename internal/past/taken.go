package past

import (
	"path/filepath"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// taken says how far the transcript of a session was taken in by a backfill.
type taken struct{ session, mark string }

func (k *taken) fields(t *jsonx.Table) {
	t.Wordless("session", &k.session)
	t.Wordless("mark", &k.mark)
}

func (s Store) takenPath() string { return filepath.Join(s.Dir, Folder, "taken.jsonl") }

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
