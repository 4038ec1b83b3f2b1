package project

import "time"

// Erased is something that was said of a project and is taken back.
type Erased struct{ Detail, Words string }

// Erase takes back what was said of the chosen projects, each detail in which has reports the words as a whole, and
// returns what that was; dry only looks. Errors: safefile's; what was said of the projects before is taken back then.
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
