package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// pairs are the values of a flag KEY=TEXT that may be repeated.
type pairs []struct{ key, text string }

func (p *pairs) String() string { return "" }

// Set adds a pair.
func (p *pairs) Set(s string) error {
	key, text, ok := strings.Cut(s, "=")
	if !ok || strings.TrimSpace(key) == "" {
		return errors.New("KEY=TEXT is expected")
	}
	*p = append(*p, struct{ key, text string }{key, text})
	return nil
}

// apply sets the fields of the front matter and the sections of r that p names; if adds is true, it adds to tags, files
// and sections. Errors: *hintError for a section that the kind does not have, or a value that it cannot have.
func (p pairs) apply(c *call, s *shelf, k schema.Kind, r *record.Record, adds bool) (err error) {
	lists := map[string]*[]string{"tags": &r.Tags, "files": &r.Files}
	fields := map[string]*string{"title": &r.Title, "stage": &r.Stage, "confidence": &r.Confidence}
	sections, isCleared := map[string][]string{}, map[*[]string]bool{}
	for _, one := range p {
		key := strings.ToLower(strings.TrimSpace(one.key))
		if list := lists[key]; list != nil {
			words := commas(one.text)
			if list == &r.Files {
				words = namesOfFiles(c, s, r.Project, words)
			}
			if !adds && !isCleared[list] {
				*list, isCleared[list] = nil, true
			}
			*list = slices.Concat(*list, words)
			continue
		}
		if field := fields[key]; field != nil && !adds {
			*field = strings.TrimSpace(one.text)
			continue
		}
		part, ok := k.Part(one.key)
		if !ok {
			var keys []string
			for _, part := range k.Sections {
				keys = append(keys, part.Key())
			}
			return usage(oneOf(one.key, keys), "%s has no section %s", k.One(), text.Quote(one.key))
		}
		sections[part.Heading] = append(sections[part.Heading], one.text)
	}
	r.Body, err = setSections(k, r.Body, sections, adds)
	return err
}

// setSections sets the sections of body to texts, by their heading. A text replaces the old one; if more is true, it is
// added below the old one. Several texts for a list become its items. Errors: *hintError for a value that the kind does
// not have.
func setSections(k schema.Kind, body string, given map[string][]string, more bool) (string, error) {
	for _, p := range k.Sections {
		texts, ok := given[p.Heading]
		if !ok {
			continue
		}
		words, err := sectionText(k, p, texts, more)
		if err != nil {
			return "", err
		}
		_, exists := markdown.Text(body, p.Heading)
		switch {
		case strings.TrimSpace(words) == "" && (more || !exists): // there is nothing to add or remove
		case strings.TrimSpace(words) == "":
			body = markdown.RemoveSection(body, p.Heading)
		case !more:
			body, err = markdown.SetSection(body, p.Heading, words)
		case p.List:
			body, err = markdown.AppendSection(body, p.Heading, words)
		default: // a paragraph of its own
			body, err = markdown.AppendSection(body, p.Heading, "\n"+words)
		}
		if err != nil {
			return "", err
		}
	}
	return body, nil
}

// sectionText makes the new text of section p from the texts given for it.
func sectionText(k schema.Kind, p schema.Part, texts []string, more bool) (string, error) {
	if p.List {
		var items []string
		for _, t := range texts {
			items = append(items, markdown.Items(t)...)
		}
		return markdown.List(items), nil
	}
	if more && p.Values == nil {
		return strings.Join(texts, "\n\n"), nil
	}
	if len(texts) > 1 {
		return "", usage("memento help save",
			"%s of %s is one text, and was given %d times", p.Key(), k.One(), len(texts))
	}
	if p.Values != nil {
		v := strings.ToLower(strings.TrimSpace(texts[0]))
		if more || v != "" && !slices.Contains(p.Values, v) {
			return "", usage("--set "+p.Key()+"="+strings.Join(p.Values, "|"),
				"%s of %s cannot be %s", p.Key(), k.One(), text.Quote(texts[0]))
		}
		return v, nil
	}
	return texts[0], nil
}

// maxSilence is how long readText waits for standard input before it says that it waits.
const maxSilence = 3 * time.Second

