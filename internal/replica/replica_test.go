package replica

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/withheld"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

const origin = "git:example.com/alice/shop"

// home is one machine.
type home struct {
	*Replica
	t    testing.TB
	slug string
	set  Choice
	say  int // how much was said
}

// newHome makes a machine on which the project has a name of its own.
func newHome(t testing.TB, name, slug, remote string) *home {
	t.Helper()
	at := filepath.Join(t.TempDir(), name)
	dir := filepath.Join(at, ".claude", ".memento")
	fixture.Write(t, filepath.Join(dir, "workspace.json"),
		`{"version":1,"projects":[{"slug":"`+slug+`","id":"`+origin+`","roots":["/x/`+slug+
			`"],"last":"2026-03-14T12:00:00Z"}]}`)
	fixture.Write(t, machine.Path(dir), fmt.Sprintf(`{"version":1,"id":"%012x","name":"%s"}`, len(name)*31+int(name[0]),
		name))
	return openHome(t, at, slug, remote)
}

// openHome returns the machine whose home folder is at.
func openHome(t testing.TB, at, slug, remote string) *home {
	t.Helper()
	dir := filepath.Join(at, ".claude", ".memento")
	c, err := config.Load(func(name string) string { return map[string]string{"HOME": at, "USER": "alice"}[name] })
	if err != nil || c.Dir != dir {
		t.Fatalf("the folder is %s, %v", c.Dir, err)
	}
	now := func() time.Time { return noon }
	return &home{t: t, slug: slug, set: Choice{Remote: remote, All: true},
		Replica: &Replica{Config: c, Now: now,
			Wait: 5 * time.Second, Store: record.Store{Dir: dir, Now: now, Wait: 5 * time.Second}}}
}

