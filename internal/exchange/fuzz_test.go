package exchange

import (
	"bytes"
	"path"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
)

// places are the paths at which each reader finds a file.
var places = []struct{ at, role, folder string }{
	{"shop--fuzz.md", "", ""}, {".completed/shop--fuzz.md", "", ""}, {"user--fuzz.md", "", ""},
	{"decisions/2026-01-19_001_x.md", inDecisions, ""}, {"analysis/src_x.go.md", inAnalysis, ""},
	{"subagent/2026-01-19_223000_x.md", inSubagent, ""},
	{"context/blockers.md", inContext, ""}, {"progress/active.md", inProgress, ""},
	{"progress/completed.md", inProgress, ""}, {"project.md", asProject, ""},
	{"user/preferences.md", asUser, ""}, {"user/é.md", asUser, ""}, {"workspace.md", asWorkspace, ""},
	{"_index.md", "index", ""},
	{"decisions/x.json", "", "decisions"}, {"constraints/x.json", "", "constraints"},
	{"preferences/x.json", "", "preferences"}, {"sessions/x.json", "", "sessions"},
	{"context/2026-01-19-x.json", "", "context"}, {"handoffs/task-1.json", "", "handoffs"}, {"alice.json", "", ""},
}

// FuzzImport: no content makes a reader panic, and each draft makes a valid record that is read as it was
// written, or is refused.
func FuzzImport(f *testing.F) {
	for i := range places {
		for _, s := range []string{
			"", "---\ntitle: x\ntags: [a, b]\nmood: odd\n---\n# H\n\n## Context\n\n- a\n",
			"---\ndescription: x\nproject:\n  a: b\nstatus: paused\n---\n~~~\n## x\n",
			"# T\n\n**Date**: 2026-01-19T22:30:00Z\n**Status**: decided\n**Type**: file\n\nlead\n\n## Context\nx\n" +
				"## Issues Found\n- a\n## Current Initiatives\n### A\n- **Status**: active\n",
			"# T\n\n- a\n- **b**: c\n\n## Current State\n- **Task**: x\n\n| Category | File | Updated | Summary " +
				"|\n|---|---|---|---|\n| D | a.md | 2026-01-01 | s |\n\n## Initiatives\n| A | B |\n|---|---|\n| x | y |\n",
			`{"category":"decision","id":"x","title":"X","created_at":"2026-01-01T00:00:00Z","tags":["a"],"confidence":0.5,"record_status":"retired","retired_at":"2026-01-01","changes":[{"date":"x","old_value":{}}],"content":{"status":"accepted","alternatives":[{"option":"a","rejected_reason":"b"}]}}`,
			`{"meta":{"created":"2026-01-01T00:00:00Z","category":"handoffs","summary":"x"},"content":{"task":"x","pending":["a\n## b"]}}`,
			`{"mission":"x","project":"p","completed":[{"task":"a"},"b"],"in_progress":{"progress":1},"plan":"x","said":[{"text":"y"}],"error":{"cmd":"a"},"colour":{"a":[1]}}`,
			`{"version":1,"records":[{"id":"p--x","kind":"decision","title":"X","tags":["a"],"created":"2026-01-01T00:00:00Z","body":"## A\r\n"},{"id":"p--y","file":"---\ntitle: y\n---\n"}]}`,
			"{\"title\":\"\x00\xff\"", "\ufeff---\r\n---\r\n```\n",
		} {
			f.Add(uint8(i), []byte(s))
		}
	}
	s := store(f)
	f.Fuzz(func(t *testing.T, place uint8, data []byte) {
		p := places[int(place)%len(places)]
		r := &reader{Options: options(), out: &Found{}}
		changed := now.Add(-time.Hour)
		text := string(bytes.ToValidUTF8(data, nil)) // those that read pages are given text
		switch {
		case p.role == "index":
			readIndex(text)
		default:
			d := Draft{From: p.at, Record: record.Record{Project: "shop"}}
			drafts := []Draft{d}
			var err error
			switch {
			case p.role != "":
				drafts, err = readPage(d, p.role, text, "")
			case path.Ext(p.at) == ".md":
				err = readSnapshot(&drafts[0], []byte(text), path.Dir(p.at) == naming.Archive, nil)
			default:
				drafts, err = r.readJSON(d, p.folder, text)
			}
			if err == nil {
				r.addDrafts(changed, drafts...)
			}
		}
		items, err := Plan(s, r.out.Drafts, record.GC{})
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, it := range items {
			if it.Outcome != New {
				if it.Outcome == Refused && it.Why == "" {
					t.Errorf("refused without a reason: %+v", it.Draft)
				}
				continue
			}
			again, err := record.Decode(it.ID, it.Ready.Bytes())
			if err != nil || again.Problems() != nil && !it.Ready.Exact ||
				!bytes.Equal(again.Bytes(), it.Ready.Bytes()) {
				t.Errorf("%v, %v\n%s", err, again.Problems(), it.Ready.Bytes())
			}
			if ids[it.ID] {
				t.Errorf("%s twice", it.ID)
			}
			ids[it.ID] = true
			twice, err := s.Ready(*it.Ready, nil)
			if err != nil || !bytes.Equal(twice.Bytes(), it.Ready.Bytes()) {
				t.Errorf("made ready twice: %v\n%q\n%q", err, it.Ready.Bytes(), twice.Bytes())
			}
		}
	})
}
