package journal

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

var limits = config.Config{MaxEntries: 6, MaxFileBytes: 6 << 10, StaleDays: 7}

// TestFold: names and causes stay longer than the entries. Parts that have no room in the summary leave it whole, the
// oldest first.
func TestFold(t *testing.T) {
	j := &Journal{now: morning}
	j.fold(Entry{Act: "migrate schema", Result: "42 tables", Ctx: "user: no downtime; ever", By: ByClaude,
		Verified: yes(), TS: "2026-03-01T08:00:00Z"})
	j.fold(Entry{Act: "seed data"})
	j.fold(Entry{Act: "fix\nauth", Ctx: "tool: 401"})
	if want := "migrate schema -> 42 tables (user: no downtime, ever); seed data; fix auth (tool: 401) " +
		"(unverified)"; j.Summary != want {
		t.Errorf("the summary is %q, want %q", j.Summary, want)
	}
	fixture.Fields(t, string(j.out[0].JSON()), map[string]string{
		"ts": `"2026-03-14T09:26:53Z"`, "kind": `"done"`, "by": `"claude"`, "body": `{"act":"migrate schema",` +
			`"result":"42 tables","ctx":"user: no downtime; ever","ts":"2026-03-01T08:00:00Z","by":"claude",` +
			`"verified":true}`,
	})
	for n := range 20 {
		before := strings.Split(j.Summary, foldMark)
		j.fold(Entry{Act: fmt.Sprintf("step %d", n), Result: strings.Repeat("r", n*7), Ctx: "note: " +
			strings.Repeat("c", n*3)})
		after := strings.Split(j.Summary, foldMark)
		if text.Runes(j.Summary) > maxSummary {
			t.Fatalf("the summary has %d characters", text.Runes(j.Summary))
		}
		for i, part := range after[:len(after)-1] {
			if want := before[len(before)-len(after)+1+i]; part != want {
				t.Errorf("%q is in the place of %q", part, want)
			}
		}
		for _, gone := range before[:len(before)-len(after)+1] {
			if !kept(j, gone) {
				t.Errorf("%q left without a trace", gone)
			}
		}
	}
}

// Captured entries push each other out of the summary, the oldest first, and nothing that Claude noted.
func TestFoldCaptured(t *testing.T) {
	j := &Journal{now: morning}
	for n := range 40 {
		j.fold(Entry{Act: fmt.Sprintf("captured step %d", n), By: ByAuto})
	}
	if strings.Contains(j.Summary, "step 0;") || !strings.HasSuffix(j.Summary, "captured step 39") ||
		j.SummaryBy != ByAuto {
		t.Errorf("the summary is %q, by %q", j.Summary, j.SummaryBy)
	}
	j.fold(Entry{Act: "noted", By: ByClaude})
	for n := range 40 {
		j.fold(Entry{Act: fmt.Sprintf("later step %d", n), By: ByAuto})
	}
	if !strings.Contains(j.Summary, "noted") || j.SummaryBy != ByClaude {
		t.Errorf("the summary is %q, by %q", j.Summary, j.SummaryBy)
	}
}

// One entry of the longest values fits, its name and cause unshortened.
func TestFoldLongest(t *testing.T) {
	act, ctx := strings.Repeat("a", MaxAct), strings.Repeat("c", MaxCtx)
	j := &Journal{now: morning}
	j.fold(Entry{Act: "older"})
	j.fold(Entry{Act: act, Result: strings.Repeat("r", maxResult), Ctx: ctx})
	if !strings.HasPrefix(j.Summary, act+" -> r") || !strings.HasSuffix(j.Summary, " ("+ctx+") (unverified)") ||
		text.Runes(j.Summary) > maxSummary {
		t.Errorf("the summary is %q", j.Summary)
	}
	j.fold(Entry{Act: strings.Repeat("x", 1000)})
	if text.Runes(j.Summary) > maxSummary || !kept(j, strings.Repeat("x", 1000)) {
		t.Errorf("the summary is %q", j.Summary)
	}
}

