package transcript

import (
	"strings"
	"testing"
)

// A client that is killed leaves a part of a line, and the next entry is joined to it. That entry is read wherever the
// first was cut.
func TestTornLine(t *testing.T) {
	next := user("u2", `deploy "staging" only {"type":"user"} \`)
	const second = `deploy "staging" only {"type":"user"} \`
	for _, first := range []string{
		strings.TrimSuffix(user("u1", `say {"type":"user"} and } or \" "twice"`), "\n"),
		`{"type":"user","uuid":"u1","timestamp":"2026-03-14T09:26:53Z","message":{"role":"user",` +
			`"content":[{"type":"text","text":"one"}]}}`,
	} {
		for cut := 1; cut < len(first); cut++ {
			path := transcriptOf(t, first[:cut]+next+user("u3", "three"))
			got, at := read(t, path, Position{})
			if want := "(long)|" + second + "|three"; got != want {
				t.Fatalf("cut at %d, typed was %q, want %q: %s", cut, got, want, first[:cut])
			}
			if got, _ := read(t, path, at); got != "" {
				t.Fatalf("cut at %d, read twice: %q", cut, got)
			}
		}
	}
	for name, tt := range map[string]struct{ content, want string }{
		"two in one line": {strings.TrimSuffix(user("u1", "one"), "\n") + next, "one|" + second},
		"one cut off between": {strings.TrimSuffix(user("u1", "one"), "\n") + `{"parentUuid":"u1","mess` + next,
			"(long)|" + second},
		"cut off twice":     {`{"type":"user","mess{"parentUuid":"u1","mess` + next, "(long)|" + second},
		"Claude's, cut off": {`{"type":"assistant","uuid":"a","message":{"content":"say {` + next, second},
		"inside of what was typed": {`{"type":"assistant","uuid":"a","message":{"content":[{"input":` +
			strings.TrimSuffix(next, "\n") + "x\n", ""},
		"queued, then a prompt": {strings.TrimSuffix(queued("enqueue", `"staging only"`), "\n") + next +
			queued("remove", ""), second + "|staging only"},
	} {
		if got, _ := read(t, transcriptOf(t, tt.content), Position{}); got != tt.want {
			t.Errorf("%s: typed was %q, want %q", name, got, tt.want)
		}
	}
	path := transcriptOf(t, user("u1", "one")+`{"type":"user","mess`+child("u2", "u1", "two")+
		child("u3", "u1", "three"))
	if prompts := Left(path, End(path).Offset, func() bool { return true }); len(prompts) != 3 || !prompts["u2"] ||
		prompts["u3"] {
		t.Errorf("rewound: %v", prompts)
	}
}

func child(uuid, parent, words string) string {
	return strings.Replace(user(uuid, words), `"parentUuid":null`, `"parentUuid":"`+parent+`"`, 1)
}
