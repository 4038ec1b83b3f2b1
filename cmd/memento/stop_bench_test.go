package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkStop runs Stop as a whole process on a transcript of 18 MB, a Go hello-world before each: with all of it new, and
// with 100 KB new. The budget: 60 ms and 3 ms over hello-world.
//
//	go test ./cmd/memento -run '^$' -bench Stop -benchtime 30x
func BenchmarkStop(b *testing.B) {
	dir := b.TempDir()
	hello, memento := build(b, dir, "./testdata/hello"), build(b, dir, ".")
	s := &stage{dir: dir, memento: memento, hello: hello, path: filepath.Join(dir, "s1.jsonl")}
	w := newWriter()
	s.write(b, w, 18<<20)

	b.Run("first", func(b *testing.B) {
		var base, with []float64
		for i := range b.N {
			home := s.home(b, "first-"+strconv.Itoa(i)) // nothing is known yet
			base = append(base, s.run(b, home, true))
			with = append(with, s.run(b, home, false))
			s.captured(b, home)
		}
		report(b, base, with)
	})
	b.Run("100KB-new", func(b *testing.B) {
		home := s.home(b, "more")
		for range 4 { // until nothing is left, should one event not be enough for all of it
			s.run(b, home, false)
		}
		var base, with []float64
		for range b.N {
			s.write(b, w, 100<<10)
			base = append(base, s.run(b, home, true))
			with = append(with, s.run(b, home, false))
		}
		s.captured(b, home)
		report(b, base, with)
	})
}

// BenchmarkMemory runs Stop on a transcript of 200 MB, with a pasted picture of just under 8 MB and one of 9 in it, and reports
// the most memory the process held, and the time the first event took. The budget: 32 MB at any size.
//
//	go test ./cmd/memento -run '^$' -bench Memory -benchtime 3x
func BenchmarkMemory(b *testing.B) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		b.Skip("no /proc to read the memory from")
	}
	dir := b.TempDir()
	s := &stage{dir: dir, memento: build(b, dir, "."), hello: build(b, dir, "./testdata/hello"), path: filepath.Join(dir, "s1.jsonl")}
	w := newWriter()
	picture := func(size int) {
		s.append(b, []byte(`{"type":"user","uuid":"big","timestamp":"2026-03-14T09:26:53Z","message":{"role":"user","content":[{"type":"text","text":"like this"},{"type":"image","source":{"data":"`+strings.Repeat("QUJD", size/4)+`"}}]}}`+"\n"))
	}
	s.write(b, w, 20<<20)
	picture(8<<20 - 1000)
	s.write(b, w, 70<<20)
	picture(9 << 20)
	s.write(b, w, 91<<20)
	runtime.GC()
	b.ResetTimer()
	var most float64
	var base, with []float64
	for i := range b.N {
		home := s.home(b, "memory-"+strconv.Itoa(i))
		base = append(base, s.run(b, home, true))
		for event := range 4 { // a hook that gives itself a limit goes on at the next event
			took := s.run(b, home, false)
			most = max(most, s.peak)
			if event == 0 {
				with = append(with, took)
			}
		}
		s.captured(b, home)
	}
	report(b, base, with)
	b.ReportMetric(most, "peak-MB")
}

// stage is where a transcript is captured again and again.
type stage struct {
	dir, memento, hello, path string
	peak                      float64 // MB of the last run, where it can be told
}

// home makes a HOME with a project in it.
func (s *stage) home(b *testing.B, name string) string {
	home := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Join(home, "shop"), 0o755); err != nil {
		b.Fatal(err)
	}
	return home
}

// run runs Stop, or the hello-world, and returns the milliseconds it took.
func (s *stage) run(b *testing.B, home string, hello bool) float64 {
	cmd := exec.Command(s.memento, "hook")
	if hello {
		cmd = exec.Command(s.hello)
	}
	in, err := json.Marshal(map[string]any{"hook_event_name": "Stop", "session_id": "s1", "transcript_path": s.path, "cwd": filepath.Join(home, "shop")})
	if err != nil {
		b.Fatal(err)
	}
	cmd.Env, cmd.Dir, cmd.Stdin = []string{"HOME=" + home, "USER=alice"}, filepath.Join(home, "shop"), bytes.NewReader(in)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	watched := make(chan float64, 1)
	if strings.HasPrefix(b.Name(), "BenchmarkMemory") {
		go func() { watched <- peak(cmd.Process.Pid) }()
	} else {
		watched <- 0
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	took := float64(time.Since(start).Microseconds()) / 1000
	s.peak = <-watched
	return took
}

// peak watches a process to its end and returns the most memory it held, in MB. What the system tells when a process has
// ended counts the memory of the one that started it as well.
func peak(pid int) float64 {
	most := 0.0
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, after, ok := bytes.Cut(status, []byte("VmHWM:"))
		if err != nil || !ok { // gone, or about to be
			return most
		}
		if kb, err := strconv.ParseFloat(string(bytes.Fields(after)[0]), 64); err == nil {
			most = max(most, kb/1024)
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// captured fails when nothing of the transcript is in the journal: a hook that does nothing is fast.
func (s *stage) captured(b *testing.B, home string) {
	data, err := os.ReadFile(filepath.Join(home, ".claude", ".memento", "shop--alice.json"))
	if err != nil || !bytes.Contains(data, []byte("orders above 1,000 EUR are lost")) {
		b.Fatalf("the journal has nothing of the transcript: %v", err)
	}
}

// write appends size bytes of session to the transcript.
func (s *stage) write(b *testing.B, w *writer, size int) {
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	for n := 0; n < size; {
		line := w.line()
		n += len(line)
		if _, err := out.WriteString(line); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
}

func (s *stage) append(b *testing.B, data []byte) {
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		b.Fatal(err)
	}
}

// writer makes up a session, line by line, always the same one. Which tools are called how often, and how long the lines are,
// was measured on public sessions, in which tools' results are two thirds of all bytes and a person types every 50th line.
type writer struct {
	n      int
	parent string
	random *rand.Rand
	left   []string // lines of the turn that have not been written yet
}

func newWriter() *writer { return &writer{random: rand.New(rand.NewPCG(3, 14))} }

func (w *writer) line() string {
	if len(w.left) == 0 {
		w.turn()
	}
	line := w.left[0]
	w.left = w.left[1:]
	return line
}

// turn is one prompt and the work on it.
func (w *writer) turn() {
	first := w.n == 0
	w.n++
	prompt := fmt.Sprintf("%s, then look at cart.go line %d, and keep the rounding as it is.", strings.TrimSpace(w.prose(60)), w.n*7)
	if first {
		prompt = "Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."
	}
	w.add("user", `"message":{"role":"user","content":`+quoteJSON(prompt)+`},"promptSource":"typed"`)
	for call := range 8 + w.random.IntN(8) {
		id := fmt.Sprintf("toolu_%d_%d", w.n, call)
		w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"thinking","thinking":`+quoteJSON(w.prose(1500))+`,"signature":"`+strings.Repeat("Q", 600)+`"}]}`)
		if call%2 == 0 {
			w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":`+quoteJSON(w.prose(400))+`}]}`)
		}
		c := w.call()
		w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":"`+c.name+`","input":`+c.input+`}]}`)
		w.add("progress", `"data":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"PostToolUse:`+c.name+`","command":"lint"},"toolUseID":"`+id+`"`)
		w.add("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","is_error":`+strconv.FormatBool(c.failed)+`,"content":`+c.output+`}]},"toolUseResult":`+c.extra)
	}
	w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":`+quoteJSON(w.prose(900))+`}]}`)
}

