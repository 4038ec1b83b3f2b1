package transcript

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestLacks: the context is the branch of the newest prompt behind the last compaction, whatever form its lines have.
func TestLacks(t *testing.T) {
	const (
		typed    = `{"type":"user","uuid":"u1","message":{"role":"user","content":"Fix the  parser. Keep \"v1\" alive."}}`
		called   = `{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"role":"assistant","content":[{"type":"text","text":"I begin with the lexer."},{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"memento done --wip 'it'\\''s the \\\"lexer\\\"'","nested":[{"deep":"a task in a list"}]}}]}}`
		result   = `{"type":"user","uuid":"r1","parentUuid":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"Error: token 7"}]}]}}`
		hooked   = `{"type":"attachment","uuid":"h1","parentUuid":"r1","attachment":{"type":"hook_success","hookEvent":"SessionStart","content":"[MEMENTO] Mission: Ship the parser\nPlan: tag it"}}`
		context  = `{"type":"attachment","uuid":"h2","parentUuid":"h1","attachment":{"type":"hook_additional_context","content":["","[MEMENTO] On record: a note"]}}`
		side     = `{"type":"user","uuid":"s1","isSidechain":true,"message":{"role":"user","content":"Only a subagent heard this."}}`
		blob     = `{"type":"api-request-blob","message":{"role":"user","content":"Only a copy for the client."}}`
		left     = `{"type":"user","uuid":"u2","parentUuid":"h2","message":{"role":"user","content":"Drop the lexer."}}`
		leftToo  = `{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"role":"assistant","content":[{"type":"text","text":"Dropped."}]}}`
		instead  = `{"type":"user","uuid":"u3","parentUuid":"h2","message":{"role":"user","content":"Keep the lexer."}}`
		boundary = `{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"u3"}`
		summary  = `{"type":"user","uuid":"y1","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"The user wants: Keep \"v1\" alive."}}`
		later    = `{"type":"user","uuid":"u4","parentUuid":"y1","message":{"role":"user","content":"compact_boundary is a word, too"}}`
	)
	first := []string{typed, called, result, hooked, context, side, blob, left, leftToo, instead}
	facts := []Fact{
		{Words: []string{"fix the parser.", "Keep “v1” alive"}},
		{Words: []string{"it's the lexer"}},
		{Words: []string{"a task in a list"}},
		{Words: []string{"error: token 7"}},
		{Words: []string{"Plan: tag it"}},
		{Words: []string{"On record: a note"}},
		{Words: []string{"reworded"}, Ref: "c1"},
		{Words: []string{"Keep the lexer."}},
	}
	never := []Fact{
		{Words: []string{"Only a subagent heard this."}},
		{Words: []string{"Only a copy for the client."}},
		{Words: []string{"Drop the lexer."}},
		{Words: []string{"reworded"}, Ref: "a2"},
		{Words: []string{"Fix the parser.", "in Rust"}},
	}
	words := func(all []Fact) (out []string) {
		for _, f := range all {
			out = append(out, strings.Join(f.Words, "+")+f.Ref)
		}
		return out
	}
	all := slices.Concat(facts, never)
	tests := []struct {
		name  string
		lines []string
		want  []Fact
	}{
		{"never compacted", first, never},
		{"compacted", slices.Concat(first, []string{boundary, later}), all},
		{"the summary has it", slices.Concat(first, []string{boundary, summary, later}), all},
		{"given again behind the compaction", slices.Concat(first, []string{boundary, summary, hooked, context}),
			slices.Concat(facts[:4], facts[6:], never)},
		{"compacted twice", slices.Concat(first, []string{boundary, hooked, boundary}), all},
		{"a last line that broke off", slices.Concat(first, []string{boundary[:40]}), never},
		{"no transcript", nil, all},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.jsonl")
			if tt.lines != nil {
				fixture.Write(t, path, strings.Join(tt.lines, "\n")+"\n")
			}
			if got := words(Lacks(path, all, nil)); !slices.Equal(got, words(tt.want)) {
				t.Errorf("lacks %q\nnot   %q", got, words(tt.want))
			}
		})
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	fixture.Write(t, path, strings.Repeat(typed+"\n", 2*checkBytes/len(typed)))
	if got := Lacks(path, facts[:1], func() bool { return false }); len(got) != 1 {
		t.Error("there was no time to look, and it is held")
	}
}
