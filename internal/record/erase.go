package record

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// Files lists the files of the chosen projects' records in dir and its archive, and those that were set aside; with all
// also files without a project in their name. A folder that is not memento's has none. Errors: the disk's.
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

// Erase erases words from the file of a record at path, which holds file: a value of a list, an entry of changes, a
// line of front matter; an item of a list, a row of a table, a paragraph, fenced code; a section with its heading. Each
// part goes whole, and the rest stays byte for byte. The whole record goes, and left is nil, when its name or title
// holds the words, or any part of a file that cannot be read or was set aside; title is then that of the record, "" for
// none. Erase looks for no words in the project, times, status and kind. Without a hit left is file.
func Erase(words log.Forgotten, path string, file []byte) (left []byte, gone []log.Gone, title string) {
	name, has := filepath.Base(path), words.Has
	id, _, _ := naming.OfFile(name)
	_, isRecord := naming.Stem(name)
	r, err := Decode(id, file)
	switch {
	case !isRecord && words.Loose(file):
		return nil, []log.Gone{{Kind: "set aside"}}, ""
	case isRecord && err != nil && (words.Loose(file) || named(id, has)):
		return nil, []log.Gone{{Kind: "unreadable record"}}, ""
	case !isRecord || err != nil:
		return file, nil, ""
	}
	kind := "record " + r.Kind
	d := r.doc
	own, _ := d.Get("id") // its name from before
	if has(r.Title) || named(id, has) || own != "" && own != r.ID && (has(own) || named(own, has)) {
		return nil, []log.Gone{{Kind: kind, Words: r.Title}}, r.Title
	}
	went := func(words string) { gone = append(gone, log.Gone{Kind: kind, Words: words}) }
	d.Erase(markdown.Eraser{
		Has:   has,
		Fixed: func(key, value string) bool { return ownWord(r.kind(), key, value) },
		Entry: func(entry map[string]string) bool { return changed(entry, has) },
		Gone:  went,
	})
	d.Body = eraseBody(r.kind(), d.Body, has, went)
	if len(gone) == 0 {
		return file, nil, ""
	}
	return d.Bytes(), gone, ""
}

// named reports whether has reports true for the slug in a record's name, with hyphens or with spaces.
func named(id string, has func(string) bool) bool {
	_, slug, ok := naming.Cut(strings.TrimSuffix(id, naming.Ending))
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
		case key == "summary" && slices.Contains([]string{"created", "completed", "restored"}, v):
		case has(v):
			return true
		}
	}
	return false
}

// unit is a part of a body that goes or stays whole: a heading, a paragraph with the blank lines below it, an item of a
// list, a row of a table, fenced code.
type unit struct {
	level int  // of a heading, else 0
	own   bool // it is a heading of the record's kind, so memento's own words
	raw   string
}

// units splits the body of a record of kind k into its units.
func units(k schema.Kind, body string) (out []unit) {
	blank, fenced := true, false // the line before was blank, or ended fenced code
	for l := range markdown.Lines(body) {
		line := l.Text
		bare := strings.TrimRight(line, "\r\n")
		begins := false
		switch {
		case l.Level > 0:
			blank, fenced = true, false
			own := l.Level == 2 && slices.ContainsFunc(k.Sections, func(p schema.Part) bool {
				return strings.EqualFold(p.Heading, l.Heading)
			})
			out = append(out, unit{l.Level, own, line})
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
			out = append(out, unit{raw: line})
		} else {
			out[n-1].raw += line
		}
	}
	return out
}

func indented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }

// eraseBody removes the units of a body for which has reports true, and passes them to gone.
func eraseBody(k schema.Kind, body string, has func(string) bool, gone func(words string)) string {
	var left []unit
	within := 0 // the level of a heading that goes; the units below it go too
	for _, u := range units(k, body) {
		switch {
		case within > 0 && (u.level == 0 || u.level > within):
		case holdAll([]unit{u}, has):
			gone(u.raw)
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
		if holdAll(left[from:to], has) {
			gone(join(left[from:to]))
			left, to = slices.Delete(left, from, to), from
		}
		from = to
	}
	if holdAll(left, has) {
		gone(join(left))
		return ""
	}
	return join(left)
}

// holdAll reports whether has reports true for the text of units together, as it stands or without the marks that begin
// Markdown lines. It passes none of memento's own words.
func holdAll(list []unit, has func(string) bool) bool {
	var raw, words strings.Builder
	for _, u := range list {
		if !u.own {
			raw.WriteString(u.raw)
		}
	}
	for line := range strings.Lines(raw.String()) {
		words.WriteString(strings.TrimLeft(line, " \t>#*+-") + " ")
	}
	return has(words.String()) || has(raw.String())
}

func join(list []unit) string {
	var raw strings.Builder
	for _, u := range list {
		raw.WriteString(u.raw)
	}
	return raw.String()
}
