// Package settings edits what memento has in a user's settings.json as a careful person with a text editor does: its
// hooks and its status line go in and out, and no other byte changes.
//
// The file belongs to the user. People format it by hand, keep it in dotfiles and share it with other tools' hooks.
// Decoding and encoding it again would reorder keys, rewrite escapes and drop unknown members. So this package parses
// the text for positions only, and edits at those positions.
//
// Every function here is pure: bytes in, bytes out. This package opens no file, and does not know where the file is or
// which hooks are memento's: the caller passes a function for that.
package settings

import "slices"

// StatusLine is the Event of a Hook that is the client's status line. It has a Command and nothing else.
const StatusLine = "statusLine"

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

// Wiring is the hooks that a program wants, in the order of writing. Each gets a group of its own.
type Wiring []Hook

// Apply returns data with exactly the hooks of w, among those that ours accepts. If they are there, nothing changes.
// Otherwise it takes all that are ours out, and adds w, which ours accepts, at the end of each event, indented as the
// file is. Hooks of others stay, even in a group with one of memento's. A second Apply changes nothing.
//
// Empty or blank data stands for a missing file. Apply refuses with a [Refusal] what it cannot edit safely; then it
// returns no data.
func Apply(data []byte, w Wiring, ours func(Hook) bool) ([]byte, error) {
	f, err := parse(data, w)
	if err != nil {
		return nil, err
	}
	if f.has(w, ours) {
		return data, nil
	}
	if f, err = parse(f.apply(f.removal(ours)), w); err != nil {
		return nil, err
	}
	if f.status >= 0 && slices.ContainsFunc(w, func(h Hook) bool { return h.Event == StatusLine }) {
		return nil, Refusal("it has another status line")
	}
	return f.apply(f.addition(w)), nil
}

// Remove returns data without the hooks that ours accepts: it undoes Apply. An event, and the hooks object, go with
// their last hook, also if they were there and empty before Apply. For every other file Remove(Apply(x)) is x, byte for
// byte. Refusals are as for Apply.
func Remove(data []byte, ours func(Hook) bool) ([]byte, error) {
	f, err := parse(data, nil)
	if err != nil {
		return nil, err
	}
	if edits := f.removal(ours); len(edits) > 0 {
		return f.apply(edits), nil
	}
	return data, nil
}

// Find returns the hooks in data that ours accepts, in the order of the file, and then the status line. One that is no
// command has the command "". Refusals are as for Apply.
func Find(data []byte, ours func(Hook) bool) (w Wiring, err error) {
	f, err := parse(data, nil)
	if err != nil {
		return nil, err
	}
	for _, e := range f.entries() {
		if ours(e.hook) {
			w = append(w, e.hook)
		}
	}
	return w, nil
}

// has reports whether the hooks of w are all of ours that the file has.
func (f *document) has(w Wiring, ours func(Hook) bool) bool {
	missing := slices.Clone(w)
	for _, e := range f.entries() {
		if !ours(e.hook) {
			continue
		}
		i := slices.IndexFunc(missing, e.runs)
		if i < 0 {
			return false
		}
		missing = slices.Delete(missing, i, i+1)
	}
	return len(missing) == 0
}

// removal returns the edits that take out what is ours.
func (f *document) removal(ours func(Hook) bool) (edits []edit) {
	top, events := map[int]bool{}, map[int]bool{}
	for _, ev := range f.events {
		groups := map[int]bool{}
		for _, g := range ev.groups {
			gone := map[int]bool{}
			for _, e := range g.entries {
				if ours(e.hook) {
					gone[e.at] = true
				}
			}
			if len(gone) > 0 && len(gone) == len(g.items) {
				groups[g.at] = true
				continue
			}
			edits = append(edits, g.cut(gone)...)
		}
		if len(groups) > 0 && len(groups) == len(ev.items) {
			events[ev.at] = true
			continue
		}
		edits = append(edits, ev.cut(groups)...)
	}
	if len(events) > 0 && len(events) == len(f.hookList.items) {
		top[f.hooks] = true
	} else {
		edits = append(edits, f.hookList.cut(events)...)
	}
	if f.status >= 0 && ours(f.statusLine.hook) {
		top[f.status] = true
	}
	return append(edits, f.top.cut(top)...)
}

// addition returns the edits that add w.
func (f *document) addition(w Wiring) (edits []edit) {
	groups := map[string][]value{}
	for _, h := range w {
		if h.Event != StatusLine {
			groups[h.Event] = append(groups[h.Event], value{text: group(h)})
		}
	}
	for _, ev := range f.events {
		edits = append(edits, f.add(ev.list, 2, groups[ev.name])...)
		delete(groups, ev.name)
	}
	var top, events []value
	for _, h := range w {
		if h.Event == StatusLine {
			line := object([]value{{"type", encode("command")}, {"command", encode(h.Command)}})
			top = append(top, value{StatusLine, line})
		} else if all := groups[h.Event]; all != nil {
			events = append(events, value{h.Event, array(all)})
			delete(groups, h.Event)
		}
	}
	if f.hooks >= 0 {
		edits = append(edits, f.add(f.hookList, 1, events)...)
	} else if len(events) > 0 {
		top = append([]value{{"hooks", object(events)}}, top...)
	}
	return append(edits, f.add(f.top, 0, top)...)
}
