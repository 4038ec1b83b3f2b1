package transcript

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestSubagent reads files in the form in which client 2.1.329 writes those of subagents.
func TestSubagent(t *testing.T) {
	asked := `{"parentUuid":null,"isSidechain":true,"agentId":"a70c","type":"user","message":{"role":"user",` +
		`"content":"Find the callers.\nAll of them."},"uuid":"s1"}` + "\n"
	reads := func(file string) string {
		return `{"isSidechain":true,"type":"assistant","message":{"content":[{"type":"text","text":"I read."},` +
			`{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"` + file + `"}}]},"uuid":"s2"}` + "\n"
	}
	told := `{"isSidechain":true,"type":"user","message":{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"t1","content":"\"name\":\"Read\""}]},"uuid":"s3"}` + "\n"
	for _, c := range []struct {
		what, file, task string
		read             []string
	}{
		{"as usual", asked + reads("/p/a.go") + told + reads("/p/b.go") + reads("/p/a.go"),
			"Find the callers.\nAll of them.", []string{"/p/a.go", "/p/b.go"}},
		{"in blocks", strings.Replace(asked, `"Find the callers.\nAll of them."`,
			`[{"type":"text","text":"Find the callers."}]`, 1), "Find the callers.", nil},
		{"no JSON", "{\"type\":\"user\"\n\n" + asked, "Find the callers.\nAll of them.", nil},
		{"empty", "", "", nil},
		{"deep", strings.Repeat("[", 5000) + `"user"` + strings.Repeat("]", 5000) + "\n", "", nil},
	} {
		path := filepath.Join(t.TempDir(), "agent.jsonl")
		fixture.Write(t, path, c.file)
		if task, read := Subagent(path); task != c.task || !slices.Equal(read, c.read) {
			t.Errorf("%s: %q, %q", c.what, task, read)
		}
	}
	if task, read := Subagent(filepath.Join(t.TempDir(), "none")); task != "" || read != nil {
		t.Errorf("a missing file: %q, %q", task, read)
	}
}
