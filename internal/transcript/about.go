package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// ErrNone says that a file is no transcript: no line of its beginning is one that the client writes.
var ErrNone = errors.New("it is not a transcript of Claude Code")

// MaxAbout is how much of a transcript About reads, in bytes.
const MaxAbout = 16 << 20

// About returns the session's id and folder, as the first lines of the transcript at path name them. Either may be "",
// in a transcript that is hardly begun. Errors: ErrNone, fs.ErrNotExist, the disk's.
func About(path string) (session, cwd string, err error) {
	file, _, err := open(path, Position{})
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	ours := false
	_, _, _, err = lines(file, 0, 0, MaxAbout, nil, func(_ int64, line []byte) bool {
		v := parse(line)
		if !v.IsObject() {
			return true
		}
		ours = ours || v.Get("type").Type == gjson.String
		if session == "" {
			session = v.Get("sessionId").Str
		}
		cwd = v.Get("cwd").Str
		return cwd == "" || session == ""
	})
	if err == nil && !ours {
		err = ErrNone
	}
	return session, cwd, err
}

// Count returns the number and the size of the sessions' transcripts that the client keeps in claudeDir, its folder.
// Those of subagents do not count, nor do folders that cannot be read.
func Count(claudeDir string) (sessions int, size int64) {
	top := filepath.Join(claudeDir, "projects")
	folders, _ := safefile.List(top)
	for _, folder := range folders {
		files, _ := safefile.List(filepath.Join(top, folder.Name()))
		for _, f := range files {
			if info, err := f.Info(); err == nil && IsSession(f) {
				sessions, size = sessions+1, size+info.Size()
			}
		}
	}
	return sessions, size
}

// IsSession reports whether an entry of a folder may be a session's transcript, by its name. Those of subagents are
// not.
func IsSession(e os.DirEntry) bool {
	return e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") && !strings.HasPrefix(e.Name(), "agent-")
}
