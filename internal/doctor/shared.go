package doctor

import (
	"errors"
	"io/fs"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// checkShared says what the repository carries, and whether the list of what is trusted can be read.
func (x *exam) checkShared() {
	if err := shared.Problem(x.Config.Dir); err != nil {
		hint := "rm " + safefile.ShellWord(shared.TrustedPath(x.Config.Dir)) + ": memento trust then asks again"
		x.add(Bad, hint, "no record of a repository is taken in: %v", err)
		return
	}
	if x.Repository == nil {
		return
	}
	review, err := x.Repository(x.lane).Review()
	switch n := len(review.Waiting); {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, shared.ErrForeign), errors.Is(err, safefile.ErrTooLarge):
		x.add(Note, "", "the repository's %s is not read: %v", shared.Folder, err)
	case err != nil:
		x.add(Note, safefile.Step(err), "the repository's %s cannot be read: %s", shared.Folder, text.Reason(err))
	case n > 0:
		wait := map[bool]string{true: "waits", false: "wait"}[n == 1]
		x.add(Note, "memento trust", "the repository carries %s, of which %d %s for you",
			text.Count(n+review.Trusted, "record"), n, wait)
	default:
		x.ok("the repository carries %s", text.Count(review.Trusted, "record"))
	}
}
