package replica

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
)

// setProjects makes the projects that a machine knows.
func (h *home) setProjects(entries ...string) {
	h.t.Helper()
	fixture.Write(h.t, project.WorkspacePath(h.Config.Dir), `{"version":1,"projects":[`+strings.Join(entries, ",")+`]}`)
}

const (
	withoutOrigin = `{"slug":"shop","id":"dir:/x/shop","roots":["/x/shop"],"last":"2026-03-14T12:00:00Z"}`
	withOrigin    = `{"slug":"shop","id":"` + origin + `","was":["dir:/x/shop"],"roots":["/x/shop"],` +
		`"last":"2026-03-14T12:00:00Z"}`
)

// bodies returns the texts of the records whose names begin so.
func (h *home) bodies(begin string) (all string) {
	list, _, err := h.Store.List(record.Filter{Match: begin + "*"})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range list {
		all += r.Body
	}
	return all
}

// slugs returns the slugs of the projects that a machine knows.
func (h *home) slugs() (out []string) {
	for _, k := range project.OpenWorkspace(h.Config.Dir).Known {
		out = append(out, k.Slug)
	}
	return out
}

// A project that gets an origin stays one project on all machines, whoever syncs first then, and whatever an old
// machine still writes under its former identity.
func TestFollow(t *testing.T) {
	fixture.Long(t, "syncs 50 times")
	t.Parallel()
	for _, tt := range []struct {
		name, order string
		twice       int // machines to which it came under both identities, before they were known to be one
	}{{"the desk is first", "dlsdls", 0}, {"the server is first", "sdlsdl", 1}, {"the desk is last", "slsldd", 2}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			remote := bare(t)
			desk, laptop, server := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote),
				newHome(t, "server", "kiosk", remote) // the server has a clone with the origin
			desk.setProjects(withoutOrigin)
			laptop.setProjects()
			desk.save("Plan", "Be there.\n\nThe "+launch+".")
			desk.said("aaaa", "Price the jars.", "")
			desk.sync()
			laptop.sync()
			if laptop.body("plan") == "" || !slices.Equal(laptop.slugs(), []string{"shop"}) {
				t.Fatalf("the laptop has %q of %q", laptop.body("plan"), laptop.slugs())
			}
			desk.forget(launch)
			desk.setProjects(withOrigin)
			laptop.edit("plan", func(r *record.Record) error { r.Body += "\nBy train.\n"; return nil })
			laptop.save("Lids", "Red.")
			laptop.say = 10
			laptop.said("aaaa", "Weigh the jars.", "")
			server.save("Lids", "Blue.")
			server.said("cccc", "Label the jars.", "")
			all := map[rune]*home{'d': desk, 'l': laptop, 's': server}
			for _, who := range tt.order + "dlsdls" {
				all[who].sync()
			}
			if slices.Contains(laptop.slugs(), "kiosk") { // the one of both that has the origin is synced
				laptop.slug = "kiosk"
			}
			twice := 0
			for _, h := range []*home{desk, laptop, server} {
				h.Say = func(line string) {
					if strings.Contains(line, "memento workspace rename shop kiosk") {
						twice++
					}
				}
				if got := h.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
					t.Errorf("%s is not quiet: %+v, %+v", h.Config.Dir, got.Sent, got.Received)
				}
				lids := h.bodies("lids")
				if !strings.Contains(h.body("plan"), "By train.") || !strings.Contains(h.body("plan"), "Be there.") ||
					!strings.Contains(lids, "Red.") || !strings.Contains(lids, "Blue.") || len(h.heard()) != 3 {
					t.Errorf("%s has %q, %q, %q", h.Config.Dir, h.body("plan"), lids, h.heard())
				}
			}
			for _, dir := range []string{desk.Config.Dir, remote} {
				if where := holding(t, dir, launch); where != nil {
					t.Errorf("what was forgotten is in %v", where)
				}
			}
			if twice != tt.twice || len(desk.slugs())+len(laptop.slugs())+len(server.slugs()) != 3+twice {
				t.Errorf("%d machines have it twice: %q, %q, %q", twice, desk.slugs(), laptop.slugs(), server.slugs())
			}
			folders := map[string]bool{}
			for path := range desk.shared() {
				if pid := placeOf(path).project; pid != "" && pid != person {
					folders[pid] = true
				}
			}
			if !maps.Equal(folders, map[string]bool{project.SharedName(origin): true}) {
				t.Errorf("the remote has the projects %v", folders)
			}
		})
	}
}

// Two folders of one name and no origin are two projects; a sync says what the other machine's is called here.
func TestNamesake(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	for i, name := range []string{"desk", "laptop"} {
		h := newHome(t, name, "shop", remote)
		h.setProjects(withoutOrigin)
		var said []string
		h.Say = func(line string) { said = append(said, line) }
		h.sync()
		words := strings.Join(said, "\n")
		if strings.Contains(words, "memento workspace rename shop-2 shop ") != (i == 1) {
			t.Errorf("the %s said %q", name, words)
		}
	}
}
