package retrieve

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// The functions that read the index alone agree with the files.
func TestByIndex(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	s := record.Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: func() time.Time { return now },
		Wait: time.Second}
	if got := Count(s, "shop", nil); got != 0 {
		t.Errorf("without an index there are %d", got)
	}
	if got := Due(s, Rules(config.Config{})); got != nil {
		t.Errorf("without an index %v is due", got)
	}
	put := func(kind, title, project, state string) string {
		t.Helper()
		r, err := s.Create(record.Record{Kind: kind, Title: title, Project: project, Stage: state, Tags: []string{"t"},
			Body: "## Notes\n\nx\n"})
		if err != nil {
			t.Fatal(err)
		}
		Heal(s)
		return r.ID
	}
	for i := range 8 {
		put("session", fmt.Sprintf("number %d", i), "shop", "")
		now = now.Add(time.Minute)
	}
	if _, err := s.Collect(record.GC{IDs: Due(s, Rules(config.Config{}))}); err != nil {
		t.Fatal(err)
	}
	active, _, err := s.List(record.Filter{Kinds: []string{"session"}})
	if err != nil || len(active) != 5 || active[0].Title != "number 7" {
		t.Errorf("%d sessions are active: %v", len(active), err)
	}
	put("decision", "Use PASETO", "shop", "")
	put("decision", "Use JWT", "shop", "superseded")
	put("decision", "Another's", "cart", "")
	put("preference", "Tabs", naming.User, "")
	put("subagent", "Explore: x", "shop", "")
	snapshot := put("context", "A look", "shop", "")
	if got := Count(s, "shop", nil); got != 3 { // a decision, a preference and a context
		t.Errorf("counted %d", got)
	}
	if got := Count(s, "shop", func(kind string) bool { return kind != "preference" }); got != 2 {
		t.Errorf("without a kind that is switched off: %d", got)
	}
	if got := Due(s, Rules(config.Config{})); got != nil {
		t.Errorf("on the same day %v is due", got)
	}
	now = now.Add(8 * 24 * time.Hour)
	if got := Due(s, Rules(config.Config{})); !slices.Equal(got, []string{snapshot}) {
		t.Errorf("after eight days %v is due", got)
	}
	forever := Rules(config.Config{})
	forever.Keep["context"] = 0
	if got := Due(s, forever); got != nil {
		t.Errorf("kept for ever, %v is due", got)
	}
	out, err := s.Collect(record.GC{IDs: Due(s, Rules(config.Config{}))})
	if err != nil || !slices.Equal(out.Retired, []string{snapshot}) || out.Purged != nil {
		t.Errorf("collected %+v, %v", out, err)
	}
	Heal(s)
	now = now.Add(31 * 24 * time.Hour)
	if out, err = s.Collect(record.GC{IDs: Due(s, Rules(config.Config{}))}); err != nil ||
		!slices.Contains(out.Archived, snapshot) || len(out.Archived) != 4 || out.Purged != nil {
		t.Errorf("a month later %+v, %v", out, err)
	}
}

// A hook, which reads the index, and memento gc, which reads the files, count the grace of a retired record alike.
func TestDueEdited(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	s := record.Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: func() time.Time { return now },
		Wait: time.Second}
	r, err := s.Create(record.Record{Kind: "decision", Title: "Use JWT", Project: "shop", Tags: []string{"t"},
		Body: "x\n"})
	if err == nil {
		_, err = s.Move(r.ID, schema.Retired, "we went for PASETO")
	}
	now = now.Add(20 * 24 * time.Hour)
	if err == nil {
		_, err = s.Update(r.ID, "", "", func(r *record.Record) error { r.Body = "y\n"; return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	Heal(s)
	for _, days := range []time.Duration{11, 29, 30} { // since it was retired 31, 49 and 50
		at := now.Add(days * 24 * time.Hour)
		dry := s
		dry.Now = func() time.Time { return at }
		out, err := dry.Collect(record.GC{Dry: true})
		if due := Due(dry, Rules(config.Config{})); err != nil || len(due) != len(out.Archived) ||
			(len(due) == 1) != (days == 30) {
			t.Errorf("%d days after it was changed a hook collects %v, and gc %v, %v", days, due, out.Archived, err)
		}
	}
}
