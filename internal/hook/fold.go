package hook

import (
	"time"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
)

// foldAfter is how long nothing may have happened in a lane that ran beside another until it is folded into that one.
const foldAfter = 7 * 24 * time.Hour

// maxFolded is how many lanes one sweep folds; the next one goes on.
const maxFolded = 200

// foldLanes moves what sessions long gone left in lanes of their own into the history of the lane that they ran beside,
// and removes the files. A session that comes back all the same finds its mission there.
func (h *handler) foldLanes() {
	lanes := session.Beside(h.config.Dir, h.env.Now, foldAfter)
	if len(lanes) == 0 {
		return
	}
	bound, err := session.Lanes(h.config.Dir)
	if err != nil {
		return
	}
	vacant := map[project.Lane][]*session.Vacant{}
	for _, lane := range lanes[:min(len(lanes), maxFolded)] {
		if v, ok := session.Vacate(h.config, lane, bound, h.env.Now, foldAfter); ok {
			defer v.Free()
			vacant[lane.Base()] = append(vacant[lane.Base()], v)
		}
	}
	for base, beside := range vacant {
		names := map[project.Lane]*session.Vacant{}
		var sides []project.Lane
		for _, v := range beside {
			names[v.Lane] = v
			sides = append(sides, v.Lane)
		}
		folded, _ := h.at(base).Fold(sides) // what could not be folded stays as it is
		for _, lane := range folded {
			names[lane].Raze()
		}
	}
}
