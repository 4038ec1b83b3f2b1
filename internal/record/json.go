package record

import "strconv"

// Fields returns the record as it is in JSON: the front matter by its keys, and under content the sections of its kind. What
// is empty is left out, but for what the schema of its kind asks for (see the folder schema).
func (r *Record) Fields() map[string]any {
	out := map[string]any{"id": r.ID, "project": r.Project, "tags": append([]string{}, r.Tags...)}
	for _, s := range r.scalars() {
		if *s.at != "" {
			out[s.key] = *s.at
		}
	}
	if c, err := strconv.ParseFloat(r.Confidence, 64); err == nil {
		out["confidence"] = c
	}
	for _, s := range r.times() {
		if !s.at.IsZero() {
			out[s.key] = stamp(*s.at)
		}
	}
	if len(r.Files) > 0 {
		out["files"] = append([]string{}, r.Files...)
	}
	changes := []map[string]string{}
	for _, c := range r.Changes {
		m := map[string]string{"date": c.Date, "summary": c.Summary}
		for k, v := range map[string]string{"field": c.Field, "old": c.Old, "new": c.New} {
			if v != "" {
				m[k] = v
			}
		}
		changes = append(changes, m)
	}
	out["changes"] = changes
	k, _ := KindNamed(r.Kind)
	out["content"] = k.Content(r.Body)
	return out
}
