package sentence

import (
	"strconv"
	"strings"
)

// Judgement is the part of a message's judging that is stored, so that the message need not be judged again when it is
// shown.
type Judgement struct {
	Idle  bool    // nothing that it says holds on
	Parts []Place // its sentences that are worth anything, in their order
}

// Place is where a sentence stands in its message, in bytes, and what the sentence is worth.
type Place struct {
	Begin, End int
	Kind       Kind
}

// Version is the number of the judgement. Raise it whenever a message is judged otherwise than before: a stored
// judgement of another number is dropped, and the message is judged again.
const Version = 1

// maxStored is how long a stored judgement is at most, in bytes. A message with more sentences is judged again each
// time.
const maxStored = 2 << 10

// Judge judges the part of message that Ends returns. answers says that the message answers a question of Claude's.
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

// IsIdle reports whether a message says nothing that holds on: chatter, a command, a call to go on, a question to
// memento, or plain words that leave the mission. answers says that the message answers a question of Claude's.
func IsIdle(message string, answers bool) bool {
	return IsChatter(message) || IsCommand(message) || Continues(message, "") || AsksMemento(message) ||
		!answers && Closes(message) && Leaving(message) == ""
}

// letters stand for the kinds in a stored judgement.
const letters = "-fptswlr"

// fingerprint returns a hash of message. A history can be edited, and the places of a judgement fit only the words that
// were judged.
func fingerprint(message string) string {
	sum := uint32(2166136261) // FNV-1a, without a copy of what may be 64 KB
	for i := range len(message) {
		sum = (sum ^ uint32(message[i])) * 16777619
	}
	return strconv.FormatUint(uint64(sum), 36)
}

// Stored returns g as it is stored beside message: the version, the fingerprint of message, and the parts. It is "" for
// a judgement that is too long.
func (g Judgement) Stored(message string) string {
	out := strconv.AppendInt(nil, Version, 10)
	out = append(append(out, ':'), fingerprint(message)...)
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

// ReadJudgement reads what Stored returned for message. ok is false for another version, for other words, and for text
// that Stored does not write.
func ReadJudgement(stored, message string) (g Judgement, ok bool) {
	version, rest, _ := strings.Cut(stored, ":")
	words, rest, _ := strings.Cut(rest, " ")
	if version != strconv.Itoa(Version) || words != fingerprint(message) {
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
