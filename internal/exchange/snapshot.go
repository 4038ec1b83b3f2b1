package exchange

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// readSnapshot reads PROJECT--SLUG.md into d: a record of memento as it is, or the named snapshot of another program,
// with slug, description and other keys in its front matter. Unknown keys stay there. archived: the folder holds
// completed records.
func readSnapshot(d *Draft, data []byte, archived bool, reach *Reach) error {
	project, slug, _ := strings.Cut(stem(d.From), "--")
	name := naming.User
	if project != naming.User {
		name = naming.Project(project)
	}
	id, err := naming.ID(name, naming.Slug(slug))
	if err != nil {
		return err
	}
	got, err := record.Decode(id, data)
	if err != nil {
		data = flattenMaps(data)
		got, err = record.Decode(id, data)
	}
	if err != nil {
		return err
	}
	doc, err := markdown.Parse(data)
	if err != nil {
		return err
	}
	d.Record = *got
	r := &d.Record
	given, _ := doc.Get("id")
	d.own = given != "" && doc.Has("kind")
	r.Exact = d.own && given == id && record.Sound(data)
	if archived && r.Status == schema.Active {
		r.Status = schema.Completed
	}
	if d.own {
		return nil
	}
	if name != naming.User {
		r.Project = reach.Named(project)
	}
	if !slices.Contains(schema.Statuses(), r.Status) {
		r.Stage, r.Status = cmp.Or(r.Stage, r.Status), schema.Active
	}
	if about, _ := doc.Get("description"); !doc.Has("title") && about != "" {
		r.Title, _ = text.Cut(text.OneLine(about), schema.MaxTitle)
	}
	created, _ := doc.Get("created")
	updated, _ := doc.Get("updated")
	r.Created, r.Updated = parseTime(created), parseTime(updated)
	return nil
}

// flattenMaps returns a Markdown file without maps in its front matter: "project:" with the lines "name: shop" and
// "path: /srv/shop" below becomes "project: shop" and "project-path: /srv/shop". The branch keeps its name.
func flattenMaps(data []byte) []byte {
	front, body, ends := strings.Cut(string(data), "\n---")
	if !ends {
		return data
	}
	isBelow := func(line string) bool {
		bare := strings.TrimLeft(line, " ")
		return bare != line && strings.Contains(bare, ":") && !strings.HasPrefix(bare, "-")
	}
	var out []string
	above, lines := "", strings.Split(front, "\n")
	for i, line := range lines {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case above == "" || !isBelow(line):
			if above = ""; value == "" && i+1 < len(lines) && isBelow(lines[i+1]) {
				above = key
				continue
			}
			out = append(out, line)
		case key == "name":
			out = append(out, above+":"+value)
		case key == "branch":
			out = append(out, strings.TrimSpace(line))
		default:
			out = append(out, above+"-"+key+":"+value)
		}
	}
	return []byte(strings.Join(out, "\n") + "\n---" + body)
}
