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
	r, err := record.Decode(id, data)
	if err != nil {
		data = flattenMaps(data)
		if again, bad := record.Decode(id, data); bad == nil {
			r, err = again, nil
		}
	}
	if err != nil {
		return err
	}
	doc, err := markdown.Parse(data)
	if err != nil {
		return err
	}
	d.Record = *r
	r = &d.Record
	d.own = doc.Has("id") && doc.Has("kind")
	given, _ := doc.Get("id")
	r.Exact = d.own && given == id && record.Sound(data)
	if archived && r.Status == schema.Active {
		r.Status = schema.Completed
	}
	if d.own {
		return nil
	}
	if name != naming.User {
		r.Project = reach.Named(project, "")
	}
	if s := strings.ToLower(r.Status); s == "done" || s == "complete" {
		r.Status = schema.Completed
	} else if !slices.Contains(schema.Statuses(), s) {
		r.Stage, r.Status = cmp.Or(r.Stage, r.Status), schema.Active
	}
	if about, _ := doc.Get("description"); !doc.Has("title") && about != "" {
		r.Title, _ = text.Cut(text.OneLine(about), schema.MaxTitle)
	}
	if v, ok := doc.Get("created"); ok {
		r.Created = parseTime(v)
	}
	if v, ok := doc.Get("updated"); ok {
		r.Updated = parseTime(v)
	}
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
		case above != "" && isBelow(line):
			switch {
			case key == "name":
				key = above
			case above != "project" || key != "branch":
				key = above + "-" + key
			}
			out = append(out, key+":"+value)
		case !strings.HasPrefix(line, " ") && value == "" && i+1 < len(lines) && isBelow(lines[i+1]):
			above = key
		default:
			above = ""
			out = append(out, line)
		}
	}
	return []byte(strings.Join(out, "\n") + "\n---" + body)
}
