package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// shelve adds records, and an ended pause to the desk.
func shelve(d *desk) {
	d.was["shop--use-paseto.md"] = "---\nid: shop--use-paseto\nkind: decision\ntitle: Use PASETO\nproject: " +
		"shop\nstatus: active\ncreated: 2026-03-14T09:26:53Z\nupdated: 2026-03-14T09:26:53Z\ntags: [auth]\n---\n## " +
		"Context\n\nTokens have to expire.\n"
	d.was[".completed/shop--launch.md"] = "---\ntitle: Launch\nstatus: completed\ntags: [a]\n---\n"
	d.was["shop--broken.md"] = "---\nkind: &b\n---\n"
	d.was["paused.json"] = `{"version":1,"pauses":[{"project":"shop","from":"2026-03-14T09:26:53Z",` +
		`"to":"2026-03-14T10:26:53Z"}]}`
}

// settled returns the content of memento's folder, without locks and times.
func settled(d *desk) map[string]string {
	out := d.files()
	now := regexp.MustCompile(`"last":"[^"]*"`)
	for name, content := range out {
		if strings.HasSuffix(name, ".lock") || strings.HasPrefix(name, "cache/index/") {
			delete(out, name)
			continue
		}
		out[name] = now.ReplaceAllString(content, "")
	}
	return out
}

// TestMigrateFaults makes each file operation of a migration fail: alone, and with all later ones, as after a kill. The
// same command again finishes. Then everything is there, once, under the new name.
func TestMigrateFaults(t *testing.T) {
	fixture.Long(t, "lets each file operation fail")
	d := newDesk(t)
	shelve(d)
	d.restore(true)
	if code, out, said := d.memento(nil, "", "workspace", "rename", "shop", "store"); code != 0 {
		t.Fatalf("exit %d, %s %s", code, out, said)
	}
	want := settled(d)
	for name, content := range want {
		if strings.Contains(name, "shop") || strings.Contains(name, "~") {
			t.Errorf("%s is left", name)
		}
		if name == "cache/s1.json" && !strings.Contains(content, `"lane":"store--alice"`) {
			t.Errorf("the session is %s", content)
		}
	}
	ops, runs := d.faults(true, func(at func() string) {
		code, _, said := d.memento(nil, "", "workspace", "rename", "shop", "store")
		what := at()
		safefile.TestOnlyFault(nil)
		if code == 0 && said != "" || code != 0 && !strings.Contains(said, "memento: ") {
			t.Errorf("%s: exit %d, %q", what, code, said)
		}
		if code, out, said := d.memento(nil, "", "workspace", "rename", "shop", "store"); code != 0 {
			t.Errorf("%s: again: exit %d, %s %s", what, code, out, said)
		}
		got := settled(d)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				t.Errorf("%s: %s holds\n%s\nwant\n%s", what, name, got[name], want[name])
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("%s: %s is there too", what, name)
			}
		}
	})
	t.Logf("%d operations, %d faults", ops, runs)
	if ops < 50 || runs < ops {
		t.Errorf("%d operations, %d faults", ops, runs)
	}
}

// TestMigrateTwice: of two migrations at once one succeeds completely, and the other fails with an error.
func TestMigrateTwice(t *testing.T) {
	d := newDesk(t)
	from := "shop"
	for range 10 {
		names, codes := []string{from + "x", from + "y"}, [2]int{}
		var both sync.WaitGroup
		for i, to := range names {
			both.Go(func() { codes[i], _, _ = d.memento(nil, "", "workspace", "rename", from, to) })
		}
		both.Wait()
		if codes[0]+codes[1] != 1 {
			t.Fatalf("exit codes %v", codes)
		}
		from = names[codes[0]] // the migration that succeeded
		if !fixture.Exists(filepath.Join(d.dir(), from+"--widen-the-cents.md")) {
			t.Fatalf("%s has no records", from)
		}
	}
}

// TestMigrateMany: after many records are renamed, the search index has only their new names.
func TestMigrateMany(t *testing.T) {
	d := newDesk(t)
	for i := range 150 {
		d.was[fmt.Sprintf("shop--number-%d.md",
			i)] = fmt.Sprintf("---\nkind: decision\ntitle: Number %d\nproject: shop\ntags: [a]\n---\nword%d\n", i, i)
	}
	d.restore(true)
	if code, out, said := d.memento(nil, "", "search", "word7", "--json"); code != 0 ||
		!strings.Contains(out, `"id":"shop--number-7"`) {
		t.Fatalf("exit %d, %s %s", code, out, said)
	}
	if code, out, said := d.memento(nil, "", "workspace", "rename", "shop", "store"); code != 0 {
		t.Fatalf("exit %d, %s %s", code, out, said)
	}
	indexed := d.files()
	if code, out, said := d.memento(nil, "", "search", "word7", "--json", "--all"); code != 0 ||
		!strings.Contains(out, `"id":"store--number-7"`) || strings.Contains(out, "shop--") {
		t.Errorf("exit %d, %s %s", code, out, said)
	}
	for name, content := range d.files() {
		isTurns := strings.HasPrefix(name, "cache/index/turns") // follows the sessions' files at each search
		if strings.HasPrefix(name, "cache/index/") && !isTurns && indexed[name] != content {
			t.Errorf("the search had to change %s", name)
		}
	}
}
