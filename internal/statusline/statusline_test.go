package statusline

import (
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/text"
)

// TestRender: no line is wider than it may be, whatever the letters; what is cut ends with an ellipsis; the mission
// never gives way.
func TestRender(t *testing.T) {
	for name, f := range map[string]facts{
		"all": {mission: "Fix the CSV importer: it drops the last line", wip: "mend the reader of quoted fields",
			held: []string{"4 rules", "2 compactions"}, news: []string{"1 suggestion", "news from desk"}},
		"wide": {mission: "カートの合計が税込みで二重に計算される問題を直してください", wip: "テストを書く 🚀🚀🚀",
			held: []string{"4 rules"}, news: []string{"news from 机"}},
		"short": {mission: "Ship it"},
		"alarm": {alarm: "nothing is kept (! memento doctor)"},
		"marks": {mission: strings.Repeat("e\u0301", 90)},
	} {
		for width := -5; width < 200; width++ {
			line := f.render(width, false)
			if n := text.Columns(line); n > max(0, width) {
				t.Fatalf("%s: %d columns in %d: %q", name, n, width, line)
			}
			if width >= 40 && f.mission != "" && !strings.Contains(line, f.mission[:6]) {
				t.Errorf("%s: in %d columns the mission is missing: %q", name, width, line)
			}
		}
		if line := f.render(300, false); strings.Contains(line, text.Ellipsis) || !strings.Contains(line, f.wip) {
			t.Errorf("%s: in 300 columns: %q", name, line)
		}
	}
	f := facts{mission: strings.Repeat("mission ", 20), wip: strings.Repeat("work ", 20), held: []string{"4 rules"},
		news: []string{"1 suggestion"}}
	line := f.render(100, false)
	for _, want := range []string{"memento: mission mission", "… · in hand: work", "… · 4 rules · 1 suggestion"} {
		if !strings.Contains(line, want) {
			t.Errorf("in 100 columns %q is missing: %q", want, line)
		}
	}
	if coloured := f.render(100, true); !strings.Contains(coloured, "\x1b[") || strings.Contains(line, "\x1b") {
		t.Errorf("coloured %q, plain %q", coloured, line)
	}
}

// TestLineNeverFails: whatever the client gives, the answer is a line or nothing.
func TestLineNeverFails(t *testing.T) {
	env := map[string]string{"HOME": t.TempDir(), "USER": "alice", "NO_COLOR": "1"}
	getenv := func(k string) string { return env[k] }
	none := func(string) string { return "" }
	for _, in := range []string{"", "{", "[]", "7", strings.Repeat("[", 1<<16),
		`{"session_id":7,"cwd":[],"workspace":1}`,
		`{"session_id":"../../x","cwd":"/nowhere"}`} {
		for _, columns := range []string{"", "0", "-1", "x", "3", "99999999999999999999"} {
			env["COLUMNS"] = columns
			if line := Line(strings.NewReader(in), getenv, time.Now(), none); strings.Contains(line, "\n") {
				t.Errorf("%.40q in %q columns: %q", in, columns, line)
			}
		}
	}
	env["HOME"] = ""
	if line := Line(strings.NewReader(`{}`), getenv, time.Now(), none); line != "" {
		t.Errorf("without a home: %q", line)
	}
}
