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

// BenchmarkMemory runs Stop on a transcript of 200 MB, with a line of 9 MB in it, and reports the most memory the process
// held, and the time the first event took. The budget: 32 MB at any size.
//
//	go test ./cmd/memento -run '^$' -bench Memory -benchtime 3x
func BenchmarkMemory(b *testing.B) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		b.Skip("no /proc to read the memory from")
	}
	dir := b.TempDir()
	s := &stage{dir: dir, memento: build(b, dir, "."), hello: build(b, dir, "./testdata/hello"), path: filepath.Join(dir, "s1.jsonl")}
	w := newWriter()
	s.write(b, w, 100<<20)
	s.append(b, []byte(`{"type":"user","uuid":"big","timestamp":"2026-03-14T09:26:53Z","message":{"role":"user","content":[{"type":"image","source":{"data":"`+strings.Repeat("QUJD", 9<<18)+`"}}]}}`+"\n"))
	s.write(b, w, 91<<20)
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

// writer makes up a session, line by line, always the same one: what kinds of lines follow each other and how long they are
// was taken from public sessions, in which tools' results are two thirds of all bytes and a person types every 50th line.
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
	prompt := fmt.Sprintf("Now step %d: look at cart.go line %d, and keep the rounding as it is.", w.n, w.n*7)
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
		name, input, failed := w.call()
		w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}]}`)
		w.add("progress", `"data":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"PostToolUse:`+name+`","command":"lint"},"toolUseID":"`+id+`"`)
		output := quoteJSON(w.prose(200 + w.random.IntN(8000)))
		w.add("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","is_error":`+strconv.FormatBool(failed)+`,"content":`+output+`}]},"toolUseResult":{"stdout":`+output+`,"interrupted":false}`)
	}
	w.add("assistant", `"message":{"model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":`+quoteJSON(w.prose(900))+`}]}`)
}

// call is one of the calls a session makes, and whether it fails.
func (w *writer) call() (name, input string, failed bool) {
	file := fmt.Sprintf(`/home/alice/shop/internal/cart/part%d.go`, w.random.IntN(40))
	switch w.random.IntN(10) {
	case 0, 1, 2, 3:
		failed = w.random.IntN(8) == 0
		return "Bash", `{"command":"go test ./internal/cart/... -run TestOrder` + strconv.Itoa(w.random.IntN(30)) + `","description":"Run the tests"}`, failed
	case 4, 5, 6:
		return "Read", `{"file_path":"` + file + `"}`, false
	case 7, 8:
		return "Edit", `{"file_path":"` + file + `","old_string":` + quoteJSON(w.prose(300)) + `,"new_string":` + quoteJSON(w.prose(350)) + `}`, false
	}
	return "TodoWrite", `{"todos":[{"content":"widen cents to int64","status":"in_progress","activeForm":"Widening"},{"content":"add a test for step ` + strconv.Itoa(w.n) + `","status":"pending","activeForm":"Adding"}]}`, false
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
