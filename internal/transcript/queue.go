package transcript

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// queue has the prompts that a person typed while Claude was at work, until the client passes them to Claude. With a
// "remove" within a turn the client passes on all that wait. A client up to 2.1.74 at least writes no other line for
// them than those of the queue; a later one also writes a queued_command line for each, before or behind the remove,
// and from 2.1.212 on repeats the prompt in the remove. A prompt that begins a turn of its own ("dequeue") gets a line
// like any other. Prompts that are taken back to be edited ("popAll") were not said.
type queue struct {
	at    []int64  // the offsets of the enqueue lines of the prompts that wait
	given []uint64 // fingerprints of the prompts passed on last: lines of their own may repeat them
	due   bool     // the line of a prompt that left the queue to begin a turn is not there yet
}

// maxQueue is how many prompts are held. The oldest of more were left by a client that was killed.
const maxQueue = 16

// take reads a queue-operation line at the offset at and calls f with each prompt that it passes on. lineAt reads
// another line of the file.
func (q *queue) take(at int64, l *fields, lineAt func(int64) []byte, f func(Entry)) {
	switch l.str("operation") {
	case "enqueue":
		// a prompt with a picture is not in the line, but has its place in the queue
		if _, ok := waiting(l); ok || !l.has("content") {
			q.at = append(q.at, at)
			q.at = q.at[max(0, len(q.at)-maxQueue):]
		}
	case "popAll":
		q.at = nil
	case "dequeue":
		q.due = true
	case "remove":
		if len(q.at) == 0 || l.has("content") {
			break
		}
		all := q.at
		q.at, q.given = nil, nil
		for _, at := range all {
			if e, ok := enqueued(lineAt(at)); ok {
				q.given = append(q.given, fingerprintOf(e.Prompts[0].Text))
				f(e)
			}
		}
	}
}

// enqueued returns the prompt in a line of the queue.
func enqueued(line []byte) (e Entry, ok bool) {
	l := new(fields)
	l.entries(line, func(at int, _ []byte) {
		if at == 0 { // another one may follow in the same line
			var p Prompt
			p, ok = waiting(l)
			e = Entry{UUID: p.UUID, TS: p.TS, Prompts: []Prompt{p}, fields: l}
		}
	})
	return e, ok
}

// shown takes the prompt of e, a line of its own, off the queue and sets when it was typed. It reports whether the line
// only repeats a prompt that was passed on. Behind a dequeue the line may have other words than the ones that waited,
// such as the full name of a command.
func (q *queue) shown(e *Entry, lineAt func(int64) []byte) (again bool) {
	begins := e.fields.str("type") != "attachment"
	due := q.due && begins
	q.due = q.due && !begins
	if len(e.Prompts) == 1 {
		p := &e.Prompts[0]
		for i, at := range q.at {
			if was, ok := enqueued(lineAt(at)); ok && was.Prompts[0].Text == p.Text {
				if _, err := time.Parse(time.RFC3339, was.TS); err == nil {
					p.Typed = was.TS
				}
				q.at = slices.Delete(q.at, i, i+1)
				return false
			}
		}
		i := slices.Index(q.given, fingerprintOf(p.Text))
		if again = i >= 0 && (due || !begins); again {
			q.given = slices.Delete(q.given, i, i+1)
			return true
		}
	}
	if due && len(q.at) > 0 && (len(e.Prompts) > 0 || e.Doubtful != "") {
		q.at = q.at[1:]
	}
	return false
}

// waiting returns the prompt that a person put into the queue by this line, false for a message of the client's and for
// a command without words. The line has no uuid; a fingerprint serves as one.
func waiting(l *fields) (Prompt, bool) {
	words := l.str("content")
	if l.str("operation") != "enqueue" || strings.HasPrefix(words, `{"task_id":`) {
		return Prompt{}, false
	}
	id := fmt.Sprintf(queuedID+"%016x", fingerprintOf(l.str("timestamp")+words))
	words = Clean(words)
	if words == "" || words[0] == '/' && !strings.ContainsAny(words[1:], "/. \n") { // only a command's name
		return Prompt{}, false
	}
	return Prompt{UUID: id, TS: l.str("timestamp"), Text: words}, true
}

// queuedID begins the id of a prompt that only a line of the queue shows.
const queuedID = "queued-"

// Queued reports whether only a line of the queue shows p, so that TS is when it was put there.
func (p Prompt) Queued() bool { return strings.HasPrefix(p.UUID, queuedID) }

// String packs the queue for Position.
func (q *queue) String() string {
	var parts []string
	for _, mark := range q.given {
		parts = append(parts, "="+strconv.FormatUint(mark, 16))
	}
	if q.due {
		parts = append(parts, "!")
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
		q.due = q.due || part == "!"
		if mark, ok := strings.CutPrefix(part, "="); ok && len(q.given) < maxQueue {
			if n, err := strconv.ParseUint(mark, 16, 64); err == nil {
				q.given = append(q.given, n)
			}
		} else if at, err := strconv.ParseInt(part, 10, 64); err == nil && at >= 0 && len(q.at) < maxQueue {
			q.at = append(q.at, at)
		}
	}
	return q
}