func TestStale(t *testing.T) {
	days := func(n int) string {
		return morning.Add(-time.Duration(n)*24*time.Hour - time.Minute).Format(time.RFC3339)
	}
	for _, tt := range []struct {
		name    string
		mission string
		closed  string
		ages    []string
		stale   bool
	}{
		{"no mission, a week", "", "", []string{days(30), days(7)}, true},
		{"no mission, not a week", "", "", []string{days(30), days(6)}, false},
		{"the newest need not be the last", "", "", []string{days(6), days(30)}, false},
		{"closed", "fix auth", days(20), []string{days(8)}, true},
		{"open, a week", "fix auth", "", []string{days(8)}, false},
		{"open, two weeks", "fix auth", "", []string{days(14)}, true},
		{"of unknown age", "", "", []string{"", "last week"}, false},
		{"one of unknown age", "", "", []string{"", days(8)}, true},
		{"of the future", "", "", []string{days(-9)}, false},
		{"nothing", "", "", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := &Journal{Mission: tt.mission, MissionClosed: tt.closed, Wip: "deploy", Plan: []string{"announce"},
				now: morning}
			for n, ts := range tt.ages {
				j.Done = append(j.Done, Entry{Act: fmt.Sprint("step ", n), TS: ts})
			}
			if got := j.Stale(limits); got != tt.stale {
				t.Errorf("Stale = %v", got)
			}
			if left := len(j.Done); tt.stale && (left != 0 || !strings.HasPrefix(j.Summary, "step 0")) || !tt.stale &&
				(left != len(tt.ages) || j.Summary != "") {
				t.Errorf("%d entries are left, the summary is %q", left, j.Summary)
			}
			if j.Mission != tt.mission || j.Wip == "" || len(j.Plan) != 1 {
				t.Errorf("it is %+v", j)
			}
		})
	}
}

func TestEnforceCounts(t *testing.T) {
	j := &Journal{Mission: "fix auth", now: morning}
	for n := range 30 {
		j.Done = append(j.Done, Entry{Act: fmt.Sprint("step ", n)})
		j.Plan = append(j.Plan, fmt.Sprint("plan ", n))
		j.Files = append(j.Files, fmt.Sprint("file ", n))
	}
	if _, err := j.enforce(config.Config{MaxEntries: 4, MaxFileBytes: 64 << 10}); err != nil {
		t.Fatal(err)
	}
	if len(j.Done) != 4 || j.Done[0].Act != "step 26" || len(j.Plan) != planItems || j.Plan[2] != "plan 2" ||
		len(j.Files) != fileItems || j.Files[0] != "file 0" {
		t.Errorf("it is %+v", j)
	}
	for n := range 30 {
		for _, what := range []string{"step", "plan", "file"} {
			if !kept(j, fmt.Sprint(what, " ", n)) {
				t.Errorf("%s %d left without a trace", what, n)
			}
		}
	}
}

// TestSizeCap: a file that was edited by hand may hold anything. When memento writes it, it keeps its size limit in
// every script, and nothing is lost.
func TestSizeCap(t *testing.T) {
	for name, char := range map[string]string{"ASCII": "x", "Chinese": "令", "emoji": "🚀", "escapes": "\x01",
		"quotes": `"`} {
		for _, kb := range []int{4, 6} {
			c := config.Config{MaxEntries: 24, MaxFileBytes: kb << 10}
			j := &Journal{Mission: strings.Repeat(char, MaxMission), MissionOpened: "2026-03-14T09:26:53Z",
				Wip: strings.Repeat(char, MaxWip), Summary: strings.Repeat(char, maxSummary),
				now: morning}
			var all []string
			for n := range 24 {
				end := fmt.Sprint(char, n)
				j.Done = append(j.Done, Entry{Act: strings.Repeat(char, 70) + end, Result: strings.Repeat(char, 110) +
					end, Ctx: strings.Repeat(char, 110) + end, TS: "2026-03-14T09:26:53Z"})
				j.Files = append(j.Files, strings.Repeat(char, 100)+end)
				all = append(all, j.Done[n].Act, j.Done[n].Result, j.Done[n].Ctx, j.Files[n])
			}
			j.Plan = []string{strings.Repeat(char, 149) + "1", strings.Repeat(char, 149) + "2",
				strings.Repeat(char, 149) + "3"}
			j.Error = &Failure{Cmd: strings.Repeat(char, 2000), Line: "boom"}
			all = append(all, j.Mission, j.Wip, j.Summary, j.Plan[0], j.Plan[1], j.Plan[2], j.Error.Cmd)
			data, err := j.enforce(c)
			if err != nil || len(data) > c.MaxFileBytes || !gjson.ValidBytes(data) {
				t.Errorf("%s in %d KB: %d bytes, %v", name, kb, len(data), err)
			}
			if !j.Open() || j.Wip == "" {
				t.Errorf("%s in %d KB: the mission or the work in hand left", name, kb)
			}
			held := string(j.encode()) + left(j)
			for _, words := range all {
				if !strings.Contains(held, jsonx.Quote(words)) {
					t.Errorf("%s in %d KB: %.20s… (%d) left without a trace", name, kb, words, len(words))
				}
			}
		}
	}
}