// call is one tool call and what came of it, as JSON.
type call struct {
	name, input, output, extra string
	failed                     bool
}

// call makes up one. Of a hundred, 35 are commands (10 of them tests, 1 of which fails), 25 read a file and 21 edit one; an
// edit's line holds the whole file as it was before.
func (w *writer) call() call {
	file := quoteJSON(fmt.Sprintf(`/home/alice/shop/internal/cart/part%d.go`, w.random.IntN(40)))
	text := func(size int) string { return quoteJSON(w.prose(size/2 + w.random.IntN(size))) }
	bash := func(command, output string, failed bool) call {
		return call{"Bash", `{"command":` + quoteJSON(command) + `,"description":"run a command"}`, output, `{"stdout":` + output + `,"stderr":"","interrupted":false,"isImage":false}`, failed}
	}
	switch n := w.random.IntN(100); {
	case n < 10:
		return bash("go test ./internal/cart/... -run TestOrder"+strconv.Itoa(w.random.IntN(30)), text(1300), n == 0)
	case n < 35:
		return bash("git log --stat -n "+strconv.Itoa(w.random.IntN(9)), text(1100), false)
	case n < 60:
		output := text(5600)
		return call{"Read", `{"file_path":` + file + `}`, output, `{"type":"text","file":{"filePath":` + file + `,"content":` + output + `,"numLines":120,"startLine":1,"totalLines":120}}`, false}
	case n < 81:
		return call{"Edit", `{"file_path":` + file + `,"old_string":` + text(300) + `,"new_string":` + text(350) + `}`, text(450), `{"filePath":` + file + `,"oldString":` + text(300) + `,"newString":` + text(350) + `,"originalFile":` + text(22000) + `,"structuredPatch":[],"userModified":false}`, false}
	case n < 94:
		output := text(1900)
		return call{"Grep", `{"pattern":"cents","path":"/home/alice/shop"}`, output, `{"mode":"content","filenames":[],"content":` + output + `}`, false}
	}
	return call{"TodoWrite", `{"todos":[{"content":"widen cents to int64","status":"in_progress","activeForm":"Widening"},{"content":"add a test for step ` + strconv.Itoa(w.n) + `","status":"pending","activeForm":"Adding"}]}`, quoteJSON("Todos have been modified successfully."), `{"oldTodos":[],"newTodos":[]}`, false}
}

// add puts a line with these fields at the end of the branch.
func (w *writer) add(kind, fields string) {
	uuid := fmt.Sprintf("%08x-5b7d-4e1a-9c3f-%012x", w.random.Uint32(), w.random.Uint64()&0xffffffffffff)
	parent := "null"
	if w.parent != "" {
		parent = `"` + w.parent + `"`
	}
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC).Add(time.Duration(w.n) * time.Minute).Format("2006-01-02T15:04:05.000Z")
	w.left = append(w.left, `{"parentUuid":`+parent+`,"isSidechain":false,"userType":"external","cwd":"/home/alice/shop","sessionId":"s1","version":"2.1.329","gitBranch":"main","type":"`+kind+`",`+fields+`,"uuid":"`+uuid+`","timestamp":"`+at+`"}`+"\n")
	w.parent = uuid
}

var words = strings.Fields(`the cart adds tax before rounding and func (c *Cart) Total() int64 { return c.cents } so "1,000.01" becomes	100001 cents; ok github.com/acme/shop/internal/cart 0.412s
--- PASS: TestOrder (0.00s) if err != nil { return fmt.Errorf("reading the order: %w", err) } größer als zuvor`)

// prose is about size bytes of words and lines, as tools print them.
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
