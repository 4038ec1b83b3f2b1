package record

import "strconv"

// Fields returns the record's JSON: the front matter by its keys, and under content the sections of its kind. Empty
// fields are left out, except tags and changes.
func (r *Record) Fields() map[string]any {
	out := map[string]any{"id": r.ID, "project": r.Project, "tags": append([]string{}, r.Tags...)}
	for _, f := range r.fields() {
		switch {
		case f.text != nil && *f.text != "":
			out[f.key] = *f.text
		case f.time != nil && !f.time.IsZero():
			out[f.key] = stamp(*f.time)
		case f.list != nil && len(*f.list) > 0:
			out[f.key] = append([]string{}, *f.list...)
		}
	}
	if c, err := strconv.ParseFloat(r.Confidence, 64); err == nil {
		out["confidence"] = c
	}
	changes := []map[string]string{}
	for _, c := range r.Changes {
		m := map[string]string{"date": c.Date}
		for _, kv := range c.entry() {
			m[kv[0]] = kv[1]
		}
		changes = append(changes, m)
	}
	out["changes"] = changes
	out["content"] = r.kind().Content(r.Body)
	return out
}
