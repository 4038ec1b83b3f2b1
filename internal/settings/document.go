package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
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

// document is the text of a settings file and the hooks in it. An edit changes text; read then finds the hooks anew.
type document struct {
	bom, text string
	top       gjson.Result
	hooks     []found // the status line last
}

// found is a hook in a file.
type found struct {
	Hook
	raw gjson.Result
	at  []item // the lists that hold it, from the outermost on
}

// item is the place of an item in an object or an array.
type item struct {
	list gjson.Result
	n    int
}

const bom = "\ufeff"

// parse finds all hooks in data. It refuses data that cannot be edited safely; a fault in an event counts only if w has
// a hook of that event.
func parse(data []byte, w Wiring) (*document, error) {
	if len(data) > maxSize {
		return nil, Refusal(fmt.Sprintf("the file is larger than %d MB", maxSize>>20))
	}
	d := &document{text: string(data)}
	if rest, ok := strings.CutPrefix(d.text, bom); ok {
		d.bom, d.text = bom, rest
	}
	if strings.Trim(d.text, " \t\r\n") == "" {
		if len(w) == 0 { // a blank file has no hooks, and Remove returns it unchanged
			return d, nil
		}
		d.text = "{}" + d.newline()
	}
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal([]byte(d.text), &raw), &syntax) {
		return nil, refuse(d.text, max(0, int(syntax.Offset)-1),
			"it is not valid JSON, which has no comments and no comma before a closing bracket: %v", syntax)
	}
	return d, d.read(w)
}

// read finds the hooks in the text.
func (d *document) read(w Wiring) error {
	d.top = gjson.Parse(d.text)
	d.top.Raw = strings.TrimRight(d.top.Raw, " \t\r\n")
	d.hooks = nil
	if !d.top.IsObject() {
		return refuse(d.text, d.top.Index, "the file is not an object")
	}
	seen, status := map[string]bool{}, []found(nil)
	err := each(d.top, func(n int, key, v gjson.Result) error {
		isOne := key.Str == "hooks" || key.Str == StatusLine
		switch at := []item{{d.top, n}}; {
		case isOne && seen[key.Str]:
			return refuse(d.text, key.Index, "the key %q is there twice", key.Str)
		case key.Str == StatusLine:
			status = []found{{Hook{Event: StatusLine, Command: v.Get("command").Str}, v, at}}
		case key.Str == "hooks" && !v.IsObject():
			return refuse(d.text, v.Index, `"hooks" is not an object`)
		case key.Str == "hooks":
			if err := d.readEvents(v, at, w); err != nil {
				return err
			}
		}
		seen[key.Str] = true
		return nil
	})
	d.hooks = append(d.hooks, status...)
	return err
}

// readEvents finds the hooks in the object hooks, whose own place is at.
func (d *document) readEvents(hooks gjson.Result, at []item, w Wiring) error {
	seen := map[string]bool{}
	return each(hooks, func(n int, key, event gjson.Result) error {
		isWired := slices.ContainsFunc(w, func(h Hook) bool { return h.Event == key.Str })
		switch {
		case isWired && seen[key.Str]:
			return refuse(d.text, key.Index, "the event %q is there twice", key.Str)
		case isWired && !event.IsArray():
			return refuse(d.text, event.Index, "the event %q is not an array", key.Str)
		case !event.IsArray():
			return nil
		}
		seen[key.Str] = true
		return each(event, func(g int, _, group gjson.Result) error {
			entries, matcher := entriesOf(group)
			return each(entries, func(e int, _, v gjson.Result) error {
				if h := hookOf(key.Str, matcher, v); h.Command != "" {
					at := append(slices.Clone(at), item{hooks, n}, item{event, g}, item{entries, e})
					d.hooks = append(d.hooks, found{h, v, at})
				}
				return nil
			})
		})
	})
}

// entriesOf returns the hooks of a group and its matcher; none for a group that the client does not accept either.
func entriesOf(group gjson.Result) (entries gjson.Result, matcher string) {
	n := 0
	_ = each(group, func(_ int, key, v gjson.Result) error {
		switch key.Str {
		case "hooks":
			entries = v
			n++
		case "matcher":
			matcher = v.Str
		}
		return nil
	})
	if !group.IsObject() || n != 1 || !entries.IsArray() {
		return gjson.Result{}, ""
	}
	return entries, matcher
}

