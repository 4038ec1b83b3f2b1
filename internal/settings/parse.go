package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxSize is the most bytes of a settings file, which seldom passes 100 KB.
const maxSize = 8 << 20

// Refusal says why a file stays unedited, and where the fault is: lines and columns count from 1, columns in
// characters. The client silently ignores a whole file with comments, a trailing comma or a second "hooks" key
// (measured on client 2.1.329).
type Refusal string

func (r Refusal) Error() string { return string(r) }

// refuse returns a Refusal for the offset at in text.
func refuse(text string, at int, format string, args ...any) Refusal {
	before := text[:min(at, len(text))]
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return Refusal(fmt.Sprintf("line %d, column %d: %s", strings.Count(before, "\n")+1, column,
		fmt.Sprintf(format, args...)))
}

type span struct{ from, to int }

// list is an object or an array: its own position and those of its items. An item of an object reaches from the start
// of its key to the end of its value. Positions count bytes from the start of the text, after any BOM.
type list struct {
	span
	items []span
}

type entry struct {
	hook Hook
	at   int          // item of the group's list
	raw  gjson.Result // as it stands in the file
}

type groupNode struct {
	list    // its "hooks" array
	at      int
	entries []entry
}

type eventNode struct {
	list
	name   string
	at     int // item of the hooks object
	groups []groupNode
}

type document struct {
	bom        string
	text       string
	top        list
	hooks      int // item of top, or -1
	hookList   list
	events     []eventNode // those whose value is an array
	status     int         // item of top, or -1
	statusLine entry
}

const bom = "\ufeff"

// parse finds the positions of all hooks in data. It refuses data that cannot be edited safely; a fault in an event
// counts only if w has a hook of that event.
func parse(data []byte, w Wiring) (*document, error) {
	if len(data) > maxSize {
		return nil, Refusal(fmt.Sprintf("the file is larger than %d MB", maxSize>>20))
	}
	f := &document{hooks: -1, status: -1}
	rest := data
	if bytes.HasPrefix(rest, []byte(bom)) {
		f.bom, rest = bom, rest[len(bom):]
	}
	f.text = string(rest)
	if strings.Trim(f.text, " \t\r\n") == "" {
		if len(w) == 0 {
			// A blank file has no hooks, and Remove returns it unchanged.
			return f, nil
		}
		nl := "\n"
		if strings.Contains(f.text, "\r\n") {
			nl = "\r\n"
		}
		f.text = "{}" + nl
	}
	if err := sound(f.text); err != nil {
		return nil, err
	}
	root := gjson.Parse(f.text)
	root.Raw = strings.TrimRight(root.Raw, " \t\r\n")
	if !root.IsObject() {
		return nil, refuse(f.text, root.Index, "the file is not an object")
	}
	return f, f.parseTop(root, w)
}

// sound returns a Refusal unless text is valid JSON.
func sound(text string) error {
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(text), &raw), &syntax) {
		return nil
	}
	return refuse(text, max(0, int(syntax.Offset)-1),
		"it is not valid JSON, which has no comments and no comma before a closing bracket: %v", syntax)
}

func (f *document) parseTop(root gjson.Result, w Wiring) (err error) {
	fail := func(v gjson.Result, format string, args ...any) {
		if err == nil {
			err = refuse(f.text, v.Index, format, args...)
		}
	}
	f.top = scan(root, func(i int, key, v gjson.Result) {
		if key.Str == "hooks" && f.hooks >= 0 || key.Str == StatusLine && f.status >= 0 {
			fail(key, "the key %q is there twice", key.Str)
		}
		switch {
		case err != nil:
		case key.Str == StatusLine:
			f.status, f.statusLine.hook = i, Hook{Event: StatusLine, Command: v.Get("command").Str}
		case key.Str == "hooks" && !v.IsObject():
			fail(v, `"hooks" is not an object`)
		case key.Str == "hooks":
			f.hooks, err = i, f.parseHooks(v, w)
		}
	})
	return err
}

func (f *document) parseHooks(hooks gjson.Result, w Wiring) (err error) {
	wired, seen := map[string]bool{}, map[string]bool{}
	for _, h := range w {
		wired[h.Event] = true
	}
	f.hookList = scan(hooks, func(i int, key, v gjson.Result) {
		switch {
		case err != nil:
		case seen[key.Str] && wired[key.Str]:
			err = refuse(f.text, key.Index, "the event %q is there twice", key.Str)
		case !v.IsArray() && wired[key.Str]:
			err = refuse(f.text, v.Index, "the event %q is not an array", key.Str)
		case v.IsArray():
			ev := eventNode{name: key.Str, at: i}
			ev.list = scan(v, func(i int, _, g gjson.Result) {
				if node, ok := parseGroup(i, key.Str, g); ok {
					ev.groups = append(ev.groups, node)
				}
			})
			f.events = append(f.events, ev)
		}
		seen[key.Str] = true
	})
	return err
}

// parseGroup reports false for a group that the client does not accept either: it holds no hook of memento.
func parseGroup(at int, name string, g gjson.Result) (groupNode, bool) {
	node := groupNode{at: at}
	var hooks, matcher gjson.Result
	n := 0
	g.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "hooks":
			hooks = v
			n++
		case "matcher":
			matcher = v
		}
		return true
	})
	if !g.IsObject() || n != 1 || !hooks.IsArray() {
		return groupNode{}, false
	}
	node.list = scan(hooks, func(i int, _, v gjson.Result) {
		if h := (Hook{Event: name, Matcher: matcher.Str, If: v.Get("if").Str, Command: v.Get("command").Str,
			Timeout: int(v.Get("timeout").Num)}); v.IsObject() && h.Command != "" {
			if args := v.Get("args"); args.Exists() {
				h.Args = []string{}
				for _, a := range args.Array() {
					h.Args = append(h.Args, a.Str)
				}
			}
			node.entries = append(node.entries, entry{h, i, v})
		}
	})
	return node, true
}

// runs reports whether the entry has h, as memento writes it. Members of the user's own may stand beside it. Without a
// type the client does not run an entry (measured on client 2.1.329).
func (e entry) runs(h Hook) bool {
	switch {
	case e.hook.Event != h.Event || e.hook.Matcher != h.Matcher:
		return false
	case h.Event == StatusLine:
		return e.hook.Command == h.Command
	}
	want := gjson.Get(group(h), "hooks.0")
	for _, key := range [...]string{"type", "command", "args", "if", "timeout"} {
		if !reflect.DeepEqual(e.raw.Get(key).Value(), want.Get(key).Value()) {
			return false
		}
	}
	return true
}

// entries lists all hooks, and the status line.
func (f *document) entries() (out []entry) {
	for _, ev := range f.events {
		for _, g := range ev.groups {
			out = append(out, g.entries...)
		}
	}
	if f.status >= 0 {
		out = append(out, f.statusLine)
	}
	return out
}

// scan returns the positions of v and of its items, and calls visit for each item. v is an object or an array.
func scan(v gjson.Result, visit func(i int, key, v gjson.Result)) list {
	l := list{span: span{v.Index, v.Index + len(v.Raw)}}
	object := v.IsObject()
	v.ForEach(func(key, item gjson.Result) bool {
		s := span{item.Index, item.Index + len(item.Raw)}
		if object {
			s.from = key.Index
		}
		visit(len(l.items), key, item)
		l.items = append(l.items, s)
		return true
	})
	return l
}
