package capture

import (
	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
)

// saying is one of the user's sentences for the block, in the order in which the collector met it.
type saying struct {
	journal.Saying
	kind sentence.Kind
	tied int // the saying that it never stands without, -1 for none
}

// tiedTo returns the saying that the i-th one stands beside, itself when it stands alone.
func (c *collector) tiedTo(i int) int {
	for c.all[i].tied >= 0 {
		i = c.all[i].tied
	}
	return i
}

// sorted returns the words by kind, each list newest first. Of tied sentences the latest has the place of the one worth
// most.
func (c *collector) sorted() block.Words {
	w := c.words
	w.Tied = map[string][]journal.Saying{}
	for i, s := range c.all {
		if root := c.tiedTo(i); root != i {
			c.all[root].kind = max(c.all[root].kind, s.kind)
			w.Tied[c.all[root].Text] = append(w.Tied[c.all[root].Text], s.Saying)
		}
	}
	put := func(s saying) {
		list := &w.Talk
		switch s.kind {
		case sentence.Rule:
			list = &w.Rules
		case sentence.Leaning:
			list = &w.Leans
		case sentence.Wish:
			list = &w.Asks
		case sentence.Telling:
			list = &w.Tells
		}
		*list = append(*list, s.Saying)
	}
	for _, s := range c.all {
		if s.tied < 0 {
			put(s)
		}
	}
	return w
}
