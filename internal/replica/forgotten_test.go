package replica

import (
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
)

const launch = "launch is on 3 May"

// What was forgotten is gone from this machine before the next sync, and nothing else is lost: not what was removed or
// edited meanwhile.
func TestForgetHistory(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("The "+launch, "Soon.")
	desk.save("Plan", "Say the "+launch+".\n\nBe there.")
	desk.save("Other", "Another text.")
	desk.save("Third", "A third text.")
	desk.said("aaaa", "The "+launch+".", "")
	desk.sync()
	laptop.sync()
	if err := desk.Store.Remove("shop--third"); err != nil {
		t.Fatal(err)
	}
	laptop.edit("other", func(r *record.Record) error { r.Body = "Another text, edited.\n"; return nil })
	laptop.sync()
	desk.forget(launch)
	desk.removeHistory()
	for _, words := range []string{launch, "launch-is-on-3-may"} {
		if where := holding(t, desk.Config.Dir, words); where != nil {
			t.Errorf("%q stands in %v", words, where)
		}
	}
	desk.sync()
	laptop.sync()
	for _, h := range []*home{desk, laptop} {
		if h.has("third") || h.body("other") != "Another text, edited.\n" || h.body("plan") != "Be there.\n" {
			t.Errorf("it has %v, %q, %q", h.has("third"), h.body("other"), h.body("plan"))
		}
		if where := holding(t, h.Config.Dir, launch); where != nil {
			t.Errorf("it stands in %v", where)
		}
	}
	if where := holding(t, remote, launch); where != nil {
		t.Errorf("it stands in %v", where)
	}
}

// removeHistory is the end of memento forget.
func (h *home) removeHistory() {
	h.t.Helper()
	if err := pace.RemoveHistory(h.Config.Dir, time.Second); err != nil {
		h.t.Fatal(err)
	}
}

// A project that is forgotten goes from the repository and from the other machines, with the decisions on its rules and
// the mission.
func TestForgetWhole(t *testing.T) {
	fixture.Long(t, "syncs 8 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("Plan", "Say the "+launch+".")
	desk.said("aaaa", "The "+launch+".", "")
	fixture.Write(t, desk.Config.Dir+"/log/shop/project.jsonl", `{"id":"k1","kind":"kept","ts":"2026-03-14T12:00:00Z",`+
		`"session":"bbbb","text":"Never say the `+launch+`.","rule":123456,"judge":"user"}`+"\n")
	j := journal.Store{Lane: project.NewLane(desk.Config.Dir, "shop", "", "alice"), Config: desk.Config, Now: noon}
	if _, err := j.Update(func(j *journal.Journal) error {
		j.OpenMission("Plan the "+launch, "Plan the "+launch, "aaaa", "user", "u1")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	desk.sync()
	laptop.sync()
	if holding(t, laptop.Config.Dir, "Never say") == nil {
		t.Fatal("the decision did not travel")
	}
	of := func(slug string) bool { return slug == "shop" }
	_, err := (&forget.Eraser{Dir: desk.Config.Dir, Chosen: func(lane string) bool { return lane == "shop--alice" },
		Records: of, Past: of, Now: noon.Add(time.Hour), Wait: time.Second}).Run()
	if err != nil {
		t.Fatal(err)
	}
	desk.removeHistory()
	if where := holding(t, desk.Config.Dir, launch); where != nil {
		t.Errorf("it stands in %v", where)
	}
	desk.sync()
	laptop.sync()
	desk.sync()
	for _, dir := range []string{desk.Config.Dir, laptop.Config.Dir, remote} {
		if where := holding(t, dir, launch); where != nil {
			t.Errorf("it stands in %v", where)
		}
	}
}

// A record travels on after words were forgotten that are its project's name: on the machine where they were forgotten
// it stays, too.
func TestForgetBesideRecord(t *testing.T) {
	fixture.Long(t, "syncs 6 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "store", remote)
	desk.save("Launch", "Be there.")
	desk.sync()
	laptop.sync()
	desk.forget("shop")
	desk.sync()
	laptop.edit("launch", func(r *record.Record) error {
		r.Body = "Be there, too.\n"
		return nil
	})
	laptop.sync()
	if desk.sync(); desk.body("launch") != "Be there, too.\n" {
		t.Errorf("%v", desk.shared())
	}
}

// Two machines forget, each something else, and both have edited what holds it: neither brings back what the other one
// forgot, and both come to rest.
func TestForgetOnBoth(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("Plan", "Say the "+launch+".\n\nBe there.")
	desk.save("Lids", "Order the blue lids.\n\nPay them.")
	desk.sync()
	laptop.sync()
	for range 2 {
		desk.forget(launch)
		laptop.forget("blue lids")
		for _, h := range []*home{desk, laptop, desk, laptop, desk} {
			h.sync()
		}
		for _, words := range []string{launch, "blue lids"} {
			for _, dir := range []string{remote, desk.Config.Dir, laptop.Config.Dir} {
				if where := holding(t, dir, words); where != nil {
					t.Errorf("%q stands in %v", words, where)
				}
			}
		}
		if now := laptop.sync(); now.Sent != (Count{}) || now.Received != (Count{}) {
			t.Errorf("no rest: %+v", now)
		}
		desk.edit("plan", func(r *record.Record) error { r.Body += "\nOrder the blue lids.\n"; return nil })
		laptop.edit("lids", func(r *record.Record) error { r.Body += "\nSay the " + launch + ".\n"; return nil })
	}
}
