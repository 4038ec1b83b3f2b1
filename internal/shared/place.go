package shared

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/record"
)

// withoutPlaces returns r without the paths of this machine: those below the working tree begin at its top folder, a
// home folder is ~, and files outside the working tree are left out of the list of files. The id of r's session goes
// too.
func (p Repository) withoutPlaces(r record.Record, home string) record.Record {
	roots, homes := pathsOf(p.Root), pathsOf(home)
	clean := func(s string) string {
		for _, root := range roots {
			s = strings.ReplaceAll(s, root+string(filepath.Separator), "")
			s = replacePath(s, root, ".", false)
		}
		for _, h := range homes {
			s = replacePath(s, h, "~", false)
		}
		if r.Session != "" {
			s = strings.ReplaceAll(s, r.Session, "a session")
		}
		for _, all := range [...]string{`\Users\`, "/home/", "/Users/"} { // anybody's home: its name is a person's
			s = replacePath(s, all, "~", true)
		}
		return s
	}
	r.Title, r.Body = clean(r.Title), clean(r.Body)
	var tags, files []string
	for _, tag := range r.Tags {
		tags = append(tags, clean(tag))
	}
	for _, f := range r.Files {
		for _, root := range roots {
			f = strings.TrimPrefix(f, root+string(filepath.Separator))
		}
		if f = filepath.ToSlash(f); filepath.IsLocal(f) && !strings.HasPrefix(f, "~") {
			files = append(files, f)
		}
	}
	r.Tags, r.Files = tags, files
	return r
}

// pathsOf returns a folder's path as it is given and without links. Of the topmost folder it returns none.
func pathsOf(dir string) (paths []string) {
	if dir == "" || dir == filepath.Dir(dir) {
		return nil
	}
	if to, err := filepath.EvalSymlinks(dir); err == nil && to != dir {
		paths = append(paths, to)
	}
	return append(paths, dir)
}

// replacePath replaces path in s where the name of its last folder ends there. With isAbove, it replaces path with the
// name of a folder behind it, unless path is in a longer one.
func replacePath(s, path, by string, isAbove bool) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, path)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		rest := strings.TrimLeftFunc(after, inName)
		last, _ := utf8.DecodeLastRuneInString(before)
		if isAbove && rest != after && !inName(last) || !isAbove && rest == after {
			b.WriteString(by)
			s = rest
		} else {
			b.WriteString(path)
			s = after
		}
	}
}

// inName reports whether r may stand in the name of a folder.
func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.'
}
