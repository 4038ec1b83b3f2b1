package doctor

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// checkCompanion checks that memento-sync stands beside memento and has the same version. It says nothing of a
// memento-sync that is missing where nobody syncs.
func (x *exam) checkCompanion() {
	if x.Companion == nil {
		return
	}
	says, err := x.Companion()
	p, syncs := pace.Load(x.Config.Dir)
	if !p.Failed.IsZero() {
		x.add(Note, text.Line(cmp.Or(p.Hint, "memento sync")), "sync has failed since %s, and nothing is lost: %s",
			p.Failed.Local().Format(time.DateTime), text.Line(cmp.Or(p.Error, "unknown")))
	}
	hint := x.Machine.CompanionHint()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if syncs || x.Config.Sync == config.SyncAuto {
			x.add(Note, hint, "memento-sync is not installed beside memento, so nothing is synced")
		}
	case err != nil:
		x.add(Note, hint, "memento-sync does not run: %s", text.Reason(err))
	case says == "":
		x.ok("memento-sync is downloaded when you sync for the first time")
	case !strings.HasPrefix(says, "memento "+x.Version+" "):
		x.add(Note, hint, "memento-sync beside memento is of another version: %s", text.Line(says))
	default:
		x.ok("memento-sync is beside it")
	}
}

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
	all := text.Count(len(review.Waiting)+review.Trusted, "record")
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		x.add(Note, "", "the repository's %s is not read: %v", shared.Folder, err)
	case len(review.Waiting) > 0:
		x.add(Note, "memento trust", "the repository carries %s; waiting for you: %d", all, len(review.Waiting))
	default:
		x.ok("the repository carries %s", all)
	}
}
