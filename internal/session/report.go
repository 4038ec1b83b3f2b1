package session

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// Report is what a subagent answered at a moment when another process kept what it was to be written to. It waits in a
// file of its own, which takes no lock, for whoever handles the session next.
type Report struct {
	Session, Lane     string // Lane is "" where the session was not known
	Agent, Type, File string // as the event named them
	Words             string // without secrets
	At                time.Time

	Path string // where it waits, "" for nowhere
}

func (r *Report) fields(t *jsonx.Table) {
	t.Mark("session", &r.Session)
	t.Mark("lane", &r.Lane)
	t.Mark("agent", &r.Agent)
	t.Mark("type", &r.Type)
	t.Mark("file", &r.File)
	t.Text("words", &r.Words)
	t.Time("at", &r.At)
}

// maxReport is how large the file of a report may be, in bytes: no event is larger.
const maxReport = 64 << 20

// ReportFolder is where reports wait.
func ReportFolder(dir string) string { return filepath.Join(dir, "state", "reports") }

// Leave writes the report down for the next process. The same report of the same agent waits once. Errors:
// ErrNoSession, or safefile's.
func (r Report) Leave(dir string) error {
	if r.Session == "" {
		return ErrNoSession
	}
	folder := ReportFolder(dir)
	for _, d := range [...]string{dir, filepath.Dir(folder), folder} {
		if err := safefile.Dir(d); err != nil {
			return err
		}
	}
	return safefile.Replace(filepath.Join(folder, fileName(r.Session)+"."+r.Fingerprint()+".json"),
		jsonx.Write(&r, (*Report).fields, ""), 0o600)
}

// Reports lists the reports that wait for the session with this id, or for any when it is "". What cannot be read as
// one is left out.
func Reports(dir, id string) (out []Report) {
	folder := ReportFolder(dir)
	entries, err := safefile.List(folder)
	if err != nil || len(entries) == 0 || safefile.CheckDir(folder) != nil {
		return nil
	}
	for _, e := range entries {
		if safefile.Temporary(e.Name()) || id != "" && !strings.HasPrefix(e.Name(), fileName(id)+".") {
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

// Fingerprint tells what this agent answered from what others did. It reads all of it.
func (r Report) Fingerprint() string { return fingerprint(r.Agent + "\n" + r.Words) }

// Left reports whether the report was left before.
func (r Report) Left() bool { return r.Path != "" }

// Done removes the report: it is kept where it belongs. A missing file is no error.
func (r Report) Done() {
	if r.Path != "" {
		_ = safefile.Remove(r.Path) // one that stays is kept once more, which changes nothing
	}
}
