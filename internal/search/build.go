package search

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// A body is cut into units, the grain in which the index knows where a word stands: a unit ends with a line once it has
// minUnit tokens, and after maxUnit tokens anywhere. A unit of 0 is the title and the tags.
const (
	minUnit = 8
	maxUnit = 48
)

// analyse turns a record into what the index keeps of it.
func analyse(d Doc) entry {
	e := entry{row: row{id: hash(d.ID), size: d.Stamp.Size, time: d.Stamp.Time, number: d.Stamp.Number, updated: d.Updated}}
	if d.Broken {
		e.broken, d.Tags, d.Body = 1, nil, ""
	}
	var meta []byte
	put := func(s string) {
		meta = binary.AppendUvarint(meta, uint64(len(s)))
		meta = append(meta, s...)
	}
	for _, s := range append([]string{d.ID, d.Title, d.Kind, d.Project, d.Status, d.State}, d.Tags...) {
		put(s)
	}
	e.meta = string(meta)

	type occurrence struct {
		term uint64
		unit int
	}
	var all []occurrence
	tokens := 0
	head := func(s string) {
		words(s, false, func(w word) {
			all = append(all, occurrence{hash(w.text), 0})
			if !w.part {
				tokens++
			}
		})
	}
	if !d.Broken {
		head(d.Title)
	}
	head(strings.Join(d.Tags, "\n"))
	unit, n, from := 1, 0, 0
	end := func(to int) {
		e.units = binary.AppendUvarint(e.units, uint64(n))
		e.units = binary.AppendUvarint(e.units, uint64(to-from))
		tokens += n
		unit, n, from = unit+1, 0, to
	}
	for at := 0; at < len(d.Body); {
		line := d.Body[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		words(line, false, func(w word) {
			if n >= maxUnit && !w.part && at+w.at > from {
				end(at + w.at)
			}
			all = append(all, occurrence{hash(w.text), unit})
			if !w.part {
				n++
			}
		})
		at += len(line)
		if n >= minUnit {
			end(at)
		}
	}
	if from < len(d.Body) {
		end(len(d.Body))
	}
	e.tokens, e.nunits = uint32(tokens), uint32(unit-1)

	slices.SortFunc(all, func(a, b occurrence) int {
		if a.term != b.term {
			return cmp.Compare(a.term, b.term)
		}
		return cmp.Compare(a.unit, b.unit)
	})
	var buf []byte
	for i := 0; i < len(all); {
		term, start, last := all[i].term, len(buf), 0
		for i < len(all) && all[i].term == term {
			unit, count := all[i].unit, 0
			for ; i < len(all) && all[i].term == term && all[i].unit == unit; i++ {
				count++
			}
			v := uint64(unit-last) << 1
			last = unit
			if count > 1 {
				buf = binary.AppendUvarint(buf, v|1)
				buf = binary.AppendUvarint(buf, uint64(count))
			} else {
				buf = binary.AppendUvarint(buf, v)
			}
		}
		e.terms = append(e.terms, use{term, buf[start:len(buf):len(buf)]})
	}
	return e
}

// Snippet returns the passage of body between from and to, as a Hit gives them, widened to whole words. It is still text of
// the record, with its line ends; what shows it makes it one line and cuts it.
func Snippet(body string, from, to int) string {
	from, to = min(max(from, 0), len(body)), min(max(to, 0), len(body))
	if from >= to {
		return ""
	}
	letter := func(i int) bool {
		r, _ := utf8.DecodeRuneInString(body[i:])
		return inWord(r) && !dense(r)
	}
	for from > 0 && (!utf8.RuneStart(body[from]) || letter(from) && body[from-1] > ' ') {
		from--
	}
	for to < len(body) && (!utf8.RuneStart(body[to]) || letter(to) && body[to-1] > ' ') {
		to++
	}
	return strings.TrimSpace(body[from:to])
}
