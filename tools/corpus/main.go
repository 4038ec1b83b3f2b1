// Command corpus measures memento on real sessions, kept elsewhere. Their folder has
//
//	*.jsonl or *.jsonl.gz  transcripts of sessions that were compacted
//	probes.jsonl           a line for each compaction: what the work needed after it, and whether the client's
//	                       own summary has it
//	labels.jsonl           sentences that users typed, labelled by hand: rule, task or other
//
// It plays every compaction to the hooks as the client would, and prints what is kept. Kept means: word for word, in
// the client's summary or in the block that memento prints after the compaction. It fails when a figure falls below a
// goal that was reached before. With --lost it lists every item that is not kept; with --plot it draws the shares as an
// SVG.
//
//	go run -C tools ./corpus [--lost] [--plot FILE] FOLDER
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/hook"
)

// probe is one compaction.
type probe struct {
	Transcript, UUID, Trigger string
	Boundary                  int // 1 for a session's first
	Constraints               []struct {
		Text   string
		Strict bool
		In     flags `json:"in_summary"`
	}
	Mission *struct {
		Text, Kind string
		Chars      int
		In         flags `json:"in_summary"`
	}
	Open []struct {
		Text string
		In   flags `json:"in_summary"`
	} `json:"open_todos"`
	Files []struct {
		File string
		In   flags `json:"in_summary"`
	} `json:"working_set"`
	Failure *failure `json:"last_failure"`
	Check   *failure `json:"last_check_failure"`
}

type failure struct {
	Command, Error string
	Resolved       bool  `json:"resolved_before"`
	Ago            int   `json:"calls_before_boundary"`
	In             flags `json:"in_summary"`
}

// flags say whether the client's own summary has it.
type flags struct {
	Exact, Exact200, Basename bool
	Command                   bool `json:"cmd_exact60"`
	Error                     bool `json:"error_exact80"`
}

type label struct {
	Transcript, Text, Label string
	Line                    int
	Sure                    bool
}

func when(boundary int) string {
	if boundary == 1 {
		return "1st"
	}
	return "2nd+"
}

// The kinds of items.
const (
	rules       = "rules (labelled, sure)"
	anyCue      = "user constraints (any cue)"
	strictCue   = "user constraints (strict)"
	mission     = "mission (200 chars verbatim)"
	tasks       = "open tasks"
	workingSet  = "working set (basename)"
	failing     = "unresolved failing command"
	failedCheck = "unresolved failing check"
	errorLine   = ": its error line"
)

// result is a whole run.
type result struct {
	scores                map[string]map[string]*share // by kind of item and by compaction: "all" or "2nd+"
	sessions, compactions int
	block                 map[string][]int // sizes in quarter tokens, by when
	brief                 []int            // characters
	quoted, chatter       int              // labelled sentences that blocks at first compactions quote; the other ones
	earlier, handed       int              // messages from before the previous compaction; those in the brief
	lines, redacted       int              // stored, and taken for a secret among them
	lost                  []string
}

func main() {
	lost := flag.Bool("lost", false, "list every item that is not kept")
	path := flag.String("plot", "", "draw the shares into this `file`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "memento: corpus: one folder of transcripts is needed\n"+
			"memento: hint: go run -C tools ./corpus FOLDER")
		os.Exit(64)
	}
	r, err := measure(flag.Arg(0))
	if err == nil {
		r.print(os.Stdout)
		if *lost {
			for _, l := range r.lost {
				fmt.Println("lost ", l)
			}
		}
		if *path != "" {
			err = writePlot(*path, r.shares())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "memento: corpus:", err)
	}
	if err != nil || !r.holds() {
		os.Exit(1)
	}
}

// measure plays the compactions of all sessions in dir.
func measure(dir string) (*result, error) {
	probes, err := read[probe](filepath.Join(dir, "probes.jsonl"))
	if err != nil {
		return nil, err
	}
	labels, err := read[label](filepath.Join(dir, "labels.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.SortStableFunc(probes, func(a, b probe) int {
		return cmp.Or(strings.Compare(a.Transcript, b.Transcript), a.Boundary-b.Boundary)
	})
	r := &result{scores: map[string]map[string]*share{}, block: map[string][]int{}}
	for len(probes) > 0 {
		name := probes[0].Transcript
		n := slices.IndexFunc(probes, func(p probe) bool { return p.Transcript != name })
		if n < 0 {
			n = len(probes)
		}
		if err := r.session(dir, probes[:n], labels); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		probes = probes[n:]
	}
	if r.compactions == 0 {
		return nil, fmt.Errorf("%s holds no compaction", dir)
	}
	return r, nil
}

// sizes are the goals for blocks, in tokens.
var sizes = []struct {
	when string
	most int // of the median, and of the largest
}{
	{"1st", 350}, // the block fills its room
	{"2nd+", 1000},
}

// mostBrief is how many characters a brief may have.
const mostBrief = 8000

