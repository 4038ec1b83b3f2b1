package forget

import (
	"path/filepath"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
)

// eraseWorkspace takes back what was said of a project and holds it: each detail as a whole.
func (e *Eraser) eraseWorkspace() (changed bool, err error) {
	w := project.OpenWorkspace(e.Dir)
	if w.Err != nil {
		return false, w.Err
	}
	for _, k := range w.Known {
		if e.Records == nil || !e.Records(record.Project(k.Slug)) {
			continue
		}
		gone := map[string]string{}
		var hits []hit
		for _, key := range project.Details() {
			if words := k.Detail(key); words != "" && e.What.inRecord(words) {
				gone[key] = ""
				hits = append(hits, hit{"workspace " + key, "", words})
			}
		}
		e.note(filepath.Join(e.Dir, "workspace.json"), hits)
		if len(gone) == 0 || e.Dry {
			continue
		}
		if err := project.Describe(e.Dir, k.Slug, gone, e.Now, e.Wait); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}
