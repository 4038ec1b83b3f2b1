package transcript

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/client"
)

// A transcript is a tree: each line names its parent. A person who goes back in the conversation (/rewind, an edited
// prompt, --resume-session-at) begins another branch at an earlier line. The lines of the branch that was left stay in
// the file, but the model does not see them. While reading forward, a prompt whose parent is not among the remembered
// lines of the newest turn shows that there may be another branch. Only then the whole file is read; see Left.
//
// A line may stand before its parent (seen with clients 2.1.77 to 2.1.232): client 2.1.139 writes what ends a turn
// (stop_hook_summary, turn_duration) before the prompt that begins it. Then the whole file is read for nothing.

// turnSize is how many lines of the newest turn are remembered: those that were continued or written last.
const turnSize = 64

// turn holds the fingerprints of the newest prompt and of lines that continue it, the one used last at the end.
type turn []uint64

// node is the place of a line in the tree.
type node struct {
	id, parent uint64 // parent is 0 for a line that continues none
	prompt     bool   // a person's: it begins a turn
}

// place returns the place of the line with these fields in the tree, false for a line outside it: one without a uuid,
// or of a subagent.
func place(f *fields) (node, bool) {
	if f.str("uuid") == "" || f.is("isSidechain") {
		return node{}, false
	}
	n := node{id: fingerprintOf(f.str("uuid"))}
	if parent := cmp.Or(f.str("parentUuid"), f.str("logicalParentUuid")); parent != "" {
		n.parent = fingerprintOf(parent)
	}
	return n, true
}

// fingerprintOf returns a hash of a uuid, never 0.
func fingerprintOf(uuid string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(uuid) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return max(h, 1)
}

// add adds the next line of the file and reports whether it is a prompt that may stand on another branch: its parent is
// none of the remembered lines.
func (t *turn) add(n node) (stray bool) {
	at := slices.Index(*t, n.parent)
	switch {
	case n.prompt:
		stray = at < 0 && n.parent != 0 && len(*t) > 0
		*t = append((*t)[:0], n.id)
	case at >= 0:
		*t = append(slices.Delete(*t, at, at+1), n.parent, n.id)
		*t = slices.Delete(*t, 0, max(0, len(*t)-turnSize))
	}
	return stray
}

// String packs the turn for Position.
func (t turn) String() string {
	data := make([]byte, 0, 8*turnSize)
	for _, m := range t {
		data = binary.LittleEndian.AppendUint64(data, m)
	}
	return base64.RawStdEncoding.EncodeToString(data)
}

// turnOf unpacks a turn that String packed. Any other string gives an empty turn.
func turnOf(s string) (t turn) {
	data, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || len(data)%8 != 0 || len(data) > 8*turnSize {
		return nil
	}
	for ; len(data) > 0; data = data[8:] {
		t = append(t, binary.LittleEndian.Uint64(data))
	}
	return t
}

// maxNodes is the number of lines that a tree may hold, in about 16 MB of memory.
const maxNodes = 1 << 18

// Left reads the transcript at path up to the offset end. For the uuid of each prompt it reports whether the prompt was
// rewound: it is not on the branch of the newest prompt. It returns nil when goOn ends the reading, the file cannot be
// read, or it has more than maxNodes lines.
//
// A line whose parent stands nowhere in the file continues the newest prompt: the client writes such lines after a
// compaction, after it was killed and in a fork (seen with clients 2.0 to 2.1), and losing a person's words is worse
// than keeping too many. So does a line without a parent. Words typed into a dialog belong to their turn: parallel
// calls make side branches that nobody left. A command without an answer ("/compact", "/exit") is not rewound: the
// client goes on before it.
func Left(path string, end int64, goOn func() bool) map[string]bool {
	if client.Of(path) == client.Codex {
		return reverted(path, goOn)
	}
	file, _, err := open(path, Position{})
	if err != nil {
		return nil
	}
	defer file.Close()
	whole := tree{spots: map[uint64]spot{}}
	_, _, done, err := lines(file, 0, 0, end, goOn, func(_ int64, line []byte) bool {
		whole.fields.entries(line, func(_ int, entry []byte) {
			if entry != nil {
				whole.add()
			}
		})
		return len(whole.spots) <= maxNodes
	})
	if err != nil || !done {
		return nil
	}
	return whole.rewound()
}

