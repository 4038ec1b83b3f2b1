// Package naming makes and checks the names of records, of their files and of the files' folders: the name of a project
// and the slug of a title, which together are the record's id, and the endings of files. The content of files, and
// whether a name is taken, may not come in.
package naming

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// User stands in the project's place in the name of a record about the user.
const User = "user"

// Ending is the end of the names of records' files.
const Ending = ".md"

// Archive is the name of the folder of completed and archived records, within memento's folder.
const Archive = ".completed"

// Folders returns the two folders of records in dir, memento's folder: dir itself and the archive.
func Folders(dir string) [2]string { return [...]string{dir, filepath.Join(dir, Archive)} }

const (
	separator  = "--"
	maxProject = 96  // bytes
	maxSlug    = 50  // characters
	slugBytes  = 120 // a character of some scripts takes several bytes
)

// Error says why a name of a project or a slug cannot be part of a file name. Try is a similar name that can.
type Error struct{ What, Name, Why, Try string }

func (e *Error) Error() string {
	short, _ := text.Cut(e.Name, 120)
	return fmt.Sprintf("%s %s: %s: try %q", e.What, text.Quote(short), e.Why, e.Try)
}

// CheckProject returns nil if name can be the name of a project, else an *Error: letters and digits of any script,
// '.', '_' and '-', beginning with a letter or digit, not ending with '-', without ".." and "--", at most 96 bytes,
// and not "user".
func CheckProject(name string) error {
	if why := projectProblem(name); why != "" {
		return &Error{"project", name, why, Project(name)}
	}
	return nil
}

