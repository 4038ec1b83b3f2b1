package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// stock writes n records of ten projects. Each has common words and one word that no other record has.
func stock(t *testing.T, dir string, n int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".completed"), 0o700); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields("token cache queue schema latency invoice retry staging column worker billing session index parser socket widget ledger export import migration")
	for i := range n {
		project := "shop"
		if i%10 != 0 {
			project = fmt.Sprintf("other%d", i%10)
		}
		id := fmt.Sprintf("%s--record-%d", project, i)
		status, folder := "active", ""
		if i%100 == 50 {
			status, folder = "completed", ".completed"
		}
		var text strings.Builder
		for j := range 60 {
			text.WriteString(words[(i*7+j*j)%len(words)] + " ")
		}
		at := time.Date(2026, 3, 14, 9, 0, i%86400, 0, time.UTC).Format(time.RFC3339)
		data := fmt.Sprintf("---\nid: %s\nkind: decision\ntitle: Record %d\nproject: %s\nstatus: %s\nstage: accepted\ncreated: %s\nupdated: %s\ntags: [%s]\n---\n## Context\n\n%s\n\n## Decision\n\nunique%dword\n",
			id, i, project, status, at, at, words[i%len(words)], text.String(), i)
		fixture.Write(t, filepath.Join(dir, folder, id+".md"), data)
	}
}

// TestManyRecords: with 3,000 records each command gives the right answer, and hooks work.
func TestManyRecords(t *testing.T) {
	fixture.Long(t, "writes 3,000 records")
	const n = 3_000
	d := newDesk(t)
	stock(t, d.dir(), n)
	answer := func(args ...string) (found struct {
		Records []struct{ ID string }
		Results []struct{ ID string }
	}) {
		t.Helper()
		start := time.Now()
		code, out, said := d.memento(nil, "", append(args, "--json")...)
		if code != 0 {
			t.Fatalf("%q: exit %d, %s", args, code, said)
		}
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		t.Logf("%v: %v", args, time.Since(start).Round(time.Millisecond))
		return found
	}
	if got := len(answer("list", "--all", "--kind", "decision", "--status", "all").Records); got != n+1 {
		t.Errorf("%d are listed", got)
	}
	if got := len(answer("list", "--kind", "decision").Records); got != n/10-n/100+1 { // without the completed ones
		t.Errorf("%d of the project are listed", got)
	}
	for _, i := range []int{0, 1230, n - 10} {
		if got := answer("search", fmt.Sprintf("unique%dword", i)).Results; len(got) != 1 ||
			got[0].ID != fmt.Sprintf("shop--record-%d", i) {
			t.Errorf("of record %d are found %v", i, got)
		}
	}
	if got := answer("search", "unique777word", "--all").Results; len(got) != 1 || got[0].ID != "other7--record-777" {
		t.Errorf("in all projects are found %v", got)
	}
	do := func(args ...string) {
		t.Helper()
		if code, _, said := d.memento(nil, "", args...); code != 0 {
			t.Fatalf("%q: exit %d, %s", args, code, said)
		}
	}
	do("save", "decision", "The newest one", "--set", "decision=unique-newest-word")
	if got := answer("search", "unique-newest-word").Results; len(got) == 0 || got[0].ID != "shop--the-newest-one" {
		t.Errorf("of the newest one are found %v", got)
	}
	do("archive", "record-0", "--as", "completed")
	if got := answer("search", "unique0word").Results; len(got) != 0 {
		t.Errorf("one that is completed is found: %v", got)
	}
	do("search", "--rebuild")
	answer("search", "unique1230word")
	do("gc")
	for _, event := range []struct{ name, extra, want string }{
		{"SessionStart", `,"source":"startup"`, "MEMENTO"},
		{"UserPromptSubmit", `,"prompt":"where did we decide on the unique1230word and the Record 1230 of the shop?"`,
			"shop--record-1230"},
		{"SessionEnd", `,"reason":"other"`, ""},
	} {
		code, out, said := d.memento(nil, d.event(event.name, "s1", event.extra), "hook")
		if code != 0 || said != "" || !strings.Contains(out, event.want) {
			t.Errorf("%s: %d, %q, %q", event.name, code, out, said)
		}
	}
	code, out, said := d.memento(nil, "", "forget", "unique1230word", "--yes")
	if code != 0 || !strings.Contains(out, "shop--record-1230") {
		t.Errorf("forget: %d, %s%s", code, out, said)
	}
	if got := answer("search", "unique1230word").Results; len(got) != 0 {
		t.Errorf("what was forgotten is found: %v", got)
	}
}
