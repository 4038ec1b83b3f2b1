package journal

import (
	"fmt"
	"testing"
)

// What very many edits and checks leave no room for goes to history as they come: each of them is compared with all that is there.
func TestManyAtOnce(t *testing.T) {
	s := newStore(t)
	j := update(t, s, func(j *Journal) {
		for i := range 3000 {
			j.Edited(fmt.Sprint("part", i, ".go"))
			j.AddCaptured(Entry{Act: fmt.Sprint("commit ", i), Ctx: "tool: x", By: ByAuto})
			if len(j.Files) > 2*fileItems || len(j.Done) > maxAtOnce {
				t.Fatalf("after %d there are %d files, %d entries", i, len(j.Files), len(j.Done))
			}
		}
	})
	if len(j.Files) == 0 || j.Files[0] != "part2999.go" || len(j.Done) == 0 || j.Done[len(j.Done)-1].Act != "commit 2999" {
		t.Errorf("left are %q, %+v", j.Files, j.Done)
	}
	files, done := len(j.Files), len(j.Done)
	if err := ReadHistory(s.Lane, func(l Line) bool {
		switch l.Kind {
		case "files":
			files++
		case "done":
			done++
		}
		return true
	}); err != nil || files != 3000 || done != 3000 {
		t.Errorf("of 3,000 each %d files and %d entries are kept: %v", files, done, err)
	}
}

// Of a history a session's own lines are read, those of the kinds that are asked for, and no others.
func TestPart(t *testing.T) {
	s := newStore(t)
	update(t, s, func(j *Journal) {
		for i := range 50 {
			for _, session := range []string{"s1", "s2"} {
				j.Heard(fmt.Sprint(`"session":"s1" `, i), session, fmt.Sprint(session, i), "")
			}
		}
		j.Rewound("s17", "x", "s1")
		j.Rewound("s27", "x", "s2")
	})
	read := func(session string, kinds ...string) (out string) {
		n := map[string]int{}
		part := Part{Session: session, Kinds: kinds}
		if err := part.Read(s.Lane, func(l Line) bool { n[l.Session+" "+l.Kind]++; return true }); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(n)
	}
	for _, c := range []struct{ got, want string }{
		{read("s1"), "map[s1 rewound:1 s1 said:50]"},
		{read("s2", "rewound"), "map[s1 rewound:1 s2 rewound:1 s2 said:50]"},
		{read("s3"), "map[]"},
	} {
		if c.got != c.want {
			t.Errorf("read were %s, want %s", c.got, c.want)
		}
	}
	refs := 0
	if err := ReadRefs(s.Lane, func(l Line) {
		if l.Kind == "said" && l.Ref != "" {
			refs++
		}
	}); err != nil || refs != 100 {
		t.Errorf("%d ids of prompts, %v", refs, err)
	}
}
