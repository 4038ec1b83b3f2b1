package record

import (
	"reflect"
	"testing"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
)

// full returns a record of a kind with words in each section.
func full(k schema.Kind) Record {
	r := Record{Kind: k.Name, Project: "myapp", Title: "All of a " + k.Name, Tags: []string{"auth", "pr-123"},
		Files:      []string{"src/auth.ts"},
		Confidence: "0.8", Session: "1f3a9c2e-0000-4000-8000-000000000001", Source: "user: remember that",
		Branch: "fix/cart"}
	if k.Personal {
		r.Project = naming.User
	}
	if k.Stages != nil {
		r.Stage = k.Stages[0]
	}
	for _, p := range k.Sections {
		text := "What stands in " + p.Heading + "."
		if p.List {
			text = "- one\n  more of it\n- two: why not\n1. three"
		}
		if p.Values != nil {
			text = p.Values[0]
		}
		r.Body, _ = markdown.SetSection(r.Body, p.Heading, text)
	}
	return r
}

// A record of each kind that was written and read has every section in its place, and no wrong stage.
func TestKinds(t *testing.T) {
	if len(schema.Kinds) != 13 {
		t.Errorf("%d kinds", len(schema.Kinds))
	}
	for _, k := range schema.Kinds {
		s, _ := store(t)
		r := must(t)(s.Read(create(t, s, full(k)).ID))
		if r.Problems() != nil || r.Secrets != nil {
			t.Errorf("%s: %q, %q", k.Name, r.Problems(), r.Secrets)
		}
		all := r.Fields()
		content := all["content"].(map[string]any)
		if len(content) != len(k.Sections) || all["kind"] != k.Name || all["confidence"] != 0.8 ||
			!reflect.DeepEqual(all["tags"], []string{"auth", "pr-123"}) ||
			len(all["changes"].([]map[string]string)) != 1 {
			t.Errorf("%s: %v", k.Name, all)
		}
		for _, p := range k.Sections {
			if p.List && !reflect.DeepEqual(content[p.Key()], []string{"one\n  more of it", "two: why not", "three"}) {
				t.Errorf("%s: %s is %q", k.Name, p.Key(), content[p.Key()])
			}
		}
		wrong := full(k)
		wrong.Title, wrong.Stage = "another", "nonsense"
		if _, err := s.Create(wrong); (err != nil) != (k.Stages != nil) {
			t.Errorf("%s: a wrong stage: %v", k.Name, err)
		}
	}
}
