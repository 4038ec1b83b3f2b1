package session

// The fields of each struct as they stand on disk, in their order there. TestRoundTrip names the one that is forgotten.

func (s *State) fields(c *coder) {
	c.text("id", &s.ID)
	c.text("lane", &s.Lane)
	c.text("root", &s.Root)
	c.text("transcript", &s.Transcript)
	c.object("read", &s.Read)
	optional(c, "unheard", &s.Unheard)
	c.time("since", &s.Since)
	c.time("started", &s.Started)
	number(c, "pid", &s.PID)
	c.text("pid_start", &s.PIDStart)
	c.text("host", &s.Host)
	c.time("active", &s.Active)
	c.texts("others", &s.Others)
	c.yes("ended", &s.Ended)
	c.yes("opened", &s.Opened)
	objects(c, "pending", &s.Pending)
	c.yes("long", &s.Long)
	c.yes("new", &s.New)
	c.yes("known", &s.Known)
	c.yes("cut", &s.Cut)
	c.yes("stray", &s.Stray)
	c.yes("forked", &s.Forked)
	c.texts("taken", &s.Taken)
	number(c, "compactions", &s.Compactions)
	objects(c, "facts", &s.Facts)
	c.text("compacted", &s.Compacted)
	c.texts("reports", &s.Reports)
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
	c.object("block_from", &s.BlockFrom)
	c.text("delivery", &s.Delivery)
	c.yes("again", &s.Again)
	c.texts("arrived", &s.Arrived)
}

func (f *Fact) fields(c *coder) {
	c.text("kind", &f.Kind)
	c.text("text", &f.Text)
}

func (k *Kept) fields(c *coder) {
	c.text("id", &k.ID)
	c.text("mark", &k.Mark)
}

func (p *Position) fields(c *coder) {
	number(c, "offset", &p.Offset)
	number(c, "long", &p.Long)
	c.text("file", &p.File)
	c.text("turn", &p.Turn)
	c.text("queued", &p.Queued)
}

func (u *Unheard) fields(c *coder) {
	c.object("from", &u.From)
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
	c.yes("erred", &w.Erred)
	c.text("asked", &w.Asked)
}

func (l *Call) fields(c *coder) {
	c.text("id", &l.ID)
	c.text("name", &l.Name)
	c.text("arg", &l.Arg)
}

func (t *Task) fields(c *coder) {
	c.text("id", &t.ID)
	c.text("text", &t.Text)
	c.text("status", &t.Status)
}

func (f *Failure) fields(c *coder) {
	c.text("key", &f.Key)
	c.text("cmd", &f.Cmd)
	c.text("line", &f.Line)
	c.text("ts", &f.TS)
	c.yes("check", &f.Check)
	number(c, "ran", &f.Ran)
}

func (h *Handled) fields(c *coder) {
	c.text("key", &h.Key)
	c.texts("by", &h.By)
	c.time("at", &h.At)
	c.yes("aside", &h.Aside)
}
