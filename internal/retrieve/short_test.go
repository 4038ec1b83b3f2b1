package retrieve

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// TestShorten: a short name is the record's alone, wherever it is listed, and no longer than the id.
func TestShorten(t *testing.T) {
	s := record.Store{Dir: t.TempDir(), Now: time.Now}
	words := strings.Fields("use paseto for sessions not jwt shared the queue cents größe 認証 a")
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 120 {
		var title []string
		for range 1 + random.IntN(6) {
			title = append(title, words[random.IntN(len(words))])
		}
		project := []string{"shop", "shop-2", "pay", naming.User}[n%4]
		_, _ = s.Create(record.Record{Project: project, Kind: "debt", Title: strings.Join(title, " "),
			Tags: []string{"x"}}) // or there is one
	}
	all, _, err := s.List(record.Filter{Status: schema.Statuses()})
	if err != nil || len(all) < 60 {
		t.Fatalf("%d records, %v", len(all), err)
	}
	shorter := 0
	for _, project := range []string{"shop", "pay", naming.User} {
		short, err := Shorten(s, project)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			name := short(r.ID)
			if got, err := Find(s, project, s.Dir, name); got != r.ID {
				t.Errorf("in %s %s is called %s, which finds %q, %v", project, r.ID, name, got, err)
			}
			if len(name) > len(r.ID) {
				t.Errorf("%s is called %s", r.ID, name)
			}
			if len(name) < len(r.ID) {
				shorter++
			}
		}
	}
	if shorter < len(all) {
		t.Errorf("only %d short names", shorter)
	}
	if short, _ := Shorten(s, "shop"); short("shop--is-not-there") != "shop--is-not-there" {
		t.Error("a record that is not there has a short name")
	}
}
