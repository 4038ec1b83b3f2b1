// Package markdown reads and edits Markdown files: the front matter, the sections of the body and the items of a list.
// What is not edited stays byte for byte.
//
// The package knows only the form of a file. What a record is, which kinds there are and where their files are may not
// come in.
package markdown

import (
	"fmt"
	"slices"
	"strings"
)

// FrontError says why memento cannot read a file's front matter: it is outside the subset of YAML that memento reads.
// Memento uses nothing of such a file and never writes to it.
type FrontError struct {
	Line int // from 1, in the file
	Why  string
}

func (e *FrontError) Error() string { return fmt.Sprintf("front matter, line %d: %s", e.Line, e.Why) }

// Doc is a Markdown file with front matter. A change of one key keeps the rest byte for byte: comments, blank lines,
// unknown keys, the order of keys, quotes, line ends. The zero Doc is not valid; see New.
type Doc struct {
	start, end string // the two lines of three hyphens
	items      []item
	Body       string
}

type shape int

const (
	aside   shape = iota // a comment or a blank line
	scalar               // key: value
	flow                 // key: [a, b]
	block                // key:, then lines of "- a"
	entries              // key:, then lines of "- {a: b}" or "- a: b"
)

// item is a key with its value, or a line without a key.
type item struct {
	shape  shape
	key    string
	raw    string // whole lines
	line   int
	value  string   // of a scalar
	list   []string // of a flow or block list
	entry  []map[string]string
	from   int      // where the value of a scalar or a flow list begins in raw
	to     int      // where that value ends
	indent int      // the spaces before the hyphens of a block
	pieces []string // of a block: the lines before the first item, then each item with the lines that follow
}

const maxKey = 100 // bytes

// order is the order of the keys that memento writes.
var order = [...]string{
	"id", "kind", "title", "project", "branch", "status", "stage", "created", "updated", "tags", "files", "confidence",
	"session", "source", "version_of", "changes",
}

// New returns a document without keys and without a body.
func New() *Doc { return &Doc{start: "---\n", end: "---\n"} }

// SetBody replaces the body. It ends the closing line of three hyphens with a line end.
func (d *Doc) SetBody(body string) {
	if body != d.Body {
		d.end, d.Body = ended(d.end, d.nl()), body
	}
}

// Bytes returns the file: the bytes that Parse read, with the changes made since.
func (d *Doc) Bytes() []byte {
	var b strings.Builder
	b.WriteString(d.start)
	for _, it := range d.items {
		b.WriteString(it.raw)
	}
	b.WriteString(d.end)
	b.WriteString(d.Body)
	return []byte(b.String())
}

func (d *Doc) find(key string) *item {
	for i := range d.items {
		if d.items[i].key == key && key != "" {
			return &d.items[i]
		}
	}
	return nil
}

// Keys lists the keys in their order.
func (d *Doc) Keys() (keys []string) {
	for _, it := range d.items {
		if it.key != "" {
			keys = append(keys, it.key)
		}
	}
	return keys
}

// Has reports whether key stands in the front matter.
func (d *Doc) Has(key string) bool { return d.find(key) != nil }

// Without returns the lines of the front matter that do not belong to keys, the comments behind values of these keys,
// and the body.
func (d *Doc) Without(keys ...string) string {
	var b strings.Builder
	for _, it := range d.items {
		switch comment := strings.TrimSpace(it.raw[it.to:]); {
		case !slices.Contains(keys, it.key):
			b.WriteString(it.raw)
		case (it.shape == scalar || it.shape == flow) && comment != "":
			b.WriteString(comment + "\n")
		}
	}
	return b.String() + d.Body
}

// Line returns the line of key in the parsed file, 0 without such a key.
func (d *Doc) Line(key string) int {
	if it := d.find(key); it != nil {
		return it.line
	}
	return 0
}

// Get returns the value of key as it was written. It returns false when the key is missing or holds a list.
func (d *Doc) Get(key string) (string, bool) {
	it := d.find(key)
	if it == nil || it.shape != scalar {
		return "", false
	}
	return it.value, true
}

// List returns the values of key: none of an empty value, one of a plain value. It returns false when the key is
// missing or holds a list of maps.
func (d *Doc) List(key string) ([]string, bool) {
	switch it := d.find(key); {
	case it == nil || it.shape == entries:
		return nil, false
	case it.shape == scalar && it.value == "":
		return nil, true
	case it.shape == scalar:
		return []string{it.value}, true
	default:
		return slices.Clone(it.list), true
	}
}

// Maps returns the list of maps at key. It returns false when the key holds something else.
func (d *Doc) Maps(key string) ([]map[string]string, bool) {
	it := d.find(key)
	if it == nil || it.shape == flow && len(it.list) > 0 || it.shape == block || it.shape == scalar && it.value != "" {
		return nil, it == nil
	}
	return it.entry, true
}