// reverted is Left for a rollout of Codex's: the prompts that were taken back when it was begun stand in earlier ones
// of its session, from an ordinal on.
func reverted(path string, goOn func() bool) map[string]bool {
	var session string
	var before int64
	if _, _, err := readLines(path, Position{}, goOn, func(_ int64, line []byte) bool {
		if gjson.GetBytes(line, "subtype").Str == "reverted" {
			session, before = gjson.GetBytes(line, "sessionId").Str, gjson.GetBytes(line, "before").Int()
		}
		return session == "" && !gjson.GetBytes(line, "uuid").Exists() // it stands before the first message
	}); err != nil {
		return nil
	}
	gone := map[string]bool{}
	for _, earlier := range client.Earlier(path, session) {
		_, end, err := readLines(earlier, Position{}, goOn, func(_ int64, line []byte) bool {
			if at := gjson.GetBytes(line, "ordinal"); at.Exists() && at.Int() >= before {
				gone[gjson.GetBytes(line, "uuid").Str] = true
			}
			return true
		})
		if err != nil || !end {
			return nil
		}
	}
	return gone
}

// tree says of each line of a transcript which prompt it continues, once all lines were added.
type tree struct {
	spots   map[uint64]spot // by the fingerprint of a line
	prompts []said
	asides  []said
	answers []said // Claude's lines
	fields  fields // the current line
}

// spot is where a line stands in the tree.
type spot struct {
	parent uint64
	turn   int32 // the number of the prompt that it continues, or is; until that is known, of the newest before it
	known  bool
}

// said is a line of the user's or Claude's in the tree.
type said struct {
	uuid     string // of the user's
	line     uint64 // the line whose prompt it continues, 0 for none
	newest   int32  // the number of the newest prompt before it, -1 for none
	command  bool
	answered bool
}

// add adds the entry that was split into t.fields, the next one of the file.
func (t *tree) add() {
	f := &t.fields
	newest := int32(len(t.prompts) - 1)
	if p, ok := waiting(f); ok { // it belongs to the turn in which it was typed
		t.asides = append(t.asides, said{uuid: p.UUID, newest: newest})
	}
	n, ok := place(f)
	if !ok {
		return
	}
	var e Entry
	if f.str("type") != "assistant" {
		e, _ = entry(f)
	}
	own := slices.IndexFunc(e.Prompts, func(p Prompt) bool { return !p.Aside })
	for _, p := range e.Prompts {
		if p.Aside {
			t.asides = append(t.asides, said{uuid: p.UUID, line: n.id, newest: newest})
		}
	}
	at := spot{parent: n.parent, turn: newest}
	if own >= 0 {
		if _, again := t.spots[n.id]; again {
			return // the same line once more
		}
		p := e.Prompts[own]
		t.prompts = append(t.prompts, said{uuid: p.UUID, line: n.parent, newest: newest,
			command: strings.HasPrefix(p.Text, "/")})
		at = spot{turn: newest + 1, known: true}
	} else if f.str("type") == "assistant" {
		t.answers = append(t.answers, said{line: n.id, newest: newest})
	}
	t.spots[n.id] = at
}

// turn returns the number of the prompt that the line id continues, or is, and newest for an unknown line.
func (t *tree) turn(id uint64, newest int32) int32 {
	var way []uint64
	for at, ok := t.spots[id]; ok; at, ok = t.spots[id] {
		if newest = at.turn; at.known {
			break
		}
		at.known = true // a circle ends here
		t.spots[id] = at
		way = append(way, id)
		id = at.parent
	}
	for _, id := range way {
		t.spots[id] = spot{turn: newest, known: true}
	}
	return newest
}

// rewound returns for the uuid of each prompt whether it was rewound.
func (t *tree) rewound() map[string]bool {
	live := t.live()
	for _, a := range t.answers {
		if turn := t.turn(a.line, a.newest); turn >= 0 {
			t.prompts[turn].answered = true
		}
	}
	prompts := make(map[string]bool, len(t.prompts)+len(t.asides))
	for i, p := range t.prompts {
		prompts[p.uuid] = !live[i] && (p.answered || !p.command)
	}
	for _, a := range t.asides {
		turn := t.turn(a.line, a.newest)
		prompts[a.uuid] = turn >= 0 && !live[turn]
	}
	return prompts
}

// live returns for each prompt whether it is on the newest prompt's branch. A prompt always continues an earlier one.
func (t *tree) live() []bool {
	live := make([]bool, len(t.prompts))
	for at := int32(len(t.prompts) - 1); at >= 0; {
		live[at] = true
		p := t.prompts[at]
		if at = t.turn(p.line, p.newest); at > p.newest {
			at = p.newest
		}
	}
	return live
}
