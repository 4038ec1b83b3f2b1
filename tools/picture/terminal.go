package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
)

// terminal runs a program and keeps what it prints, with the time.
type terminal struct {
	columns, rows int
	cmd           *exec.Cmd
	tty           *os.File
	began         time.Time // the zero of all times; squeeze moves it

	mu     sync.Mutex
	events []moment
	fresh  strings.Builder // what was printed since the last key
	latest time.Time       // when the program printed last
}

// moment is one event of a recording: output ("o") or a marker ("m").
type moment struct {
	at   time.Duration
	kind string
	text string
}

// open starts cmd in a terminal of this size.
func open(cmd *exec.Cmd, columns, rows int) (*terminal, error) {
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		return nil, fmt.Errorf("starting %s in a terminal: %w", cmd.Path, err)
	}
	t := &terminal{columns: columns, rows: rows, cmd: cmd, tty: tty, began: time.Now()}
	go t.listen()
	return t, nil
}

// listen keeps the output until the program ends. A character whose bytes come in two parts is kept whole.
func (t *terminal) listen() {
	buf := make([]byte, 64<<10)
	var rest []byte
	for {
		n, err := t.tty.Read(buf)
		text := append(rest, buf[:n]...)
		end := len(text)
		for i := end - 1; i >= 0 && i > end-utf8.UTFMax; i-- {
			if utf8.RuneStart(text[i]) {
				if !utf8.FullRune(text[i:]) {
					end = i
				}
				break
			}
		}
		t.add("o", string(text[:end]))
		rest = bytes.Clone(text[end:])
		if err != nil {
			return
		}
	}
}

func (t *terminal) add(kind, text string) {
	if text == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, moment{time.Since(t.began), kind, text})
	if kind == "o" {
		t.fresh.WriteString(text)
		t.latest = time.Now()
	}
}

// control matches what moves the cursor or sets a colour.
var control = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[^\[\]])|\s`)

// wait waits until the program has printed words since the last key, and then a moment longer, until it is quiet.
// Spaces do not count: a program may move the cursor instead.
func (t *terminal) wait(words string) error {
	words = control.ReplaceAllString(words, "")
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		t.mu.Lock()
		seen := strings.Contains(control.ReplaceAllString(t.fresh.String(), ""), words)
		quiet := time.Since(t.latest) > 400*time.Millisecond
		t.mu.Unlock()
		if seen && quiet {
			return nil
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Errorf("the terminal did not show %q in half a minute; it printed %q", words, t.fresh.String())
}

// enter types words at a person's pace, and then Enter.
func (t *terminal) enter(words string) error {
	t.mu.Lock()
	t.fresh.Reset()
	t.mu.Unlock()
	for i, key := range words {
		if _, err := t.tty.WriteString(string(key)); err != nil {
			return fmt.Errorf("typing: %w", err)
		}
		time.Sleep(time.Duration(22+i*13%25) * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	_, err := t.tty.WriteString("\r")
	return err
}

// squeeze makes the time since from at most that long, as if the program had worked faster.
func (t *terminal) squeeze(from time.Time, most time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	took, start := time.Since(from), from.Sub(t.began)
	if took <= most {
		return
	}
	for i, m := range t.events {
		if m.at > start {
			t.events[i].at = start + time.Duration(float64(m.at-start)*float64(most)/float64(took))
		}
	}
	t.began = t.began.Add(took - most)
}

// mark puts a marker into the recording.
func (t *terminal) mark(name string) { t.add("m", name) }

// close ends the program. Only its own process group is ended.
func (t *terminal) close() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.tty.Close()
}

// cast returns the recording as asciicast v2.
func (t *terminal) cast(title string, idle time.Duration) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out bytes.Buffer
	enc := json.NewEncoder(&out) // writing to a buffer does not fail
	enc.SetEscapeHTML(false)
	_ = enc.Encode(map[string]any{"version": 2, "width": t.columns, "height": t.rows, "title": title,
		"idle_time_limit": idle.Seconds()})
	for _, m := range t.events {
		_ = enc.Encode([]any{m.at.Seconds(), m.kind, m.text})
	}
	return out.Bytes()
}
