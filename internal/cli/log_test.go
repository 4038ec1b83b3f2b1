package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/record"
)

// keeper is a Companion that kept some versions of shop--x, the oldest first; "" is a removal.
type keeper struct {
	engine
	texts []string
}

func (k *keeper) Versions(o SyncOptions, id string) (list []KeptVersion, err error) {
	if id != "" && id != "user--x1" {
		return nil, k.err
	}
	for i, text := range k.texts {
		list = append([]KeptVersion{{Commit: fmt.Sprint("c", i), Time: time.Date(2026, 3, 1+i, 12, 0, 0, 0, time.UTC),
			Machine: "desk\x1b", Summary: "1 record", Gone: text == ""}}, list...)
	}
	return list, k.err
}

func (k *keeper) ReadVersion(_ SyncOptions, id string, v KeptVersion) ([]byte, error) {
	var i int
	if _, err := fmt.Sscanf(v.Commit, "c%d", &i); err != nil || k.texts[i] == "" {
		return nil, err
	}
	return []byte(k.texts[i]), nil
}

func TestLog(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	run := func(k *keeper, line string) (code int, out, errs string) {
		t.Helper()
		var o, s strings.Builder
		to := p.streams(strings.NewReader(""), &o, &s)
		to.Companion = k
		return Main(strings.Fields(line), to), o.String(), s.String()
	}
	store := record.Store{Dir: filepath.Join(p.home, ".claude", ".memento"), Now: time.Now}
	made, err := store.Create(record.Record{Kind: "memento", Title: "Third", Slug: "x1", Project: "user",
		Tags: []string{"a"}, Files: []string{"z.go"}, Body: "## Context\n\nThree.\n"})
	if err != nil {
		t.Fatal(err)
	}
	now := string(made.Bytes())
	first := strings.NewReplacer("Third", "First", "Three.", "One.", "[a]", "[b]").Replace(now)
	k := &keeper{texts: []string{first, "", "no record", now}}
	none := &keeper{}
	for _, tt := range []struct {
		k         *keeper
		line      string
		code      int
		out, errs string
	}{
		{k, "log", 0, "   4  2026-03-04 12:00  desk  1 record\n   3  2026-03-03", ""},
		{k, "log x1", 0, `   4  2026-03-04 12:00  desk  "Third": created` + "\n", ""},
		{k, "log x1", 0,
			"   3  2026-03-03 12:00  desk  memento cannot read it\n   2  2026-03-02 12:00  desk  removed\n   1", ""},
		{k, "log x1 -n 1", 0, "and 3 older: memento log user--x1 -n 0\n", ""},
		{k, "log x1 --json", 0,
			`{"version":1,"record":"user--x1","total":4,"versions":[{"n":4,"commit":"c3","time":"2026-`, ""},
		{k, "log a b", exitUsage, "", "log: takes one record"},
		{k, "log nothing", 1, "", "there is no such record"},
		{k, "log user--gone", 1, "",
			"memento: log: no version of user--gone is kept yet\nmemento: hint: memento sync keeps"},
		{none, "log", 1, "", "memento: log: no version is kept yet\nmemento: hint: memento sync --local"},
		{none, "show x1 --at 1", 1, "", "memento: show: no version is kept yet\nmemento: hint: memento sync --local"},
		{k, "show x1 --at 1", 0, "version  1, of 2026-03-01 12:00, on desk\n\n---\n", ""},
		{k, "show x1 --at 1 --raw", 0, first, ""},
		{k, "show x1 --at 1 --json", 0, `"record":"user--x1","n":1,"commit":"c0"`, ""},
		{k, "show x1 --at 2", 1, "", "show: version 2 of user--x1 is that it was removed"},
		{k, "show x1 --at 5", exitUsage, "",
			"memento: show: no version 5 of user--x1\nmemento: hint: memento log user--x1 lists 1 to 4\n"},
		{k, "show x1 --at 0", exitUsage, "", "a version has a number from 1"},
		{k, "show --at 1", exitUsage, "", "--at needs one record"},
		{k, "show x1 --at 1 --said", exitUsage, "", "--at is for a record alone"},
		{k, "restore x1 y --at 1", exitUsage, "", "--at needs one record"},
		{k, "restore x1 --at 3", 1, "", "restore: version 3 cannot be read"},
		{k, "restore x1 --at 1 --if-match 0123", 1, "", "was changed since it was read"},
		{k, "restore x1 --at 1", 0, "restored user--x1 as of version 1\n", ""},
		{&keeper{engine: engine{err: refused{}}}, "log", 1, "", "hint: memento sync once more"},
	} {
		code, out, errs := run(tt.k, tt.line)
		if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) ||
			tt.errs == "" && errs != "" || strings.Contains(out+errs, "\x1b") {
			t.Errorf("%s: exit %d\n%s\n%s", tt.line, code, out, errs)
		}
	}
	got, err := store.Read("user--x1")
	if err != nil || got.Title != "First" || !strings.Contains(got.Body, "One.") || got.Tags[0] != "b" ||
		len(got.Changes) != 2 || got.Changes[1].Summary != "restored the version of 2026-03-01 12:00" {
		t.Errorf("restored: %+v, %v", got, err)
	}
	// A restored record is active, also after it was archived or removed.
	if _, err := store.Move("user--x1", "archive", "", "done"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if code, _, errs := run(k, "restore user--x1 --at 4"); code != 0 {
			t.Error(errs)
		}
		if got, err := store.Read("user--x1"); err != nil || got.Title != "Third" || got.Status != "active" {
			t.Errorf("%+v, %v", got, err)
		}
		if err := store.Remove("user--x1"); err != nil {
			t.Fatal(err)
		}
	}
}