func projectProblem(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case name == "":
		return "it is empty"
	case strings.EqualFold(name, User):
		return "that name is kept for records about the user"
	case strings.Contains(name, separator):
		return `it holds "--"`
	case strings.Contains(name, "..") || strings.ContainsAny(name, `/\`):
		return "it leads to another folder"
	case !letter(first):
		return "it does not begin with a letter or digit"
	case strings.HasSuffix(name, "-"):
		return `it ends with "-"`
	case len(name) > maxProject:
		return fmt.Sprintf("it is longer than %d bytes", maxProject)
	}
	for _, r := range name {
		if !letter(r) && !unicode.Is(unicode.M, r) && !strings.ContainsRune("._-", r) {
			return fmt.Sprintf("it holds %q", r)
		}
	}
	return ""
}

// letter reports whether r is a letter or a digit. The character that replaces invalid UTF-8 is neither.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// MaxProject is the greatest length of the name that Project makes, in bytes.
const MaxProject = 48

// Project makes name the name of a project: lower case, letters and digits of any script, '.', '_' and single hyphens,
// beginning with a letter or digit. When no character of name can stay, it is "project" and a hash. "user", which is
// kept for records about the user, becomes "user-project". A name that Project made stays as it is.
func Project(name string) string {
	s := mend(strings.ToLower(name), "._")
	for strings.Contains(s, "..") {
		s = strings.ReplaceAll(s, "..", ".")
	}
	// an accent without its letter cannot come first
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !letter(r) })
	switch s = CutProject(s, MaxProject); s {
	case "":
		return "project-" + sum(name)
	case User:
		return "user-project"
	}
	return s
}

// CutProject cuts the name of a project to limit bytes, between two characters.
func CutProject(name string, limit int) string {
	return strings.TrimRight(cutBytes(name, limit), "-._")
}

// ProjectOrUser is Project that returns User for the slug "", which stands for a folder outside any project.
func ProjectOrUser(slug string) string {
	if slug == "" {
		return User
	}
	return Project(slug)
}

// mend replaces each run of characters, other than letters, digits and those in keep, by one hyphen, and drops
// apostrophes.
func mend(s, keep string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := '-'
	for _, r := range s {
		switch {
		case letter(r), keep != "" && strings.ContainsRune(keep, r):
		case r >= utf8.RuneSelf && unicode.Is(unicode.M, r) && last != '-':
		case r == '\'' || r == '’':
			continue
		case last == '-':
			continue
		default:
			r = '-'
		}
		b.WriteRune(r)
		last = r
	}
	return strings.Trim(b.String(), "-")
}

func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// sum returns a short hash of a name from which nothing can stay.
func sum(s string) string { return text.Fingerprint(s)[8:] }

// Slug returns the part of a record's name that comes from its title: lower case, letters and digits of any script,
// single hyphens, at most 50 characters, cut at a word. A title without any letter or digit gives "note" and a hash.
// The slug is the same whether the title has an accented letter as one character or as two.
func Slug(title string) string { return slug(norm.NFC.String(title)) }

// slug is Slug for a title whose accented letters stay as they are: one character or two.
func slug(title string) string {
	s := mend(strings.ToLower(title), "")
	if cut := cutRunes(cutBytes(s, slugBytes), maxSlug); cut != s {
		if s[len(cut)] != '-' {
			if i := strings.LastIndexByte(cut, '-'); i > len(cut)/2 {
				cut = cut[:i]
			}
		}
		s = strings.Trim(cut, "-")
	}
	if s == "" {
		return "note-" + sum(title)
	}
	return s
}

// Phrase returns a phrase in the form of a record's name, "" when too few letters are left to identify a record.
func Phrase(words string) string {
	const least = 5
	if !strings.ContainsFunc(words, letter) {
		return ""
	}
	if s := Slug(words); utf8.RuneCountInString(s) >= least {
		return s
	}
	return ""
}

// Numbered returns slug with the number n at its end; without a number for the first.
func Numbered(slug string, n int) string {
	if n == 1 {
		return slug
	}
	number := fmt.Sprintf("-%d", n)
	return strings.TrimRight(cutRunes(cutBytes(slug, slugBytes-len(number)), maxSlug-len(number)), "-") + number
}

// TitleKey returns a key that is equal for two titles with the same words and symbols. It ignores case, spaces, the
// form of accented letters and punctuation at the end of a word. A project has one record with each key.
func TitleKey(title string) string {
	words := strings.Fields(strings.ToLower(norm.NFC.String(title)))
	for i, w := range words {
		last, n := utf8.DecodeLastRuneInString(w)
		before, _ := utf8.DecodeLastRuneInString(w[:len(w)-n])
		if len(w) > n && strings.ContainsRune(punctuation, last) && !strings.ContainsRune(punctuation, before) {
			words[i] = w[:len(w)-n]
		}
	}
	return strings.Join(words, " ")
}

// punctuation is characters that TitleKey drops at the end of a word.
const punctuation = ".,;:!?。，、；：！？"

// TitleBeside returns title with distinction in parentheses behind it, for a record beside another one with the same
// title. It cuts the title to make room.
func TitleBeside(title, distinction string) string {
	distinction = " (" + distinction + ")"
	title, _ = text.Cut(title, schema.MaxTitle-min(text.Runes(distinction), schema.MaxTitle-1))
	return title + distinction
}

func cutRunes(s string, limit int) string {
	for i := range s {
		if limit--; limit < 0 {
			return s[:i]
		}
	}
	return s
}

// CheckSlug returns nil if name is a slug, else an *Error.
func CheckSlug(name string) error {
	try, why := Slug(name), ""
	switch {
	case name == try, name == slug(name): // a name on the disk may have an accented letter as two characters
		return nil
	case name == "":
		why = "it is empty"
	case strings.ContainsAny(name, `/\`) || strings.Contains(name, ".."):
		why = "it leads to another folder"
	case strings.Contains(name, separator):
		why = `it holds "--"`
	case utf8.RuneCountInString(name) > maxSlug || len(name) > slugBytes:
		why = fmt.Sprintf("it is longer than %d characters", maxSlug)
	default:
		why = "lower-case letters, digits and single hyphens between them are expected"
	}
	return &Error{"record", name, why, try}
}

// CheckChosen returns nil if a person may give a record this slug, else an *Error. A person types such a name, so
// CheckChosen asks for more than CheckSlug: at least two characters, the first a lower-case letter, and nothing but a
// to z, digits and hyphens.
func CheckChosen(slug string) error {
	why := ""
	switch {
	case slug == "":
		why = "it is empty"
	case len(slug) == 1:
		why = "it has one character; two are needed"
	case slug[0] < 'a' || slug[0] > 'z':
		why = "it does not begin with a lower-case letter"
	case strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		why = "lower-case letters, digits and hyphens are expected"
	default:
		return CheckSlug(slug)
	}
	try := strings.TrimLeft(cutRunes(Slug(strings.ToLower(slug)), maxSlug), "0123456789-")
	if len(try) < 2 || strings.Trim(try, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		try = "note-" + sum(slug)
	}
	return &Error{"slug", slug, why, try}
}

// Prefix returns the beginning of the ids of a project's records, or of the user's.
func Prefix(project string) string { return project + separator }

// ID returns the id of the record with this slug, of a project or User: "myapp--fix-auth-bug". Errors: *Error.
func ID(project, slug string) (string, error) {
	if project != User {
		if err := CheckProject(project); err != nil {
			return "", err
		}
	}
	if err := CheckSlug(slug); err != nil {
		return "", err
	}
	return project + separator + slug, nil
}

// Cut splits an id into two parts, which may be invalid names. ok is false without a separator.
func Cut(id string) (project, slug string, ok bool) { return strings.Cut(id, separator) }

// Split splits an id, or the name of a record's file, into project and slug. Errors: *Error.
func Split(name string) (project, slug string, err error) {
	if id, ok := Stem(name); ok {
		name = id
	}
	project, slug, ok := Cut(name)
	if !ok {
		const why = `it lacks the "--" between project and name`
		return "", "", &Error{"record", name, why, "PROJECT--" + Slug(name)}
	}
	if _, err := ID(project, slug); err != nil {
		return "", "", err
	}
	return project, slug, nil
}

// Stem returns the id in the name of a record's file; false when name is no such name.
func Stem(name string) (id string, ok bool) { return strings.CutSuffix(name, Ending) }

// OfFile returns the id in the name of a record's file, or of a copy that was set aside, and the project in the id,
// "" if the id has none. ok is false for other names.
func OfFile(name string) (id, project string, ok bool) {
	id, rest, ok := strings.Cut(name, Ending)
	if !ok || rest != "" && rest[0] != '.' || safefile.Temporary(name) {
		return "", "", false
	}
	if before, _, ok := Cut(id); ok {
		project = before
	}
	return id, project, true
}
