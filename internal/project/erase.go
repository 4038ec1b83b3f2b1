package project

import "time"

// Erased is a detail of a project that was erased.
type Erased struct{ Detail, Words string }

// Erase removes those details of the chosen projects in which has reports the words as a whole, and returns them.
// With dry it only looks. Errors: safefile's; the details of earlier projects are erased then.
func Erase(dir string, chosen func(slug string) bool, has func(words string) bool, dry bool, now time.Time,
	wait time.Duration) (gone []Erased, err error) {
	w := OpenWorkspace(dir)
	if w.Err != nil {
		return nil, w.Err
	}
	for _, k := range w.Known {
		if !chosen(k.Slug) {
			continue
		}
		back := map[string]string{}
		for _, key := range Details() {
			if words := k.Detail(key); words != "" && has(words) {
				back[key] = ""
				gone = append(gone, Erased{key, words})
			}
		}
		if len(back) == 0 || dry {
			continue
		}
		if err := Describe(dir, k.Slug, back, now, wait); err != nil {
			return gone, err
		}
	}
	return gone, nil
}
