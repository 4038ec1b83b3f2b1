package record

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// maxMerged is the size, in bytes, up to which Merge looks into a file. It keeps a larger one as a whole.
const maxMerged = 4 << 20

// Merge returns the record that follows from two changed versions of base, and the number of its parts that hold more
// than one version. nil means that a version has no such file. All bytes are plain text, not packed.
//
// The merged file does not depend on which version is called local, nor on the order in which several machines merge
// through one remote. A version that alone was changed is returned byte for byte. Else each key of the front matter
// and each section counts by itself; where both sides changed it, both versions stay, labelled. Edited wins over
// removed. Every line that a side added stands in the result. A file that memento cannot read stays as a whole, as a
// version of a section of its own.
func Merge(id string, base, local, remote []byte) (merged []byte, conflicts int) {
	merged = merge(id, base, local, remote)
	return merged, len(markdown.Conflicts(merged))
}

func merge(id string, base, local, remote []byte) []byte {
	same := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	empty := func(data []byte) bool { return len(bytes.TrimSpace(data)) == 0 }
	// So the result cannot depend on which is which.
	if c := bytes.Compare(local, remote); c > 0 || c == 0 && remote == nil {
		local, remote = remote, local
	}
	switch {
	case same(local, remote), same(remote, base):
		return local
	case same(local, base), empty(local):
		return remote
	case empty(remote):
		return local
	}
	b, l, r := readVersion(id, base), readVersion(id, local), readVersion(id, remote)
	switch sameL, sameR := l.follows(b), r.follows(b); {
	case sameL: // at most the layout changed
		return remote
	case sameR:
		return local
	}
	if l.whole != r.whole { // what one side cannot read, the other decides
		l.adopt(b)
		r.adopt(b)
	}
	return joinParts(b, l, r)
}

// version is a file in parts.
type version struct {
	front, body part
	crlf        bool // its lines end with a carriage return; set also where it has no lines of its own
	whole       bool // memento cannot read it, and keeps it as a whole
}

// part holds slots by their keys.
type part struct {
	keys   []string // in the file's order
	values map[string][]string
}

func partOf(slots []markdown.Slot) part {
	p := part{values: map[string][]string{}}
	for _, s := range slots {
		p.keys = append(p.keys, s.Key)
		p.values[s.Key] = s.Values
	}
	return p
}

// slots returns the slots in the order of keys.
func (p part) slots() (out []markdown.Slot) {
	for _, k := range p.keys {
		out = append(out, markdown.Slot{Key: k, Values: p.values[k]})
	}
	return out
}

// wholeFile is the heading of the section that keeps files that memento cannot read.
const wholeFile = "## A file that memento cannot read"

// readVersion takes a file apart. A file that memento cannot read is one section.
func readVersion(id string, data []byte) version {
	v := version{crlf: true}
	if len(bytes.TrimSpace(data)) == 0 {
		v.front, v.body = partOf(nil), partOf(nil)
		return v
	}
	if front, body, ok := readSlots(id, data); ok {
		v.front, v.body = partOf(front), partOf(body)
		v.whole = len(front) == 0 && len(body) == 1 && body[0].Key == wholeFile
		first, _, _ := bytes.Cut(data, []byte("\n"))
		v.crlf = v.whole || bytes.HasSuffix(first, []byte("\r"))
		return v
	}
	v.whole = true
	v.front, v.body = partOf(nil), partOf([]markdown.Slot{{Key: wholeFile, Values: []string{fenced(data)}}})
	return v
}

func readSlots(id string, data []byte) (front, body []markdown.Slot, ok bool) {
	if len(data) > maxMerged {
		return nil, nil, false
	}
	if _, _, err := naming.Split(id); err != nil {
		id = naming.Prefix(naming.User) + "record"
	}
	r, err := Decode(id, data)
	if err != nil {
		return nil, nil, false
	}
	for _, key := range [...]string{"id", "project"} {
		if _, single := r.doc.Get(key); !single && r.doc.Has(key) {
			return nil, nil, false
		}
	}
	front, body = r.doc.Slots()
	return front, body, true
}

