package cli

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// showRecord prints a record for reading: its id, path and hash, then its file.
func showRecord(c *call, s *shelf, f showFlags) error {
	if f.said {
		return usage("memento help show", "--said is the journal's; a record has none")
	}
	r, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	switch {
	case c.json:
		c.printJSON(members{
			{"path", r.Path}, {"hash", r.Hash()}, {"record", recordFields(r)}, {"problems", array(r.Problems())},
		})
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
	if r.VersionOf != "" {
		c.row("note", "another version of %s, changed on two machines: take what holds into one, and delete the other",
			text.Line(r.VersionOf))
	}
	fmt.Fprintf(c.Out, "\n%s\n", readableTo(c.by, strings.TrimRight(string(r.Bytes()), " \t\r\n")))
	return nil
}
