package session

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Idle returns the lanes that ran beside another one, whose journal and holder nobody has written within quiet, and
// which no session holds that goes on. What cannot be read is not idle.
func Idle(c config.Config, now time.Time, quiet time.Duration) (lanes []project.Lane) {
	fresh := map[string]bool{} // by name; true: one of its files is
	for folder, end := range map[string]string{c.Dir: ".json", filepath.Join(c.Dir, safefile.Cache): ".holder"} {
		entries, _ := safefile.ListFolder(folder)
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), end)
			if base, own, _ := strings.Cut(name, "~"); ok && base != "" && own != "" {
				info, err := e.Info()
				fresh[name] = fresh[name] || err != nil || now.Sub(info.ModTime()) < quiet
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		lane, ok := project.LaneNamed(c.Dir, name)
		if !ok || fresh[name] {
			continue
		}
		id, known := holderOf(lane)
		holds, err := Load(c.Dir, id)
		if known && !safefile.Unreadable(err) && !(err == nil && holds.Runs(c, now)) || known && id == "" {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}

// Raze removes the note of who holds a lane that is over.
func Raze(lane project.Lane) { _ = safefile.Remove(holder(lane)) }
