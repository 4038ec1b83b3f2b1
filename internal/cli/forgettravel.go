package cli

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/withheld"
)

// travel returns as whose fingerprints the command's words travel: those of this project and, with own, of the user's
// records. An unknown project has no identity that another machine would know, so its words go from all projects.
func travel(c *call, all bool, slug string, own bool) (*forget.Travel, error) {
	m, err := machine.Load(c.config.Dir, wait)
	if err != nil {
		return nil, fmt.Errorf("forget: %w", err)
	}
	t := &forget.Travel{Machine: m}
	if all {
		return t, nil
	}
	if slug != "" {
		known, ok := c.workspace().Named(slug)
		if !ok {
			return t, nil
		}
		t.In = append(t.In, project.SharedName(known.SharedID(m.Born)))
	}
	if own || slug == "" {
		t.In = append(t.In, naming.User)
	}
	return t, nil
}

// lift lets memento keep a forgotten phrase again.
func lift(c *call) error {
	words := strings.Join(c.args, " ")
	if c.unborn() {
		return lifted(c, 0)
	}
	m, err := machine.Load(c.config.Dir, wait)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	n, err := withheld.LiftForgotten(c.config.Dir, m, words, wait)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return lifted(c, n)
}

func lifted(c *call, n int) error {
	switch {
	case c.json:
		c.printJSON(members{{"lifted", n}})
	case n == 0:
		fmt.Fprintln(c.Out, "no phrase like this was forgotten")
	default:
		fmt.Fprintln(c.Out, "memento may keep this phrase again; what was erased stays erased")
	}
	return nil
}
