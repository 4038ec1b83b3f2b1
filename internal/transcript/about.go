package transcript

import (
	"errors"
	"io"
	"time"

	"github.com/tidwall/gjson"
)

// ErrNone says that a file is no transcript: no line of its beginning is one that the client writes.
var ErrNone = errors.New("it is not a transcript of Claude Code")

// maxAbout is how much About and Times read of the beginning of a transcript, and Times of its end, in bytes.
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

// Last returns when the last line of the transcript at path was written, the zero time when its end has no time.
// Errors: fs.ErrNotExist, the disk's.
func Last(path string) (last time.Time, err error) {
	file, _, err := open(path, Position{})
	if err != nil {
		return last, err
	}
	defer file.Close()
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return last, err
	}
	for part := int64(64 << 10); err == nil && last.IsZero() && part <= maxAbout; part *= 16 {
		_, _, _, err = lines(file, max(0, end-part), 0, end, nil, func(_ int64, line []byte) bool {
			if at, err := time.Parse(time.RFC3339, parse(line).Get("timestamp").Str); err == nil {
				last = at
			}
			return true
		})
	}
	return last, err
}