// TestUnknownFieldsAndSize: unknown fields have room beside the known ones, and never make a file that memento would
// not read again.
func TestUnknownFieldsAndSize(t *testing.T) {
	list := "[" + strings.TrimSuffix(strings.Repeat("1,", 2000), ",") + "]" // 4 KB, laid out in lines six times that
	for name, raw := range map[string]string{
		"text":      `{"mission":"fix auth","x":"` + strings.Repeat("x", 5000) + `"}`,
		"much text": `{"mission":"fix auth","x":"` + strings.Repeat("x", 11900) + `"}`,
		"a list":    `{"mission":"fix auth","x":` + list + `}`,
		"two lists": `{"mission":"fix auth","x":` + list + `,"y":` + list + `}`,
		"inside an entry": `{"mission":"fix auth","done":[{"act":"staging only","x":"` + strings.Repeat("x", 9000) +
			`"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			fixture.Write(t, s.Lane.Journal(), raw)
			for n := range 30 {
				update(t, s, func(j *Journal) {
					j.AddDone(Entry{Act: fmt.Sprint("step ", n), Result: strings.Repeat("r", 100),
						Ctx: strings.Repeat("c", 100)})
				})
			}
			j, err := s.Read()
			if err != nil || j.Mission != "fix auth" {
				t.Fatalf("read again it is %+v, %v", j, err)
			}
			if names(t, s.Lane.Dir) != "myapp--alice.json" {
				t.Errorf("the folder holds %s", names(t, s.Lane.Dir))
			}
		})
	}

	s := newStore(t)
	full := `{"x":"` + strings.Repeat("x", 12<<10-9) + `"}`
	fixture.Write(t, s.Lane.Journal(), full)
	if _, err := s.Update(func(j *Journal) error { j.Mission = "fix auth"; return nil }); !errors.Is(err,
		safefile.ErrTooLarge) {
		t.Errorf("with no room at all: %v, want ErrTooLarge", err)
	}
	if got := fixture.Read(t, s.Lane.Journal()); got != full {
		t.Errorf("with no room at all, the file was changed: %d bytes", len(got))
	}
}

// Whatever is done in whatever order, every word ever given is in the journal or in its history.
func TestNothingIsLost(t *testing.T) {
	fixture.Long(t, "plays random sessions for seconds")
	for seed := range int64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewSource(seed))
			s := newStore(t)
			s.Config.MaxEntries, s.Config.MaxFileBytes = 4+r.Intn(5), (4+r.Intn(3))<<10
			n := 0
			var given []string
			say := func(field string) string {
				n++
				words := fmt.Sprintf("%s %d:%s", field, n,
					strings.Repeat([]string{" word", " 令牌", " größe", " \"q\"", " a;", " <b>"}[r.Intn(6)], r.Intn(90)))
				given = append(given, words)
				return words
			}
			by := func() string { return []string{ByUser, ByClaude, ByAuto, ""}[r.Intn(4)] }
			session := func() string { return []string{"s1", "s2", ""}[r.Intn(3)] }
			for range 150 {
				s.Now = s.Now.Add(time.Duration(r.Intn(20)) * time.Hour)
				update(t, s, func(j *Journal) {
					switch r.Intn(9) {
					case 0:
						words := say("mission")
						j.OpenMission(words, words, session(), by(), "")
					case 1:
						if j.Open() {
							j.reword(say("rewording"), by(), "u1")
						}
					case 2:
						j.Close([]string{"closed", "cleared"}[r.Intn(2)], "")
					case 3, 4:
						j.AddDone(Entry{Act: say("act"), Result: say("result"), Ctx: say("ctx"), By: by()})
					case 5:
						j.SetWip(say("wip"), by())
					case 6:
						plan := []string{}
						for range r.Intn(5) {
							plan = append(plan, say("plan"))
						}
						j.SetPlan(plan, by())
					case 7:
						if _, err := j.Restore(s.Lane, session()); err != nil {
							t.Error(err)
						}
					case 8:
						j.Stale(s.Config)
					}
				})
			}
			all := fixture.Read(t, s.Lane.Journal()) + fixture.Logged(t, s.Lane.Dir)
			for _, words := range given {
				if !strings.Contains(all, jsonx.Quote(words)) {
					t.Errorf("%.40q… (%d) left without a trace", words, len(words))
				}
			}
			if info := len(fixture.Read(t, s.Lane.Journal())); info > s.Config.MaxFileBytes {
				t.Errorf("the journal has %d bytes, at most %d", info, s.Config.MaxFileBytes)
			}
		})
	}
}
