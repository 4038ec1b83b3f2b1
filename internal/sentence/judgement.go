package sentence

import (
	"strconv"
	"strings"
)

// Judgement is what is worth keeping of a message's judging, so that it need not be judged again when it is shown.
type Judgement struct {
	Idle  bool    // nothing that it says holds on
	Parts []Place // its sentences that are worth anything, in their order
}

// Place is where a sentence stands in its message, in bytes, and what it is worth.
type Place struct {
	Begin, End int
	Kind       Kind
}

// Version is the number of the judgement. It rises whenever a message is judged otherwise than before: a judgement of
// another number is not read, and the message judged anew.
const Version = 1

// maxStored is how long a judgement may be that is stored, in bytes: a message with more sentences is judged anew.
const maxStored = 2 << 10

// Judge judges message, as much of it as Ends leaves. answers says that it answers a question of Claude's.
func Judge(message string, answers bool) Judgement {
	g := Judgement{Idle: IsIdle(message, answers)}
	at := 0
	for _, s := range judge(message) {
		i := strings.Index(message[at:], s.Text)
		if i < 0 {
			continue
		}
		begin := at + i
		at = begin + len(s.Text)
		if kind := s.Kind(); kind > foreign && !IsChatter(s.Text) {
			g.Parts = append(g.Parts, Place{begin, at, kind})
		}
	}
	return g
}

// IsIdle reports whether a message says nothing that holds on: chatter, a command, a call to go on, a question put to
// memento, or plain words that leave the mission. answers says that it answers a question of Claude's.
func IsIdle(message string, answers bool) bool {
	return IsChatter(message) || IsCommand(message) || Continues(message, "") || AsksMemento(message) ||
		!answers && Closes(message) && Leaving(message) == ""
}

// letters stand for the kinds where they are stored.
const letters = "-fptswlr"

// mark tells message from others: a history can be edited, and a part that was a rule in other words is none in these.
func mark(message string) string {
	sum := uint32(2166136261) // FNV-1a, without a copy of what may be 64 KB
	for i := range len(message) {
		sum = (sum ^ uint32(message[i])) * 16777619
	}
	return strconv.FormatUint(uint64(sum), 36)
}

// Stored returns g as it is kept beside message: its version, the mark of message, and each part. It is "" for what is
// not worth it.
func (g Judgement) Stored(message string) string {
	out := strconv.AppendInt(nil, Version, 10)
	out = append(append(out, ':'), mark(message)...)
	if g.Idle {
		out = append(out, " idle"...)
	}
	for _, p := range g.Parts {
		out = strconv.AppendInt(append(out, ' '), int64(p.Begin), 10)
		out = strconv.AppendInt(append(out, '-'), int64(p.End), 10)
		out = append(out, letters[p.Kind])
	}
	if len(out) > maxStored {
		return ""
	}
	return string(out)
}

// ReadJudgement reads what Stored returned for message. ok is false when it is of another version or of other words, or
// not to be understood.
func ReadJudgement(stored, message string) (g Judgement, ok bool) {
	version, rest, _ := strings.Cut(stored, ":")
	words, rest, _ := strings.Cut(rest, " ")
	if version != strconv.Itoa(Version) || words != mark(message) {
		return g, false
	}
	if rest != "" {
		g.Parts = make([]Place, 0, strings.Count(rest, " ")+1)
	}
	at := 0
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, " ")
		switch part {
		case "idle":
			g.Idle = true
			continue
		case "":
			return Judgement{}, false
		}
		last := len(part) - 1
		begin, end, _ := strings.Cut(part[:last], "-")
		from, bad := strconv.Atoi(begin)
		to, worse := strconv.Atoi(end)
		p := Place{from, to, Kind(strings.IndexByte(letters, part[last]))}
		if bad != nil || worse != nil || from < at || to <= from || to > len(message) || p.Kind <= foreign {
			return Judgement{}, false
		}
		at = p.End
		g.Parts = append(g.Parts, p)
	}
	return g, true
}