func bare(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	fixture.Write(t, filepath.Join(dir, "HEAD"), "ref: refs/heads/main\n")
	fixture.Write(t, filepath.Join(dir, "config"), "[core]\n\tbare = true\n[receive]\n\tautogc = false\n")
	for _, name := range []string{"objects", "refs"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (h *home) sync() Result {
	h.t.Helper()
	r, err := h.Sync(context.Background(), h.set, false)
	if err != nil {
		h.t.Fatalf("%s: %v", h.Config.Dir, err)
	}
	return r
}

func (h *home) save(title, body string) {
	h.t.Helper()
	_, err := h.Store.Create(record.Record{Kind: "memento", Title: title, Project: h.slug, Tags: []string{"x"},
		Body: body + "\n"})
	if err != nil && !errors.As(err, new(*record.ExistsError)) {
		h.t.Fatal(err)
	}
}

func (h *home) edit(slug string, edit func(*record.Record) error) {
	h.t.Helper()
	if _, err := h.Store.Update(h.slug+"--"+slug, "", "", edit); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) body(slug string) string {
	h.t.Helper()
	r, err := h.Store.Read(h.slug + "--" + slug)
	if err != nil {
		return err.Error()
	}
	return r.Body
}

func (h *home) said(session, words, answer string) {
	h.t.Helper()
	h.say++
	id, at := fmt.Sprintf("%s-%d", session, h.say), noon.Add(time.Duration(h.say)*time.Second)
	if err := h.turns().Add(h.slug, session, []log.Entry{{ID: id, Kind: log.Typed, Time: at, Text: words},
		{Kind: log.Answered, Of: id, Time: at, Text: answer}}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) heard() (out []string) {
	sessions, err := h.turns().Sessions(h.slug)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, one := range sessions {
		turns, err := past.Read(h.turns(), h.slug, one.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, t := range turns {
			out = append(out, t.Prompt)
		}
	}
	slices.Sort(out)
	return out
}

// forget forgets a phrase in all projects.
func (h *home) forget(words string) {
	h.t.Helper()
	all := func(string) bool { return true }
	if _, err := (&forget.Eraser{Dir: h.Config.Dir, Chosen: all, Records: all, Past: all, All: true, Phrase: words,
		Now: noon, Wait: time.Second}).Run(); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) settings() Settings {
	h.t.Helper()
	s, err := h.Load()
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// shared returns the files that the machine merged last, by their paths.
func (h *home) shared() map[string]string {
	h.t.Helper()
	s := h.settings()
	at, _ := pace.History(h.Config.Dir)
	repo, err := gitrepo.Open(context.Background(), at, true)
	if err != nil {
		h.t.Fatal(err)
	}
	defer repo.Close()
	head := gitrepo.ID(s.Merged)
	if !repo.Has(head) {
		if _, err := repo.Fetch(s.Remote); err != nil {
			h.t.Fatal(err)
		}
	}
	files, err := repo.Files(head)
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[string]string{}
	for path, id := range files {
		data, err := repo.Read(id, 64<<20)
		if err != nil {
			h.t.Fatal(err)
		}
		out[path] = string(data)
	}
	return out
}

func TestTwoMachines(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "kiosk", remote)
	steps := map[*home][]string{}
	for _, h := range []*home{desk, laptop} {
		h.Doing = func(step string, _, _ int) {
			if !slices.Contains(steps[h], step) {
				steps[h] = append(steps[h], step)
			}
		}
	}
	desk.save("Price of jars", "Two euros.")
	desk.said("aaaa", "Price the jars.", "Done.")
	desk.said("aaaa", "Weigh the jars.", "Done.")
	j := journal.Store{Lane: project.NewLane(desk.Config.Dir, "shop", "", "alice"), Config: desk.Config, Now: noon}
	if _, err := j.Update(func(j *journal.Journal) error {
		j.OpenMission("Sell the jars", "Sell the jars", "aaaa", "user", "u1")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := desk.sync(); got.Sent.Records != 1 || got.Sent.Turns != 2 || got.Sent.Journals != 1 {
		t.Errorf("it sent %+v", got.Sent)
	}
	if want := []string{"fetching from the remote", "packing what changed, in files", "merging",
		"sending to the remote"}; !slices.Equal(steps[desk], want) {
		t.Errorf("the sender's steps: %q", steps[desk])
	}
	laptop.save("Colour of lids", "Red.")
	got := laptop.sync()
	if !slices.Contains(steps[laptop], "taking in what is new, in files") {
		t.Errorf("the receiver's steps: %q", steps[laptop])
	}
	if got.Received.Records != 1 || got.Received.Turns != 2 || got.Sent.Records != 1 {
		t.Errorf("the laptop sent %+v and received %+v", got.Sent, got.Received)
	}
	if body := laptop.body("price-of-jars"); body != "Two euros.\n" {
		t.Errorf("the laptop has %q", body)
	}
	r, err := laptop.Store.Read("kiosk--price-of-jars")
	if err != nil || r.Project != "kiosk" || !strings.Contains(string(r.Bytes()), "id: kiosk--price-of-jars") {
		t.Errorf("it is %v, %v", r, err)
	}
	on := func(h *home, project, session string) string {
		turns, err := past.Read(h.turns(), project, session)
		if err != nil || len(turns) == 0 {
			t.Fatal(turns, err)
		}
		return pace.LoadOthers(h.Config.Dir, project).Names[turns[0].On]
	}
	if got := on(laptop, "kiosk", "aaaa"); got != "desk" {
		t.Errorf("it was said on %q", got)
	}
	if heard := laptop.heard(); !slices.Equal(heard, []string{"Price the jars.", "Weigh the jars."}) {
		t.Errorf("the laptop heard %q", heard)
	}
	if o := pace.LoadOthers(laptop.Config.Dir, "kiosk"); len(o.Missions) != 1 ||
		o.Missions[0].Mission != "Sell the jars" || o.Names[o.Missions[0].Machine] != "desk" {
		t.Errorf("elsewhere is %+v", o)
	}
	if pace.LoadOthers(desk.Config.Dir, "shop").Missions != nil {
		t.Error("the desk's own mission is elsewhere")
	}
	laptop.said("bbbb", "And the lids.", "")
	laptop.sync()
	desk.sync()
	if a, b := on(desk, "shop", "aaaa"), on(desk, "shop", "bbbb"); a != "" || b != "laptop" {
		t.Errorf("for the desk, they were said on %q and %q", a, b)
	}
	if body := desk.body("colour-of-lids"); body != "Red.\n" {
		t.Errorf("the desk has %q", body)
	}
	for _, h := range []*home{desk, laptop} {
		if got := h.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
			t.Errorf("nothing is new, and it sent %+v, received %+v", got.Sent, got.Received)
		}
	}
	if desk.settings().Merged != laptop.settings().Merged {
		t.Error("they differ")
	}
}

// TestSummary: each sync says in its commit what it brought, without zeros, and under the name that the person chose.
func TestSummary(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("Price of jars", "Two euros.")
	desk.sync()
	laptop.set.Name = "Lap top"
	laptop.sync()
	laptop.said("aaaa", "Price the jars.", "")
	laptop.sync()
	const want = "lap-top: 1 turn\nlap-top: nothing new\ndesk: 1 record"
	if got := git(t, remote, "log", "--format=%an: %s", "main"); got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
}

// Both edit one section; one archives what the other edits, so that it is edited and archived; one removes what the
// other leaves.
func TestBothChange(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("One", "First.")
	desk.save("Two", "Second.")
	desk.save("Three", "Third.")
	desk.sync()
	laptop.sync()
	set := func(body string) func(*record.Record) error {
		return func(r *record.Record) error { r.Body = body + "\n"; return nil }
	}
	desk.edit("one", set("First of desk."))
	laptop.edit("one", set("First of laptop."))
	if _, err := desk.Store.Move("shop--two", schema.Archived, "done"); err != nil {
		t.Fatal(err)
	}
	laptop.edit("two", set("Second, better."))
	if err := laptop.Store.Remove("shop--three"); err != nil {
		t.Fatal(err)
	}
	desk.sync()
	got := laptop.sync()
	if len(got.Conflicts) != 1 || !strings.HasPrefix(got.Conflicts[0], "shop--one-") {
		t.Fatalf("conflicts are %v", got.Conflicts)
	}
	desk.sync()
	for _, h := range []*home{desk, laptop} {
		other := h.body(strings.TrimPrefix(got.Conflicts[0], "shop--"))
		if h.body("one") != "First of laptop.\n" || other != "First of desk.\n" {
			t.Errorf("they say %q and %q", h.body("one"), other)
		}
		if r, err := h.Store.Read("shop--two"); err != nil || r.Status != "archived" || r.Body != "Second, better.\n" {
			t.Errorf("two is %+v, %v", r, err)
		}
		if _, err := h.Store.Read("shop--three"); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("three: %v", err)
		}
	}
	if desk.settings().Merged != laptop.settings().Merged {
		t.Error("they differ")
	}
}

// What one machine forgets is gone from the remote and from every store. What another one had not sent yet goes as soon
// as both have synced again; it never comes to the machine that forgot.
func TestForget(t *testing.T) {
	fixture.Long(t, "syncs 12 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop, old := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote),
		newHome(t, "old", "shop", remote)
	const words = "the launch is on 3 May"
	desk.save("Plan", "Say that "+words+".\n\nBe there.")
	desk.said("aaaa", "Remember, "+words+".", "Yes.")
	desk.said("aaaa", "Go on.", "Well.")
	for _, h := range []*home{desk, laptop, old} {
		h.sync()
	}
	old.save("Other plan", "Here too: "+words+".\n\nBring string.")
	old.said("bbbb", "I said "+words+"!", "")
	laptop.said("cccc", "Weigh the jars.", "")
	laptop.forget(words)
	if got := laptop.sync(); got.Sent.Forgotten == 0 || got.Erased != 0 {
		t.Errorf("who forgot: %+v", got)
	}
	if got := desk.sync(); got.Erased == 0 || got.Sent != (Count{}) { // what is erased here is no news that arrived
		t.Errorf("another machine: %+v", got)
	}
	for _, dir := range []string{laptop.Config.Dir, desk.Config.Dir, remote} {
		if where := holding(t, dir, words); where != nil {
			t.Errorf("it stands in %v", where)
		}
	}
	old.sync() // it sends what it said while it was away
	for range 2 {
		laptop.sync()
		if where := holding(t, laptop.Config.Dir, words); where != nil {
			t.Errorf("it came back to %v", where)
		}
		old.sync()
		desk.sync()
	}
	for _, h := range []*home{desk, laptop, old} {
		if where := holding(t, h.Config.Dir, words); where != nil {
			t.Errorf("%s: it stands in %v", h.Config.Dir, where)
		}
		if heard := h.heard(); !slices.Equal(heard, []string{"Go on.", "Weigh the jars."}) {
			t.Errorf("heard %q", heard)
		}
		if body := h.body("other-plan"); body != "Bring string.\n" {
			t.Errorf("the other plan is %q", body)
		}
	}
	if where := holding(t, remote, words); where != nil {
		t.Errorf("the remote holds it in %v", where)
	}
	if desk.settings().Merged != laptop.settings().Merged || desk.settings().Merged != old.settings().Merged {
		t.Error("they differ")
	}
}

// TestForgetThenMove: a history that holds what was forgotten does not go to another remote.
func TestForgetThenMove(t *testing.T) {
	t.Parallel()
	desk := newHome(t, "desk", "shop", bare(t))
	const words = "the launch is on 3 May"
	desk.save("Plan", "Say that "+words+".\n\nBe there.")
	desk.sync()
	desk.forget(words)
	desk.set.Remote = bare(t)
	desk.sync()
	for _, dir := range []string{desk.Config.Dir, desk.set.Remote} {
		if where := holding(t, dir, words); where != nil {
			t.Errorf("it stands in %v", where)
		}
	}
	if body := desk.body("plan"); body != "Be there.\n" {
		t.Errorf("the plan is %q", body)
	}
}

// TestDamagedCache: a cache that a power cut damaged counts as none.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	desk := newHome(t, "desk", "shop", bare(t))
	desk.save("Plan", "Be there.")
	desk.sync()
	cache := fixture.Read(t, desk.path("cache"))
	fixture.Write(t, desk.path("cache"), cache[:len(cache)-1])
	if got := desk.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
		t.Errorf("without its last byte: %+v", got)
	}
}

// holding lists the files below dir, and the objects of git repositories there, that hold words. Of a bare repository
// at dir itself only the objects count that a branch reaches: a host keeps the others until it collects garbage.
func holding(t testing.TB, dir string, words ...string) (out []string) {
	t.Helper()
	look := func(path, data string) {
		for _, w := range words {
			if strings.Contains(data, w) {
				out = append(out, path+": "+w)
			}
		}
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "objects" {
			git := filepath.Dir(path)
			list := `cat-file --batch-all-objects --batch-check='%(objectname)'`
			if git == dir {
				list = `rev-list --objects --all | cut -d' ' -f1`
			}
			all, err := exec.Command("sh", "-c", `git --git-dir="$1" `+list+` | git --git-dir="$1" cat-file --batch`,
				"sh", git).Output()
			if err != nil {
				t.Fatalf("%s: %v", git, err)
			}
			look(git, string(all))
			return filepath.SkipDir
		}
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(path, ".gz") {
			if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
				data, _ = io.ReadAll(z)
			}
		}
		look(path, string(data))
		return nil
	})
	return out
}

// Nothing of a project that was not chosen travels: no rule that was said there, no mission, no name, no fingerprint.
func TestUnchosen(t *testing.T) {
	fixture.Long(t, "syncs 9 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	const hidden = "git:example.com/alice/hidden"
	fixture.Write(t, project.WorkspacePath(desk.Config.Dir), `{"version":1,"projects":[{"slug":"shop","id":"`+origin+
		`","roots":["/x/shop"]},{"slug":"hidden","id":"`+hidden+`","roots":["/x/hidden"]}]}`)
	kept := func(text string) rule.Rule { return rule.Rule{N: rule.NumberOf(text), Text: text} }
	for slug, text := range map[string]string{"hidden": "Always hide the hidden goods.",
		"": "Always greet the guests."} {
		if err := desk.rules().Keep(slug, rule.ByUser, "", kept(text)); err != nil {
			t.Fatal(err)
		}
	}
	j := journal.Store{Lane: project.NewLane(desk.Config.Dir, "hidden", "", "alice"), Config: desk.Config, Now: noon}
	if _, err := j.Update(func(j *journal.Journal) error {
		j.OpenMission("Hide the goods", "Hide the goods", "aaaa", "user", "u1")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	desk.slug = "hidden"
	desk.save("Hidden goods", "They are hidden.")
	desk.said("hhhh", "Hide the hidden goods.", "")
	desk.slug = "shop"
	desk.save("Shown goods", "They are shown.")
	pid := project.SharedName(hidden)
	for _, in := range []string{"hidden", "shop"} {
		k := withheld.Erasure{In: []string{in}, Phrase: "some words " + in, ByPerson: true}
		if err := k.Add(desk.Config.Dir, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	desk.set = Choice{Remote: remote, Projects: []string{"shop"}}
	desk.sync()
	head := git(t, remote, "rev-parse", "main")
	for range 2 {
		desk.sync()
		laptop.sync()
	}
	if git(t, remote, "rev-parse", "main~1") != head {
		t.Error("it is not quiet, or the history began anew")
	}
	for _, words := range []string{"hidden", "Hide", pid} {
		if where := holding(t, remote, words); where != nil {
			t.Errorf("%q is in the remote", words)
		}
	}
	if holding(t, remote, "greet the guests") == nil {
		t.Error("the rule of the chosen project does not travel")
	}
	if got := laptop.rules().Rules("shop").Kept; len(got) != 1 || !got[0].User {
		t.Errorf("the laptop keeps %+v", got)
	}
}

// A person may choose less than before: what was sent stays there, and nothing is taken away here.
func TestChooseLess(t *testing.T) {
	fixture.Long(t, "syncs 14 times")
	t.Parallel()
	remote := bare(t)
	desk := newHome(t, "desk", "shop", remote)
	desk.Config.Past = config.PastAnswers
	fixture.Write(t, project.WorkspacePath(desk.Config.Dir), `{"version":1,"projects":[{"slug":"shop","id":"`+origin+
		`","roots":["/x/shop"]},{"slug":"kiosk","id":"git:example.com/alice/kiosk","roots":["/x/kiosk"]}]}`)
	add := func(n int) {
		for _, desk.slug = range []string{"shop", "kiosk"} {
			desk.save(fmt.Sprint(desk.slug, " record ", n), "Words.")
			desk.said(desk.slug, fmt.Sprint(desk.slug, " asks ", n), fmt.Sprint(desk.slug, " answers ", n))
		}
	}
	told := 0
	desk.Say = func(line string) {
		if strings.Contains(line, "what was sent before stays there") {
			told++
		}
	}
	all := []string{"shop", "kiosk", "shop answers", "kiosk answers"}
	for n, step := range []struct {
		Choice
		sent []string // of what add writes before the step
		told int
	}{
		{Choice{Remote: remote, All: true, Answers: true}, all, 0},
		{Choice{NoAnswers: true}, []string{"shop", "kiosk"}, 1},
		{Choice{Projects: []string{"shop"}}, []string{"shop"}, 2},
		{Choice{Projects: []string{"kiosk"}, Answers: true}, all, 2},
		{Choice{Remote: remote, Projects: []string{"kiosk"}}, []string{"kiosk"}, 3},
		{Choice{All: true}, []string{"kiosk", "shop"}, 3},
	} {
		before := desk.heard()
		add(n)
		desk.set = step.Choice
		desk.sync()
		all := fmt.Sprint(desk.shared())
		for _, slug := range []string{"shop", "kiosk"} {
			for _, kind := range []string{"record", "answers"} {
				words := slug + " " + kind
				want := slices.Contains(step.sent, strings.TrimSuffix(words, " record"))
				if got := strings.Contains(all, fmt.Sprint(words, " ", n)); got != want {
					t.Errorf("step %d: of %q it sent %v", n, words, got)
				}
			}
		}
		if n > 0 && !strings.Contains(all, "shop answers 0") || !strings.Contains(all, "kiosk record 0") {
			t.Errorf("step %d: what was sent is gone", n)
		}
		if len(desk.heard()) < len(before) || told != step.told {
			t.Errorf("step %d: it heard %q, and was told %d times", n, desk.heard(), told)
		}
		desk.set = Choice{}
		if got := desk.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
			t.Errorf("step %d: it sent %+v and received %+v again", n, got.Sent, got.Received)
		}
	}
	desk.set = Choice{Remote: remote, Projects: []string{"shop"}}
	desk.sync()
	k := withheld.Erasure{In: []string{"kiosk"}, Phrase: "record 0", ByPerson: true}
	if err := k.Add(desk.Config.Dir, time.Second); err != nil {
		t.Fatal(err)
	}
	desk.sync()
	if all := fmt.Sprint(desk.shared()); strings.Contains(all, "kiosk record 0") ||
		!strings.Contains(all, "shop record 0") {
		t.Errorf("what was forgotten stays in a project that is not chosen any more")
	}
	for _, slug := range []string{"shop", "kiosk"} {
		turns, err := past.Read(desk.turns(), slug, slug)
		if err != nil || len(turns) != 6 || turns[5].Answer == "" {
			t.Errorf("%s has %d turns, %v", slug, len(turns), err)
		}
	}
}

// Claude's answers that go later are news of the turns that had gone without.
func TestAnswersLater(t *testing.T) {
	desk := newHome(t, "desk", "shop", bare(t))
	desk.Config.Past = config.PastAnswers
	desk.said("s1", "Fix the cart.", "It was the sum.")
	desk.said("s1", "And the export?", "It is left.")
	desk.sync()
	desk.set = Choice{Answers: true}
	if got := desk.sync(); got.Sent != (Count{Turns: 2}) {
		t.Errorf("it sent %+v", got.Sent)
	}
}

// A machine that keeps no turns, or only new ones, takes none from the others, and is not told of them each time.
func TestKeepsFewTurns(t *testing.T) {
	fixture.Long(t, "syncs 9 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop, server := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote),
		newHome(t, "server", "shop", remote)
	laptop.Config.Past, server.Config.PastDays = config.PastJournal, 1
	server.Now = func() time.Time { return noon.AddDate(0, 1, 0) }
	desk.said("aaaa", "Price the jars.", "")
	desk.save("One", "First.")
	desk.sync()
	for _, h := range []*home{laptop, server} {
		h.sync()
		h.said("bbbb-"+h.me2(), "Weigh the jars.", "")
		h.sync()
		if got := h.sync(); got.Received != (Count{}) || got.Sent != (Count{}) {
			t.Errorf("it sent %+v and received %+v", got.Sent, got.Received)
		}
	}
	desk.sync()
	if heard := desk.heard(); !slices.Equal(heard, []string{"Price the jars.", "Weigh the jars.", "Weigh the jars."}) {
		t.Errorf("the desk heard %q", heard)
	}
}