// fenced returns a file as fenced code. Two files never give the same code.
func fenced(data []byte) string {
	s := string(data)
	lf := strings.ReplaceAll(s, "\r\n", "\n")
	switch {
	case !utf8.Valid(data) || strings.ContainsAny(lf, "\x00\r") || lf != s && strings.ReplaceAll(lf, "\n", "\r\n") != s:
		var lines []string
		for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(data)), 76) {
			lines = append(lines, string(line))
		}
		return text.Fenced("base64", strings.Join(lines, "\n"))
	case lf != s:
		return text.Fenced("crlf", lf)
	}
	return text.Fenced("", s)
}

// adopt gives a version that is kept as a whole the parts of the base, as if nobody had changed them.
func (v *version) adopt(base version) {
	if !v.whole {
		return
	}
	own := v.body.values[wholeFile]
	v.front, v.body, v.crlf = base.front, part{base.body.keys, maps.Clone(base.body.values)}, true
	if !slices.Contains(v.body.keys, wholeFile) {
		v.body.keys = append(slices.Clone(v.body.keys), wholeFile)
	}
	v.body.values[wholeFile] = own
}

// follows reports whether v says what base says, in whatever order and layout: whether a merge of the two would change
// nothing but some keys.
func (v version) follows(base version, but ...string) bool {
	return v.content(base, but) == base.content(base, but)
}

// content returns what v says that base does not say and the reverse, without some keys. Of the keys that only go one
// way, such as updated, a step back does not count, since a merge does not take it.
func (v version) content(base version, without []string) string {
	var b strings.Builder
	for i, p := range [...]part{v.front, v.body} {
		for _, k := range slices.Sorted(maps.Keys(p.values)) {
			if i == 0 && slices.Contains(without, k) {
				continue
			}
			values := p.values[k]
			if i == 0 && oneWay(k) {
				continue
			}
			if i == 0 && markdown.FormOf(k) == markdown.Set {
				values = slices.Sorted(slices.Values(values))
			}
			fmt.Fprintf(&b, "%d %q %q\n", i, k, values)
		}
	}
	for _, k := range [...]string{"created", "updated", "changes"} {
		if both := slices.Concat(v.front.values[k], base.front.values[k]); both != nil && !slices.Contains(without, k) {
			fmt.Fprintf(&b, "%q %q\n", k, joinOneWay(k, both))
		}
	}
	return b.String()
}

// oneWay reports whether the merged value of a key is that of all values together, whatever the base has.
func oneWay(key string) bool { return key == "created" || key == "updated" || key == "changes" }

// joinOneWay merges the values of such a key: the earliest, the latest, or all.
func joinOneWay(key string, values []string) []string {
	switch key {
	case "created":
		if times := slices.DeleteFunc(slices.Clone(values), isNoTime); len(times) > 0 {
			values = times
		}
		return []string{slices.MinFunc(values, compareStamps)}
	case "updated":
		return []string{slices.MaxFunc(values, compareStamps)}
	}
	return joinHistory(values)
}

// joinParts merges three files in parts.
func joinParts(b, l, r version) []byte {
	m := version{front: partOf(nil), body: partOf(nil)}
	has := map[string]bool{}
	for _, k := range slices.Concat(l.front.keys, r.front.keys) {
		if has[k] {
			continue
		}
		var values []string
		if values, has[k] = joinKey(k, b, l, r); has[k] {
			m.front.values[k] = values
		}
	}
	m.front.keys = markdown.Arrange(b.front.keys, l.front.keys, r.front.keys, has)
	has = map[string]bool{}
	for _, k := range slices.Concat(l.body.keys, r.body.keys) {
		if values := joinVersions(b.body.values[k], l.body.values[k], r.body.values[k]); values != nil {
			m.body.values[k], has[k] = values, true
		}
	}
	m.body.keys = markdown.ArrangeBody(b.body.keys, l.body.keys, r.body.keys, has)
	for _, k := range m.body.keys {
		if m.body.values[k] == nil { // a heading that another part needs
			m.body.values[k] = []string{""}
		}
	}
	return markdown.FromSlots(m.front.slots(), m.body.slots(), l.crlf && r.crlf && !(l.whole && r.whole))
}

