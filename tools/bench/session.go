package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

// writer makes up a session line by line, always the same one. Public sessions gave the frequency of each tool and the
// length of the lines. In them two thirds of all bytes are tool results, and a person types every 50th line.
type writer struct {
	n      int // the number of prompts
	parent string
	random *rand.Rand
	left   bytes.Buffer  // lines that are not written yet
	size   int           // the bytes of all lines so far
	out    *bufio.Writer // the file for the lines; nil when line returns them
}

func newWriter() *writer { return &writer{random: rand.New(rand.NewPCG(3, 14))} }

func (w *writer) line() string {
	if w.left.Len() == 0 {
		w.turn(8 + w.random.IntN(8))
	}
	line, _ := w.left.ReadString('\n')
	return line
}

// put adds a line. It writes the lines to the file from 16 MB on.
func (w *writer) put(line string) {
	w.left.WriteString(line)
	w.size += len(line)
	if w.out != nil && w.left.Len() > 16<<20 {
		_, _ = w.left.WriteTo(w.out) // w.out keeps the error
	}
}

// turn adds one prompt, so many tool calls, and an answer.
func (w *writer) turn(calls int) {
	begin := strings.TrimSpace(w.prose(60))
	prompt := fmt.Sprintf("%s, then look at cart.go line %d, and keep the rounding as it is.", begin, (w.n+1)*7)
	if w.n == 0 {
		prompt = "Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."
	}
	w.says(prompt)
	for i := range calls {
		signature := strings.Repeat("Q", 600)
		w.assistant(`"type":"thinking","thinking":` + quote(w.prose(1500)) + `,"signature":"` + signature + `"`)
		if i%2 == 0 {
			w.answers(w.prose(400))
		}
		id, c := fmt.Sprintf("toolu_%d_%d", w.n, i), w.call()
		w.assistant(`"type":"tool_use","id":"` + id + `","name":"` + c.name + `","input":` + c.input)
		w.add("progress", `"data":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"PostToolUse:`+c.name+
			`","command":"lint"},"toolUseID":"`+id+`"`)
		w.result(id, c)
	}
	w.answers(w.prose(900))
}

// says adds a prompt.
func (w *writer) says(words string) {
	w.n++
	w.add("user", `"message":{"role":"user","content":`+quote(words)+`},"promptSource":"typed"`)
}

// assistant adds a message of Claude's with one part.
func (w *writer) assistant(part string) {
	w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{`+part+`}]}`)
}

// answers adds an answer of Claude's.
func (w *writer) answers(words string) { w.assistant(`"type":"text","text":` + quote(words)) }

// result adds the result of a tool call.
func (w *writer) result(id string, c call) {
	w.add("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","is_error":`+
		strconv.FormatBool(c.failed)+`,"content":`+c.output+`}]},"toolUseResult":`+c.extra)
}

