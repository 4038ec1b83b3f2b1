package session

import (
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// maxDepth is how deep a memory may be nested. This version nests four levels.
const maxDepth = 128

// decode reads a memory.
func decode(data []byte, s *Memory) bool {
	return jsonx.Read(data, maxDepth, s, (*Memory).fields)
}

// The methods called fields name the stored fields in their order. TestRoundTrip fails when one is missing.

func (s *Memory) fields(t *jsonx.Table) {
	t.Wordless("id", &s.ID)
	t.Wordless("lane", &s.Lane)
	t.Wordless("root", &s.Root)
	t.Wordless("transcript", &s.Transcript)
	jsonx.One(t, "read", &s.Read, (*transcript.Position).Fields)
	t.Time("since", &s.Since)
	t.Time("started", &s.Started)
	jsonx.Number(t, "pid", &s.PID)
	t.Wordless("pid_start", &s.PIDStart)
	t.Wordless("host", &s.Host)
	t.Time("active", &s.Active)
	t.Yes("ended", &s.Ended)
	t.Yes("opened", &s.Opened)
	t.Yes("long", &s.Long)
	t.Yes("new", &s.New)
	t.Yes("known", &s.MayRepeat)
	t.Yes("cut", &s.Cut)
	t.Yes("stray", &s.Stray)
	t.Yes("forked", &s.Forked)
	t.WordlessList("taken", &s.Assumed)
	jsonx.Number(t, "compactions", &s.Compactions)
	t.Yes("uncounted", &s.Uncounted)
	t.Wordless("compacted", &s.Compacted)
	jsonx.Number(t, "prompts", &s.Prompts)
	t.Time("entry", &s.Entry)
	t.Yes("told", &s.Introduced)
	t.Yes("rules_asked", &s.RulesAsked)
	jsonx.One(t, "work", &s.Work, (*work.Work).Fields)
	jsonx.One(t, "turns", &s.Turns, (*Turns).fields)
	t.Text("record", &s.Record)
	t.Text("trouble", &s.Trouble)
	t.Yes("unkept", &s.Unkept)
	t.Texts("brought", &s.Brought)
	t.Time("compared", &s.Compared)
	jsonx.Many(t, "handled", &s.Handled, (*Handled).fields)
	t.Text("block", &s.Block)
	t.Time("block_at", &s.BlockAt)
	jsonx.One(t, "block_from", &s.BlockFrom, (*transcript.Position).Fields)
	t.Wordless("delivery", &s.Delivery)
	t.Yes("again", &s.Again)
	t.Yes("given", &s.Given)
	t.Yes("bare", &s.Bare)
	t.Wordless("left", &s.Left)
}

func (p *Pending) fields(t *jsonx.Table) {
	t.Text("text", &p.Text)
	t.Time("at", &p.At)
}

func (h *Handled) fields(t *jsonx.Table) {
	t.Wordless("key", &h.Key)
	t.Time("at", &h.At)
}

func (u *Turns) fields(t *jsonx.Table) {
	t.Wordless("id", &u.ID)
	t.Time("since", &u.Since)
	t.Wordless("keep", &u.Keep)
}
