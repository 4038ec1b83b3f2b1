// Command locomo measures the searchable past on LoCoMo (snap-research/LoCoMo, data/locomo10.json, which its licence
// keeps out of this repository): each conversation is a project, each of its sessions a transcript, whose first speaker
// typed and whose second one answered. It asks each question with memento search, and scores by session.
//
//	go run -C tools ./locomo /path/to/locomo10.json
//
// It fails when the ranking is worse than it was, also on a part of the conversations.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "memento: locomo: one file is needed: locomo10.json\nmemento: hint: go run -C tools ./locomo FILE")
		os.Exit(64)
	}
	if err := measure(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "memento: locomo:", err)
		os.Exit(1)
	}
}

// person is a machine on which the conversations took place.
type person struct{ home, memento string }

func measure(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "memento-locomo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	p := person{home, filepath.Join(home, "memento")}
	build := exec.Command("go", "build", "-C", "..", "-o", p.memento, "./cmd/memento")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	samples := gjson.ParseBytes(data).Array()
	for _, s := range samples {
		if err := p.write(s); err != nil {
			return err
		}
	}
	taken, err := p.run(home, "backfill", "--all", "--yes")
	if err != nil {
		return err
	}
	fmt.Printf("%s", taken)
	var s score
	began := time.Now()
	for _, sample := range samples {
		if err := p.ask(sample, &s); err != nil {
			return err
		}
	}
	n, took := float64(s.asked), time.Since(began).Milliseconds()
	fmt.Printf("%d questions of %d conversations, %.0f ms each\n", s.asked, len(samples), float64(took)/n)
	fmt.Printf("hit@1 %.3f   hit@5 %.3f   recall@5 %.3f   MRR %.3f\n", s.first/n, s.five/n, s.recall/n, s.rank/n)
	if s.first/n < .68 || s.recall/n < .83 || s.rank/n < .77 {
		return errors.New("the ranking has become worse")
	}
	return nil
}

// run runs memento in a folder, with an environment of its own.
func (p person) run(dir string, args ...string) (string, error) {
	cmd := exec.Command(p.memento, args...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + p.home, "USER=alice", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("memento %q: %w", args, err)
	}
	return string(out), nil
}

// write writes the sessions of a conversation as transcripts. Their times are recent: what is old is not kept.
func (p person) write(sample gjson.Result) error {
	folder := filepath.Join(p.home, sample.Get("sample_id").Str)
	transcripts := filepath.Join(p.home, ".claude", "projects", strings.ReplaceAll(folder, "/", "-"))
	for _, dir := range []string{folder, transcripts} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	talk := sample.Get("conversation")
	for n := 1; talk.Get(fmt.Sprintf("session_%d_date_time", n)).Exists(); n++ {
		session := fmt.Sprintf("%s-%d", sample.Get("sample_id").Str, n)
		at := time.Now().UTC().AddDate(0, 0, n-60)
		var lines []byte
		for i, turn := range talk.Get(fmt.Sprintf("session_%d", n)).Array() {
			words := turn.Get("text").Str
			if caption := turn.Get("blip_caption").Str; caption != "" {
				words += " [" + caption + "]"
			}
			role, content := "user", any(words)
			if turn.Get("speaker").Str != talk.Get("speaker_a").Str {
				role, content = "assistant", []any{map[string]string{"type": "text", "text": words}}
			}
			line, err := json.Marshal(map[string]any{"type": role, "uuid": fmt.Sprintf("%s-%d", session, i),
				"sessionId": session, "cwd": folder,
				"timestamp": at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
				"message":   map[string]any{"role": role, "content": content}})
			if err != nil {
				return err
			}
			lines = append(append(lines, line...), '\n')
		}
		if err := os.WriteFile(filepath.Join(transcripts, session+".jsonl"), lines, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// score sums over questions.
type score struct {
	asked                     int
	first, five, recall, rank float64
}

// evidence finds the session in the name of a turn: D3:12 is in the third.
var evidence = regexp.MustCompile(`D(\d+):`)

// ask asks the questions of a conversation whose answers stand in some of its sessions.
func (p person) ask(sample gjson.Result, s *score) error {
	id := sample.Get("sample_id").Str
	for _, q := range sample.Get("qa").Array() {
		want := map[string]bool{}
		for _, m := range evidence.FindAllStringSubmatch(q.Get("evidence").Raw, -1) {
			want[id+"-"+m[1]] = true
		}
		if len(want) == 0 {
			continue
		}
		found, err := p.run(filepath.Join(p.home, id), "search", "--json", "--limit", "100", "--",
			q.Get("question").Str)
		if err != nil {
			return err
		}
		seen, hits, first := map[string]bool{}, 0.0, 0
		for _, r := range gjson.Get(found, "results").Array() {
			session := r.Get("session").Str
			if seen[session] {
				continue
			}
			if seen[session] = true; want[session] {
				if first == 0 {
					first = len(seen)
				}
				if len(seen) <= 5 {
					hits++
				}
			}
		}
		s.asked++
		s.recall += hits / float64(len(want))
		if first > 0 {
			s.rank += 1 / float64(first)
		}
		if first == 1 {
			s.first++
		}
		if hits > 0 {
			s.five++
		}
	}
	return nil
}
