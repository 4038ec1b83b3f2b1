package cli

import (
	"flag"
	"slices"
	"testing"

	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/internal/schema"
)

// asks lists the flags of approved commands for which the client must ask the user.
var asks = map[string][]string{
	"save": {"again", "body", "project"}, "doctor": {"fix"}, "mission": {"resume"}, "config": {"unset"},
	"help": {"man"},
	"list": {"all", "project"}, "search": {"all", "project"}, "show": {"all"}, "rules": {"as", "asked", "everywhere"},
}

// TestPermitted compares permit's flags with those of the commands: each exists and has the right type, and every flag
// of an approved command is either permitted or in asks.
func TestPermitted(t *testing.T) {
	for verb, spec := range permit.Verbs() {
		cmd, err := find(verb)
		if err != nil {
			t.Error(err)
			continue
		}
		fs := flagSet(cmd, &output{})
		for _, name := range append(slices.Clone(spec.Value), spec.Bool...) {
			f := fs.Lookup(name)
			if f == nil {
				t.Errorf("%s has no --%s", verb, name)
				continue
			}
			b, ok := f.Value.(interface{ IsBoolFlag() bool })
			if isBool := ok && b.IsBoolFlag(); isBool != slices.Contains(spec.Bool, name) {
				t.Errorf("%s --%s takes a value: %t", verb, name, !isBool)
			}
		}
		fs.VisitAll(func(f *flag.Flag) {
			if !slices.Contains(spec.Value, f.Name) && !slices.Contains(spec.Bool, f.Name) &&
				!slices.Contains(asks[verb], f.Name) && f.Name != "agent" {
				t.Errorf("%s --%s: may it run without a dialog?", verb, f.Name)
			}
		})
		if spec.Own && fs.Lookup("agent") == nil {
			t.Errorf("%s has no --agent for a subagent", verb)
		}
		if !spec.Own && fs.Lookup("agent") != nil {
			t.Errorf("%s takes --agent, and no hook sets it", verb)
		}
	}
	var kinds []string
	for _, k := range schema.Kinds {
		if !k.Personal {
			kinds = append(kinds, k.Name)
		}
	}
	if got := permit.Verbs()["save"].First; !slices.Equal(got, kinds) {
		t.Errorf("save may run for %q, and the kinds that a project has are %q", got, kinds)
	}
}
