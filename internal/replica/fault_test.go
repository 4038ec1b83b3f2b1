package replica

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

var errKilled = errors.New("killed")

// A sync that is killed at any step, or finds the disk full there, loses nothing: the next one goes on.
func TestKilled(t *testing.T) {
	fixture.Long(t, "syncs 32 times")
	steps, rounds := 1<<20, 3
	for round := range rounds + 1 {
		at := steps * round / (rounds + 1) // the first round counts the steps
		if round == 0 {
			at = steps
		}
		isFull := round%2 == 0
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			remote := bare(t)
			desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "kiosk", remote)
			desk.save("One", "First.\n\nThe "+launch+".")
			desk.save("Two", "Second.")
			desk.sync()
			laptop.sync()
			set := func(body string) func(*record.Record) error {
				return func(r *record.Record) error { r.Body = body + "\n"; return nil }
			}
			desk.edit("one", set("First of desk.\n\nThe "+launch+"."))
			desk.edit("two", set("Second of desk."))
			desk.said("aaaa", "Said at the desk.", "")
			laptop.edit("one", set("First of laptop.\n\nThe "+launch+"."))
			laptop.save("Three", "Third.")
			laptop.said("bbbb", "Said at the laptop.", "")
			laptop.sync()
			desk.forget(launch)
			n := 0
			safefile.TestOnlyFault(func(op, path string) error {
				if n++; n <= at {
					return nil
				}
				if isFull {
					if strings.Contains(op, "read") || op == "stat" || op == "open" {
						return nil
					}
					return syscall.ENOSPC
				}
				return errKilled
			})
			_, err := desk.Sync(context.Background(), desk.set, false)
			safefile.TestOnlyFault(nil)
			if round == 0 {
				steps = n
			} else if at < n && err == nil && !isFull {
				t.Error("it says nothing of the kill")
			}
			for range 2 {
				desk.sync()
				laptop.sync()
			}
			if desk.settings().Merged != laptop.settings().Merged {
				t.Error("they differ")
			}
			for _, h := range []*home{desk, laptop} {
				all := strings.Join(h.heard(), " ")
				for _, path := range h.files() { // two texts of one record are two records
					all += fixture.Read(t, path)
				}
				for _, words := range []string{"First of desk.", "First of laptop.", "Second of desk.", "Third.",
					"Said at the desk.", "Said at the laptop."} {
					if !strings.Contains(all, words) {
						t.Errorf("%q is lost: %s", words, all)
					}
				}
				if where := holding(t, h.Config.Dir, launch); where != nil {
					t.Errorf("it is back in %v", where)
				}
			}
			if where := holding(t, remote, launch); where != nil {
				t.Errorf("it is back in %v", where)
			}
		})
	}
}

// What a person wrote by hand into memento's files goes out without secrets and private words, and without the paths
// and settings of this machine.
func TestRedacted(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	desk := newHome(t, "desk", "shop", remote)
	const secret = "AKIAIOSFODNN7QRSTUVW"
	fixture.Write(t, desk.Config.Dir+"/shop--keys.md",
		"---\nid: shop--keys\nproject: shop\nkind: memento\ntitle: Keys "+
			secret+"\ntags: [x]\ncreated: 2026-03-14T12:00:00Z\n---\nThe key is "+secret+
			".\n<private>Nobody hears this.</private>\nAll hear that.\n")
	fixture.Write(t, desk.Config.Dir+"/log/shop/project.jsonl", `{"id":"k1","kind":"kept","ts":"2026-03-14T12:00:00Z",`+
		`"session":"bbbb","text":"Use the key `+secret+`.","rule":123456,"judge":"user"}`+"\n")
	fixture.Write(t, desk.Config.Dir+"/log/shop/2026-03/cccc.jsonl",
		`{"id":"u1","kind":"typed","ts":"2026-03-14T12:00:00Z",`+
			`"text":"Take `+secret+`."}`+"\n"+`{"id":"r1","kind":"ran","of":"u1","text":"export `+
			`K=`+secret+`","line":"`+secret+
			`","failed":true}`+"\n")
	j := journal.Store{Lane: project.NewLane(desk.Config.Dir, "shop", "", "alice"), Config: desk.Config, Now: noon}
	if _, err := j.Update(func(j *journal.Journal) error {
		j.OpenMission("Sell the jars", "Sell the jars", "aaaa", "user", "u1")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	path := project.NewLane(desk.Config.Dir, "shop", "", "alice").Journal()
	fixture.Write(t, path, strings.ReplaceAll(fixture.Read(t, path), "Sell the jars", "Sell "+secret))
	fixture.Write(t, desk.Config.Dir+"/config.json", `{"redact":false}`)
	desk.sync()
	for path, data := range desk.shared() {
		for _, words := range []string{secret, "Nobody hears", "/x/shop", desk.Config.Dir, `"redact"`} {
			if strings.Contains(data, words) {
				t.Errorf("%s holds %q:\n%s", path, words, data)
			}
		}
	}
	if len(desk.shared()) != 7 {
		t.Errorf("it sent %v", desk.shared())
	}
}
