package doctor

import (
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// checkRules checks the files with what the user said that outlives its session.
func (x *exam) checkRules() {
	files, aside, err := rule.Files(x.Config.Dir)
	if err != nil {
		x.add(Bad, "", "the rules are not used: %v", err)
		return
	}
	for _, path := range files {
		isDamaged, err := rule.IsDamaged(path)
		switch {
		case err != nil:
			x.add(Bad, safefile.InPlace(path), "rules are not used: %v", err)
		case isDamaged:
			x.add(Note, "the next session makes it again; what you kept or dropped has to be decided again",
				"%s is damaged", path)
		}
	}
	for _, path := range aside {
		x.add(Note, "read it, take what you need, then delete it", "damaged rules were set aside: %s", path)
	}
	rules, _ := rule.Store{Dir: x.Config.Dir}.Rules(x.lane.Slug)
	if len(rules) > 0 {
		x.ok("the rules: %s", text.Count(len(rules), "sentence"))
	}
}
