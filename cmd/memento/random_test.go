package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// modelRecord is a record in the naive model.
type modelRecord struct {
	kind, title, word, status string
	created, updated, retired time.Time
	began                     time.Time // the last time that it became active
	// the status before a person moved its file; "" after memento wrote the file again
	hand string
}

// model plays commands on records and compares the records with a naive model.
type model struct {
	t       *testing.T
	r       *rand.Rand
	dir     string // memento's folder
	home    string
	project string
	names   int
	words   int
	now     time.Time
	records map[string]*modelRecord // by slug
	removed map[string]time.Time
	log     []string
}

// TestRandomRecords plays random steps and compares the records with a naive model after each: commands, moved files,
// and edits in an editor. MEMENTO_RANDOM_OPS sets the number of steps, MEMENTO_RANDOM_SEED the seed.
func TestRandomRecords(t *testing.T) {
	fixture.Long(t, "plays random commands for seconds")
	ops, seeds := 120, []uint64{1, 2, uint64(time.Now().UnixNano())}
	if n, err := strconv.Atoi(os.Getenv("MEMENTO_RANDOM_OPS")); err == nil {
		ops = n
	}
	if n, err := strconv.ParseUint(os.Getenv("MEMENTO_RANDOM_SEED"), 10, 64); err == nil {
		seeds = []uint64{n}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			home := t.TempDir()
			s := &model{t: t, r: rand.New(rand.NewPCG(seed, 0)), home: home,
				dir: filepath.Join(home, ".claude", ".memento"), project: "shop",
				now: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC), records: map[string]*modelRecord{},
				removed: map[string]time.Time{}}
			if err := os.MkdirAll(filepath.Join(home, "shop"), 0o700); err != nil {
				t.Fatal(err)
			}
			for n := range ops {
				s.now = s.now.Add(time.Duration(1+s.r.IntN(90)) * time.Minute)
				if s.r.IntN(25) == 0 {
					s.now = s.now.Add(time.Duration(s.r.IntN(20)) * 24 * time.Hour)
				}
				s.step()
				if n%10 == 9 || n == ops-1 {
					s.compare()
				}
				if t.Failed() {
					t.Fatalf("seed %d, operation %d; the last ones:\n%s", seed, n,
						strings.Join(s.log[max(0, len(s.log)-25):], "\n"))
				}
			}
		})
	}
}

// run runs a command and returns its output and whether it succeeded.
func (s *model) run(args ...string) (string, bool) {
	env := map[string]string{"HOME": s.home, "USERPROFILE": s.home, "USER": "alice"}
	code, out, said := inside(env, filepath.Join(s.home, "shop"), func() time.Time { return s.now }, "", args...)
	s.log = append(s.log, fmt.Sprintf("%s memento %q: %d %.200s%.200s", s.now.Format(time.RFC3339), args, code, out,
		said))
	return out, code == 0
}

// titles differ only in symbols, or only in case.
var titles = []string{"C++", "C#", "c#", "C", "limit < 80 %", "limit > 80 %", "Limit > 80 %", "a == b", "a != b",
	"-1 is none", "1 is none", "Café", "Cafe\u0301", "café!",
	"Use one queue", "use one queue.", "Use two queues", "Keep the queue", "Ship on Friday", "Ship on Monday"}

var sections = map[string]string{"decision": "decision", "debt": "description", "subagent": "summary",
	"session": "goal"}

func key(title string) string {
	return strings.Trim(strings.ReplaceAll(strings.ToLower(title), "e\u0301", "é"), ".!")
}

func (s *model) word() string {
	s.words++
	return "w" + strings.Repeat("q", 1+s.words%3) + strconv.Itoa(s.words)
}

// any returns the slug of a random record, "" if there is none.
func (s *model) any() string {
	all := slices.Sorted(maps.Keys(s.records))
	if len(all) == 0 {
		return ""
	}
	return all[s.r.IntN(len(all))]
}

