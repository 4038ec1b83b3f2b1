package elsewhere

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
)

func of(machine, mission, opened string) Mission {
	return Mission{Machine: machine, Lane: "alice", Mission: mission, Opened: opened}
}

func all(dir, slug string) string {
	var out []string
	for _, m := range Of(dir, slug) {
		out = append(out, m.Name+":"+m.Mission)
	}
	return strings.Join(out, "|")
}

func put(t *testing.T, dir, slug string, missions ...Mission) {
	t.Helper()
	if err := Put(dir, slug, missions); err != nil {
		t.Fatal(err)
	}
}

// TestSend: the mission travels without secrets, and comes back as it was.
func TestSend(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	j := &journal.Journal{Mission: "Sell the jars with " + secret, MissionBy: "user",
		MissionOpened: "2026-03-01T10:00:00Z",
		Branch:        "jars", Wip: "Count them", Summary: "half", Plan: []string{"ship"},
		Done: []journal.Entry{{Act: "look"}}}
	data := Send("0123456789ab", "alice", j)
	m, ok := Decode(data)
	if !ok || strings.Contains(string(data), secret) || !strings.HasPrefix(m.Mission, "Sell the jars with ") ||
		m.Machine != "0123456789ab" || m.Lane != "alice" || m.By != "user" || m.Opened != j.MissionOpened ||
		m.Branch != "jars" || m.Wip != "Count them" || m.Summary != "half" || len(m.Plan) != 1 || len(m.Done) != 1 ||
		m.Name != "" || !strings.HasSuffix(string(data), "}\n") {
		t.Errorf("%s\nis %+v, %t", data, m, ok)
	}
	if data := Send("0123456789ab", "alice", &journal.Journal{Wip: "x"}); data != nil {
		t.Errorf("without a mission it sends %s", data)
	}
	if data := Send("0123456789ab", "alice", nil); data != nil {
		t.Errorf("without a journal it sends %s", data)
	}
	program := &journal.Journal{Mission: "You are a strict reviewer of code. Read what follows and answer with one word, and " +
		"with nothing else. What follows is a diff of one commit, its message and the names of the files that it changes."}
	if data := Send("0123456789ab", "alice", program); data != nil {
		t.Errorf("a program's mission travels: %s", data)
	}
	for _, strange := range []string{"", "{}", "[]", `{"machine":"m"}`, `{"mission":"x"}`, strings.Repeat("[", 99)} {
		if m, ok := Decode([]byte(strange)); ok {
			t.Errorf("%q is %+v", strange, m)
		}
	}
	const newer = `{"machine":"m","mission":"x","mood":"good"}`
	if m, ok := Decode([]byte(newer)); !ok || !strings.Contains(string(m.encode()), `"mood":"good"`) {
		t.Errorf("a field of another version went: %s", m.encode())
	}
}

func TestMissions(t *testing.T) {
	dir := t.TempDir()
	if got := all(dir, "shop"); got != "" {
		t.Errorf("at first there are %s", got)
	}
	desk, train := of("b", "Sell", "2026-03-02T10:00:00Z"), of("a", "Buy", "2026-03-01T10:00:00Z")
	desk.Name = "desk"
	put(t, dir, "shop", train, desk)
	put(t, dir, "barn", of("c", "Sow", ""))
	if got := all(dir, "shop"); got != "desk:Sell|:Buy" {
		t.Errorf("it holds %s", got)
	}
	path := filepath.Join(dir, Folder, "shop.jsonl")
	before, _ := os.Stat(path)
	put(t, dir, "shop", desk, train)
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Error("the same missions were written again")
	}
	put(t, dir, "shop", train)
	if got := all(dir, "shop"); got != ":Buy" {
		t.Errorf("then it holds %s", got)
	}
	put(t, dir, "shop")
	put(t, dir, "shop")
	if _, err := os.Stat(path); !os.IsNotExist(err) || all(dir, "barn") != ":Sow" {
		t.Errorf("without missions: %v; the other project has %s", err, all(dir, "barn"))
	}
}

// TestSessions: the machine of a session is known by its name, and goes and moves with its project.
func TestSessions(t *testing.T) {
	dir := t.TempDir()
	if got := Sessions(dir, "shop"); len(got) != 0 {
		t.Errorf("at first there are %v", got)
	}
	ids := DecodeSessions(SendSessions([]string{"s2", "s1"}))
	if strings.Join(ids, " ") != "s1 s2" || string(SendSessions([]string{"s2", "s1"})) != "s1\ns2\n" {
		t.Errorf("%q travel as %q", ids, SendSessions(ids))
	}
	want := map[string]string{"s1": "desk", "s2": "old desk"}
	if err := PutSessions(dir, "shop", map[string]string{"s1": "desk", "s2": "old\ndesk"}); err != nil {
		t.Fatal(err)
	}
	if got := Sessions(dir, "shop"); !maps.Equal(got, want) {
		t.Errorf("they are %v", got)
	}
	put(t, dir, "shop", of("a", "Sell", ""))
	if files, err := Files(dir, func(slug string) bool { return slug == "shop" }); err != nil || len(files) != 2 {
		t.Errorf("the files are %q, %v", files, err)
	}
	if err := Rename(dir, "shop", "store"); err != nil || !maps.Equal(Sessions(dir, "store"), want) ||
		all(dir, "store") != ":Sell" || len(Sessions(dir, "shop")) != 0 {
		t.Errorf("%v: renamed, they are %v", err, Sessions(dir, "store"))
	}
	if err := PutSessions(dir, "store", nil); err != nil || len(Sessions(dir, "store")) != 0 {
		t.Errorf("%v: then they are %v", err, Sessions(dir, "store"))
	}
}

func TestErase(t *testing.T) {
	dir := t.TempDir()
	planned := of("c", "Paint", "")
	planned.Plan = []string{"buy blue jars"}
	put(t, dir, "shop", of("a", "Sell the jars", ""), of("b", "Sell the lids", ""), planned)
	data, err := os.ReadFile(filepath.Join(dir, Folder, "shop.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	has := func(words string) bool { return strings.Contains(words, "jars") }
	left, gone := Erase(append(data, "jars, and no mission\n"...), has,
		func(data []byte) bool { return has(string(data)) })
	if strings.Contains(string(left), "jars") || !strings.Contains(string(left), "lids") || len(gone) != 3 ||
		strings.Count(string(left), "\n") != 1 {
		t.Errorf("left\n%s, gone %q", left, gone)
	}
	files, err := Files(dir, func(slug string) bool { return slug == "shop" })
	if err != nil || len(files) != 1 {
		t.Errorf("the files are %q, %v", files, err)
	}
	if files, _ := Files(dir, func(string) bool { return false }); files != nil {
		t.Errorf("of no project the files are %q", files)
	}
}

func TestRename(t *testing.T) {
	dir := t.TempDir()
	if err := Rename(dir, "shop", "store"); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "shop", of("a", "Sell", ""))
	if err := Rename(dir, "shop", "store"); err != nil || all(dir, "shop") != "" || all(dir, "store") != ":Sell" {
		t.Errorf("%v: shop has %q, store %q", err, all(dir, "shop"), all(dir, "store"))
	}
	put(t, dir, "shop", of("a", "Old", ""))
	if err := Rename(dir, "shop", "store"); err != nil || all(dir, "shop") != "" || all(dir, "store") != ":Sell" {
		t.Errorf("onto another: %v: shop has %q, store %q", err, all(dir, "shop"), all(dir, "store"))
	}
}