// uses adds a tool call and its result, both as JSON.
func (w *writer) uses(name, input string, failed bool, output, extra string) {
	id := fmt.Sprintf("toolu_x_%d", w.size) // size grows with each line
	w.assistant(`"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input)
	w.result(id, call{name, input, output, extra, failed})
}

// fails adds a command that fails.
func (w *writer) fails(command, output string) {
	w.uses("Bash", `{"command":`+quote(command)+`}`, true, quote("Exit code 1\n"+output), `{}`)
}

// call is one tool call and its result, as JSON.
type call struct {
	name, input, output, extra string
	failed                     bool
}

// call makes up a tool call. Of a hundred calls 35 are commands (10 of them tests, of which 1 fails), 25 read a file
// and 21 edit one. The result of an edit holds the whole file from before the edit.
func (w *writer) call() call {
	file := quote(fmt.Sprintf(`/home/alice/shop/internal/cart/part%d.go`, w.random.IntN(40)))
	text := func(size int) string { return quote(w.prose(size/2 + w.random.IntN(size))) }
	bash := func(command, output string, failed bool) call {
		return call{"Bash", `{"command":` + quote(command) + `,"description":"run a command"}`, output,
			`{"stdout":` + output + `,"stderr":"","interrupted":false,"isImage":false}`, failed}
	}
	switch n := w.random.IntN(100); {
	case n < 10:
		return bash("go test ./internal/cart/... -run TestOrder"+strconv.Itoa(w.random.IntN(30)), text(1300), n == 0)
	case n < 35:
		return bash("git log --stat -n "+strconv.Itoa(w.random.IntN(9)), text(1100), false)
	case n < 60:
		output := text(5600)
		return call{"Read", `{"file_path":` + file + `}`, output, `{"type":"text","file":{"filePath":` + file +
			`,"content":` + output + `,"numLines":120,"startLine":1,"totalLines":120}}`, false}
	case n < 81:
		input := `{"file_path":` + file + `,"old_string":` + text(300) + `,"new_string":` + text(350) + `}`
		return call{"Edit", input, text(450), `{"filePath":` + file + `,"oldString":` + text(300) +
			`,"newString":` + text(350) + `,"originalFile":` + text(22000) +
			`,"structuredPatch":[],"userModified":false}`, false}
	case n < 94:
		output := text(1900)
		return call{"Grep", `{"pattern":"cents","path":"/home/alice/shop"}`, output,
			`{"mode":"content","filenames":[],"content":` + output + `}`, false}
	}
	return call{"TodoWrite", `{"todos":[{"content":"widen cents to int64","status":"in_progress",` +
		`"activeForm":"Widening"},` +
		`{"content":"add a test for step ` + strconv.Itoa(w.n) + `","status":"pending","activeForm":"Adding"}]}`,
		quote("Todos have been modified successfully."), `{"oldTodos":[],"newTodos":[]}`, false}
}

// add adds a line with these fields at the end of the branch.
func (w *writer) add(kind, fields string) {
	uuid := fmt.Sprintf("%08x-5b7d-4e1a-9c3f-%012x", w.random.Uint32(), w.random.Uint64()&0xffffffffffff)
	parent := "null"
	if w.parent != "" {
		parent = `"` + w.parent + `"`
	}
	at := time.Date(2026, 3, 14, 9, w.n, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	w.put(`{"parentUuid":` + parent + `,"isSidechain":false,"userType":"external","cwd":"/home/alice/shop",` +
		`"sessionId":"s1","version":"2.1.329","gitBranch":"main","type":"` + kind + `",` + fields +
		`,"uuid":"` + uuid + `","timestamp":"` + at + `"}` + "\n")
	w.parent = uuid
}

var words = strings.Fields(`the cart adds tax before rounding and func (c *Cart) Total() int64 { return c.cents } so
"1,000.01" becomes	100001 cents; ok github.com/acme/shop/internal/cart 0.412s --- PASS: TestOrder (0.00s)
if err != nil { return fmt.Errorf("reading the order: %w", err) } größer als zuvor`)

// prose returns about size bytes of words and lines, as tools print them.
func (w *writer) prose(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(words[w.random.IntN(len(words))])
		if w.random.IntN(12) == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // of a string
	}
	return string(data)
}

// picture returns the line of a prompt with a pasted picture, size bytes long.
func picture(size int) string {
	const head = `{"type":"user","uuid":"5a1fbc88-5b7d-4e1a-9c3f-2b8f60c7d911",` +
		`"timestamp":"2026-03-14T09:26:53.589Z","message":{"role":"user","content":[` +
		`{"type":"text","text":"like this"},{"type":"image","source":{"data":"`
	const tail = `"}}]}}` + "\n"
	return head + strings.Repeat("Q", size-len(head)-len(tail)) + tail
}

// file appends the session's next size bytes to the file at path, and the rest of the last line.
func (w *writer) file(path string, size int) error {
	return writeFile(path, func(out *bufio.Writer) error {
		for n := 0; n < size; {
			line := w.line()
			n += len(line)
			if _, err := out.WriteString(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFile appends the bytes that fill writes to the file at path.
func writeFile(path string, fill func(*bufio.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	if err := errors.Join(fill(out), out.Flush()); err != nil {
		return err
	}
	return f.Close()
}