// nl returns the line end of the file.
func (d *Doc) nl() string {
	if strings.HasSuffix(d.start, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// Set gives key one value. A comment behind the old value stays.
func (d *Doc) Set(key, value string) {
	it := d.find(key)
	if it == nil {
		d.insert(key, key+": "+quote(key, value)+d.nl())
		return
	}
	if it.shape == scalar && it.value == value {
		return
	}
	d.exchange(it, quote(key, value))
}

// SetList gives key a list of values. A block list stays a block list, and its values keep their lines.
func (d *Doc) SetList(key string, values []string) {
	it := d.find(key)
	if it != nil && it.shape == block && len(values) > 0 {
		raw, left := it.pieces[0], slices.Clone(it.list)
		for _, v := range values {
			if i := slices.Index(left, v); i >= 0 {
				raw += it.pieces[1+i]
				left[i] = "\x00" // used
				continue
			}
			raw = ended(raw, d.nl()) + strings.Repeat(" ", it.indent) + "- " + quoteIn(v) + d.nl()
		}
		d.reread(it, raw)
		return
	}
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoteIn(v))
	}
	list := "[" + b.String() + "]"
	if it == nil {
		d.insert(key, key+": "+list+d.nl())
		return
	}
	d.exchange(it, list)
}

// Remove takes out a key with its value.
func (d *Doc) Remove(key string) {
	d.items = slices.DeleteFunc(d.items, func(it item) bool { return it.key == key })
}

// Add appends an entry to the list of maps at key. Beyond limit it drops the oldest entries. The others keep their
// lines.
func (d *Doc) Add(key string, entry [][2]string, limit int) {
	var b strings.Builder
	for i, kv := range entry {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(kv[0] + ": " + quoteIn(kv[1]))
	}
	line := "- {" + b.String() + "}" + d.nl()
	it := d.find(key)
	switch {
	case it == nil:
		d.insert(key, key+":"+d.nl()+"  "+line)
	case it.shape != entries || len(it.pieces) == 0:
		d.reread(it, key+":"+d.nl()+"  "+line)
	default:
		old := it.pieces[1:]
		old = old[max(0, len(old)+1-limit):]
		d.reread(it, it.pieces[0]+strings.Join(old, "")+strings.Repeat(" ", it.indent)+line)
	}
}

// insert adds a new key before the first key that comes later in order, else at the end.
func (d *Doc) insert(key, raw string) {
	at := len(d.items)
	if n := slices.Index(order[:], key); n >= 0 {
		for i, it := range d.items {
			if slices.Index(order[:], it.key) > n {
				at = i
				break
			}
		}
	}
	d.items = slices.Insert(d.items, at, read(raw))
}

// exchange replaces the value of it.
func (d *Doc) exchange(it *item, value string) {
	raw := it.key + ": " + value + d.nl()
	if it.shape == scalar || it.shape == flow {
		gap, rest := it.raw[:it.from], it.raw[it.to:]
		if strings.HasSuffix(gap, ":") {
			gap += " "
		}
		raw = gap + value + rest
		if it.from == it.to && rest != "" && rest[0] == '#' { // an empty value before a comment
			raw = gap + value + " " + rest
		}
	}
	d.reread(it, raw)
}

// reread replaces the lines of it.
func (d *Doc) reread(it *item, raw string) {
	line := it.line
	*it = read(raw)
	it.line = line
}

// read parses lines that this package wrote.
func read(raw string) item {
	p := parser{lines: strings.SplitAfter(raw, "\n")}
	p.lines = p.lines[:len(p.lines)-1]
	it, err := p.item()
	if err != nil || p.at != len(p.lines) {
		panic("markdown: it cannot read its own lines: " + raw)
	}
	return it
}

// ended returns s with a line end, unless s is empty or has one.
func ended(s, nl string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + nl
}

// quote writes a value of a key: bare where every YAML reader takes the value for text, else in double quotes.
func quote(key, v string) string {
	if bare(v) || (key == "created" || key == "updated" || key == "confidence") && bareStamp(v) {
		return v
	}
	return double(v)
}

// quoteIn writes a value within a list or a map.
func quoteIn(v string) string {
	if bare(v) && !strings.ContainsAny(v, ",") || bareStamp(v) && strings.Contains(v, "T") {
		return v
	}
	return double(v)
}

// bareStamp reports whether v consists of digits and the characters that times and numbers have between them.
func bareStamp(v string) bool {
	return v != "" && v[0] >= '0' && v[0] <= '9' && !strings.HasSuffix(v, ":") &&
		strings.Trim(v, "0123456789.:TZ+-") == ""
}

// bare reports whether v needs no quotes: v begins with an ASCII letter, holds no character that YAML reads as
// structure, and no YAML reader takes it for a boolean, a number or null.
func bare(v string) bool {
	if v == "" || !(v[0] >= 'a' && v[0] <= 'z' || v[0] >= 'A' && v[0] <= 'Z') || strings.HasSuffix(v, " ") {
		return false
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte(" -_./()+@',;", c) >= 0:
		case c == ':' && i+1 < len(v) && v[i+1] != ' ' && v[i+1] != ',':
		default:
			return false
		}
	}
	switch strings.ToLower(v) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf":
		return false
	}
	return true
}

// double writes v in double quotes.
func double(v string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range v {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == 0:
			b.WriteString(`\uFFFD`) // no file holds a NUL
		case plainRune(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plainRune reports whether front matter may hold r unescaped.
func plainRune(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffe', r == '\uffff':
		return false
	}
	return true
}
