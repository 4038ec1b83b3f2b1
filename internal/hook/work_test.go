package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/fixture"
)

// maxWork is how much each event may allocate for one more byte of a long message, of the kind of text that costs the
// most: so many times is it copied. The race detector allocates up to a third more, which the limits leave room for.
var maxWork = map[string]float64{
	"SessionStart": 0.1, "UserPromptSubmit": 3.5, "Stop": 21, "SubagentStop": 19,
	"PreCompact": 9, "SessionStart compact": 9, "SessionStart resume": 22,
	"SessionEnd": 25,
}

// allocated returns how many bytes an event allocates from its first byte to its answer.
func (w *world) allocated(name string, fields map[string]any) int {
	w.t.Helper()
	all := map[string]any{"hook_event_name": name, "session_id": "s1",
		"transcript_path": filepath.Join(w.home, "t.jsonl"), "cwd": filepath.Join(w.home, "shop")}
	maps.Copy(all, fields)
	data, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Run(bytes.NewReader(data), new(bytes.Buffer),
		Env{Getenv: func(k string) string { return w.env[k] }, Now: w.now,
			Exe: func() string { return "/opt/memento/bin/memento" }})
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// work plays a session with these prompts and returns what each of its events allocated, the most of those of one name.
func work(t *testing.T, prompts []string) map[string]int {
	w := newWorld(t)
	took := map[string]int{}
	event := func(title, name string, kv ...any) {
		fields := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			fields[kv[i].(string)] = kv[i+1]
		}
		took[title] = max(took[title], w.allocated(name, fields))
	}
	event("SessionStart", "SessionStart", "source", "startup")
	var b strings.Builder
	for i, p := range prompts {
		words, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		at := w.now.Format("2006-01-02T15:04:05Z")
		fmt.Fprintf(&b,
			`{"type":"user","uuid":"u%d","timestamp":%q,"message":{"role":"user","content":%s},"promptSource":"typed"}`+
				"\n", i, at, words)
		fmt.Fprintf(&b,
			`{"type":"assistant","uuid":"a%d","parentUuid":"u%d","timestamp":%q,"message":{"role":"assistant",`+
				`"content":[{"type":"text","text":"Done."}]}}`+"\n", i, i, at)
	}
	last := prompts[len(prompts)-1]
	event("UserPromptSubmit", "UserPromptSubmit", "prompt", last)
	fixture.Write(t, filepath.Join(w.home, "t.jsonl"), b.String())
	event("Stop", "Stop", "last_assistant_message", last)
	for range 6 {
		event("Stop", "Stop")
	}
	event("SubagentStop", "SubagentStop", "agent_id", "a1", "agent_type", "Explore", "last_assistant_message", last)
	event("PreCompact", "PreCompact", "trigger", "auto")
	event("SessionStart compact", "SessionStart", "source", "compact")
	event("SessionStart resume", "SessionStart", "source", "resume")
	event("SessionEnd", "SessionEnd", "reason", "other")
	return took
}

// TestWorkGrowsWithLength holds each event to work that grows with the length of a message, not with its square, and to
// a number of copies of it.
func TestWorkGrowsWithLength(t *testing.T) {
	defer capture.TestOnlyStopClock()()
	for name, words := range map[string]string{
		"full stops": ". ", "rules": "Never push to main. Always run the tests first. ", "questions": "why? ",
		"keys":     "sk-ant-api03-aB3dE5fG7hI9jK1lM3nO5pQ7 ",
		"Japanese": "本番には絶対に触らないでください。", "base64": "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NA==",
		"passwords": "DB_PASSWORD=hunter2x9Q\n",
	} {
		var took []map[string]int
		if testing.Short() && name != "rules" {
			continue
		}
		sizes := [...]int{3 << 19, 5 << 19}
		for _, size := range sizes {
			took = append(took, work(t, []string{strings.Repeat(words, size/len(words))}))
		}
		for _, title := range slices.Sorted(maps.Keys(took[0])) {
			slope := float64(took[1][title]-took[0][title]) / float64(sizes[1]-sizes[0])
			t.Logf("%s, %s: %d bytes for 1.5 MB, %.2f for each byte more", name, title, took[0][title], slope)
			if slope > maxWork[title] {
				t.Errorf("%s: %s allocates %.1f bytes for each more, at most %.1f", name, title, slope, maxWork[title])
			}
		}
	}
}

// TestWorkGrowsWithNumber is the same for many prompts, each of which sets a rule.
func TestWorkGrowsWithNumber(t *testing.T) {
	fixture.Long(t, "plays up to a thousand prompts")
	defer capture.TestOnlyStopClock()()
	var took []map[string]int
	numbers := [...]int{250, 500, 1000}
	for _, n := range numbers {
		var prompts []string
		for i := range n {
			prompts = append(prompts,
				fmt.Sprintf("Never touch module %d of the cart, and always run its tests before part %d.", i, i*7))
		}
		took = append(took, work(t, prompts))
	}
	for _, title := range slices.Sorted(maps.Keys(took[0])) {
		a, b, c := took[0][title], took[1][title], took[2][title]
		t.Logf("%s: %d, %d, %d bytes", title, a, b, c)
		if c-b > 2<<20+3*max(0, b-a) {
			t.Errorf("%s allocates %d, %d and %d bytes for %v prompts", title, a, b, c, numbers)
		}
	}
}
