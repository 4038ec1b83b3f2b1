package history

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// spokenKinds are the kinds of the lines that SpokenSince reads.
var spokenKinds = [...]string{"said", "rewound", "restored", "confirmed"}

// maxSpoken is the longest line that SpokenSince reads, in bytes: a longer message was pasted.
const maxSpoken = 256 << 10

// SpokenSince calls f with each line of the lane's own history, from the offset from on, that is a message of the
// user's or says something about one: that it was rewound, restored, or confirmed by the transcript. It goes on until f
// returns false and returns the offset of the first line that f did not get. It begins at the beginning when no line
// begins at from any more. A message of more than ten times ends bytes comes without its middle. Errors: safefile's.
func SpokenSince(lane project.Lane, from int64, ends int, f func(Line) bool) (next int64, err error) {
	path := lane.History()
	if err := safefile.Check(path); err != nil {
		return from, err
	}
	file, err := safefile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return from, err
	}
	defer file.Close()
	var before [1]byte
	if from > 0 {
		if _, err := file.ReadAt(before[:], from-1); err != nil && !errors.Is(err, io.EOF) {
			return from, err
		}
	}
	if before[0] != '\n' {
		from = 0
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return from, err
	}
	next = from
	r := bufio.NewReaderSize(file, 64<<10)
	for {
		line, size, err := wholeLine(r, maxSpoken)
		if errors.Is(err, io.EOF) { // a last line without an end may still grow
			return next, nil
		}
		if err != nil {
			return next, err
		}
		if l, ok := spoken(line, ends); ok && !f(l) {
			return next, nil
		}
		next += size
	}
}

// wholeLine reads a line and returns it with its size in bytes. It returns a line of more than max bytes as nil.
func wholeLine(r *bufio.Reader, max int) (line []byte, size int64, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if size += int64(len(piece)); size <= int64(max) {
			line = append(line, piece...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}

// spoken returns the line of history in raw, without the middle of a long message. It is false for lines of other
// kinds, and for what the user did not type.
func spoken(raw []byte, each int) (l Line, ok bool) {
	head := raw[:min(len(raw), 512)]
	for _, kind := range spokenKinds {
		if !bytes.Contains(head, []byte(`"kind":"`+kind+`"`)) {
			continue
		}
		if raw = ends(bytes.TrimRight(raw, "\r\n"), each); !jsonx.Valid(raw, maxLineDepth) {
			return l, false
		}
		l = lineOf(gjson.ParseBytes(raw))
		return l, l.Kind == kind && (kind != "said" || l.By == "" || l.By == byUser)
	}
	return l, false
}