// joinVersions is joinSet for the versions of one part. An empty version gives way to words. Where each side chose
// another one of the base's versions, both stay: none of the two persons wanted the part to go.
func joinVersions(b, l, r []string) []string {
	out := joinSet(b, l, r)
	if len(out) == 0 && len(l) > 0 && len(r) > 0 {
		out = joinSet(nil, l, r)
	}
	if len(out) > 1 && out[0] == "" {
		out = out[1:]
	}
	return out
}

// joinKey merges a key of the front matter, and reports whether the result has it.
func joinKey(key string, b, l, r version) (values []string, has bool) {
	bv, inB := b.front.values[key]
	lv, inL := l.front.values[key]
	rv, inR := r.front.values[key]
	both := slices.Concat(lv, rv)
	switch {
	case key == "status":
		s := joinStatus(b, l, r)
		return []string{s}, true
	case oneWay(key):
		return joinOneWay(key, both), true
	case key == "id" || key == "project":
		values = joinVersions(bv, lv, rv)
		return values[:min(1, len(values))], len(values) > 0
	}
	if markdown.FormOf(key) == markdown.Set {
		present := map[string]bool{}
		for _, v := range joinSet(bv, lv, rv) {
			present[v] = true
		}
		return markdown.Arrange(bv, lv, rv, present), len(present) > 0 || inL && (inR || !inB) || inR && !inB
	}
	values = joinVersions(bv, lv, rv)
	return values, values != nil
}

// joinSet returns the elements of a merged set, sorted: those that a side added and those that both left.
func joinSet(b, l, r []string) (out []string) {
	set := func(list []string) map[string]bool {
		m := make(map[string]bool, len(list))
		for _, v := range list {
			m[v] = true
		}
		return m
	}
	inB, inL, inR := set(b), set(l), set(r)
	for _, v := range slices.Concat(l, r) {
		if inL[v] && inR[v] || !inB[v] {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isNoTime(s string) bool { return parseTime(s).IsZero() }

// compareStamps orders times as they stand in a file. What is no time comes first.
func compareStamps(a, b string) int {
	return cmp.Or(parseTime(a).Compare(parseTime(b)), strings.Compare(a, b))
}

// joinHistory returns all entries in the order of their times, the newest schema.MaxChanges.
func joinHistory(entries []string) []string {
	type entry struct {
		at   time.Time
		line string
	}
	var all []entry
	for _, line := range entries {
		date, _ := strings.CutPrefix(line, "{date: ")
		date = strings.Trim(date[:max(0, strings.IndexAny(date, ",}"))], `"`)
		all = append(all, entry{parseTime(date), line})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.line, b.line))
	})
	all = slices.Compact(all)
	var out []string
	for _, e := range all[max(0, len(all)-schema.MaxChanges):] {
		out = append(out, e.line)
	}
	return out
}

// joinStatus returns the status of the merged file. Edited wins over put away; of two moves the one that keeps more at
// hand counts.
func joinStatus(b, l, r version) string {
	status := func(v version) string {
		if s := v.front.values["status"]; s != nil && s[0] != "" {
			return s[0]
		}
		return schema.Active
	}
	was := ""
	if len(b.front.values) > 0 {
		was = status(b)
	}
	edited := func(v version) bool { return !v.follows(b, "status", "updated", "changes") }
	sl, sr := status(l), status(r)
	switch {
	case sl == sr:
		return sl
	case sl == was && (was != schema.Active || !edited(l)):
		return sr
	case sr == was && (was != schema.Active || !edited(r)):
		return sl
	case sl == was:
		return sl
	case sr == was:
		return sr
	}
	rank := func(s string) int {
		if i := slices.Index(schema.Statuses(), s); i >= 0 {
			return i
		}
		return len(schema.Statuses())
	}
	if c := cmp.Or(rank(sl)-rank(sr), strings.Compare(sl, sr)); c < 0 {
		return sl
	}
	return sr
}
