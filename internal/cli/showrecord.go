package cli

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/text"
)

// showRecord prints a record for reading: its id, path and hash, then its file.
func (c *call) showRecord(s *shelf, f showFlags) error {
	if f.said || f.mission {
		return usage("memento help show", "--said and --mission are the journal's; a record has neither")
	}
	r, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	switch {
	case c.json:
		out := members{
			{"path", r.Path}, {"hash", r.Hash()}, {"record", recordFields(r)}, {"problems", array(r.Problems())},
		}
		if parts := markdown.Conflicts(r.Bytes()); parts != nil {
			out = append(out, member{"conflicts", parts})
		}
		c.printJSON(out)
		return nil
	case f.raw:
		_, err = c.asItIs().Write(r.Bytes())
		return err
	}
	c.row("record", "%s", r.ID)
	c.row("path", "%s", c.path(r.Path))
	c.row("hash", "%s", r.Hash())
	for _, p := range r.Problems() {
		c.row("note", "%s", text.Line(p))
	}
	if parts := markdown.Conflicts(r.Bytes()); parts != nil {
		c.row("note", "changed on two machines, and both versions are kept: %s (memento edit %s)",
			text.Line(strings.Join(parts, ", ")), r.ID)
	}
	fmt.Fprintf(c.Out, "\n%s\n", c.readable(strings.TrimRight(string(r.Bytes()), " \t\r\n")))
	if r.Kind == "handoff" {
		looked(c, notice.Handoff(r.Hash()))
	}
	return nil
}