// readText reads a text for a record's body: from a file, from standard input for "-", and for "" what is piped in, so
// that no text is dropped silently; "" if nothing is. It accepts text of at most the size of a record, and from a file
// not a text of spaces alone: the command that should have written it has failed.
func readText(c *call, file string) (string, error) {
	const hint = "--body takes a file, or - for standard input; --set KEY=TEXT takes the text itself"
	var data []byte
	var err error
	name := file
	switch {
	case file == "" && !c.Piped:
		return "", nil
	case file == "" || file == "-":
		name = "standard input"
		waits := time.AfterFunc(maxSilence, func() {
			fmt.Fprintln(c.Err, "memento: waiting for the end of standard input; < /dev/null gives none")
		})
		data, err = io.ReadAll(io.LimitReader(c.In, schema.MaxBytes+1))
		waits.Stop()
	default:
		data, err = safefile.ReadForeign(c.absolute(file), schema.MaxBytes)
	}
	given := strings.TrimPrefix(string(data), "\ufeff")
	front, noFront := markdown.Parse([]byte(given))
	switch {
	case errors.Is(err, safefile.ErrTooLarge) || len(data) > schema.MaxBytes:
		return "", hinted("make several records of it, or name the file with --file",
			"%s holds more than the 100 KB of a record", name)
	case err != nil:
		return "", hinted(hint, "--body: %w", err)
	case file != "" && strings.TrimSpace(given) == "":
		return "", hinted(hint, "--body: %s holds no text", name)
	case !utf8.Valid(data) || bytes.ContainsRune(data, 0):
		return "", fmt.Errorf("%s is no text", name)
	case noFront == nil && len(front.Keys()) > 0:
		return "", usage("leave out the lines from the first --- to the second; a record's file can be edited by hand",
			"%s is a whole file with front matter, and only a text is taken", name)
	}
	return given, nil
}

// newBody makes the body of a record from a text. A text with headings is the whole body; another text becomes the main
// section of old, and the other sections stay.
func newBody(k schema.Kind, old, text string) (string, error) {
	if len(markdown.Sections(text)) > 0 || strings.TrimSpace(text) == "" {
		return text, nil
	}
	return markdown.SetSection(old, k.MainPart().Heading, text)
}

// readableTo is readable for the caller by. Claude sees no line that begins as memento's own block.
func readableTo(by, s string) string {
	lines := strings.Split(readable(s), "\n")
	for i, l := range lines {
		if by == journal.ByClaude && strings.HasPrefix(strings.ToLower(strings.TrimSpace(l)), "[memento]") {
			lines[i] = strings.Replace(l, "[", "(", 1)
		}
	}
	return strings.Join(lines, "\n")
}

// readable makes a text safe for a terminal or a model, and keeps its lines and indentation. It shows what is
// invisible, and [text.Line] rewrites a line with other characters than plain text.
func readable(s string) string {
	lines := strings.Split(text.Visible(strings.ReplaceAll(s, "\r\n", "\n")), "\n")
	for i, l := range lines {
		plain := strings.TrimRight(l, " \t")
		words := strings.FieldsFunc(plain, func(r rune) bool { return r == ' ' || r == '\t' })
		if made := text.Line(l); strings.Join(words, " ") != made {
			plain = plain[:len(plain)-len(strings.TrimLeft(plain, " "))] + made
		}
		lines[i] = plain
	}
	return strings.Join(lines, "\n")
}

// namesOfFiles returns files as a record of this project names them; see nameOfFile. Those of another project stay.
func namesOfFiles(c *call, s *shelf, project string, files []string) (out []string) {
	for _, file := range files {
		if project == s.project {
			file = nameOfFile(c.here().Root, c.Dir, file)
		}
		out = append(out, file)
	}
	return out
}

// nameOfFile returns the path of file, which somebody in the folder dir gave, from root, the project's top folder, with
// slashes. A file outside the project keeps its whole path. Without root, file is returned as it is.
func nameOfFile(root, dir, file string) string {
	if root == "" || file == "" || strings.HasPrefix(file, "~/") {
		return file
	}
	isMissing := func(path string) bool { _, err := os.Stat(path); return errors.Is(err, fs.ErrNotExist) }
	whole := file
	if !filepath.IsAbs(file) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		whole = filepath.Join(dir, file)
		if isMissing(whole) && !isMissing(filepath.Join(root, file)) { // file is already a path from the top folder
			whole = filepath.Join(root, file)
		}
	}
	rel, err := filepath.Rel(root, whole)
	if err != nil || !filepath.IsLocal(rel) {
		return whole
	}
	return filepath.ToSlash(rel)
}
