package journal

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/text"
)

// kinds lists the kinds of the lines that left for history since the last write.
func kinds(j *Journal) string {
	var out []string
	for _, l := range j.out {
		out = append(out, l.Kind)
	}
	return strings.Join(out, " ")
}

// left returns what left for the log since the last write.
func left(j *Journal) string {
	var all strings.Builder
	for _, l := range j.out {
		all.WriteString(string(l.JSON()) + "\n")
	}
	return all.String()
}

// kept reports whether history or the journal holds these words.
func kept(j *Journal, words string) bool {
	return strings.Contains(string(j.encode())+left(j), jsonx.Quote(words))
}

func TestOpenMission(t *testing.T) {
	j := &Journal{now: morning}
	j.OpenMission("fix auth -- staging only", "fix auth -- staging only", "s1", ByUser, "u1")
	if !j.Open() || j.Mission != "fix auth -- staging only" || j.MissionOpened != "2026-03-14T09:26:53Z" ||
		j.MissionRef != "u1" || j.MissionBy != ByUser || j.Session != "s1" || kinds(j) != "opened" {
		t.Errorf("opened, it is %+v", j)
	}
	j.AddDone(Entry{Act: "migrate"})
	j.OpenMission("fix auth -- on staging", "", "s1", ByUser, "")
	if j.Mission != "fix auth -- on staging" || j.MissionRef != "u1" || len(j.Done) != 1 ||
		!kept(j, "fix auth -- staging only") {
		t.Errorf("reworded by the user, it is %+v", j)
	}
	j.OpenMission("fix auth", "", "", ByUser, "")
	if j.Mission != "fix auth" || j.Session != "s1" {
		t.Errorf("reworded outside any session, it is %+v", j)
	}
	j.OpenMission("build the invoice importer", "build the invoice importer", "s2", ByUser, "u7")
	if j.Mission != "build the invoice importer" || j.Session != "s2" || len(j.Done) != 0 ||
		kinds(j) != "opened reworded reworded mission opened" {
		t.Errorf("another session's, it is %+v with %s", j, kinds(j))
	}
}

// A mission without a session is taken over by the session that words it.
func TestOpenMissionTakesOver(t *testing.T) {
	j := &Journal{now: morning}
	j.OpenMission("fix auth", "fix auth", "", ByUser, "")
	j.OpenMission("fix the auth pipeline", "", "s1", ByClaude, "")
	if j.Session != "s1" || j.Mission != "fix the auth pipeline" {
		t.Errorf("it is %+v", j)
	}
}

// The former words of a mission stand in the log.
func TestReword(t *testing.T) {
	for _, by := range []string{ByUser, ByClaude, ""} {
		j := &Journal{Mission: "fix auth", MissionBy: by, MissionRef: "u1", MissionOpened: "2026-03-13T08:00:00Z",
			now: morning}
		j.reword("fix the auth pipeline", ByClaude, "")
		if j.Mission != "fix the auth pipeline" || j.MissionBy != ByClaude || kinds(j) != "reworded" ||
			!kept(j, "fix auth") {
			t.Errorf("it is %+v", j)
		}
		j.reword("fix the auth pipeline", ByClaude, "")
		if kinds(j) != "reworded" {
			t.Errorf("the same words again: %s", kinds(j))
		}
	}
}

func TestConfirm(t *testing.T) {
	j := &Journal{Mission: "fix auth, staging…"}
	j.Confirm("don't deploy", "u5")
	j.Confirm("fix auth, staging only, and then pricing", "u6")
	j.Confirm("fix auth, staging only", "u7")
	if j.MissionRef != "u6" {
		t.Errorf("the mission came from %q", j.MissionRef)
	}
}

func TestPark(t *testing.T) {
	j := full()
	j.now, j.MissionClosed, j.raw = morning, "", `{"x":1.0}`
	want := encode(t, &j)
	j.Park()
	if !j.Empty() || j.Open() || j.Project != "myapp" || j.Session != "" ||
		gjson.Get(encode(t, &j), "x").Raw != "1.0" {
		t.Errorf("parked, it is %+v", j)
	}
	if kinds(&j) != "mission" || gjson.Get(left(&j), "reason").Str != "parked" ||
		gjson.Get(left(&j), "session").Str != "1f3a9c2e" {
		t.Errorf("in history is %s", left(&j))
	}
	if got := decodeText(t, gjson.Get(left(&j), "body").Raw); encode(t, got) != want {
		t.Errorf("in history is\n%s, want\n%s", encode(t, got), want)
	}
}

func TestClose(t *testing.T) {
	j := full()
	j.now, j.MissionClosed = morning, ""
	want := encode(t, &j)
	if !j.Close("closed", "") {
		t.Fatal("it did not close")
	}
	if j.Open() || j.MissionClosed != "2026-03-14T09:26:53Z" || j.Mission == "" || len(j.Done)+len(j.Plan)+
		len(j.Files) != 0 || j.Wip+j.WipBy+j.PlanBy != "" || j.Error != nil {
		t.Errorf("closed, it is %+v", j)
	}
	if j.Summary != "schema migration done (user: go); fix auth middleware -> PASETO impl (user: auth is broken) "+
		"(unverified); größer 🚀" {
		t.Errorf("its summary is %q", j.Summary)
	}
	if got := decodeText(t, gjson.Get(left(&j), "body").Raw); kinds(&j) != "mission done done" ||
		encode(t, got) != want {
		t.Errorf("in history is %s\n%s", kinds(&j), left(&j))
	}
	if j.Close("closed", "") || kinds(&j) != "mission done done" {
		t.Error("it closed twice")
	}
	if (&Journal{}).Close("closed", "") {
		t.Error("without a mission it closed")
	}
}

