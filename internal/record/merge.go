package record

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
)

// Version is the text of a record that two machines changed, and that became a record of its own.
type Version struct {
	Slug string // made from the text, so that every machine gives it the same name
	Data []byte // nil for none
}

// Merge returns the record called slug that follows from two changed versions of base. nil means that a version has no
// such file. It does not matter which version is called local.
//
// A version that alone was changed is returned byte for byte. Else each field of the front matter counts by itself: of
// two values of one field the version that was updated last decides, and the history keeps the other value. Where both
// changed the text (the body, and the lines of the front matter that memento does not know), the text that was updated
// last stays, and other is a record with the other version. So it is for a file that memento cannot read. Edited wins
// over removed.
func Merge(slug string, base, local, remote []byte) (merged []byte, other Version) {
	isNone := func(data []byte) bool { return len(bytes.TrimSpace(data)) == 0 }
	isSame := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	switch {
	case isSame(local, remote), isSame(remote, base):
		return local, other
	case isSame(local, base), isNone(local):
		return remote, other
	case isNone(remote):
		return local, other
	}
	b, newer, older := readVersion(base), readVersion(local), readVersion(remote)
	if compareVersions(newer, older) < 0 {
		newer, older = older, newer
	}
	isBase := func(v version) bool { return b.Record != nil && v.text == b.text }
	switch {
	case older.Record == nil:
		return newer.data, older.beside(slug)
	case newer.text != older.text && !isBase(newer) && !isBase(older):
		other = older.beside(slug)
	}
	from := newer
	if isBase(newer) {
		from = older
	}
	if merged = joinFields(b, newer, older, from, other.Data != nil); len(merged) > schema.MaxBytes {
		return newer.data, older.beside(slug)
	}
	return merged, other
}

// version is one version of a record. Record is nil when memento cannot read it.
type version struct {
	*Record
	data []byte
	text string    // the body, and the lines of the front matter that memento does not know
	at   time.Time // of the last update; of one that memento cannot read before any other
}

func readVersion(data []byte) version {
	r, err := Decode(naming.Prefix(naming.User)+"record", data)
	if err != nil {
		return version{data: data, text: string(data), at: time.Time{}.Add(-1)}
	}
	known := []string{"id", "project", "stage", "changes"}
	for _, f := range r.fields() {
		known = append(known, f.key)
	}
	text := strings.ReplaceAll(r.doc.Without(known...), "\r\n", "\n")
	return version{r, data, strings.TrimRight(text, "\n"), r.Updated}
}

// compareVersions orders versions by the time of their update.
func compareVersions(a, b version) int {
	return cmp.Or(a.at.Compare(b.at), bytes.Compare(a.data, b.data))
}

// beside returns v as a record of its own beside slug. Its title and front matter say so, where memento can write them.
func (v version) beside(slug string) Version {
	h := fnv.New32a()
	all := v.text
	if v.Record != nil { // all but what the merge unites: the same text with another title is another version
		all = v.doc.Without("id", "project", "created", "updated", "tags", "files", "changes")
	}
	h.Write([]byte(all))
	n := 100_000 + int(h.Sum32()%900_000)
	out := Version{naming.Numbered(slug, n), v.data}
	if v.Record == nil {
		return out
	}
	d := v.doc.Clone()
	if id, ok := d.Get("id"); ok {
		project, _, _ := naming.Cut(id)
		d.Set("id", naming.Prefix(project)+out.Slug)
	}
	d.Set("title", naming.TitleBeside(v.Title, fmt.Sprint("another version, ", n)))
	d.Set("version_of", slug)
	if len(d.Bytes()) <= schema.MaxBytes {
		out.Data = d.Bytes()
	}
	return out
}

// joinFields returns the text of from with the fields of both versions. isApart says that older has a record of its
// own, so that nothing of it is lost here.
func joinFields(base, newer, older, from version, isApart bool) []byte {
	d := from.doc.Clone()
	was := base.Record
	if was == nil {
		was = &Record{}
	}
	changes := slices.Concat(newer.Changes, older.Changes)
	b, n, o := was.fields(), newer.fields(), older.fields()
	for i, f := range from.fields() {
		joined := n[i]
		switch {
		case f.key == "updated": // newer has the later one
		case f.key == "created":
			if at := *o[i].time; !at.IsZero() && (n[i].time.IsZero() || at.Before(*n[i].time)) {
				joined = o[i]
			}
		case n[i].equals(o[i]) || o[i].equals(b[i]):
		case n[i].equals(b[i]):
			joined = o[i]
		case f.list != nil:
			list := joinLists(*b[i].list, *n[i].list, *o[i].list)
			joined.list = &list
		case !isApart:
			changes = append(changes, Change{Date: stamp(older.Updated), Summary: "changed on two machines",
				Field: f.key, Old: *o[i].text, New: *n[i].text})
		}
		if !joined.equals(f) {
			joined.write(d)
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(a.When().Compare(b.When()), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	if changes = slices.Compact(changes); !slices.Equal(changes, from.Changes) {
		var entries [][][2]string
		for _, c := range changes {
			entries = append(entries, c.entry())
		}
		d.Add("changes", schema.MaxChanges, entries...)
	}
	return d.Bytes()
}

// joinLists returns the values that a side added, and those that both left.
func joinLists(base, newer, older []string) (out []string) {
	for _, v := range slices.Concat(newer, older) {
		isKept := slices.Contains(newer, v) && slices.Contains(older, v) || !slices.Contains(base, v)
		if isKept && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
