package past

import (
	"testing"
	"time"
)

// A version changes with each change of the turns, and only then.
func TestVersions(t *testing.T) {
	s := Store{Dir: t.TempDir(), Wait: time.Second}
	version := func() Version {
		t.Helper()
		all, err := s.Versions("shop")
		if err != nil || len(all) != 1 || all[0].ID != "s1" {
			t.Fatal(all, err)
		}
		return all[0]
	}
	if all, err := s.Versions("shop"); err != nil || all != nil {
		t.Fatal(all, err)
	}
	turn := func(id string) []Turn {
		return []Turn{{Project: "shop", Session: "s1", PromptID: id, Prompt: "mend " + id, Time: time.Unix(1e9, 0)}}
	}
	last := Version{}
	for _, change := range []func() error{
		func() error { return s.Add(turn("a")) },
		func() error { return s.Add(turn("b")) },
		func() error { return s.Close("shop", "s1") },
		func() error { return s.Add(turn("c")) },
		func() error { return s.Close("shop", "s1") },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		now := version()
		if now == last {
			t.Errorf("still %+v", now)
		}
		if last = now; version() != now {
			t.Error("it changed by itself")
		}
	}
}
