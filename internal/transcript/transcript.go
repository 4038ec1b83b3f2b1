// Package transcript reads the client's session transcripts: JSON lines, append-only, of any length, written while they
// are read. It streams, says where it stopped, and tells what a person typed from what the client, a tool or a model
// put there. What the words mean is sentence's business; no session, journal or record may come in.
package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	// maxLine is the longest line looked at, in bytes: a prompt with a pasted screenshot fits; a longer line is passed
	// over without being held in memory.
	maxLine  = 8 << 20
	maxDepth = 256
	headSize = 512
	tailSize = 64
	// maxHeld is how long a line may be that gets no more memory than it needs.
	maxHeld = 1 << 20
	// bufferSize is how much is read at once: more costs the memory of a short reading, and makes no long one faster.
	bufferSize = 64 << 10
	// checkBytes is how much is read before the reader asks whether there is time for more.
	checkBytes = 16 << 10
)

// Position is how far a transcript has been read.
type Position struct {
	Offset int64  `json:"offset,omitempty"`
	Long   int64  `json:"long,omitempty"`   // how much of the line there was read, which is too long and has no end yet
	File   string `json:"file,omitempty"`   // what the file was recognised by
	Turn   string `json:"turn,omitempty"`   // marks of the last lines of the newest prompt's turn
	Queued string `json:"queued,omitempty"` // prompts that wait
}

// Fields is the table of the position's fields.
func (p *Position) Fields(t *jsonx.Table) {
	jsonx.Number(t, "offset", &p.Offset)
	jsonx.Number(t, "long", &p.Long)
	t.Mark("file", &p.File)
	t.Mark("turn", &p.Turn)
	t.Mark("queued", &p.Queued)
}

// Begins reports whether the transcript at path has the beginning of its session: the first line that stands in the
// conversation continues no other.
func Begins(path string) (begins bool) {
	_, _, _ = follow(path, Position{}, func() bool { return true }, func(_ int64, line []byte) bool {
		parent := parse(line).Get("parentUuid")
		begins = parent.Type == gjson.Null
		return !parent.Exists()
	})
	return begins
}

// Continues reports whether reading goes on at from: the file is still the one it was taken in.
func Continues(path string, from Position) bool {
	file, err := safefile.Open(path)
	if err != nil {
		return true // there is nothing to start over with
	}
	defer file.Close()
	return fingerprint(file, from.Offset) == from.File
}

// Unchanged reports whether the transcript at path was read to its end at from, and nothing came since.
func Unchanged(path string, from Position) bool {
	if info, err := os.Lstat(path); err != nil || from.Offset == 0 || info.Size() != from.Offset+from.Long {
		return false
	}
	file, err := safefile.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return fingerprint(file, from.Offset) == from.File
}

// Printed reports whether a tool's output in the transcript holds these words, whatever the spacing, case and quote
// marks. It reads the file from its beginning: for a command, not for a hook.
func Printed(path, words string) (bool, error) {
	want, found := text.Fold(words), false
	if want == "" {
		return false, nil
	}
	_, _, err := follow(path, Position{}, nil, func(_ int64, line []byte) bool {
		if line != nil && bytes.Contains(line, []byte(`"tool_result"`)) && jsonx.Valid(line, maxDepth) {
			gjson.GetBytes(line, "message.content").ForEach(func(_, b gjson.Result) bool {
				if b.Get("type").Str == "tool_result" {
					found = found || strings.Contains(text.Fold(flat(b.Get("content"))), want)
				}
				return !found
			})
		}
		return !found
	})
	return found, err
}

// flat returns the text of a tool's result: a string, or blocks of text.
func flat(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	var parts []string
	content.ForEach(func(_, b gjson.Result) bool {
		parts = append(parts, b.Get("text").String())
		return true
	})
	return strings.Join(parts, "\n")
}

// open opens the transcript at path and returns where reading goes on after from: at its beginning, when the file is
// not the one from was taken in, or was cut or rewritten. A missing file is fs.ErrNotExist.
func open(path string, from Position) (*os.File, int64, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, 0, err
	} else if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: not a regular file", path)
	}
	file, err := safefile.Open(path)
	if err != nil {
		return nil, 0, err
	}
	start := max(0, from.Offset)
	if m := fingerprint(file, start); start > 0 && (m == "" || m != from.File) {
		start = 0
	}
	return file, start, nil
}

