package transcript

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
)

// A transcript is a tree: each line names its parent. A person who goes back in the conversation (/rewind, an edited
// prompt, --resume-session-at) begins another branch at an earlier line. The lines of the branch that was left stay in
// the file, but the model does not see them. While reading forward, a prompt whose parent is not among the remembered
// lines of the newest turn shows that there may be another branch. Only then the whole file is read; see Left.

// turnSize is how many lines of the newest turn are remembered: those that were continued or written last.
const turnSize = 64

// turn holds the fingerprints of the newest prompt and of lines that continue it, the one used last at the end.
type turn struct{ fingerprints []uint64 }

// node is the place of a line in the tree.
type node struct {
	id, parent uint64 // parent is 0 for a line that continues none
	prompt     bool   // a person's: it begins a turn
}

// place returns the place of the line with these fields in the tree, false for a line outside it: one without a uuid,
// or of a subagent.
func place(f *fields) (node, bool) {
	if len(f.uuid) < 3 || f.uuid[0] != '"' || string(f.sidechain) == "true" {
		return node{}, false
	}
	n := node{id: fingerprintOf(f.uuid)}
	for _, parent := range [...][]byte{f.parent, f.logical} {
		if len(parent) > 2 && parent[0] == '"' {
			n.parent = fingerprintOf(parent)
			break
		}
	}
	return n, true
}

// fingerprintOf returns a hash of a uuid, never 0.
func fingerprintOf(uuid []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range uuid {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return max(h, 1)
}

// add adds the next line of the file and reports whether it is a prompt that may stand on another branch: its parent is
// none of the remembered lines.
func (t *turn) add(n node) (stray bool) {
	at := slices.Index(t.fingerprints, n.parent)
	switch {
	case n.prompt:
		stray = at < 0 && n.parent != 0 && len(t.fingerprints) > 0
		t.fingerprints = append(t.fingerprints[:0], n.id)
	case at >= 0:
		t.fingerprints = append(slices.Delete(t.fingerprints, at, at+1), n.parent, n.id)
		if len(t.fingerprints) > turnSize {
			t.fingerprints = slices.Delete(t.fingerprints, 0, len(t.fingerprints)-turnSize)
		}
	}
	return stray
}

// String packs the turn for Position.
func (t *turn) String() string {
	data := make([]byte, 0, 8*turnSize)
	for _, m := range t.fingerprints {
		data = binary.LittleEndian.AppendUint64(data, m)
	}
	return base64.RawStdEncoding.EncodeToString(data)
}

// turnOf unpacks a turn that String packed. Any other string gives an empty turn.
func turnOf(s string) turn {
	data, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || len(data)%8 != 0 || len(data) > 8*turnSize {
		return turn{}
	}
	var t turn
	for ; len(data) > 0; data = data[8:] {
		t.fingerprints = append(t.fingerprints, binary.LittleEndian.Uint64(data))
	}
	return t
}

// maxNodes is the number of lines that a tree may hold, in about 16 MB of memory.
const maxNodes = 1 << 18

// Left reads the transcript at path up to the offset end. For the uuid of each prompt it reports whether the prompt was
// rewound: it is not on the branch of the newest prompt. answers has the uuids of Claude's lines on the branches that
// were left. Both are nil when goOn ends the reading, the file cannot be read, or it has more than maxNodes lines.
//
// A line whose parent is unknown continues the newest prompt: the client writes such lines after a compaction, after it
// was killed and in a fork (seen with clients 2.0 to 2.1), and losing a person's words is worse than keeping too many.
// So does a line without a parent. Words typed into a dialog belong to their turn: parallel calls make side branches
// that nobody left. A command without an answer ("/compact", "/exit") is not rewound: the client goes on before it.
func Left(path string, end int64, goOn func() bool) (prompts map[string]bool, answers []string) {
	file, _, err := open(path, Position{})
	if err != nil {
		return nil, nil
	}
	defer file.Close()
	whole := tree{turns: map[uint64]int32{}}
	_, _, done, err := lines(file, 0, 0, end, goOn, func(_ int64, line []byte) bool {
		whole.line(line)
		return len(whole.turns) <= maxNodes
	})
	if err != nil || !done {
		return nil, nil
	}
	return whole.rewound(), whole.left()
}

// tree says of each line of a transcript which prompt it continues.
type tree struct {
	turns   map[uint64]int32 // fingerprint of a line -> the number of its prompt, -1 before the first
	prompts []said
	asides  []said
	answers []said // Claude's lines
	fields  fields // the current line
}

// said is a line of the user's or Claude's in the tree.
type said struct {
	uuid     string
	turn     int32 // the number of the prompt that it continues, -1 for none
	command  bool
	answered bool
}

// line adds the next line of the file.
func (t *tree) line(line []byte) {
	t.fields.entries(line, func(_ int, entry []byte) {
		if entry != nil {
			t.add(entry)
		}
	})
}

// add adds the entry that was split into t.fields.
func (t *tree) add(line []byte) {
	f := &t.fields
	newest := int32(len(t.prompts) - 1)
	if p, ok := waiting(line, f); ok { // it belongs to the turn in which it was typed
		t.asides = append(t.asides, said{uuid: p.UUID, turn: newest})
	}
	n, ok := place(f)
	if !ok {
		return
	}
	var e Entry
	if kind := string(f.typ); kind != `"assistant"` {
		e, _ = entry(line, f)
	}
	turn, known := t.turns[n.parent]
	if !known {
		turn = newest
	}
	own := slices.IndexFunc(e.Prompts, func(p Prompt) bool { return !p.Aside })
	for _, p := range e.Prompts {
		if p.Aside {
			t.asides = append(t.asides, said{uuid: p.UUID, turn: turn})
		}
	}
	if own >= 0 {
		if _, again := t.turns[n.id]; again {
			return // the same line once more
		}
		p := e.Prompts[own]
		t.prompts = append(t.prompts, said{uuid: p.UUID, turn: turn, command: strings.HasPrefix(p.Text, "/")})
		turn = newest + 1
	} else if turn >= 0 && string(f.typ) == `"assistant"` {
		t.prompts[turn].answered = true
		t.answers = append(t.answers, said{uuid: string(f.uuid[1 : len(f.uuid)-1]), turn: turn})
	}
	t.turns[n.id] = turn
}

// rewound returns for the uuid of each prompt whether it was rewound.
func (t *tree) rewound() map[string]bool {
	live := t.live()
	out := make(map[string]bool, len(t.prompts)+len(t.asides))
	for i, p := range t.prompts {
		out[p.uuid] = !live[i] && (p.answered || !p.command)
	}
	for _, a := range t.asides {
		out[a.uuid] = a.turn >= 0 && !live[a.turn]
	}
	return out
}

// left returns the uuids of Claude's lines on branches that were left.
func (t *tree) left() (out []string) {
	live := t.live()
	for _, a := range t.answers {
		if !live[a.turn] {
			out = append(out, a.uuid)
		}
	}
	return out
}

// live returns for each prompt whether it is on the newest prompt's branch.
func (t *tree) live() []bool {
	live := make([]bool, len(t.prompts))
	// a prompt always continues an earlier one, so this ends
	for at := int32(len(t.prompts) - 1); at >= 0; at = t.prompts[at].turn {
		live[at] = true
	}
	return live
}
