package settings

import (
	"fmt"

	"github.com/tidwall/gjson"
)

// FromPlugin reads a plugin's hooks.json and returns the same hooks with command in place of theirs, so that
// what settings.json is wired with is what the plugin is wired with. A hook in shell form is an error: its
// command line would have to be quoted, and its words are not ours to guess.
func FromPlugin(hooksJSON []byte, command string) (Wiring, error) {
	f, err := parse(hooksJSON, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the plugin's hooks: %w", err)
	}
	var w Wiring
	for _, ev := range f.events {
		for _, g := range ev.groups {
			for _, e := range g.entries {
				if e.odd {
					return nil, fmt.Errorf("reading the plugin's hooks: %s has an entry that is not a plain command hook", ev.name)
				}
				if e.hook.Args == nil {
					return nil, fmt.Errorf("reading the plugin's hooks: %s is in shell form, without args", ev.name)
				}
				h := e.hook
				h.Command = command
				w = append(w, h)
			}
		}
	}
	// What parse steps over in a stranger's file is a mistake in ours.
	n := 0
	gjson.GetBytes(hooksJSON, "hooks").ForEach(func(_, ev gjson.Result) bool {
		for _, g := range ev.Array() {
			n += max(1, len(g.Get("hooks").Array()))
		}
		n += max(0, 1-len(ev.Array()))
		return true
	})
	if len(w) == 0 || n != len(w) {
		return nil, fmt.Errorf("reading the plugin's hooks: %d hooks understood of %d", len(w), n)
	}
	return w, nil
}
