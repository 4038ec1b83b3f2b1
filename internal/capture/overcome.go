package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/work"
)

// A failure stays until its command succeeds, whatever its last arguments. After so many further commands, or manySteps
// commits, pushes and pull requests, it is dropped: by then it was overcome another way.
const (
	othersFade = 30
	checksFade = 100
	manySteps  = 3
)

// dropOvercome removes from w the failures that cmd overcame. passed says that cmd succeeded.
func dropOvercome(w *work.Work, cmd shellCommand, passed bool) {
	w.Failures = slices.DeleteFunc(w.Failures, func(f work.Failure) bool {
		fades := othersFade
		if f.Check {
			fades = checksFade
		}
		return w.Made-f.Made >= manySteps || w.Ran-f.Ran > fades ||
			passed && (strings.HasPrefix(cmd.key, f.Key+" -") || strings.HasPrefix(f.Key, cmd.key+" -"))
	})
}
