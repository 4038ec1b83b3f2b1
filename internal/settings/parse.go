package settings

import (
	"bytes"
	"math"
	"strings"

	"github.com/tidwall/gjson"
)

// Limits of a settings file, which nests about six levels deep and seldom passes 100 KB. gjson.Valid recurses, so the
// depth is checked before.
const (
	maxDepth = 200
	maxSize  = 8 << 20
)

type span struct{ from, to int }

// listNode is an object or an array: its own position and those of its items. An item of an object reaches from the
// start of its key to the end of its value. Positions count bytes from the start of the text, after any BOM.
type listNode struct {
	span
	items []span
}

type hookEntry struct {
	hook Hook
	at   int  // item of the group's list
	odd  bool // memento writes this hook in another form, so the hook is always stale
}

type groupNode struct {
	list    listNode // its "hooks" array
	at      int      // item of the event's list
	entries []hookEntry
}

type eventNode struct {
	name   string
	list   listNode
	at     int // item of the hooks object
	groups []groupNode
}

type document struct {
	bom      string
	text     string
	style    style
	top      listNode
	hooks    int // item of top, or -1
	hookList listNode
	events   []eventNode // those whose value is an array
}

const bom = "\ufeff"

// parse finds the positions of all hooks in data. It refuses data that cannot be edited safely; a fault in an event
// counts only if w has a hook of that event.
func parse(data []byte, w Wiring) (*document, error) {
	if len(data) > maxSize {
		return nil, refuse("", -1, "the file is larger than %d MB", maxSize>>20)
	}
	f := &document{hooks: -1}
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
		return nil, refuse(f.text, root.Index, "the file holds %s, not an object", kind(root))
	}
	var err error
	var hooks gjson.Result
	f.top = scan(root, func(i int, key, v gjson.Result) {
		if key.Str != "hooks" {
			return
		}
		if f.hooks >= 0 && err == nil {
			err = refuse(f.text, key.Index, `the key "hooks" is there twice`)
		}
		f.hooks, hooks = i, v
	})
	if err != nil {
		return nil, err
	}
	if f.hooks >= 0 {
		if !hooks.IsObject() {
			return nil, refuse(f.text, hooks.Index, `"hooks" is %s, not an object`, kind(hooks))
		}
		if err := f.parseHooks(hooks, w); err != nil {
			return nil, err
		}
	}
	f.style = f.detect()
	return f, nil
}

func (f *document) parseHooks(hooks gjson.Result, w Wiring) error {
	wired := map[string]bool{}
	for _, h := range w {
		wired[h.Event] = true
	}
	var err error
	seen := map[string]bool{}
	f.hookList = scan(hooks, func(i int, key, v gjson.Result) {
		switch {
		case err != nil:
		case seen[key.Str] && wired[key.Str]:
			err = refuse(f.text, key.Index, "the event %q is there twice", key.Str)
		case !v.IsArray() && wired[key.Str]:
			err = refuse(f.text, v.Index, "the event %q is %s, not an array", key.Str, kind(v))
		case v.IsArray():
			f.events = append(f.events, parseEvent(i, key.Str, v))
		}
		seen[key.Str] = true
	})
	return err
}

func parseEvent(at int, name string, v gjson.Result) eventNode {
	ev := eventNode{name: name, at: at}
	ev.list = scan(v, func(i int, _, g gjson.Result) {
		if node, ok := parseGroup(i, name, g); ok {
			ev.groups = append(ev.groups, node)
		}
	})
	return ev
}

// parseGroup reports false for a group that the client does not accept either: it holds no hook of memento.
func parseGroup(at int, name string, g gjson.Result) (groupNode, bool) {
	if !g.IsObject() {
		return groupNode{}, false
	}
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
	if n != 1 || !hooks.IsArray() {
		return groupNode{}, false
	}
	node.list = scan(hooks, func(i int, _, v gjson.Result) {
		if e, ok := parseEntry(v); ok {
			e.at = i
			e.hook.Event, e.hook.Matcher = name, matcher.Str
			if matcher.Exists() && matcher.Type != gjson.String {
				e.odd = true
			}
			node.entries = append(node.entries, e)
		}
	})
	return node, true
}

// parseEntry reports false for an entry without a command.
func parseEntry(v gjson.Result) (hookEntry, bool) {
	var e hookEntry
	typed := false // without a type the client does not run the entry (measured on client 2.1.329)
	str := func(v gjson.Result) string {
		e.odd = e.odd || v.Type != gjson.String
		return v.Str
	}
	seen := map[string]bool{}
	v.ForEach(func(key, v gjson.Result) bool {
		e.odd = e.odd || seen[key.Str]
		seen[key.Str] = true
		switch key.Str {
		case "type":
			typed = v.Str == "command"
		case "command":
			e.hook.Command = str(v)
		case "if":
			e.hook.If = str(v)
		case "args":
			e.odd = e.odd || !v.IsArray()
			e.hook.Args = []string{}
			for _, a := range v.Array() {
				e.hook.Args = append(e.hook.Args, str(a))
			}
		case "timeout":
			whole := v.Type == gjson.Number && v.Num == math.Trunc(v.Num) && math.Abs(v.Num) <= math.MaxInt32
			if !whole {
				e.odd = true
				break
			}
			e.hook.Timeout = int(v.Num)
		}
		return true
	})
	e.odd = e.odd || !typed
	return e, v.IsObject() && e.hook.Command != ""
}

// scan returns the positions of v and of its items, and calls visit for each item. v is an object or an array.
func scan(v gjson.Result, visit func(i int, key, v gjson.Result)) listNode {
	l := listNode{span: span{v.Index, v.Index + len(v.Raw)}}
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
