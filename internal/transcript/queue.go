package transcript

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// queue has the prompts that a person typed while Claude was at work, until the client passes them to Claude. For a
// prompt that it passes on within a turn ("remove"), a client up to 2.1.74 at least writes no other line than those of
// the queue; one from 2.1.212 on also writes a queued_command line. A prompt that begins a turn of its own ("dequeue")
// gets a line like any other. A prompt that is taken back to be edited ("popAll") was not said.
type queue struct {
	at    []int64 // the offsets of the enqueue lines
	given uint64  // fingerprint of the prompt passed on last: a queued_command line may repeat it

	// the prompt that left the queue last and gets a line of its own: its fingerprint, and when it was typed
	waited uint64
	typed  string
}

// maxQueue is how many prompts are held. The oldest of more were left by a client that was killed.
const maxQueue = 16

// take reads a queue-operation line at the offset at and returns the prompt that it passes on, false for none. lineAt
// reads another line of the file.
func (q *queue) take(at int64, line []byte, l *fields, lineAt func(int64) []byte) (Entry, bool) {
	switch string(l.operation) {
	case `"enqueue"`:
		if _, ok := waiting(line, l); ok {
			q.at = append(q.at, at)
			q.at = q.at[max(0, len(q.at)-maxQueue):]
		}
	case `"popAll"`:
		q.at = nil
	case `"dequeue"`, `"remove"`:
		if len(q.at) == 0 {
			break
		}
		first := q.at[0]
		q.at = q.at[1:]
		own := string(l.operation) != `"remove"` || l.content != nil
		queued := lineAt(first)
		l := new(fields)
		// another entry follows in the same line; see entries
		if end := skip(queued, 0, maxDepth); !l.split(queued) && end > 0 {
			queued = queued[:end]
		}
		if l.split(queued) {
			if p, ok := waiting(queued, l); ok && own {
				q.waited, q.typed = fingerprintOf([]byte(p.Text)), ""
				if _, err := time.Parse(time.RFC3339, p.TS); err == nil {
					q.typed = p.TS
				}
			} else if ok {
				q.given = fingerprintOf([]byte(p.Text))
				return Entry{UUID: p.UUID, TS: p.TS, Prompts: []Prompt{p}, line: queued, fields: l}, true
			}
		}
	}
	return Entry{}, false
}

// again reports whether e, a queued_command line, repeats the prompt passed on last.
func (q *queue) again(e *Entry) bool {
	if len(e.Prompts) != 1 || q.given == 0 || fingerprintOf([]byte(e.Prompts[0].Text)) != q.given {
		return false
	}
	q.given = 0
	return true
}

// waiting returns the prompt that a person put into the queue by this line, false for a message of the client's. The
// line has no uuid; its fingerprint serves as one.
func waiting(line []byte, l *fields) (Prompt, bool) {
	if string(l.operation) != `"enqueue"` || len(l.content) < 3 || l.content[0] != '"' || !gjson.ValidBytes(line) {
		return Prompt{}, false
	}
	words := str(l.content)
	if strings.HasPrefix(words, `{"task_id":`) {
		return Prompt{}, false
	}
	words = Clean(words)
	id := fmt.Sprintf(queuedID+"%016x", fingerprintOf(line))
	return Prompt{UUID: id, TS: str(l.timestamp), Text: words}, words != ""
}

// queuedID begins the id of a prompt that only a line of the queue shows.
const queuedID = "queued-"

// Queued reports whether only a line of the queue shows p, so that TS is when it was put there.
func (p Prompt) Queued() bool { return strings.HasPrefix(p.UUID, queuedID) }

// since sets when the prompt of e was typed, if it waited in the queue.
func (q *queue) since(e *Entry) {
	if q.waited == 0 || len(e.Prompts) != 1 || e.Prompts[0].Long {
		return
	}
	if fingerprintOf([]byte(e.Prompts[0].Text)) == q.waited {
		e.Prompts[0].Typed = q.typed
		q.waited = 0
	}
}

// String packs the queue for Position.
func (q *queue) String() string {
	var parts []string
	if q.given != 0 {
		parts = append(parts, "="+strconv.FormatUint(q.given, 16))
	}
	if q.waited != 0 {
		parts = append(parts, "~"+strconv.FormatUint(q.waited, 16)+"@"+q.typed)
	}
	for _, at := range q.at {
		parts = append(parts, strconv.FormatInt(at, 10))
	}
	return strings.Join(parts, ",")
}

// queueOf unpacks a queue that String packed. It leaves out parts that it cannot read.
func queueOf(s string) queue {
	var q queue
	for _, part := range strings.Split(s, ",") {
		if mark, ok := strings.CutPrefix(part, "="); ok {
			q.given, _ = strconv.ParseUint(mark, 16, 64)
		} else if mark, ok := strings.CutPrefix(part, "~"); ok {
			mark, q.typed, _ = strings.Cut(mark, "@")
			q.waited, _ = strconv.ParseUint(mark, 16, 64)
		} else if at, err := strconv.ParseInt(part, 10, 64); err == nil && at >= 0 && len(q.at) < maxQueue {
			q.at = append(q.at, at)
		}
	}
	return q
}
