package elsewhere

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// SendSessions returns the ids of sessions as they travel: a line each, sorted.
func SendSessions(ids []string) []byte {
	slices.Sort(ids)
	return []byte(strings.Join(append(ids, ""), "\n"))
}

// DecodeSessions reads ids that travelled.
func DecodeSessions(data []byte) []string { return strings.Fields(string(data)) }

// PutSessions makes all the sessions of the project with this slug that were held on other machines. names has the name
// of the machine by the id of the session. It writes only news. Errors: safefile's; the file is unchanged then.
func PutSessions(dir, slug string, names map[string]string) error {
	var lines []string
	for id, name := range names {
		lines = append(lines, id+" "+text.Line(name)+"\n")
	}
	slices.Sort(lines)
	return write(dir, filepath.Join(dir, Folder, slug+sessionsEnd), []byte(strings.Join(lines, "")))
}

// Sessions returns the names of the other machines on which sessions of the project with this slug were held, by the
// sessions' ids. A missing or damaged file has none.
func Sessions(dir, slug string) map[string]string {
	data, err := safefile.Read(filepath.Join(dir, Folder, slug+sessionsEnd), maxSessions)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			out[id] = name
		}
	}
	return out
}
