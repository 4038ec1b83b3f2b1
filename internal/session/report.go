package session

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// Report is the answer of a subagent. When another process holds the journal's lock, the report waits in a file of its
// own, without a lock, for the next hook of the session.
type Report struct {
	Session, Lane     string // Lane is "" where the session was not known
	Agent, Type, File string // as the event named them
	Words             string // without secrets
	At                time.Time

	Path string // where it waits, "" for nowhere
}

func (r *Report) fields(t *jsonx.Table) {
	t.Wordless("session", &r.Session)
	t.Wordless("lane", &r.Lane)
	t.Wordless("agent", &r.Agent)
	t.Wordless("type", &r.Type)
	t.Wordless("file", &r.File)
	t.Text("words", &r.Words)
	t.Time("at", &r.At)
}

// maxReport is how large the file of a report may be, in bytes: no event is larger.
const maxReport = 64 << 20

// Leave writes the report to its file. The same report of the same agent has one file. Errors: ErrNoSession, or
// safefile's.
func (r Report) Leave(dir string) error {
	if r.Session == "" {
		return ErrNoSession
	}
	folder := WaitingFolder(dir)
	for _, d := range [...]string{dir, filepath.Dir(folder), folder} {
		if err := safefile.Dir(d); err != nil {
			return err
		}
	}
	return safefile.Replace(filepath.Join(folder, log.FileName(r.Session)+"."+r.Fingerprint()+".json"),
		jsonx.Write(&r, (*Report).fields, ""), 0o600)
}

// Reports returns the reports that wait for the session id, or for any session when id is "". It skips damaged files.
func Reports(dir, id string) (out []Report) {
	folder := WaitingFolder(dir)
	entries, err := safefile.List(folder)
	if err != nil || len(entries) == 0 || safefile.CheckDir(folder) != nil {
		return nil
	}
	for _, e := range entries {
		if safefile.Temporary(e.Name()) || !strings.HasSuffix(e.Name(), ".json") ||
			id != "" && !strings.HasPrefix(e.Name(), log.FileName(id)+".") {
			continue
		}
		path := filepath.Join(folder, e.Name())
		r := Report{Path: path}
		data, err := safefile.Read(path, maxReport)
		if err != nil {
			continue
		}
		if _, ok := jsonx.Read(data, maxDepth, &r, (*Report).fields); ok && r.Session != "" &&
			(id == "" || r.Session == id) {
			out = append(out, r)
		}
	}
	return out
}

// Fingerprint returns a fingerprint of the agent and all its words.
func (r Report) Fingerprint() string { return fingerprint(r.Agent + "\n" + r.Words) }

// Left reports whether the report comes from a file.
func (r Report) Left() bool { return r.Path != "" }

// Done removes the report's file, if it has one. If the file cannot be removed, the report is kept once more, which
// changes nothing.
func (r Report) Done() {
	if r.Path != "" {
		_ = safefile.Remove(r.Path)
	}
}
