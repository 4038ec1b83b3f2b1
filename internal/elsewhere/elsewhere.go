// Package elsewhere keeps what is of other machines: the missions that their journals had when they were synced last,
// and which sessions were held on which. It writes, reads, erases and renames the files in the folder "elsewhere", two
// for each project. A session here is told such a mission as another machine's, and never takes it for its own.
//
// How the files travel may not come in.
package elsewhere

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
)

// Folder is the folder of the missions in memento's folder.
const Folder = "elsewhere"

const (
	maxFile     = 1 << 20
	maxLevels   = 16
	maxMission  = 16 << 10 // bytes of a line
	maxMissions = 32       // of a project, those that were opened last
	maxSessions = 16 << 20 // bytes of a file
)

// Mission is the mission of one journal on another machine.
type Mission struct {
	Machine        string // its id
	Name           string // what people call it; Of adds it, it does not travel with the mission
	Lane           string // of the journal, without the project
	Mission        string
	By             string // see journal.Journal
	Opened, Closed string // RFC 3339; Closed is "" while the mission is open
	Branch         string
	Wip            string
	Summary        string
	Plan           []string
	Done           []string

	others string // fields of another version
}

func (m *Mission) fields(t *jsonx.Table) {
	t.Wordless("machine", &m.Machine)
	t.Wordless("name", &m.Name)
	t.Wordless("lane", &m.Lane)
	t.Text("mission", &m.Mission)
	t.Wordless("by", &m.By)
	t.Wordless("opened", &m.Opened)
	t.Wordless("closed", &m.Closed)
	t.Text("branch", &m.Branch)
	t.Text("wip", &m.Wip)
	t.Text("summary", &m.Summary)
	t.Texts("plan", &m.Plan)
	t.Texts("done", &m.Done)
}

// Send returns the mission of a journal of this machine as it travels, without its name; nil for a journal without a
// mission, or with a program's. Secrets are taken out once more.
func Send(machine, lane string, j *journal.Journal) []byte {
	if j == nil || j.Mission == "" || j.IsProgram() {
		return nil
	}
	m := Mission{Machine: machine, Lane: lane, Mission: redact.Clean(j.Mission), By: j.MissionBy,
		Opened: j.MissionOpened,
		Closed: j.MissionClosed, Branch: redact.Clean(j.Branch), Wip: redact.Clean(j.Wip),
		Summary: redact.Clean(j.Summary)}
	for _, item := range j.Plan {
		m.Plan = append(m.Plan, redact.Clean(item))
	}
	for _, e := range j.Done {
		m.Done = append(m.Done, redact.Clean(e.Line()))
	}
	return append(m.encode(), '\n')
}

func (m *Mission) encode() []byte { return jsonx.Write(m, (*Mission).fields, m.others) }

// Decode reads a mission that travelled. ok is false for anything else.
func Decode(data []byte) (m Mission, ok bool) {
	m.others, ok = jsonx.Read(bytes.TrimSpace(data), maxLevels, &m, (*Mission).fields)
	return m, ok && m.Mission != "" && m.Machine != ""
}

// endings of the files of a project
const (
	missionsEnd = ".jsonl"
	sessionsEnd = ".sessions"
)

func path(dir, slug string) string { return filepath.Join(dir, Folder, slug+missionsEnd) }

// Of returns the missions of the project with this slug on other machines, the one opened last first. A missing or
// damaged file has none.
func Of(dir, slug string) (out []Mission) {
	data, err := safefile.Read(path(dir, slug), maxFile)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(data) {
		if m, ok := Decode(line); ok {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Mission) int { return strings.Compare(b.Opened, a.Opened) })
	return out
}

// Put makes all the missions of the project with this slug on other machines. Of too many it keeps those that were
// opened last; it leaves out what is too long for a mission. It writes only news. Errors: safefile's; the file is
// unchanged then.
func Put(dir, slug string, all []Mission) error {
	slices.SortFunc(all, func(a, b Mission) int {
		return cmp.Or(strings.Compare(b.Opened, a.Opened), strings.Compare(a.Machine+" "+a.Lane, b.Machine+" "+b.Lane))
	})
	var out bytes.Buffer
	n := 0
	for _, m := range all {
		if line := m.encode(); len(line) <= maxMission && n < maxMissions {
			n++
			out.Write(append(line, '\n'))
		}
	}
	return write(dir, path(dir, slug), out.Bytes())
}

// write makes data the content of the file, or removes the file if there is none. It writes only news.
func write(dir, path string, data []byte) error {
	if len(data) == 0 {
		return safefile.Remove(path)
	}
	if was, err := safefile.Read(path, maxSessions); err == nil && bytes.Equal(was, data) {
		return nil
	}
	if err := safefile.Dir(filepath.Join(dir, Folder)); err != nil {
		return err
	}
	return safefile.ReplaceVolatile(path, data, 0o600)
}

// Files lists the files of the chosen projects. Errors: safefile's.
func Files(dir string, chosen func(slug string) bool) (paths []string, err error) {
	entries, err := safefile.ListFolder(filepath.Join(dir, Folder))
	for _, e := range entries {
		end := filepath.Ext(e.Name())
		if (end == missionsEnd || end == sessionsEnd) && !e.IsDir() && chosen(strings.TrimSuffix(e.Name(), end)) {
			paths = append(paths, filepath.Join(dir, Folder, e.Name()))
		}
	}
	return paths, err
}

// Erase removes from data, a file of missions or a mission that travels, each mission that holds the words. gone are
// the missions that went. Lines that are no missions go when loose reports the words in them.
func Erase(data []byte, has func(words string) bool, loose func(data []byte) bool) (left []byte, gone []string) {
	for line := range bytes.Lines(data) {
		var m Mission
		_, found, ok := jsonx.Erase(bytes.TrimSpace(line), maxLevels, &m, (*Mission).fields, has)
		switch {
		case ok && len(found) > 0:
			gone = append(gone, found[0])
		case !ok && loose(line):
			gone = append(gone, "")
		default:
			left = append(left, line...)
		}
	}
	return left, gone
}

// Rename gives the files of the project from to the project to, where that has none. Errors: safefile's.
func Rename(dir, from, to string) error {
	old, err := Files(dir, func(slug string) bool { return slug == from })
	if errors.Is(err, safefile.ErrRefused) {
		return nil // what stands there is not memento's
	}
	for _, file := range old {
		if err != nil {
			return err
		}
		err = safefile.Move(file, filepath.Join(dir, Folder, to+filepath.Ext(file)))
		if errors.Is(err, fs.ErrExist) { // the next sync writes it anew
			err = safefile.Remove(file)
		}
	}
	return err
}
