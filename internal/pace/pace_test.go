package pace

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func TestPace(t *testing.T) {
	dir := t.TempDir()
	if err := Fail(dir, now, "no route", ""); err != nil {
		t.Fatal(err)
	}
	if _, ok := Load(dir); ok {
		t.Fatal("a failure before the first good sync was noted")
	}
	if err := Succeed(dir, now); err != nil {
		t.Fatal(err)
	}
	p, ok := Load(dir)
	if want := (Pace{Last: now, Due: now.Add(time.Minute)}); !ok || !reflect.DeepEqual(p, want) {
		t.Fatalf("after a good sync: %+v, %t; want %+v", p, ok, want)
	}
	if p.IsDue(now.Add(59*time.Second)) || !p.IsDue(now.Add(time.Minute)) || !p.IsDue(now.Add(-24*time.Hour)) {
		t.Error("the next sync is not due after a minute, or not when the clock was set back")
	}
	if p.IsHeld(now) {
		t.Error("after a good sync the end of a session has to wait")
	}
	last := time.Duration(0)
	for n := range 20 {
		if err := Fail(dir, now.Add(time.Hour), "no route", "memento sync"); err != nil {
			t.Fatal(err)
		}
		p, _ = Load(dir)
		rest := p.Due.Sub(now.Add(time.Hour))
		if p.Failures != n+1 || rest < last || rest > longestRest || p.Failed != now.Add(time.Hour) || p.Last != now {
			t.Fatalf("failure %d: %+v", n+1, p)
		}
		last = rest
	}
	if last != longestRest {
		t.Errorf("after 20 failures the next waits %v", last)
	}
	if p.IsLong(now.Add(72*time.Hour)) || !p.IsLong(now.Add(73*time.Hour)) || p.Error != "no route" ||
		p.Hint != "memento sync" {
		t.Errorf("%+v", p)
	}
	if !p.IsHeld(p.Due.Add(-time.Second)) || p.IsHeld(p.Due) {
		t.Errorf("it is held at a wrong time: %+v", p)
	}
	if did, err := Erase(dir, func(s string) bool { return strings.Contains(s, "road") }, false); did || err != nil {
		t.Errorf("Erase of other words: %t, %v", did, err)
	}
	route := func(s string) bool { return strings.Contains(s, "route") }
	if did, err := Erase(dir, route, true); !did || err != nil {
		t.Errorf("Erase in a dry run: %t, %v", did, err)
	}
	if p, _ := Load(dir); p.Error == "" {
		t.Error("a dry run erased")
	}
	if did, err := Erase(dir, route, false); !did || err != nil {
		t.Errorf("Erase: %t, %v", did, err)
	}
	if p, _ := Load(dir); p.Error != "" || p.Failures != 20 {
		t.Errorf("after Erase: %+v", p)
	}
	if err := Succeed(dir, now); err != nil {
		t.Fatal(err)
	}
	if p, _ := Load(dir); p.Failures != 0 || p.IsLong(now.Add(1000*time.Hour)) {
		t.Errorf("a good sync keeps a failure: %+v", p)
	}
	for range 2 {
		if err := Clear(dir); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := Load(dir); ok {
		t.Error("Clear left the file")
	}
}

func TestLoadDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sync"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"", "{", `{"due":7,"failures":"x","last":null}`, "[]"} {
		if err := os.WriteFile(filepath.Join(dir, "sync", "pace.json"), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if p, ok := Load(dir); ok && !p.IsDue(now) {
			t.Errorf("%q stops the next sync: %+v", data, p)
		}
	}
}
