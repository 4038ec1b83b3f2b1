package shared

import (
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/record"
)

// withoutPlaces returns r without the paths of this machine: those below the working tree begin at its top folder, a
// home folder is ~, and files outside the working tree are left out of the list of files. The id of r's session goes
// too.
func (p Repository) withoutPlaces(r record.Record, home string) record.Record {
	var roots []string
	for _, root := range []string{p.Root, resolved(p.Root)} {
		if root != "" && root != string(filepath.Separator) {
			roots = append(roots, root)
		}
	}
	clean := func(s string) string {
		for _, root := range roots {
			s = strings.ReplaceAll(s, root+string(filepath.Separator), "")
			s = replacePath(s, root, ".")
		}
		for _, h := range []string{home, resolved(home)} {
			if h != "" && h != string(filepath.Separator) {
				s = replacePath(s, h, "~")
			}
		}
		if r.Session != "" {
			s = strings.ReplaceAll(s, r.Session, "a session")
		}
		return withoutHomes(s)
	}
	r.Title, r.Body = clean(r.Title), clean(r.Body)
	tags := make([]string, len(r.Tags))
	for i, tag := range r.Tags {
		tags[i] = clean(tag)
	}
	var files []string
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

// resolved returns the path of a folder without links, or path itself on an error.
func resolved(path string) string {
	if path == "" {
		return ""
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// replacePath replaces path in s where the name of its last folder ends there.
func replacePath(s, path, by string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, path)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if after != "" && inName(after[0]) {
			b.WriteString(path)
		} else {
			b.WriteString(by)
		}
		s = after
	}
}

// withoutHomes replaces each home folder, anybody's on any system, by ~: its name is a person's.
func withoutHomes(s string) string {
	for _, homes := range [...]string{"/home/", "/Users/", `\Users\`} {
		var b strings.Builder
		for {
			before, after, found := strings.Cut(s, homes)
			if !found {
				b.WriteString(s)
				break
			}
			n := 0
			for n < len(after) && inName(after[n]) {
				n++
			}
			begins := before == "" || !inName(before[len(before)-1])
			drive := len(before) > 1 && before[len(before)-1] == ':' && homes[0] == '\\'
			switch {
			case n == 0 || !begins && !drive:
				b.WriteString(before + homes)
				n = 0
			case drive:
				b.WriteString(before[:len(before)-2] + "~")
			default:
				b.WriteString(before + "~")
			}
			s = after[n:]
		}
		s = b.String()
	}
	return s
}

// inName reports whether c may stand in the name of a folder.
func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' ||
		c >= 0x80
}
