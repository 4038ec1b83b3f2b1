package transcript

import (
	"cmp"
	"errors"
	"io"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// ErrNone says that a file is no transcript: no line of its beginning is one that the client writes.
var ErrNone = errors.New("it is not a transcript of Claude Code")

// maxAbout is how much About reads of the beginning of a transcript, and Last of its end, in bytes.
const maxAbout = 16 << 20

// About returns the session's id and folder, as the first lines of the transcript at path name them. Either may be "",
// in a transcript that is hardly begun. Errors: ErrNone, fs.ErrNotExist, the disk's.
func About(path string) (session, cwd string, err error) {
	file, _, err := open(path, Position{})
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	ours := false
	_, _, _, err = lines(file, 0, 0, maxAbout, nil, func(_ int64, line []byte) bool {
		v, _ := jsonx.Parse(line, maxDepth)
		ours = ours || v.Get("type").Type == gjson.String
		session = cmp.Or(session, v.Get("sessionId").Str)
		cwd = v.Get("cwd").Str
		return cwd == "" || session == ""
	})
	if err == nil && !ours {
		err = ErrNone
	}
	return session, cwd, err
}

// Last returns when the last line of the transcript at path was written, the zero time when its end has no time.
// Errors: fs.ErrNotExist, the disk's.
func Last(path string) (last time.Time, err error) {
	for size := int64(64 << 10); err == nil && last.IsZero() && size <= maxAbout; size *= 16 {
		err = tail(path, size, func(line gjson.Result) {
			if at, err := time.Parse(time.RFC3339, line.Get("timestamp").Str); err == nil {
				last = at
			}
		})
	}
	return last, err
}

// tail calls f with each line in the last size bytes of the file at path. Errors: as of Last.
func tail(path string, size int64, f func(line gjson.Result)) error {
	file, _, err := open(path, Position{})
	if err != nil {
		return err
	}
	defer file.Close()
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	_, _, _, err = lines(file, max(0, end-size), 0, end, nil, func(_ int64, line []byte) bool {
		v, _ := jsonx.Parse(line, maxDepth)
		f(v)
		return true
	})
	return err
}
