package transcript

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// printed is a line with a tool's output; content is raw JSON.
func printed(content string) string {
	return `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":` +
		content + `}]},"uuid":"u"}` + "\n"
}

func TestPrinted(t *testing.T) {
	path := transcriptOf(t,
		user("u1", "expected 200, got 401"),
		assistant("coverage is 93 %"),
		`{"type":"user","message":{"content":[{"type":"text","text":"x","content":"typed beside it"},`+
			`{"type":"tool_result","content":"y"}]}}`+"\n",
		printed(quote("FAIL tests/auth.test.js\n  expected \"paid\",   got 'open'\n")),
		printed(`[{"type":"text","text":"ok 42 tests"},{"type":"image"},{"type":"text","text":"done in 3.1s"}]`),
		printed(quote("x")+`,"y":`+strings.Repeat("[", 7<<20)),
		strings.Repeat("z", maxLine+1)+"\n",
		printed(quote("the last line")),
		strings.TrimSuffix(printed(quote("still being written")), "\n"),
	)
	for words, want := range map[string]bool{
		"expected \"paid\", got 'open'": true, "EXPECTED PAID, got open": true,
		"fail tests/auth.test.js expected": true, "42 tests": true, "tests\ndone in": true, "the last line": true,
		"expected 200, got 401": false, "coverage is 93 %": false, "typed beside it": false, "43 tests": false,
		"still being written": false, "": false, " ' ": false, "t1": false,
	} {
		if got, err := Printed(path, words); got != want || err != nil {
			t.Errorf("%q was printed: %v, %v, want %v", words, got, err, want)
		}
	}
	if got, err := Printed(path+".none", "x"); got || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no file: %v, %v", got, err)
	}
}
