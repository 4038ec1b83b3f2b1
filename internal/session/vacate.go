package session

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Vacant is a lane that no session uses. No session can use it until Free.
type Vacant struct {
	Lane   project.Lane
	unlock []func()
}

// Vacate returns the lane, locked, if no session can be at work in it: no session that holds it, or whose memory names
// it in lanes (see Lanes), goes on or was active within quiet. It waits for no lock. It is not ok when a session may be
// at work or a file cannot be read.
func Vacate(c config.Config, lane project.Lane, lanes map[string]string, now time.Time,
	quiet time.Duration) (v *Vacant, ok bool) {
	v = &Vacant{Lane: lane}
	defer func() {
		if !ok {
			v.Free()
		}
	}()
	held, known := holderOf(lane)
	if !known {
		return v, false
	}
	ids := []string{held}
	for id, name := range lanes {
		if name == lane.Name && id != string(held) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids) // other callers that lock several sessions use this order too
	for _, id := range ids {
		if _, known := lanes[id]; !known { // Sweep has removed its memory
			continue
		}
		s, err := Open(c.Dir, id, 0)
		if err != nil {
			return v, false
		}
		v.unlock = append(v.unlock, s.Release)
		if since := now.Sub(s.Active); s.open(now, c.LaneTTL) || since < quiet {
			return v, false
		}
	}
	unlock, err := safefile.Lock(lane.Lock(), 0)
	if err != nil {
		return v, false
	}
	v.unlock = append(v.unlock, unlock)
	return v, true
}

// Raze removes the lane's holder and locks.
func (v *Vacant) Raze() {
	for _, path := range [...]string{holder(v.Lane), v.Lane.Lock() + "-debug", v.Lane.Lock()} {
		_ = safefile.Remove(path) // the next run removes what stays now
	}
}

// Free lets sessions use the lane again.
func (v *Vacant) Free() {
	for _, unlock := range v.unlock {
		unlock()
	}
	v.unlock = nil
}

// Beside returns the lanes in dir that ran beside another one and whose files nobody has written within quiet.
func Beside(dir string, now time.Time, quiet time.Duration) (lanes []project.Lane) {
	fresh := map[string]bool{} // by name; true: one of its files is
	var names []string
	for _, at := range [...]struct {
		folder string
		ends   []string
	}{
		{"", []string{".json"}}, {safefile.Cache, []string{".holder"}},
		{safefile.Locks, []string{".lock"}},
	} {
		folder := filepath.Join(dir, at.folder)
		if safefile.CheckDir(folder) != nil {
			continue
		}
		entries, _ := safefile.List(folder) // what cannot be listed stays as it is
		for _, e := range entries {
			for _, end := range at.ends {
				name, ok := strings.CutSuffix(e.Name(), end)
				base, own, side := strings.Cut(name, "~")
				if !ok || !side || base == "" || own == "" || strings.HasSuffix(name, ".debug") {
					continue
				}
				if _, again := fresh[name]; !again {
					names = append(names, name)
				}
				info, err := e.Info()
				fresh[name] = fresh[name] || err != nil || end != ".lock" && now.Sub(info.ModTime()) < quiet
			}
		}
	}
	for _, name := range names {
		if lane, ok := project.LaneNamed(dir, name); ok && !fresh[name] {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}