// follow calls f with each line after the position from and where it begins, until f returns false or goOn does; see
// lines for how it reads. It returns the position to go on from, its turn left out, and whether all there is was read.
// On an error the position is from.
func follow(path string, from Position, goOn func() bool, f func(at int64, line []byte) bool) (Position, bool, error) {
	file, start, err := open(path, from)
	if err != nil {
		return from, false, err
	}
	defer file.Close()
	long := from.Long
	if info, err := file.Stat(); start != from.Offset || err != nil || info.Size() < start+long {
		long = 0
	}
	at, long, end, err := lines(file, start, long, math.MaxInt64, goOn, f)
	if err != nil {
		return from, false, err
	}
	if at == from.Offset && start == from.Offset {
		from.Long = long
		return from, end, nil
	}
	return Position{Offset: at, Long: long, File: fingerprint(file, at)}, end, nil
}

// lines calls f with each line of file between the offsets at and end until f returns false, or goOn does (nil never
// does; it is asked every checkBytes, but not before the first line, so that every call gets on). It returns the offset
// behind the last line and whether all there is was read. A last line that is still being written is left for the next
// call; one longer than maxLine is passed as nil.
//
// long is how much of the line at at an earlier call has read: that is not read again. The result long is that of the
// line where reading ended, 0 while the line is not longer than maxLine and may have to be looked at.
func lines(file *os.File, at, long, end int64, goOn func() bool,
	f func(at int64, line []byte) bool) (int64, int64, bool, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(file, at+long, end-at-long), bufferSize)
	// a line that the reader's buffer does not hold: read again once its length is known, so that none beyond maxLine
	// ever is
	var held []byte
	size, unchecked, first := long, int64(0), true
	late := func() bool {
		if goOn == nil || unchecked < checkBytes {
			return false
		}
		unchecked = 0
		return !goOn()
	}
	for {
		piece, err := r.ReadSlice('\n')
		if size += int64(len(piece)); size > maxLine {
			long = size
			unchecked += int64(len(piece))
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if size > maxLine && unchecked >= maxHeld && late() {
				return at, long, false, nil
			}
			continue
		case err == io.EOF: // what is left has no newline yet
			return at, long, true, nil
		case err != nil:
			return at, 0, false, err
		case !first && late():
			return at, 0, false, nil
		}
		line := piece
		switch {
		case size > maxLine:
			line = nil
		case size > int64(len(piece)):
			if size > maxHeld && cap(held) < maxLine {
				// for all such lines to come: memory that nothing is written to costs nothing
				held = make([]byte, maxLine)
			}
			held = slices.Grow(held[:0], int(size))[:size]
			if _, err := file.ReadAt(held, at); err != nil {
				return at, 0, false, err
			}
			line = held
		}
		more := f(at, line)
		unchecked += size
		if at, size, long, first = at+size, 0, 0, false; !more {
			return at, 0, false, nil
		}
	}
}

// lineAt returns the line that begins at the offset at, nil when there is none or it is too long.
func lineAt(path string, at int64) (line []byte) {
	file, _, err := open(path, Position{})
	if err != nil {
		return nil
	}
	defer file.Close()
	_, _, _, _ = lines(file, at, 0, at+maxLine, nil, func(_ int64, l []byte) bool {
		line = slices.Clone(l)
		return false
	})
	return line
}

// End returns the position behind all that the transcript at path holds now, the zero Position for a missing one.
func End(path string) Position {
	file, err := safefile.Open(path)
	if err != nil {
		return Position{}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return Position{}
	}
	return Position{Offset: info.Size(), File: fingerprint(file, info.Size())}
}

// fingerprint recognises the file by its first bytes and those just before offset: "" when the file is shorter.
func fingerprint(f *os.File, offset int64) string {
	h := fnv.New64a()
	head := make([]byte, min(headSize, offset))
	tail := make([]byte, min(tailSize, offset))
	if _, err := f.ReadAt(head, 0); err != nil {
		return ""
	}
	if _, err := f.ReadAt(tail, offset-int64(len(tail))); err != nil {
		return ""
	}
	h.Write(head)
	h.Write(tail)
	return fmt.Sprintf("%016x", h.Sum64())
}
