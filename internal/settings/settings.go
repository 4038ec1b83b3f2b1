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

import (
	"reflect"
	"slices"

	"github.com/tidwall/gjson"
)

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
	d, err := parse(data, w)
	if err != nil {
		return nil, err
	}
	if d.has(w, ours) {
		return data, nil
	}
	d.remove(ours)
	if d.status() != nil && slices.ContainsFunc(w, func(h Hook) bool { return h.Event == StatusLine }) {
		return nil, Refusal("it has another status line")
	}
	for _, h := range w {
		d.add(h)
	}
	return []byte(d.bom + d.text), nil
}

// Remove returns data without the hooks that ours accepts: it undoes Apply. An event, and the hooks object, go with
// their last hook, also if they were there and empty before Apply. For every other file Remove(Apply(x)) is x, byte for
// byte. Refusals are as for Apply.
func Remove(data []byte, ours func(Hook) bool) ([]byte, error) {
	d, err := parse(data, nil)
	if err != nil {
		return nil, err
	}
	d.remove(ours)
	return []byte(d.bom + d.text), nil
}

// Find returns the hooks in data that ours accepts, in the order of the file, and then the status line. One that is no
// command has the command "". Refusals are as for Apply.
func Find(data []byte, ours func(Hook) bool) (w Wiring, err error) {
	d, err := parse(data, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range d.hooks {
		if ours(f.Hook) {
			w = append(w, f.Hook)
		}
	}
	return w, nil
}

// has reports whether the hooks of w are all of ours that the file has.
func (d *document) has(w Wiring, ours func(Hook) bool) bool {
	missing := slices.Clone(w)
	for _, f := range d.hooks {
		if !ours(f.Hook) {
			continue
		}
		i := slices.IndexFunc(missing, f.runs)
		if i < 0 {
			return false
		}
		missing = slices.Delete(missing, i, i+1)
	}
	return len(missing) == 0
}

// runs reports whether the file's hook is h, as memento writes it. Members of the user's own may stand beside it.
// Without a type the client does not run it (measured on client 2.1.329).
func (f found) runs(h Hook) bool {
	switch {
	case f.Event != h.Event || f.Matcher != h.Matcher:
		return false
	case h.Event == StatusLine:
		return f.Command == h.Command
	}
	want := gjson.Get(group(h), "hooks.0")
	for _, key := range [...]string{"type", "command", "args", "if", "timeout"} {
		if !reflect.DeepEqual(f.raw.Get(key).Value(), want.Get(key).Value()) {
			return false
		}
	}
	return true
}

// remove takes out what is ours. What it leaves empty goes with it.
func (d *document) remove(ours func(Hook) bool) {
	for {
		i := slices.IndexFunc(d.hooks, func(f found) bool { return ours(f.Hook) })
		if i < 0 {
			return
		}
		at := d.hooks[i].at
		for len(at) > 1 && len(spans(at[len(at)-1].list)) == 1 {
			at = at[:len(at)-1]
		}
		d.cut(at[len(at)-1])
		_ = d.read(nil) // parse has found no fault
	}
}

// add adds h: to its event, to the hooks, or to the whole file.
func (d *document) add(h Hook) {
	hooks := d.top.Get("hooks")
	event := hooks.Get(h.Event)
	switch {
	case h.Event == StatusLine:
		d.insert(d.top, 0, StatusLine, `{"type":"command","command":`+encode(h.Command)+`}`)
	case event.Exists():
		d.insert(event, 2, "", group(h))
	case hooks.Exists():
		d.insert(hooks, 1, h.Event, "["+group(h)+"]")
	default:
		d.insert(d.top, 0, "hooks", "{"+encode(h.Event)+":["+group(h)+"]}")
	}
	_ = d.read(nil)
}
