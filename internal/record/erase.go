package record

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// erasedPart is a part of a record that erase removed.
type erasedPart struct {
	Part  string // "title", "tags", "changes", or the heading above it; "file" for an unreadable file
	Words string // the whole part
}

// Files lists the files of the chosen projects' records in dir, in the folder and in the archive, and the files that
// were set aside. Files whose name has no project count when all is set. A folder that is not memento's has none.
// Errors: the disk's.
func Files(dir string, chosen func(project string) bool, all bool) (paths []string, err error) {
	if chosen == nil {
		return nil, nil
	}
	for _, folder := range naming.Folders(dir) {
		entries, err := safefile.ListFolder(folder)
		if errors.Is(err, safefile.ErrRefused) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, f := range entries {
			_, project, ok := naming.OfFile(f.Name())
			if ok && !f.IsDir() && (project != "" && chosen(project) || project == "" && all) {
				paths = append(paths, filepath.Join(folder, f.Name()))
			}
		}
	}
	return paths, nil
}

// Erasure decides what EraseFile removes.
type Erasure struct {
	Has   func(words string) bool // reports whether a part of a record must go
	Loose func(data []byte) bool  // reports whether bytes, of any form, hold words that must go
}

// Erased is the result of EraseFile.
type Erased struct {
	Left  []byte // nil when the file goes
	Gone  []erasedPart
	Kind  string // "record KIND", "unreadable record", "set aside"
	Whole bool   // the record goes, and not only a copy that was set aside
	Title string // of the record that goes, "" when memento cannot decode it
}

// EraseFile is erase for the file at path, which holds file. A copy that was set aside
// goes whole, since nobody reads it. Without a hit Left is file.
func (e Erasure) EraseFile(path string, file []byte) Erased {
	out := e.eraseFile(path, file)
	if out.Left != nil && out.Gone == nil {
		out.Left = file
	}
	if out.Whole = out.Left == nil && out.Kind != "set aside"; out.Whole {
		id, _, _ := naming.OfFile(filepath.Base(path))
		if r, err := Decode(id, file); err == nil {
			out.Title = r.Title
		}
	}
	return out
}

func (e Erasure) eraseFile(path string, file []byte) Erased {
	whole := func(kind string) Erased {
		if e.Loose(file) {
			return Erased{Gone: []erasedPart{{Part: "file"}}, Kind: kind}
		}
		return Erased{Left: file, Kind: kind}
	}
	name := filepath.Base(path)
	if _, isRecord := naming.Stem(name); !isRecord {
		return whole("set aside")
	}
	id, _, _ := naming.OfFile(name)
	if _, err := Decode(id, file); err != nil && e.Loose(file) {
		return whole("unreadable record")
	}
	left, kind, gone := erase(id, file, e.Has)
	if kind == "" {
		return Erased{Left: left, Gone: gone, Kind: "unreadable record"}
	}
	return Erased{Left: left, Gone: gone, Kind: "record " + kind}
}

// erase removes each part of a record's file for which has reports true: a value of a list, an entry of changes, a line
// of front matter; an item of a list, a row of a table, a paragraph, fenced code; a section with its heading. Each part
// goes whole, and the rest stays byte for byte. The whole record goes, and out is nil, when has reports true for its
// name, its title, or any part of an unreadable file. erase does not pass the project, times, status and kind to has.
// Without a hit out is data.
func erase(id string, data []byte, has func(words string) bool) (out []byte, kind string, gone []erasedPart) {
	r, err := Decode(id, data)
	if err != nil {
		if has(string(data)) || named(id, has) {
			return nil, "", []erasedPart{{"file", string(data)}}
		}
		return data, "", nil
	}
	if has(r.Title) || named(id, has) {
		return nil, r.Kind, []erasedPart{{"title", r.Title}}
	}
	d := r.doc
	if own, ok := d.Get("id"); ok && own != r.ID && (has(own) || named(own, has)) { // its name from before
		return nil, r.Kind, []erasedPart{{"id", own}}
	}
	d.Erase(markdown.Eraser{
		Has:   has,
		Fixed: func(key, value string) bool { return ownWord(r.kind(), key, value) },
		Entry: func(entry map[string]string) bool { return changed(entry, has) },
		Gone:  func(part, words string) { gone = append(gone, erasedPart{part, words}) },
	})
	d.Body = eraseBody(r.kind(), d.Body, has, &gone)
	if len(gone) == 0 {
		return data, r.Kind, nil
	}
	return d.Bytes(), r.Kind, gone
}

