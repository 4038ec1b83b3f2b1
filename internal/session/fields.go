package session

import "github.com/mementohq/memento/internal/transcript"

// The fields of each struct as they stand on disk, in their order there: text is what somebody wrote, and may be
// erased; a mark is an id, a path or a word of memento's or the client's. TestRoundTrip names the field that is
// forgotten.

func (s *State) fields(c *coder) {
	c.mark("id", &s.ID)
	c.mark("lane", &s.Lane)
	c.mark("root", &s.Root)
	c.mark("transcript", &s.Transcript)
	c.object("read", (*position)(&s.Read))
	optional(c, "unheard", &s.Unheard)
	c.time("since", &s.Since)
	c.time("started", &s.Started)
	number(c, "pid", &s.PID)
	c.mark("pid_start", &s.PIDStart)
	c.mark("host", &s.Host)
	c.time("active", &s.Active)
	c.marks("others", &s.Others)
	c.yes("ended", &s.Ended)
	c.yes("opened", &s.Opened)
	objects(c, "pending", &s.Pending)
	c.yes("long", &s.Long)
	c.yes("new", &s.New)
	c.yes("known", &s.Known)
	c.yes("cut", &s.Cut)
	c.yes("stray", &s.Stray)
	c.yes("forked", &s.Forked)
	c.marks("taken", &s.Taken)
	number(c, "compactions", &s.Compactions)
	objects(c, "facts", &s.Facts)
	c.mark("compacted", &s.Compacted)
	c.marks("reports", &s.Reports)
	number(c, "prompts", &s.Prompts)
	c.time("entry", &s.Entry)
	c.yes("told", &s.Told)
	c.object("work", &s.Work)
	c.object("record", &s.Record)
	c.text("trouble", &s.Trouble)
	c.yes("unkept", &s.Unkept)
	c.texts("brought", &s.Brought)
	c.time("compared", &s.Compared)
	c.text("kept", &s.Kept)
	c.texts("late", &s.Late)
	objects(c, "handled", &s.Handled)
	c.text("block", &s.Block)
	c.time("block_at", &s.BlockAt)
	c.object("block_from", (*position)(&s.BlockFrom))
	c.mark("delivery", &s.Delivery)
	c.yes("again", &s.Again)
	c.yes("given", &s.Given)
	c.yes("bare", &s.Bare)
	c.marks("arrived", &s.Arrived)
}

func (f *Fact) fields(c *coder) {
	c.mark("kind", &f.Kind)
	c.text("text", &f.Text)
}

func (k *Kept) fields(c *coder) {
	c.text("id", &k.ID)
	if c.gone != nil && k.ID == "" {
		k.Mark = "" // of a record that is not named any more
	}
	c.mark("mark", &k.Mark)
}

// position is a transcript.Position as it stands on disk.
type position transcript.Position

func (p *position) fields(c *coder) {
	number(c, "offset", &p.Offset)
	number(c, "long", &p.Long)
	c.mark("file", &p.File)
	c.mark("turn", &p.Turn)
	c.mark("queued", &p.Queued)
}

func (u *Unheard) fields(c *coder) {
	c.object("from", (*position)(&u.From))
	c.time("since", &u.Since)
}

func (p *Pending) fields(c *coder) {
	c.text("text", &p.Text)
	c.time("at", &p.At)
}

func (w *Work) fields(c *coder) {
	objects(c, "calls", &w.Calls)
	objects(c, "tasks", &w.Tasks)
	objects(c, "failures", &w.Failures)
	c.texts("looked", &w.Looked)
	c.texts("steps", &w.Steps)
	c.texts("passed", &w.Passed)
	number(c, "ran", &w.Ran)
	number(c, "made", &w.Made)
	number(c, "prompts", &w.Prompts)
	c.yes("erred", &w.Erred)
	c.text("asked", &w.Asked)
}

func (l *Call) fields(c *coder) {
	c.mark("id", &l.ID)
	c.mark("name", &l.Name)
	c.text("arg", &l.Arg)
}

func (t *Task) fields(c *coder) {
	c.mark("id", &t.ID)
	c.text("text", &t.Text)
	c.mark("status", &t.Status)
	number(c, "prompt", &t.Prompt)
}

func (f *Failure) fields(c *coder) {
	c.text("key", &f.Key)
	c.text("cmd", &f.Cmd)
	c.text("line", &f.Line)
	c.mark("ts", &f.TS)
	c.yes("check", &f.Check)
	number(c, "ran", &f.Ran)
	number(c, "made", &f.Made)
	number(c, "over", &f.Over)
}

func (h *Handled) fields(c *coder) {
	c.mark("key", &h.Key)
	c.marks("by", &h.By)
	c.time("at", &h.At)
	c.yes("aside", &h.Aside)
}
