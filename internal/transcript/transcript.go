// Package transcript reads the client's session transcripts: JSON lines, append-only, of any length, written while they
// are read. It streams, remembers where it stopped, and tells what a person typed from what the client, a tool or a
// model put there. What the words mean is capture's business.
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

// Continues reports whether reading goes on at from: the file is still the one it was taken in.
func Continues(path string, from Position) bool {
	file, err := safefile.Open(path)
	if err != nil {
		return true // there is nothing to start over with
	}
	defer file.Close()
	return mark(file, from.Offset) == from.File
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
	return mark(file, from.Offset) == from.File
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
	if m := mark(file, start); start > 0 && (m == "" || m != from.File) {
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
	return Position{Offset: at, Long: long, File: mark(file, at)}, end, nil
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
	return Position{Offset: info.Size(), File: mark(file, info.Size())}
}

// mark recognises the file by its first bytes and those just before offset: "" when the file is shorter.
func mark(f *os.File, offset int64) string {
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

// humanOrigin reports whether a line's origin field leaves room for a person: task notifications and other machine
// messages name what sent them (measured on client 2.1.329).
func humanOrigin(origin gjson.Result) bool {
	kind := origin.Str
	if origin.IsObject() {
		kind = origin.Get("kind").String()
	}
	return kind == "" || kind == "human" || kind == "user"
}

// Clean takes out of a prompt, as it was submitted, what the client put around or instead of what was typed, and
// returns the rest, "" when nothing was typed. Only what stands at the beginning or the end, spelled as the client
// spells it, is the client's: a person may write about its tags. A slash command is returned as it was typed, "/name
// arguments". Everybody who takes what a person typed takes it from here, so what they called private goes no further;
// see text.Private.
func Clean(s string) string { return private(typed(s), program) }

// private returns what was typed, s, without what is private, and "" where a machine submitted it.
func private(s string, by writer) string {
	if by != person && (machine(s) || begins(s, submitted[:])) {
		return ""
	}
	return strings.TrimSpace(text.Private(s))
}

// typed is Clean with what is private.
func typed(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "<command-") {
		name := strings.TrimPrefix(strings.TrimSpace(between(s, "<command-name>", "</command-name>")), "/")
		args := strings.TrimSpace(between(s, "<command-args>", "</command-args>"))
		if args == "" || name == "" || text.Private(args) == "" {
			return text.Private(args) // nothing but a command of the client's or a plugin's
		}
		return "/" + name + " " + text.Private(args)
	}
	for _, name := range around {
		// what is not there is not searched for: a message may be megabytes
		for open, end := "<"+name, "</"+name+">"; ; {
			if opens(s, open) {
				if _, after, ok := strings.Cut(s, end); ok {
					s = strings.TrimSpace(after)
					continue
				}
			}
			if !strings.HasSuffix(s, end) {
				break
			}
			at := strings.LastIndex(s, open)
			if at < 0 || !opens(s[at:], open) {
				break
			}
			s = strings.TrimSpace(s[:at])
		}
	}
	if placeholder(s) {
		return ""
	}
	if strings.HasPrefix(s, "Implement the following plan:\n") {
		for _, hint := range planHints {
			if at := strings.LastIndex(s, "\n\n"+hint); at >= 0 {
				behind := s[at+2:]
				if _, rest, ok := strings.Cut(behind, "\n\n"); ok {
					s = strings.TrimSpace(s[:at]) + "\n\n" + rest
				} else {
					s = strings.TrimSpace(s[:at])
				}
			}
		}
	}
	return s
}

// around are the elements in which the client, an editor or a service puts what it has to say beside a person's words.
var around = [...]string{"system-reminder", "user-prompt-submit-hook", "ide_opened_file", "ide_selection",
	"ide_diagnostics", "new-diagnostics", "local-command-stdout", "local-command-stderr", "local-command-caveat",
	"ci-monitor-event", "github-webhook-activity"}

// submitted are how messages begin that the client submits as prompts of its own accord (clients 1.0 to 2.1).
var submitted = [...]string{"<task-notification>\n", "<agent-notification>\n", "<teammate-message ",
	"<cross-session-message", "Another Claude session sent a message:\n"}

func begins(s string, with []string) bool {
	return slices.ContainsFunc(with, func(begin string) bool { return strings.HasPrefix(s, begin) })
}

// planHints begin the paragraphs that the client adds to a plan which a new session is to carry out. The person's own
// words about the plan may follow.
var planHints = [...]string{"If you need specific details from before exiting plan mode (",
	"If this plan can be broken down into multiple independent tasks, consider using the "}

// opens reports whether s begins with the tag open, with attributes or without.
func opens(s, open string) bool {
	rest, ok := strings.CutPrefix(s, open)
	return ok && rest != "" && (rest[0] == '>' || rest[0] == ' ' || rest[0] == '\n')
}

// placeholder reports whether s is nothing but what the client puts in the place of pasted pictures: [Image #1],
// [Image: source: …].
func placeholder(s string) bool {
	n := 0
	for ; strings.HasPrefix(s, "[Image #") || strings.HasPrefix(s, "[Image: "); n++ {
		_, rest, ok := strings.Cut(s, "]")
		if !ok {
			return false
		}
		s = strings.TrimSpace(rest)
	}
	return n > 0 && s == ""
}

// machine reports whether the whole of s is one element in which a service submits what happened, such as
// <ci-monitor-event>…</ci-monitor-event> (clients 2.1). A person may type an element of their own page, or an empty
// one.
func machine(s string) bool {
	if !strings.HasPrefix(s, "<") {
		return false
	}
	name := s[1:]
	if i := strings.IndexAny(name, " >\n"); i > 0 {
		name = name[:i]
	}
	at := strings.LastIndexByte(name, '-')
	if at < 0 || !strings.HasSuffix(s, "</"+name+">") || strings.HasSuffix(s, "></"+name+">") {
		return false
	}
	return slices.Contains([]string{"event", "activity", "notification", "message", "command"}, name[at+1:])
}

// between returns what stands between the first open and the end behind it, "" when one of them is missing.
func between(s, open, end string) string {
	_, rest, _ := strings.Cut(s, open)
	inner, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return inner
}
