// Package settings edits the hooks in a user's Claude Code settings.json the way a careful person with a
// text editor would: our entries go in and come out, and no other byte moves.
//
// The file belongs to the user. It is hand-formatted, kept in dotfiles, shared with other tools' hooks, and
// decoding and re-encoding it would reorder keys, rewrite escapes and drop what is not understood. So the
// text is never re-encoded: it is parsed for positions only, and edited at them.
//
// Everything here is a pure function from bytes to bytes. No file is opened here, and nothing here knows
// where the file is or which command is ours: the caller says so.
package settings

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A Hook is one command hook, with what its group and its event say about it.
type Hook struct {
	Event   string `json:"event"`             // "SessionStart"
	Matcher string `json:"matcher,omitempty"` // of the group; empty matches everything
	// a permission rule, as in "Bash(memento *)": the client starts the command only for calls that match
	If      string `json:"if,omitempty"`
	Command string `json:"command"` // the program, or with nil Args a line for the shell
	// nil is the shell form; anything else, even empty, starts Command without a shell
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"` // seconds; 0 leaves it to the client
}

func (h Hook) equal(o Hook) bool {
	return h.Event == o.Event && h.Matcher == o.Matcher && h.If == o.If && h.Command == o.Command &&
		h.Timeout == o.Timeout && (h.Args == nil) == (o.Args == nil) && slices.Equal(h.Args, o.Args)
}

// A Wiring is the hooks a program wants, in the order they are to be written. Each gets a group of its own.
type Wiring []Hook

// Apply returns data wired with exactly w: of the hooks ours recognises, those in w stay where they are,
// stale ones are brought up to date in place, duplicates and leftovers go, and what is missing is added at
// the end of its event, in the file's own indentation and line ends. Hooks not ours are left alone, also in
// a group shared with one of ours. Applying twice changes nothing the second time.
//
// Data that is empty or blank stands for a file not there yet. Whatever cannot be edited safely is refused
// with a [Refusal], and there is no output.
func Apply(data []byte, w Wiring, ours func(Hook) bool) ([]byte, error) {
	for _, h := range w {
		if err := check(h, ours); err != nil {
			return nil, fmt.Errorf("wiring %s: %w", h.Event, err)
		}
	}
	return rewrite(data, w, ours)
}

// check keeps Apply honest: a hook that does not read back as it was written, or is not known as ours
// afterwards, would be added again by every later Apply.
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

// Remove returns data without the hooks that are ours: Apply undone. An event, and the hooks object, go with
// their last hook; one that was there but empty before Apply cannot be told from one Apply made, and goes too.
// For every other file Remove(Apply(x)) is x, byte for byte. Refusals are as for Apply.
func Remove(data []byte, ours func(Hook) bool) ([]byte, error) {
	return rewrite(data, nil, ours)
}

// Find returns the hooks in data that are ours, in the order they stand there. Refusals are as for Apply.
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

// rewrite is Apply and, with no wiring, Remove.
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

// plan decides what becomes of the groups of one event: their fates, the edits inside groups that stay, and
// the wanted hooks that still need a group.
func (f *file) plan(ev event, w Wiring, ours func(Hook) bool) (fates []fate, inner []edit, missing Wiring) {
	for _, h := range w {
		if h.Event == ev.name {
			missing = append(missing, h)
		}
	}
	// First settle what may stay as it stands, so that a stale copy earlier in the file does not take the
	// place of a good one further down.
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
