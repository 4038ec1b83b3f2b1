// Package markdown reads and edits Markdown files: the front matter, the sections of the body and the items of a list.
// What is not edited stays byte for byte.
//
// The package knows only the form of a file. What a record is, which kinds there are and where their files are may not
// come in.
package markdown

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
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

// item is a key with all its lines, or a comment or blank line.
type item struct {
	key  string // "" for a comment or blank line
	raw  string // whole lines
	line int    // the number of the first one in the parsed file
}

const (
	maxKey  = 100 // bytes
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// order is the order of the keys that memento writes.
var order = [...]string{
	"id", "kind", "title", "project", "branch", "status", "stage", "created", "updated", "tags", "files", "confidence",
	"session", "source", "version_of", "changes",
}

// New returns a document without keys and without a body.
func New() *Doc { return &Doc{start: "---\n", end: "---\n"} }

// Clone returns a copy of the document.
func (d *Doc) Clone() *Doc {
	out := *d
	out.items = slices.Clone(d.items)
	return &out
}

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

// Without returns the body, the lines of other keys than these, and the comments at the values of these.
func (d *Doc) Without(keys ...string) string {
	var b strings.Builder
	for _, it := range d.items {
		for line := range strings.Lines(it.raw) {
			if slices.Contains(keys, it.key) {
				line = ended(commentOf(line), "\n")
			}
			b.WriteString(line)
		}
	}
	return b.String() + d.Body
}

// commentOf returns the comment at the end of a line of front matter, "" for none.
func commentOf(line string) string {
	line = strings.TrimRight(withoutEnd(line), " ")
	quote := byte(0) // the mark of the quoted text around i
	for i := 0; i < len(line); i++ {
		c, begins := line[i], i == 0 || strings.IndexByte(" [{,", line[i-1]) >= 0
		switch {
		case quote == '"' && c == '\\', quote == '\'' && strings.HasPrefix(line[i:], "''"):
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && begins && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#' && (i == 0 || line[i-1] == ' '):
			return line[i:]
		}
	}
	return ""
}

// cutComments removes the comments for which goes returns true from the lines of a key.
func (it *item) cutComments(nl string, goes func(comment string) bool) {
	raw := it.raw
	it.raw = ""
	for line := range strings.Lines(raw) {
		if comment := commentOf(line); comment != "" && goes(comment) {
			line = ended(strings.TrimRight(line[:strings.LastIndex(line, comment)], " "), nl)
		}
		it.raw += line
	}
}

// Line returns the line of key in the parsed file, 0 without such a key.
func (d *Doc) Line(key string) int {
	if it := d.find(key); it != nil {
		return it.line
	}
	return 0
}

// Get returns the value of key as it was written. It returns false when the key is missing or memento does not read
// its value as one text: a list, a map, a text over several lines, what means something else to some YAML readers.
func (d *Doc) Get(key string) (string, bool) {
	it := d.find(key)
	if it == nil {
		return "", false
	}
	v, ok := it.inline()
	if !ok || v.isList {
		return "", false
	}
	return v.values[0], true
}

// List returns the values of key: none of an empty value, one of a plain value. It returns false when the key is
// missing or memento does not read its value as a list of texts.
func (d *Doc) List(key string) (list []string, ok bool) {
	it := d.find(key)
	if it == nil {
		return nil, false
	}
	if v, ok := it.inline(); ok {
		if !v.isList && v.values[0] == "" {
			return nil, true
		}
		return v.values, true
	}
	items, ok := it.listed()
	for _, lines := range items {
		v, left := "", ""
		if len(lines) > 0 {
			if v, left, ok = scalar(lines[0], ""); !ok || !isEnd(left) || len(lines) > 1 {
				return nil, false
			}
		}
		list = append(list, v)
	}
	return list, ok
}

// Maps returns the list of maps at key, none of a missing key. It returns false when the key holds something else.
func (d *Doc) Maps(key string) (maps []map[string]string, ok bool) {
	it := d.find(key)
	if it == nil {
		return nil, true
	}
	if v, ok := it.inline(); ok {
		return nil, len(v.values) == 0 || !v.isList && v.values[0] == ""
	}
	items, ok := it.listed()
	for _, lines := range items {
		m, isMap := mapOf(lines)
		if !isMap {
			return nil, false
		}
		maps = append(maps, m)
	}
	return maps, ok
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
	if old, ok := d.Get(key); !ok || old != value {
		d.put(key, quote(key, value))
	}
}

// SetList gives key a list of values. A list on lines of its own stays one, and its values keep their lines.
func (d *Doc) SetList(key string, values []string) {
	var quoted []string
	for _, v := range values {
		quoted = append(quoted, quoteIn(v))
	}
	it := d.find(key)
	if it != nil && len(values) > 0 {
		old, ok := d.List(key)
		head, parts, indent := it.parts()
		if ok && parts != nil {
			it.raw = head
			for i, v := range values {
				if at := slices.Index(old, v); at >= 0 {
					it.raw += parts[at]
					continue
				}
				it.raw += strings.Repeat(" ", indent) + "- " + quoted[i] + d.nl()
			}
			return
		}
	}
	d.put(key, "["+strings.Join(quoted, ", ")+"]")
}

// Remove takes out a key with its value.
func (d *Doc) Remove(key string) {
	d.items = slices.DeleteFunc(d.items, func(it item) bool { return it.key == key })
}

// Add puts entries at the end of the list of maps at key, in their order. One that stood there keeps its lines. Beyond
// limit it drops the oldest entries, but no comment below them.
func (d *Doc) Add(key string, limit int, entries ...[][2]string) {
	if d.find(key) == nil {
		d.insert(key, key+":"+d.nl())
	}
	it := d.find(key)
	old, _ := d.Maps(key)
	head, parts, indent := it.parts()
	if parts == nil {
		head, indent = key+":"+d.nl(), 2
	}
	for _, entry := range entries {
		var pairs []string
		for _, kv := range entry {
			pairs = append(pairs, kv[0]+": "+quoteIn(kv[1]))
		}
		lines := strings.Repeat(" ", indent) + "- {" + strings.Join(pairs, ", ") + "}" + d.nl()
		if at := slices.IndexFunc(old, func(m map[string]string) bool { return holds(m, entry) }); at >= 0 {
			lines = parts[at]
			old, parts = slices.Delete(old, at, at+1), slices.Delete(parts, at, at+1)
		}
		parts = append(parts, lines)
	}
	for ; len(parts) > limit; parts = parts[1:] {
		for line := range strings.Lines(parts[0]) {
			if isNothing(withoutEnd(line)) {
				head += line
			}
		}
	}
	it.raw = head + strings.Join(parts, "")
}

// holds reports whether m has all pairs of entry.
func holds(m map[string]string, entry [][2]string) bool {
	return !slices.ContainsFunc(entry, func(kv [2]string) bool { return m[kv[0]] != kv[1] })
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
	d.items = slices.Insert(d.items, at, item{key: key, raw: raw})
}

// put gives key a value as it stands in the file. A comment behind the old value stays.
func (d *Doc) put(key, value string) {
	it := d.find(key)
	if it == nil {
		d.insert(key, key+": "+value+d.nl())
		return
	}
	v, ok := it.inline()
	if !ok {
		it.raw = key + ": " + value + d.nl()
		return
	}
	gap, rest := it.raw[:v.from], it.raw[v.to:]
	if strings.HasSuffix(gap, ":") {
		gap += " "
	}
	if strings.HasPrefix(rest, "#") { // behind an empty value
		rest = " " + rest
	}
	it.raw = gap + value + rest
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
	return v != "" && strings.IndexByte(digits, v[0]) >= 0 && !strings.HasSuffix(v, ":") &&
		strings.Trim(v, digits+".:TZ+-") == ""
}

// bare reports whether v needs no quotes: v begins with an ASCII letter, holds no character that YAML reads as
// structure, and no YAML reader takes it for a boolean, a number or null.
func bare(v string) bool {
	if v == "" || strings.IndexByte(letters, v[0]) < 0 || strings.Trim(v, letters+digits+" -_./()+@',;:") != "" ||
		strings.HasSuffix(v, " ") || strings.HasSuffix(v, ":") || strings.Contains(v, ": ") ||
		strings.Contains(v, ":,") {
		return false
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
	for _, r := range strings.ReplaceAll(v, "\x00", "\uFFFD") { // no file holds a NUL
		s := string(r)
		if !plainRune(r) || r == '"' || r == '\\' {
			s = strings.Trim(strconv.Quote(s), `"`)
			if r == '"' {
				s = `\"`
			}
		}
		b.WriteString(s)
	}
	return `"` + b.String() + `"`
}

// plainRune reports whether front matter may hold r unescaped.
func plainRune(r rune) bool {
	return !unicode.IsControl(r) && !strings.ContainsRune("\u2028\u2029\ufeff\ufffe\uffff", r)
}