// holds reports whether every goal that was reached before is reached, and prints the others.
func (r *result) holds() bool {
	all := true
	judge := func(ok, reached bool, what string) {
		switch {
		case !ok && reached:
			all = false
			fmt.Println("no longer reached:", what)
		case !ok:
			fmt.Println("not reached yet:", what)
		case !reached:
			fmt.Println("reached now, to be held from here on:", what)
		}
	}
	for _, s := range r.shares() {
		if s.goal != (goal{}) {
			judge(s.isMet(), s.goal.reached, fmt.Sprintf("%s: %s, %s is the goal", s.name, s.percent(s.ours), s.goal))
		}
	}
	for _, s := range sizes {
		judge(quantile(r.block[s.when], 1) <= 4*s.most, true, "the size of blocks at "+s.when+" compactions")
	}
	judge(quantile(r.brief, 1) <= mostBrief, true, "the size of briefs")
	return all
}

// play is a transcript, line by line.
type play struct {
	lines   [][]byte
	parsed  []gjson.Result
	bounds  []int          // the lines of its compactions
	at      map[string]int // these by uuid
	id, cwd string
}

func readPlay(dir, name string) (p play, err error) {
	p = play{at: map[string]int{}}
	if p.lines, err = transcript(dir, name); err != nil {
		return p, err
	}
	p.parsed = make([]gjson.Result, len(p.lines))
	for i, l := range p.lines {
		if !gjson.ValidBytes(l) {
			continue
		}
		v := gjson.ParseBytes(l)
		p.parsed[i] = v
		p.id, p.cwd = cmp.Or(p.id, v.Get("sessionId").Str), cmp.Or(p.cwd, v.Get("cwd").Str)
		if v.Get("type").Str == "system" && v.Get("subtype").Str == "compact_boundary" && !v.Get("isSidechain").Bool() {
			p.bounds = append(p.bounds, i)
			p.at[v.Get("uuid").Str] = i
		}
	}
	return p, nil
}

// session plays the compactions of one session in order, in a home of its own.
func (r *result) session(dir string, probes []probe, labels []label) error {
	all, err := readPlay(dir, probes[0].Transcript)
	if err != nil {
		return err
	}
	home, err := scratch()
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	p := player{home: home, session: cmp.Or(all.id, "session"), cwd: cmp.Or(all.cwd, filepath.Join(home, "proj"))}
	p.path = filepath.Join(home, ".claude", "projects", notName.ReplaceAllString(p.cwd, "-"), p.session+".jsonl")
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
		return err
	}
	r.sessions++
	for _, c := range probes {
		i, ok := all.at[c.UUID]
		if !ok {
			continue
		}
		if err := os.WriteFile(p.path, bytes.Join(all.lines[:i], nil), 0o600); err != nil {
			return err
		}
		brief := p.send(map[string]any{"hook_event_name": "PreCompact", "trigger": cmp.Or(c.Trigger, "auto"),
			"custom_instructions": ""})
		block := p.send(map[string]any{"hook_event_name": "SessionStart", "source": "compact"})
		r.compactions++
		r.block[when(c.Boundary)] = append(r.block[when(c.Boundary)], quarters(block))
		r.brief = append(r.brief, len([]rune(brief)))
		r.label(c, all, i, labels, kept(norm(block)))
		r.hand(c, all, i, norm(brief))
		r.probe(c, kept(norm(block)))
	}
	return r.stored(home)
}

// label counts the labelled sentences from before the compaction at line i.
func (r *result) label(c probe, all play, i int, labels []label, mine kept) {
	native := kept("")
	for _, v := range all.parsed[i:min(i+8, len(all.parsed))] {
		if v.Get("isCompactSummary").Bool() {
			native = kept(norm(flat(v.Get("message.content"))))
			break
		}
	}
	for _, l := range labels {
		if l.Transcript != c.Transcript || l.Line >= i {
			continue
		}
		if l.Label == "rule" && l.Sure {
			r.item(rules, c, l.Text, native.exact(l.Text), mine.exact(l.Text))
		}
		if c.Boundary == 1 && mine.exact(l.Text) {
			r.quoted++
			if l.Label == "other" {
				r.chatter++
			}
		}
	}
}

// hand counts the messages from before the previous compaction that an automatic brief hands over.
func (r *result) hand(c probe, all play, i int, told string) {
	n := slices.Index(all.bounds, i)
	if c.Boundary <= 1 || c.Trigger != "auto" || n <= 0 {
		return
	}
	for _, v := range all.parsed[:all.bounds[n-1]] {
		for _, words := range typed(v) {
			r.earlier++
			if strings.Contains(told, head(norm(words), 60)) {
				r.handed++
			}
		}
	}
}

