package record

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
)

var update = flag.Bool("update", false, "rewrite the schemas")

type object = map[string]any

// jsonSchema makes the JSON Schema of a kind from the table.
func jsonSchema(k schema.Kind) object {
	text := object{"type": "string", "minLength": 1}
	list := object{"type": "array", "items": text}
	stamp := object{"type": "string", "format": "date-time"}
	one := func(values []string) object {
		if values == nil {
			return text
		}
		return object{"enum": values}
	}
	content := object{}
	for _, p := range k.Sections {
		content[p.Key()] = one(p.Values)
		if p.List {
			content[p.Key()] = list
		}
	}
	// bytes; see naming.CheckProject
	project := object{"type": "string", "not": object{"pattern": "--|[/\\\\]|\\.\\."}, "maxLength": 96}
	if k.Personal {
		project = object{"const": naming.User}
	}
	changes := object{"date": object{"type": "string"}, "summary": object{"type": "string"}, "field": text, "old": text,
		"new": text}
	return object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": k.Name, "description": k.About,
		"type": "object",
		"required": []string{"id", "kind", "title", "project", "status", "created", "updated", "tags", "changes",
			"content"},
		"properties": object{
			"id": object{"type": "string", "pattern": "^[^/\\\\]+--[^/\\\\]+$"}, "kind": object{"const": k.Name},
			"title": object{"type": "string", "minLength": 1, "maxLength": schema.MaxTitle}, "project": project,
			"status": object{"enum": schema.Statuses()}, "stage": one(k.Stages), "created": stamp, "updated": stamp,
			"tags": object{"type": "array", "minItems": 1, "uniqueItems": true,
				"items": object{"type": "string", "minLength": 1, "maxLength": schema.MaxTag}},
			"files": list, "confidence": object{"type": "number", "minimum": 0, "maximum": 1}, "session": text,
			"source": text, "branch": text,
			"changes": object{"type": "array", "maxItems": schema.MaxChanges,
				"items": object{"type": "object", "required": []string{"date", "summary"}, "properties": changes,
					"additionalProperties": false}},
			"content": object{"type": "object", "properties": content, "additionalProperties": false},
		},
		"additionalProperties": false,
	}
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(filepath.Join("..", "schema", "json", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The JSON schemas agree with the table of kinds.
func TestSchemas(t *testing.T) {
	if len(schema.Kinds) != 13 {
		t.Errorf("%d kinds", len(schema.Kinds))
	}
	for _, k := range schema.Kinds {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(jsonSchema(k)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("..", "schema", "json", k.Name+".json")
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != b.String() {
			t.Errorf("%s is not what the table says (%v): run go test ./internal/record -update", path, err)
		}
		compiled(t, k.Name)
	}
	if files, _ := filepath.Glob("../schema/json/*"); len(files) != len(schema.Kinds) {
		t.Errorf("there are %v", files)
	}
}

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

// A record of each kind that was written and read fits its schema, with every section in its place. The schema and
// Create refuse the same mistakes.
func TestKinds(t *testing.T) {
	for _, k := range schema.Kinds {
		s, _ := store(t)
		r, err := s.Create(full(k))
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if r, err = s.Read(r.ID); err != nil {
			t.Fatal(err)
		}
		if r.Problems() != nil || r.Secrets != nil {
			t.Errorf("%s: %q, %q", k.Name, r.Problems(), r.Secrets)
		}
		schema := compiled(t, k.Name)
		check := func(change func(object)) error {
			data, err := json.Marshal(r.Fields())
			if err != nil {
				t.Fatal(err)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if change != nil {
				change(v.(object))
			}
			return schema.Validate(v)
		}
		if err := check(nil); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		content := r.Fields()["content"].(map[string]any)
		if len(content) != len(k.Sections) {
			t.Errorf("%s holds %v of %d sections", k.Name, content, len(k.Sections))
		}
		for _, p := range k.Sections {
			if p.List && !reflect.DeepEqual(content[p.Key()], []string{"one\n  more of it", "two: why not", "three"}) {
				t.Errorf("%s: %s is %q", k.Name, p.Key(), content[p.Key()])
			}
		}
		for name, change := range map[string]func(object){
			"no tag":       func(v object) { v["tags"] = []any{} },
			"a long title": func(v object) { v["title"] = strings.Repeat("a", 121) },
			"no kind":      func(v object) { delete(v, "kind") },
			"a status":     func(v object) { v["status"] = "done" },
			"confidence":   func(v object) { v["confidence"] = 1.5 },
			"more":         func(v object) { v["more"] = "x" },
			"a section":    func(v object) { v["content"].(object)["more"] = "x" },
			"a time":       func(v object) { v["created"] = "yesterday" },
		} {
			if check(change) == nil {
				t.Errorf("%s: %s is let pass", k.Name, name)
			}
		}
		if k.Stages != nil {
			wrong := full(k)
			wrong.Title, wrong.Stage = "another", "nonsense"
			if _, err := s.Create(wrong); err == nil || check(func(v object) { v["stage"] = "nonsense" }) == nil {
				t.Errorf("%s: a wrong stage: %v", k.Name, err)
			}
		}
	}
}