// hookOf returns the hook that stands in an event's group as v; without a command if it is none.
func hookOf(event, matcher string, v gjson.Result) Hook {
	if !v.IsObject() {
		return Hook{}
	}
	h := Hook{Event: event, Matcher: matcher, If: v.Get("if").Str, Command: v.Get("command").Str,
		Timeout: int(v.Get("timeout").Num)}
	if args := v.Get("args"); args.Exists() {
		h.Args = []string{}
		for _, a := range args.Array() {
			h.Args = append(h.Args, a.Str)
		}
	}
	return h
}

// status returns the status line, nil for none.
func (d *document) status() *found {
	if n := len(d.hooks); n > 0 && d.hooks[n-1].Event == StatusLine {
		return &d.hooks[n-1]
	}
	return nil
}

// each calls visit for each item of an object or an array, until visit returns an error. Any other value has none.
func each(list gjson.Result, visit func(n int, key, v gjson.Result) error) (err error) {
	if !list.IsObject() && !list.IsArray() {
		return nil
	}
	n := 0
	list.ForEach(func(key, v gjson.Result) bool {
		err = visit(n, key, v)
		n++
		return err == nil
	})
	return err
}

// span is a part of the text: from its first byte to behind its last one.
type span struct{ from, to int }

// spans returns the places of the items of a list. An item of an object begins with its key.
func spans(list gjson.Result) (all []span) {
	_ = each(list, func(_ int, key, v gjson.Result) error {
		s := span{v.Index, v.Index + len(v.Raw)}
		if list.IsObject() {
			s.from = key.Index
		}
		all = append(all, s)
		return nil
	})
	return all
}

// cut takes an item out. The comma that came with it goes with it: the next item takes its place, and the last item
// goes from the end of the one before.
func (d *document) cut(at item) {
	all := spans(at.list)
	gone := span{at.list.Index + 1, at.list.Index + len(at.list.Raw) - 1}
	switch {
	case at.n < len(all)-1:
		gone = span{all[at.n].from, all[at.n+1].from}
	case at.n > 0:
		gone = span{all[at.n-1].to, all[at.n].to}
	}
	d.text = d.text[:gone.from] + d.text[gone.to:]
}

// insert adds compact JSON at the end of a list, which is in depth other lists, with a key if the list is an object: on
// lines of its own, or in a file of one line on that line.
func (d *document) insert(list gjson.Result, depth int, key, value string) {
	items, top := spans(list), spans(d.top)
	nl, unit := d.newline(), d.unit(top)
	lead, tail, colon := "", "", ":"
	if len(top) == 0 || strings.Contains(strings.TrimRight(d.text, "\r\n"), "\n") {
		tail = nl + strings.Repeat(unit, depth)
		lead, colon = tail+unit, ": "
		var b bytes.Buffer
		_ = json.Indent(&b, []byte(value), strings.Repeat(unit, depth+1), unit) // memento's own JSON is valid
		value = strings.ReplaceAll(b.String(), "\n", nl)
	}
	if key != "" {
		value = encode(key) + colon + value
	}
	if n := len(items); n > 0 {
		end := items[n-1].to
		d.text = d.text[:end] + "," + lead + value + d.text[end:]
		return
	}
	d.text = d.text[:list.Index+1] + lead + value + tail + d.text[list.Index+len(list.Raw)-1:]
}

func (d *document) newline() string {
	if i := strings.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// unit returns one level of the file's indentation, as its first item shows it.
func (d *document) unit(top []span) string {
	if len(top) > 0 {
		before := d.text[:top[0].from]
		unit := before[strings.LastIndexByte(before, '\n')+1:]
		if unit != before && unit != "" && strings.Trim(unit, " \t") == "" {
			return unit
		}
	}
	return "  "
}

// group returns the compact JSON of a group that holds h alone.
func group(h Hook) string {
	type entry struct {
		Type    string    `json:"type"`
		Command string    `json:"command"`
		Args    *[]string `json:"args,omitempty"`
		If      string    `json:"if,omitempty"`
		Timeout int       `json:"timeout,omitempty"`
	}
	e := entry{Type: "command", Command: h.Command, If: h.If, Timeout: h.Timeout}
	if h.Args != nil {
		e.Args = &h.Args
	}
	return encode(struct {
		Matcher string  `json:"matcher,omitempty"`
		Hooks   []entry `json:"hooks"`
	}{h.Matcher, []entry{e}})
}

// encode returns v, of strings and numbers, as compact JSON that a person can read: && stays &&.
func encode(v any) string {
	data, _ := jsonx.Marshal(v)
	return string(data)
}