// probe counts what the block keeps of one compaction's probes.
func (r *result) probe(c probe, mine kept) {
	for _, f := range c.Files {
		base := strings.ToLower(path.Base(f.File))
		r.item(workingSet, c, base, f.In.Basename, strings.Contains(string(mine), base))
	}
	for _, x := range c.Constraints {
		r.item(anyCue, c, x.Text, x.In.Exact, mine.exact(x.Text))
		if x.Strict {
			r.item(strictCue, c, x.Text, x.In.Exact, mine.exact(x.Text))
		}
	}
	if m := c.Mission; m != nil && m.Chars <= 2000 && m.Kind == "prompt" {
		r.item(mission, c, m.Text, m.In.Exact200, mine.exact(head(norm(m.Text), 200)))
	}
	for name, f := range map[string]*failure{failing: c.Failure, failedCheck: c.Check} {
		if f == nil || f.Resolved || f.Ago > 30 {
			continue
		}
		command := head(norm(changedTo.ReplaceAllString(strings.TrimSpace(f.Command), "")), 60)
		r.item(name, c, command, f.In.Command, strings.Contains(string(mine), command))
		if line := head(norm(f.Error), 80); line != "" {
			r.item(name+errorLine, c, line, f.In.Error, strings.Contains(string(mine), line))
		}
	}
	for _, x := range c.Open {
		r.item(tasks, c, x.Text, x.In.Exact, mine.exact(x.Text))
	}
}

// item counts one item, and notes a lost one.
func (r *result) item(name string, c probe, what string, native, block bool) {
	if r.scores[name] == nil {
		r.scores[name] = map[string]*share{"all": {name: name, when: "all", native: new(int), goal: goals[name]},
			"2nd+": {name: name, when: "2nd+", native: new(int)}}
	}
	for when, s := range r.scores[name] {
		if when == "2nd+" && c.Boundary == 1 {
			continue
		}
		s.items++
		if native {
			*s.native++
		}
		if native || block {
			s.ours++
		}
	}
	if !native && !block {
		r.lost = append(r.lost, fmt.Sprintf("%s, %s #%d: %.120q", name, c.Transcript, c.Boundary, what))
	}
}

func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%d compactions in %d sessions; a token is 4 ASCII characters or 1 other\n\n", r.compactions, r.sessions)
	fmt.Fprintf(w, row, "kept", "compactions", "native summary", "native + block", "goal")
	fmt.Fprintln(w, "|---|---|---|---|---|")
	for _, s := range r.shares() {
		s.print(w)
	}
	fmt.Fprintln(w)
	for _, s := range sizes {
		b := r.block[s.when]
		fmt.Fprintf(w, "block at %s compactions: median %.0f tokens, p90 %.0f, max %.0f; at most %d\n", s.when,
			float64(quantile(b, .5))/4, float64(quantile(b, .9))/4, float64(quantile(b, 1))/4, s.most)
	}
	fmt.Fprintf(w, "brief: median %d characters, max %d; at most %d\n", quantile(r.brief, .5), quantile(r.brief, 1),
		mostBrief)
}

// quantile returns the value below which the part p of all values lies; 0 without values.
func quantile(all []int, p float64) int {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// quarters returns the size of a block in quarters of a token.
func quarters(s string) int {
	n := 0
	for _, c := range s {
		if c < 128 {
			n++
		} else {
			n += 4
		}
	}
	return n
}

// player sends the events of one session to the hooks.
type player struct{ home, session, cwd, path string }

// send returns the hook's answer: plain text, or the context in its JSON.
func (p player) send(fields map[string]any) string {
	fields["session_id"], fields["transcript_path"], fields["cwd"] = p.session, p.path, p.cwd
	in, err := json.Marshal(fields)
	if err != nil {
		panic(err) // a map of strings
	}
	env := map[string]string{"PATH": os.Getenv("PATH"), "HOME": p.home, "USER": "alice",
		"CLAUDE_CONFIG_DIR": filepath.Join(p.home, ".claude")}
	var out bytes.Buffer
	hook.Run(bytes.NewReader(in), &out, hook.Env{Getenv: func(name string) string { return env[name] }, Now: time.Now(),
		Exe: func() string { return "/usr/local/bin/memento" }})
	if answer := gjson.ParseBytes(out.Bytes()); answer.IsObject() && gjson.ValidBytes(out.Bytes()) {
		return answer.Get("hookSpecificOutput.additionalContext").Str
	}
	return out.String()
}

var notName = regexp.MustCompile(`[^A-Za-z0-9]`)

// scratch makes a home whose path has a fixed length, since the path is a part of the block and counts.
func scratch() (string, error) {
	for n := time.Now().UnixNano() % 1e8; ; n = (n + 1) % 1e8 {
		home := filepath.Join(os.TempDir(), fmt.Sprintf("recovery-%08d", n))
		if err := os.Mkdir(home, 0o700); !os.IsExist(err) {
			return home, err
		}
	}
}

// transcript is the lines of a transcript, packed or not, with their ends.
func transcript(dir, name string) ([][]byte, error) {
	file, err := os.Open(filepath.Join(dir, name))
	var from io.Reader = file
	if os.IsNotExist(err) {
		if file, err = os.Open(filepath.Join(dir, name+".gz")); err == nil {
			from, err = gzip.NewReader(file)
		}
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(from)
	lines := slices.DeleteFunc(bytes.SplitAfter(data, []byte("\n")), func(l []byte) bool { return len(l) == 0 })
	return lines, err
}

// read returns the JSON values in a file, a line each.
func read[T any](path string) (all []T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for in := json.NewDecoder(file); ; {
		var value T
		switch err := in.Decode(&value); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s, value %d: %w", path, len(all)+1, err)
		}
		all = append(all, value)
	}
}