// named reports whether has reports true for the slug in a record's name, with hyphens or with spaces.
func named(id string, has func(string) bool) bool {
	_, slug, ok := naming.Cut(idOf(id))
	return ok && (has(slug) || has(strings.ReplaceAll(slug, "-", " ")))
}

// ownWord reports whether memento chose the value of a key, and no person.
func ownWord(k schema.Kind, key, value string) bool {
	switch key {
	case "id", "kind", "project", "branch", "status", "created", "updated", "session":
		return true
	case "stage":
		return slices.Contains(k.Stages, value)
	}
	return false
}

// changed reports whether an entry of changes must go. It does not pass memento's own words to has.
func changed(e map[string]string, has func(string) bool) bool {
	for key, v := range e {
		switch {
		case key == "date", key == "field", e["field"] == "status" && (key == "old" || key == "new"):
		case key == "summary" && slices.Contains([]string{"created", "completed", "reopened", "restored"}, v):
		case has(v):
			return true
		}
	}
	return false
}

// unit is a part of a body that goes or stays whole: a heading, a paragraph with the blank lines below it, an item of a
// list, a row of a table, fenced code.
type unit struct {
	level   int    // of a heading, else 0
	own     bool   // it is a heading of the record's kind, so memento's own words
	heading string // its own, or the heading above it
	raw     string
}

// units splits a body into its units.
func units(body string) (out []unit) {
	under := ""
	blank, fenced := true, false // the line before was blank, or ended fenced code
	for l := range markdown.Lines(body) {
		line := l.Text
		bare := strings.TrimRight(line, "\r\n")
		begins := false
		switch {
		case l.Level > 0:
			under, blank, fenced = l.Heading, true, false
			out = append(out, unit{level: l.Level, heading: l.Heading, raw: line})
			continue
		case l.Opens:
			begins, blank, fenced = !indented(bare), false, false
		case l.Closes:
			fenced = true
		case !l.Code:
			_, isItem := markdown.Bullet(bare)
			empty := strings.TrimSpace(bare) == ""
			begins = !empty && ((blank || fenced) && !indented(bare) || isItem || bare[0] == '|')
			blank, fenced = empty, fenced && empty
		}
		if n := len(out); n == 0 || begins || out[n-1].level > 0 && strings.TrimSpace(bare) != "" {
			out = append(out, unit{heading: under, raw: line})
		} else {
			out[n-1].raw += line
		}
	}
	return out
}

func indented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }

// words returns the text of a unit without the marks that begin Markdown lines.
func (u unit) words() string {
	var b strings.Builder
	for line := range strings.Lines(u.raw) {
		b.WriteString(strings.TrimLeft(line, " \t>#*+-"))
		b.WriteByte(' ')
	}
	return b.String()
}

// eraseBody removes the units of a body for which has reports true, and adds them to gone.
func eraseBody(k schema.Kind, body string, has func(string) bool, gone *[]erasedPart) string {
	all := units(body)
	for i, u := range all {
		all[i].own = u.level == 2 && slices.ContainsFunc(k.Sections, func(p schema.Part) bool {
			return strings.EqualFold(p.Heading, u.heading)
		})
	}
	goes := func(u unit) bool { return !u.own && (has(u.words()) || has(u.raw)) }
	var left []unit
	within := 0 // the level of a heading that goes; the units below it go too
	for _, u := range all {
		switch {
		case within > 0 && (u.level == 0 || u.level > within):
			continue
		case goes(u):
			*gone = append(*gone, erasedPart{strings.ToLower(u.heading), u.words()})
			within = u.level
		default:
			within = 0
			left = append(left, u)
		}
	}
	// The words may span several units. Then all units of their section go, or of the whole body.
	for from := 0; from < len(left); {
		to := from + 1
		for to < len(left) && left[to].level == 0 {
			to++
		}
		if across(left[from:to], has) {
			*gone = append(*gone, erasedPart{strings.ToLower(left[from].heading), join(left[from:to])})
			left = slices.Delete(left, from, to)
			continue
		}
		from = to
	}
	if across(left, has) {
		*gone = append(*gone, erasedPart{"body", join(left)})
		return ""
	}
	return join(left)
}

// across reports whether has reports true for the text of several units together.
func across(list []unit, has func(string) bool) bool {
	var words, raw strings.Builder
	for _, u := range list {
		if !u.own {
			words.WriteString(u.words())
			raw.WriteString(u.raw)
		}
	}
	return len(list) > 1 && (has(words.String()) || has(raw.String()))
}

func join(list []unit) string {
	var b strings.Builder
	for _, u := range list {
		b.WriteString(u.raw)
	}
	return b.String()
}