func TestAddDone(t *testing.T) {
	j := &Journal{Plan: []string{"deploy", "Fix the `auth`", strings.Repeat("long word ", 12) + "end"}, now: morning}
	j.AddDone(Entry{Act: "fix the auth", By: ByClaude})
	j.AddDone(Entry{Act: "fix the auth", By: ByUser})
	j.AddDone(Entry{Act: "fix the auth", Result: "again"})
	if len(j.Done) != 2 || j.Done[0].TS != "2026-03-14T09:26:53Z" || j.Done[1].Result != "again" || len(j.Plan) != 2 {
		t.Errorf("done are %+v, planned %q", j.Done, j.Plan)
	}
	j.AddDone(Entry{Act: strings.Repeat("long word ", 12) + "end"}) // shortened in done, it is still the same item
	if len(j.Plan) != 1 || j.Plan[0] != "deploy" || text.Runes(j.Done[2].Act) > MaxAct {
		t.Errorf("done are %+v, planned %q", j.Done, j.Plan)
	}
}

func TestSetWip(t *testing.T) {
	j := &Journal{now: morning}
	j.SetWip("deploy", ByClaude)
	j.SetWip("deploy", ByClaude)
	if j.Wip != "deploy" || j.WipBy != ByClaude || len(j.out) != 0 {
		t.Errorf("it is %+v", j)
	}
	j.SetWip("", ByClaude)
	if j.Wip != "" || j.WipBy != "" || kinds(j) != "wip" || !kept(j, "deploy") {
		t.Errorf("cleared, it is %+v", j)
	}
}

func TestSetPlan(t *testing.T) {
	j := &Journal{now: morning}
	j.SetPlan([]string{"a1", "", "b2", "c3", "d4", "e5"}, ByClaude)
	if strings.Join(j.Plan, " ") != "a1 b2 c3" || j.PlanBy != ByClaude || len(j.Notes()) != 1 ||
		!strings.Contains(j.Notes()[0], "2 more") || !kept(j, "d4") || !kept(j, "e5") {
		t.Errorf("it is %+v", j)
	}
	j.SetPlan([]string{"c3", "f6"}, ByUser)
	if strings.Join(j.Plan, " ") != "c3 f6" || !kept(j, "a1") || !kept(j, "b2") ||
		strings.Count(kinds(j), "plan") != 4 {
		t.Errorf("it is %+v with %s", j, kinds(j))
	}
	j.SetPlan(nil, ByUser)
	if len(j.Plan) != 0 || j.PlanBy != "" || !kept(j, "f6") {
		t.Errorf("cleared, it is %+v", j)
	}
}

// Longer values are cut at a word, kept whole in history, and the writer is told.
func TestLimits(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("größer wider 12345 ", 40))
	for name, tt := range map[string]struct {
		set   func(*Journal)
		get   func(*Journal) string
		limit int
	}{
		"mission": {func(j *Journal) { j.OpenMission(long, long, "s", ByUser, "") },
			func(j *Journal) string { return j.Mission }, MaxMission},
		"rewording": {func(j *Journal) { j.Mission = "x"; j.reword(long, ByUser, "") },
			func(j *Journal) string { return j.Mission }, MaxMission},
		"act": {func(j *Journal) { j.AddDone(Entry{Act: long}) },
			func(j *Journal) string { return j.Done[0].Act }, MaxAct},
		"result": {func(j *Journal) { j.AddDone(Entry{Act: "x", Result: long}) },
			func(j *Journal) string { return j.Done[0].Result }, maxResult},
		"ctx": {func(j *Journal) { j.AddDone(Entry{Act: "x", Ctx: long}) },
			func(j *Journal) string { return j.Done[0].Ctx }, MaxCtx},
		"wip": {func(j *Journal) { j.SetWip(long, ByClaude) }, func(j *Journal) string { return j.Wip }, MaxWip},
		"plan": {func(j *Journal) { j.SetPlan([]string{long}, ByClaude) },
			func(j *Journal) string { return j.Plan[0] }, MaxPlan},
	} {
		j := &Journal{now: morning}
		tt.set(j)
		got := tt.get(j)
		if n := text.Runes(got); n > tt.limit || n < tt.limit-20 || !strings.HasSuffix(got, text.Ellipsis) ||
			!strings.HasPrefix(long, strings.TrimSuffix(got, text.Ellipsis)) {
			t.Errorf("%s is %q", name, got)
		}
		if !kept(j, long) {
			t.Errorf("%s: the whole of it is not in history", name)
		}
		if len(j.Notes()) != 1 || !strings.Contains(j.Notes()[0], "was cut to") {
			t.Errorf("%s: the writer is told %q", name, j.Notes())
		}
	}
}
