package doctor

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/text"
)

// checkCompanion checks that memento-sync stands beside memento and has the same version. It says nothing of a
// memento-sync that is missing where nobody syncs.
func (x *exam) checkCompanion() {
	if x.Companion == nil {
		return
	}
	says, err := x.Companion()
	_, syncs := pace.Load(x.Config.Dir)
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
