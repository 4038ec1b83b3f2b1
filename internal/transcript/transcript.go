// Package transcript reads the clients' session transcripts: JSON lines of any length, which a client appends while
// they are read, in the form of Claude Code; package client gives the lines of Codex that form. It streams, returns the
// position where it stopped, and separates the words of a person from those of the client, of tools and of the model.
// Package sentence judges what words mean. Sessions, journals and records may not come in.
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

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	// maxLine is the longest line that is read, in bytes: a prompt with a pasted screenshot fits. A longer line is
	// passed over without being held in memory.
	maxLine  = 8 << 20
	maxDepth = 256
	headSize = 512
	tailSize = 64
	// maxHeld is the longest line, in bytes, that gets no more memory than it needs.
	maxHeld = 1 << 20
	// bufferSize is the number of bytes read at once. More makes long files no faster.
	bufferSize = 64 << 10
	// checkBytes is the number of bytes read between two questions for time.
	checkBytes = 16 << 10
)

// Position is how far a transcript has been read.
type Position struct {
	Offset int64  `json:"offset,omitempty"`
	Long   int64  `json:"long,omitempty"`   // bytes read behind Offset of a line that is too long and has no end yet
	File   string `json:"file,omitempty"`   // the file's fingerprint
	Turn   string `json:"turn,omitempty"`   // fingerprints of the newest turn's last lines
	Queued string `json:"queued,omitempty"` // prompts that wait
	Marked bool   `json:"marked,omitempty"` // the client marks what is typed
}

// Fields is the table of the position's fields.
func (p *Position) Fields(t *jsonx.Table) {
	jsonx.Number(t, "offset", &p.Offset)
	jsonx.Number(t, "long", &p.Long)
	t.Wordless("file", &p.File)
	t.Wordless("turn", &p.Turn)
	t.Wordless("queued", &p.Queued)
	t.Yes("marked", &p.Marked)
}

// Continues reports whether from is a position in the file at path. It returns true for a missing file.
func Continues(path string, from Position) bool {
	file, err := safefile.Open(path)
	if err != nil {
		return true
	}
	defer file.Close()
	return fingerprint(file, from.Offset) == from.File
}

// Unchanged reports whether from is the end of the transcript at path.
func Unchanged(path string, from Position) bool {
	info, err := os.Lstat(path)
	return err == nil && from.Offset > 0 && info.Size() == from.Offset+from.Long && Continues(path, from)
}

// Printed reports whether a tool's output in the transcript holds these words. Spacing, case and quotation marks do not
// matter. It reads the whole file.
func Printed(path, words string) (bool, error) {
	want, found := text.Fold(words), false
	if want == "" {
		return false, nil
	}
	_, _, err := readLines(path, Position{}, nil, func(_ int64, line []byte) bool {
		if line != nil && bytes.Contains(line, []byte(`"tool_result"`)) && jsonx.Valid(line, maxDepth) {
			gjson.GetBytes(line, "message.content").ForEach(func(_, b gjson.Result) bool {
				found = b.Get("type").Str == "tool_result" && strings.Contains(text.Fold(flat(b.Get("content"))), want)
				return !found
			})
		}
		return !found
	})
	return found, err
}

// flat returns the text of a tool's result, which is a string or a list of text blocks.
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

// open opens the transcript at path and returns the offset to read from: that of from or, in a file that was replaced,
// cut or rewritten, 0. The error for a missing file is fs.ErrNotExist.
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

// readLines calls f with each line behind the position from and its offset, until f or goOn returns false. It returns
// the position to go on from, without its turn, and whether the whole file was read. On an error the position is from.
// See lines for how it reads.
func readLines(path string, from Position, goOn func() bool,
	f func(at int64, line []byte) bool) (Position, bool, error) {
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

// lines calls f with each line of file between the offsets at and end, until f or goOn returns false. It calls goOn, if
// not nil, every checkBytes, but not before the first line: each call makes progress. It returns the offset behind the
// last line and whether the whole file was read. A line that has no end yet is left for the next call. A line longer
// than maxLine is passed as nil.
//
// long is the number of bytes that an earlier call read of a line at at that is longer than maxLine; they are not read
// again. The result long says the same of the line where reading ended.
func lines(file *os.File, at, long, end int64, goOn func() bool,
	f func(at int64, line []byte) bool) (int64, int64, bool, error) {
	f = inOneForm(file, f)
	r := bufio.NewReaderSize(io.NewSectionReader(file, at+long, end-at-long), bufferSize)
	// held has a line that the reader's buffer does not hold; it is read again once its length is known
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
		case err == io.EOF: // the last line has no end yet
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
				// once for all such lines: memory costs nothing until it is written to
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

// inOneForm returns f for the lines of file as Claude Code would have written them; a line of another client's may be
// several of those.
func inOneForm(file *os.File, f func(at int64, line []byte) bool) func(at int64, line []byte) bool {
	from := client.Of(file.Name())
	if from == client.ClaudeCode {
		return f
	}
	return func(at int64, line []byte) bool {
		if line == nil {
			return f(at, nil)
		}
		for _, line := range from.Lines(line) {
			if !f(at, line) {
				return false
			}
		}
		return true
	}
}

// lineAt returns the line at the offset at, nil for none and for one that is too long.
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

// End returns the position at the end of the transcript at path, the zero Position for a missing file.
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

// fingerprint returns a hash of the file's first bytes and of those before offset, "" for a shorter file.
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