func (s *model) step() {
	slug := s.any()
	o := s.records[slug]
	op := s.r.IntN(20)
	if o == nil {
		op = 0
	}
	switch op {
	case 0, 1, 2, 3:
		s.save()
	case 4, 5:
		o.word = s.word()
		s.must(s.run("edit", slug, "--set", sections[o.kind]+"="+o.word))
		s.wrote(o)
	case 6:
		s.move(slug, "complete", "completed", "active")
	case 7:
		s.move(slug, "restore", "active", "completed", "retired", "archived")
	case 8:
		s.move(slug, "retire", "retired", "active", "completed", "archived")
	case 9:
		s.move(slug, "archive", "archived", "active", "completed", "retired")
	case 10, 11:
		s.move(slug, "restore", "active", "completed", "retired", "archived")
	case 12:
		s.must(s.run("rm", slug, "--yes"))
		s.removed[key(o.title)] = s.now
		delete(s.records, slug)
	case 13:
		s.collect()
	case 14:
		s.names++
		to := fmt.Sprintf("shop%d", s.names)
		s.must(s.run("workspace", "rename", s.project, to))
		s.project, s.removed = to, map[string]time.Time{} // the guard against removed titles ends with a new name
	case 15:
		if o.word != "" {
			s.must(s.run("forget", o.word, "--yes"))
			o.word = ""
		}
	case 16, 17:
		s.byHand(slug, o)
	case 18:
		s.inEditor(slug, o)
	case 19:
		s.find(slug, o)
	}
}

func (s *model) must(out string, ok bool) {
	if !ok {
		s.t.Error("it failed")
	}
}

// wrote changes the model as any write of a record does.
func (s *model) wrote(o *modelRecord) {
	o.updated = s.now
	if o.hand != "" {
		if o.status == "active" {
			o.began = s.now
		}
	}
	o.hand = ""
}

func (s *model) save() {
	kind := []string{"decision", "decision", "debt", "subagent", "session"}[s.r.IntN(5)]
	title, word := titles[s.r.IntN(len(titles))], s.word()
	isRecent, isTaken := s.now.Sub(s.removed[key(title)]) < 24*time.Hour, false
	for _, o := range s.records {
		isTaken = isTaken || key(o.title) == key(title)
	}
	out, ok := s.run("save", kind, title, "--set", sections[kind]+"="+word)
	// one of the same title has another name where its title was edited or its kind begins the name
	if ok && isRecent || !ok && !isRecent && !isTaken {
		s.t.Errorf("%q was saved: %v, removed just now: %v, taken: %v", title, ok, isRecent, isTaken)
	}
	if !ok {
		return
	}
	slug, ours := strings.CutPrefix(strings.TrimSpace(out), s.project+"--")
	if _, there := s.records[slug]; there || !ours {
		s.t.Errorf("%q got the name %q", title, out)
	}
	s.records[slug] = &modelRecord{kind: kind, title: title, word: word, status: "active", created: s.now,
		updated: s.now, began: s.now}
}

// window retires all sessions except the five newest active ones.
func (s *model) window() {
	var active []*modelRecord
	for _, o := range s.records {
		if o.kind == "session" && o.status == "active" {
			active = append(active, o)
		}
	}
	slices.SortFunc(active, func(a, b *modelRecord) int { return b.began.Compare(a.began) })
	for _, o := range active[min(5, len(active)):] {
		s.turn(o, "retired")
	}
}

func (s *model) turn(o *modelRecord, to string) {
	o.status, o.updated, o.hand = to, s.now, ""
	switch to {
	case "retired":
		o.retired = s.now
	case "active":
		o.began = s.now
	}
}

func (s *model) move(slug, verb, to string, from ...string) {
	o := s.records[slug]
	args := []string{"archive", slug, "--reason", "a reason"}
	switch verb {
	case "restore":
		args = []string{"restore", slug}
	case "complete", "retire":
		args = append(args, "--as", to)
	}
	_, ok := s.run(args...)
	if ok != slices.Contains(from, o.status) {
		s.t.Errorf("%s of what is %s: %v", verb, o.status, ok)
	}
	if ok {
		s.turn(o, to)
	}
}

func (s *model) collect() {
	s.must(s.run("gc"))
	const day = 24 * time.Hour
	keep := map[string]time.Duration{"subagent": 14 * day, "session": 90 * day}
	for _, o := range s.records {
		over := o.status == "retired" && s.now.Sub(o.updated) >= 30*day && s.now.Sub(o.retired) >= 30*day
		switch {
		case over:
			s.turn(o, "archived")
		case o.status == "active" && keep[o.kind] > 0 && s.now.Sub(o.updated) >= keep[o.kind]:
			s.turn(o, "retired")
		}
	}
	s.window()
}

