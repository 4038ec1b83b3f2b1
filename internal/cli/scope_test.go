package cli

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

func TestFilter(t *testing.T) {
	east := time.FixedZone("east", 2*3600)
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, east)
	s := &shelf{project: "shop", workspace: func() project.Workspace { return project.Workspace{} }}
	for name, tt := range map[string]struct {
		scope scope
		want  record.Filter
		err   string
	}{
		"the project":       {scope{}, record.Filter{Project: "shop"}, ""},
		"all":               {scope{all: true}, record.Filter{}, ""},
		"another":           {scope{project: "site"}, record.Filter{Project: "site"}, ""},
		"the user's":        {scope{project: "user"}, record.Filter{Project: "user"}, ""},
		"no project's name": {scope{project: "../x"}, record.Filter{}, "leads to another folder"},
		"kinds": {scope{kind: "decision, Runbook,"},
			record.Filter{Project: "shop", Kinds: []string{"decision", "runbook"}}, ""},
		"no kind": {scope{kind: "decsion"}, record.Filter{},
			`there is no kind "decsion"; did you mean decision? It is one of memento, decision,`},
		"nothing": {scope{kind: ","}, record.Filter{}, "it is empty"},
		"statuses": {scope{status: "active,retired"},
			record.Filter{Project: "shop", Status: []string{"active", "retired"}}, ""},
		"all statuses": {scope{status: "all"}, record.Filter{Project: "shop", Status: schema.Statuses()}, ""},
		"no status": {scope{status: "gone"}, record.Filter{},
			"one of active, completed, retired, archived, all"},
		"tags":  {scope{tag: "auth, db"}, record.Filter{Project: "shop", Tags: []string{"auth", "db"}}, ""},
		"days":  {scope{since: "7d"}, record.Filter{Project: "shop", Since: now.AddDate(0, 0, -7)}, ""},
		"hours": {scope{since: "12h"}, record.Filter{Project: "shop", Since: now.Add(-12 * time.Hour)}, ""},
		"weeks": {scope{since: "2w"}, record.Filter{Project: "shop", Since: now.AddDate(0, 0, -14)}, ""},
		"a day": {scope{since: "2026-03-14"},
			record.Filter{Project: "shop", Since: time.Date(2026, 3, 14, 0, 0, 0, 0, east)}, ""},
		"a moment": {scope{since: "2026-03-14T09:26:53Z"},
			record.Filter{Project: "shop", Since: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)}, ""},
		"no time":    {scope{since: "soon"}, record.Filter{}, `"soon" is no time; 7d, 12h, 2w`},
		"the future": {scope{since: "-7d"}, record.Filter{}, "is no time"},
	} {
		got, err := s.filter(tt.scope, now)
		if tt.err != "" {
			var usage *hintError
			if !errors.As(err, &usage) || !strings.Contains(usage.Error()+"; "+usage.hint, tt.err) {
				t.Errorf("%s: %v (%+v), want %q", name, err, usage, tt.err)
			}
			continue
		}
		if err != nil || !got.Since.Equal(tt.want.Since) {
			t.Errorf("%s: since %v, %v, want %v", name, got.Since, err, tt.want.Since)
		}
		got.Since = tt.want.Since
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
