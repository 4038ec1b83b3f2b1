package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// lived writes files into home that memento writes over time. It returns those that are journals or belong to them.
func lived(t *testing.T, home string) (journals []string) {
	t.Helper()
	m := filepath.Join(home, ".claude", ".memento")
	for _, name := range []string{
		"shop--alice.json", "history/shop--alice.jsonl", ".completed/shop--x.md", "workspace.json", "config.json",
		"paused.json", "erased.json",
		"shop--alice.json.corrupt-20260101T000000Z", "state/forgotten.json", "state/removed.json",
	} {
		fixture.Put(t, filepath.Join(m, name), name, 0o600)
		journals = append(journals, filepath.Join(".claude", ".memento", name))
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{
		".claude/.memento/state/s1.json", ".claude/.memento/state/s1.lock", ".claude/.memento/state/alice.holder",
		".claude/.memento/shop--alice.debug.json",
		".claude/.memento/index/x.idx",
	} {
		fixture.Put(t, filepath.Join(home, name), "x", 0o600)
		if err := os.Chtimes(filepath.Join(home, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return journals
}

func uninstallAll(t *testing.T, o Options, roots map[Scope]string) Report {
	t.Helper()
	r, err := UninstallAll(o, roots)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func all(home string, o Options) Options {
	o.Cache = filepath.Join(home, ".cache", "memento")
	return o
}

func TestNothingStaysButTheJournals(t *testing.T) {
	t.Parallel()
	home, scopes := world(t)
	fixture.Put(t, filepath.Join(home, ".cache", "other", "x"), "", 0o644)
	fixture.Put(t, scopes[0].file(), original, 0o644)
	fixture.Put(t, filepath.Join(home, ".claude", "plugins", "x"), "", 0o644)
	was := fixture.Tree(t, home)
	for _, o := range scopes {
		install(t, o)
	}
	journals := lived(t, home)
	o := all(home, scopes[0])
	dry := o
	dry.DryRun = true
	is := fixture.Tree(t, home)
	plan := uninstallAll(t, dry, nil)
	fixture.Same(t, "a dry run", is, fixture.Tree(t, home))
	r := uninstallAll(t, o, nil)
	if strings.Join(plan.Gone, "\n") != strings.Join(r.Gone, "\n") || len(plan.Places) != len(r.Places) ||
		plan.Skill != r.Skill {
		t.Errorf("the dry run said %+v, the run %+v", plan, r)
	}
	after := fixture.Tree(t, home)
	for _, name := range journals {
		if _, ok := after[name]; !ok {
			t.Errorf("%s is gone", name)
		}
		for p := name; p != ".claude"; p = filepath.Dir(p) {
			delete(after, p)
		}
	}
	fixture.Same(t, "uninstall", was, after)
	stays := strings.Join(r.Stays, "\n")
	for _, want := range []string{filepath.Join(home, ".claude", ".memento"), exe} {
		if !strings.Contains(stays, want) {
			t.Errorf("stays: %q; want %q in it", stays, want)
		}
	}
	if len(r.Places) != 3 || r.Places[0].Change != Restored {
		t.Errorf("%+v", r.Places)
	}
	if again := uninstallAll(t, o, nil); len(again.Gone) != 0 || again.Places[0].Change != Unchanged {
		t.Errorf("a second uninstall: %+v", again)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".memento", ".memento/state", ".memento/index", ".memento/history"} {
		home, scopes := world(t)
		o := all(home, scopes[0])
		for _, f := range []string{"s1.json", "state/s1.json", "x.debug.json", ".memento-tmp-1", "install/x"} {
			path := filepath.Join(home, "elsewhere", f)
			fixture.Put(t, path, "x", 0o600)
			if old := time.Now().Add(-time.Hour); os.Chtimes(path, old, old) != nil {
				t.Fatal(path)
			}
		}
		link := filepath.Join(o.ConfigDir, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, "elsewhere"), link); err != nil {
			t.Fatal(err)
		}
		was := fixture.Tree(t, filepath.Join(home, "elsewhere"))
		if r, err := UninstallAll(o, nil); err != nil && !strings.Contains(err.Error(), "link") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		fixture.Same(t, name, was, fixture.Tree(t, filepath.Join(home, "elsewhere")))
	}
}

func TestAFailedUninstallOfAllCanBeRunAgain(t *testing.T) {
	fixture.Long(t, "writes to the disk hundreds of times")
	t.Parallel()
	for n := 1; ; n++ {
		home, scopes := world(t)
		was := fixture.Tree(t, home)
		for _, o := range scopes {
			install(t, o)
		}
		fixture.Put(t, filepath.Join(home, ".claude", ".memento", "state", "s1.json"), "x", 0o600)
		o := all(home, scopes[0])
		disk := &faulty{failAt: n}
		o.Disk = disk.disk()
		r, err := UninstallAll(o, nil)
		if err == nil && disk.writes >= n && !strings.Contains(strings.Join(r.Stays, "\n"), "The hooks in ") {
			t.Errorf("failing at write %d, nothing was said", n)
		}
		// The project's record finds the project again. Without the record, only the working folder does.
		uninstallAll(t, all(home, scopes[0]), map[Scope]string{Project: scopes[1].Root, Local: scopes[2].Root})
		after := fixture.Tree(t, home)
		if _, empty := after[".claude"]; empty && err != nil && len(list(filepath.Join(home, ".claude"))) == 0 {
			delete(after, ".claude") // only the record says that install made it, and the record goes first
		}
		fixture.Same(t, fmt.Sprintf("failing at write %d, then again", n), was, after)
		if disk.writes < n {
			if n < 10 {
				t.Errorf("only %d writes", n-1)
			}
			break
		}
	}
}

func TestWhatSomebodyElseWiredHereGoesToo(t *testing.T) {
	t.Parallel()
	_, scopes := world(t)
	fixture.Put(t, scopes[1].file(),
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"memento hook 2>/dev/null; exit 0","timeout":5}]}]},"a":1}`, 0o644)
	r := uninstallAll(t, scopes[0], map[Scope]string{Project: scopes[1].Root})
	if got := fixture.Read(t, scopes[1].file()); got != `{"a":1}` {
		t.Errorf("left %s", got)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "for everybody in the project") {
		t.Errorf("notes %q", notes)
	}
}

func TestAProjectThatCannotBeEditedStopsNothing(t *testing.T) {
	t.Parallel()
	home, scopes := world(t)
	for _, o := range scopes {
		install(t, o)
	}
	fixture.Put(t, scopes[2].file(), "{ // mine\n"+fixture.Read(t, scopes[2].file())[1:], 0o600)
	fixture.Put(t, filepath.Join(home, ".claude", ".memento", "state", "s1.json"), "x", 0o600)
	r := uninstallAll(t, scopes[0], nil)
	if scopes[0].isWired() || scopes[1].isWired() {
		t.Error("the others are still wired")
	}
	if stays := strings.Join(r.Stays, "\n"); !strings.Contains(stays, scopes[2].file()+": ") {
		t.Errorf("stays %q", stays)
	}
	if isMissing(scopes[0].skill()) || isMissing(scopes[2].recordPath()) {
		t.Error("what the refused one needs is gone")
	}
	// After the file was corrected, a second run removes the hooks from it.
	fixture.Put(t, scopes[2].file(), strings.Replace(fixture.Read(t, scopes[2].file()), " // mine\n", "", 1), 0o600)
	uninstallAll(t, scopes[0], nil)
	if !isMissing(filepath.Join(home, ".claude")) || !isMissing(scopes[2].file()) {
		t.Errorf("left %v", fixture.Tree(t, home))
	}
}

func TestAForeignFileThatCannotBeEditedIsNoBusinessOfOurs(t *testing.T) {
	t.Parallel()
	_, scopes := world(t)
	install(t, scopes[0])
	fixture.Put(t, scopes[1].file(), "{ // theirs\n}", 0o644)
	r := uninstallAll(t, scopes[0], map[Scope]string{Project: scopes[1].Root})
	if stays := strings.Join(r.Stays, "\n"); strings.Contains(stays, scopes[1].file()) {
		t.Errorf("stays %q", stays)
	}
}

func TestARefusedUserFileChangesNothing(t *testing.T) {
	t.Parallel()
	home, scopes := world(t)
	for _, o := range scopes {
		install(t, o)
	}
	fixture.Put(t, scopes[0].file(), "{,}", 0o600)
	was := fixture.Tree(t, home)
	if _, err := UninstallAll(scopes[0], nil); err == nil || Hint(err) == "" {
		t.Errorf("got %v", err)
	}
	fixture.Same(t, "refusing", was, fixture.Tree(t, home))
}

func TestAProjectThatIsGoneIsForgotten(t *testing.T) {
	t.Parallel()
	_, scopes := world(t)
	o := scopes[2]
	install(t, o)
	if err := os.RemoveAll(o.Root); err != nil {
		t.Fatal(err)
	}
	r := uninstallAll(t, scopes[0], nil)
	if len(o.recordedPlaces()) != 0 || !isMissing(o.ConfigDir) {
		t.Errorf("%+v", r)
	}
	if _, err := os.Lstat(o.Root); !errors.Is(err, os.ErrNotExist) {
		t.Error("the project is back")
	}
}

func TestAPluginKeepsItsState(t *testing.T) {
	t.Parallel()
	home, scopes := world(t)
	o := all(home, scopes[0])
	fixture.Put(t, o.file(), `{"enabledPlugins": {"memento@mementohq": true}}`, 0o644)
	install(t, o)
	lived(t, home)
	r := uninstallAll(t, o, nil)
	for _, name := range []string{".claude/.memento/state/s1.json"} {
		if isMissing(filepath.Join(home, name)) {
			t.Errorf("%s is gone", name)
		}
	}
	if !slices.ContainsFunc(r.Stays, func(s string) bool {
		return strings.Contains(s, "claude plugin uninstall memento@mementohq")
	}) {
		t.Errorf("stays %q", r.Stays)
	}
}

func TestALinkMadeSinceStillLeadsSomewhere(t *testing.T) {
	t.Parallel()
	home, scopes := world(t)
	o := scopes[0]
	install(t, o) // a settings.json did not exist
	mine := filepath.Join(home, "dotfiles", "settings.json")
	fixture.Put(t, mine, fixture.Read(t, o.file()), 0o600)
	if err := errors.Join(os.Remove(o.file()), os.Symlink(mine, o.file())); err != nil {
		t.Fatal(err)
	}
	if r := uninstallAll(t, o, nil); r.Places[0].Change != Edited {
		t.Errorf("settings %s", r.Places[0].Change)
	}
	if got := fixture.Read(t, o.file()); got != "{}\n" {
		t.Errorf("left %q", got)
	}
}

func TestAProjectThatCannotBeWrittenStopsNothing(t *testing.T) {
	t.Parallel()
	_, scopes := world(t)
	for _, o := range scopes {
		install(t, o)
	}
	o := scopes[0]
	replace, remove := o.Disk.Replace, o.Disk.Remove
	o.Disk.Replace = func(path string, data []byte, perm fs.FileMode) error {
		if path == scopes[1].file() {
			return fs.ErrPermission
		}
		return replace(path, data, perm)
	}
	o.Disk.Remove = func(path string) error {
		if path == scopes[1].file() {
			return fs.ErrPermission
		}
		return remove(path)
	}
	r := uninstallAll(t, o, nil)
	if scopes[0].isWired() || !scopes[1].isWired() || scopes[2].isWired() {
		t.Error("more or less was unwired than could be")
	}
	if stays := strings.Join(r.Stays, "\n"); !strings.Contains(stays, scopes[1].file()+": ") ||
		isMissing(scopes[1].recordPath()) {
		t.Errorf("stays %q", stays)
	}
	uninstallAll(t, scopes[0], nil)
	if scopes[1].isWired() || !isMissing(scopes[1].file()) || !isMissing(o.stateDir()) {
		t.Error("it could not be finished later")
	}
}

func TestAProjectThatMovedIsNamed(t *testing.T) {
	t.Parallel()
	_, scopes := world(t)
	o := scopes[2]
	install(t, o)
	if err := os.Rename(o.Root, o.Root+"-2"); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(uninstallAll(t, scopes[0], nil).Notes, "\n"); !strings.Contains(notes,
		o.Root+" is not there any more") {
		t.Errorf("notes %q", notes)
	}
	uninstallAll(t, scopes[0], map[Scope]string{Local: o.Root + "-2"})
	if got := o.in(Local, o.Root+"-2"); got.isWired() {
		t.Error("it is still wired where it is now")
	}
}

func TestTheLastCopyOfSettingsStays(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 2} {
		_, scopes := world(t)
		o := scopes[at]
		fixture.Put(t, o.file(), original, 0o600)
		install(t, o)
		fixture.Put(t, o.file(), "\n", 0o600) // for example by a full disk
		for range 2 {
			r := uninstallAll(t, scopes[0], map[Scope]string{Local: scopes[2].Root})
			if got := fixture.Read(t, o.backup()); got != original {
				t.Fatalf("the backup is %q", got)
			}
			if stays := strings.Join(r.Stays, "\n"); !strings.Contains(stays, "Your settings, in "+o.backup()) {
				t.Errorf("stays %q", stays)
			}
		}
		fixture.Put(t, o.file(), original, 0o600)
		uninstallAll(t, scopes[0], map[Scope]string{Local: scopes[2].Root})
		if !isMissing(o.backup()) {
			t.Error("the backup stays")
		}
	}
}
