// Package settings edits the hooks in a user's settings.json as a careful person with a text editor does: memento's
// hooks go in and out, and no other byte changes.
//
// The file belongs to the user. People format it by hand, keep it in dotfiles and share it with other tools' hooks.
// Decoding and encoding it again would reorder keys, rewrite escapes and drop unknown members. So this package parses
// the text for positions only, and edits at those positions.
//
// Every function here is pure: bytes in, bytes out. This package opens no file, and does not know where the file is or
// which hooks are memento's: the caller passes a function for that.
package settings

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Hook is one command hook, with its group's matcher and its event.
type Hook struct {
	Event   string `json:"event"`             // "SessionStart"
	Matcher string `json:"matcher,omitempty"` // the group's matcher; empty matches everything
	// a permission rule, as in "Bash(memento *)": the client starts the command only for calls that match
	If      string `json:"if,omitempty"`
	Command string `json:"command"` // the program, or with nil Args a line for the shell
	// nil: the client passes Command to a shell; otherwise, even if empty, it starts Command itself
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"` // seconds; 0 is the client's default
}

func (h Hook) equal(o Hook) bool {
	return h.Event == o.Event && h.Matcher == o.Matcher && h.If == o.If && h.Command == o.Command &&
		h.Timeout == o.Timeout && (h.Args == nil) == (o.Args == nil) && slices.Equal(h.Args, o.Args)
}

// Wiring is the hooks that a program wants, in the order of writing. Each gets a group of its own.
type Wiring []Hook

// Apply returns data with exactly the hooks of w, among those that ours accepts. A hook that is already right stays
// where it is. Apply renews a stale hook in place, removes duplicates and hooks that are not in w, and adds a missing
// one at the end of its event, with the file's own indentation and line ends. Hooks of others stay as they are, even in
// a group with one of memento's. A second Apply changes nothing.
//
// Empty or blank data stands for a missing file. Apply refuses with a [Refusal] what it cannot edit safely; then it
// returns no data.
func Apply(data []byte, w Wiring, ours func(Hook) bool) ([]byte, error) {
	for _, h := range w {
		if err := check(h, ours); err != nil {
			return nil, fmt.Errorf("wiring %s: %w", h.Event, err)
		}
	}
	return rewrite(data, w, ours)
}

// check refuses a hook that ours would not recognise after writing: every later Apply would add it again.
func check(h Hook, ours func(Hook) bool) error {
	for _, s := range append([]string{h.Event, h.Matcher, h.If, h.Command}, h.Args...) {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%s is not UTF-8, so JSON cannot hold it", strconv.Quote(s))
		}
	}
	switch {
	case h.Event == "" || h.Command == "":
		return fmt.Errorf("a hook needs an event and a command")
	case h.Timeout < 0:
		return fmt.Errorf("timeout %d is negative", h.Timeout)
	case !ours(h):
		return fmt.Errorf("%q would not be recognised afterwards", h.Command)
	}
	return nil
}

// Remove returns data without the hooks that ours accepts: it undoes Apply. An event, and the hooks object, go with
// their last hook, also if they were there and empty before Apply. For every other file Remove(Apply(x)) is x, byte for
// byte. Refusals are as for Apply.
func Remove(data []byte, ours func(Hook) bool) ([]byte, error) {
	return rewrite(data, nil, ours)
}

// Find returns the hooks in data that ours accepts, in the order of the file. Refusals are as for Apply.
func Find(data []byte, ours func(Hook) bool) (Wiring, error) {
	f, err := parse(data, nil)
	if err != nil {
		return nil, err
	}
	var w Wiring
	for _, ev := range f.events {
		for _, g := range ev.groups {
			for _, e := range g.entries {
				if ours(e.hook) {
					w = append(w, e.hook)
				}
			}
		}
	}
	return w, nil
}

// rewrite does the work of Apply and, with no wiring, of Remove.
func rewrite(data []byte, w Wiring, ours func(Hook) bool) ([]byte, error) {
	f, err := parse(data, w)
	if err != nil {
		return nil, err
	}
	var edits []edit
	eventFate := make([]fate, len(f.events))
	seen := map[string]bool{}
	for i, ev := range f.events {
		seen[ev.name] = true
		fates, inner, missing := f.plan(ev, w, ours)
		eventFate[i] = keep
		if len(missing) == 0 && len(fates) > 0 && allDropped(fates) {
			eventFate[i] = drop
			continue
		}
		var add []value
		for _, h := range missing {
			add = append(add, value{text: group(h)})
		}
		edits = append(edits, inner...)
		edits = append(edits, f.splice(ev.list, fates, add)...)
	}

	var add []value
	for i, h := range w {
		if seen[h.Event] {
			continue
		}
		seen[h.Event] = true
		groups := group(h)
		for _, more := range w[i+1:] {
			if more.Event == h.Event {
				groups += "," + group(more)
			}
		}
		add = append(add, value{key: h.Event, text: "[" + groups + "]"})
	}

	switch {
	case f.hooks < 0 && len(add) > 0:
		edits = f.splice(f.top, nil, []value{{key: "hooks", text: object(add)}})
	case f.hooks >= 0 && len(add) == 0 && len(eventFate) == len(f.hookList.items) && len(eventFate) > 0 &&
		allDropped(eventFate):
		fates := make([]fate, len(f.top.items))
		fates[f.hooks] = drop
		edits = f.splice(f.top, fates, nil)
	case f.hooks >= 0:
		fates := make([]fate, len(f.hookList.items))
		for i, ev := range f.events {
			fates[ev.at] = eventFate[i]
		}
		edits = append(edits, f.splice(f.hookList, fates, add)...)
	}
	if len(edits) == 0 {
		return data, nil
	}
	return f.apply(edits), nil
}

// plan returns, for one event: the fate of each group, the edits inside groups that stay, and the wanted hooks that
// still need a group.
func (f *document) plan(ev eventNode, w Wiring, ours func(Hook) bool) (fates []fate, inner []edit, missing Wiring) {
	for _, h := range w {
		if h.Event == ev.name {
			missing = append(missing, h)
		}
	}
	// First keep the hooks that are right, so that a stale copy earlier in the file does not take the place of one.
	stale := make([][]bool, len(ev.groups))
	for i, g := range ev.groups {
		stale[i] = make([]bool, len(g.entries))
		for j, e := range g.entries {
			if !ours(e.hook) {
				continue
			}
			k := slices.IndexFunc(missing, e.hook.equal)
			if stale[i][j] = e.odd || k < 0; !stale[i][j] {
				missing = slices.Delete(missing, k, k+1)
			}
		}
	}
	fates = make([]fate, len(ev.list.items))
	for i, g := range ev.groups {
		n := 0
		for _, s := range stale[i] {
			if s {
				n++
			}
		}
		switch {
		case n == 0:
		case n < len(g.list.items):
			entries := make([]fate, len(g.list.items))
			for j, s := range stale[i] {
				if s {
					entries[g.entries[j].at] = drop
				}
			}
			inner = append(inner, f.splice(g.list, entries, nil)...)
		case len(missing) > 0:
			fates[g.at] = fate{replace: f.inPlace(ev.list, g.at, group(missing[0]))}
			missing = missing[1:]
		default:
			fates[g.at] = drop
		}
	}
	return fates, inner, missing
}