// path returns the path of a record's file.
func (s *model) path(slug string) string {
	for _, dir := range []string{s.dir, filepath.Join(s.dir, ".completed")} {
		at := filepath.Join(dir, s.project+"--"+slug+".md")
		if _, err := os.Stat(at); err == nil {
			return at
		}
	}
	s.t.Errorf("%s has no file", slug)
	return filepath.Join(s.dir, "none")
}

// byHand moves a file into the archive or out of it.
func (s *model) byHand(slug string, o *modelRecord) {
	if o.kind == "session" { // a save counts active sessions by the index, which does not know the move yet
		return
	}
	at, archive := s.path(slug), filepath.Join(s.dir, ".completed")
	to := filepath.Join(archive, filepath.Base(at))
	into := filepath.Dir(at) == s.dir
	if !into {
		to = filepath.Join(s.dir, filepath.Base(at))
	}
	if err := os.MkdirAll(archive, 0o700); err != nil {
		s.t.Fatal(err)
	}
	s.log = append(s.log, "mv "+at+" "+to)
	if err := os.Rename(at, to); err != nil {
		s.t.Error(err)
	}
	moved := map[bool]string{true: "completed", false: "active"}[into]
	switch {
	case o.status == "retired" || into == (o.status != "active"): // the folder fits the status
	case o.hand != "": // the file is back in its first folder
		o.status, o.hand = o.hand, ""
	default:
		o.status, o.hand = moved, o.status
		if !into {
			o.began = o.created
		}
	}
}

// inEditor replaces the words in a record's file, and leaves the times in the file as they are.
func (s *model) inEditor(slug string, o *modelRecord) {
	if o.word == "" {
		return
	}
	at, word := s.path(slug), s.word()
	s.put(at, strings.Replace(s.get(at), "\n"+o.word+"\n", "\n"+word+"\n", 1))
	s.log = append(s.log, "in an editor: "+at+" "+o.word+" -> "+word)
	o.word = word
}

// get returns the text of the file at path.
func (s *model) get(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		s.t.Error(err)
	}
	return string(data)
}

// put writes the file at path.
func (s *model) put(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Error(err)
	}
}

// find searches for a record by its word, and for a word that no record has.
func (s *model) find(slug string, o *modelRecord) {
	for _, status := range []string{"all", "active"} {
		word, want := o.word, []string{s.project + "--" + slug}
		if word == "" {
			word, want = "wq0", nil
		}
		if status == "active" && o.status != "active" {
			want = nil
		}
		out, _ := s.run("search", word, "--status", status, "--kind", "decision,debt,subagent,session", "--json")
		var got struct{ Results []struct{ ID string } }
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			s.t.Error(err)
		}
		var ids []string
		for _, r := range got.Results {
			ids = append(ids, r.ID)
		}
		if !slices.Equal(ids, want) {
			s.t.Errorf("%s among %s is %v, want %v", word, status, ids, want)
		}
	}
}

// compare compares all records with the model.
func (s *model) compare() {
	out, _ := s.run("list", "--all", "--status", "all", "--kind", "decision,debt,subagent,session", "--json")
	var got struct {
		Records []struct{ ID, Title, Status, Kind string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		s.t.Error(err)
	}
	have, want := map[string]string{}, map[string]string{}
	for _, r := range got.Records {
		have[r.ID] = r.Kind + " " + r.Title + " " + r.Status
	}
	for slug, o := range s.records {
		want[s.project+"--"+slug] = o.kind + " " + o.title + " " + o.status
	}
	if !maps.Equal(have, want) {
		for id := range have {
			if have[id] != want[id] {
				s.t.Errorf("%s is %q, want %q", id, have[id], want[id])
			}
		}
		for id := range want {
			if have[id] == "" {
				s.t.Errorf("%s is missing: %q", id, want[id])
			}
		}
	}
	for slug, o := range s.records {
		if data := s.get(s.path(slug)); o.word != "" && !strings.Contains(data, "\n"+o.word+"\n") {
			s.t.Errorf("%s lost %q:\n%s", slug, o.word, data)
		}
	}
}
