package digest

import (
	"errors"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// maxAnswer is how much of a subagent's answer its record holds, in bytes; history has more of it.
const maxAnswer = 16 << 10

// Answer is what a subagent was asked and what it answered.
type Answer struct {
	Session string
	Agent   string // its type
	Task    string // what it was asked, "" when that is not known
	Parent  string // the mission of the session that asked
	Words   string
	Files   []string // that it read
}

// Subagent writes what a subagent answered. The same answer of the same agent is written once. It returns nil when
// there is nothing to write. Errors: those of record.Store; nothing was written then.
func Subagent(s record.Store, project string, a Answer) (*record.Record, error) {
	words := strings.TrimSpace(text.Private(a.Words)) // alone, so that a tag without an end takes nothing else along
	if words == "" {
		return nil, nil
	}
	var p page
	p.text("Agent", text.Line(a.Agent))
	task, _ := text.Cut(strings.TrimSpace(text.Private(a.Task)), 2000)
	p.text("Task", task)
	p.text("Parent Context", text.Line(a.Parent))
	p.text("Summary", summary(words))
	p.text("Details", capped(words))
	p.list("Files Analyzed", a.Files)
	about := a.Task
	if about == "" {
		about = words
	}
	r := record.Record{
		Kind: "subagent", Title: title(text.Line(a.Agent) + ": " + opening(about)), Project: project,
		Tags: tags("subagent", a.Agent), Session: a.Session, Source: "SubagentStop", Body: p.body,
	}
	made, err := s.Create(r)
	var exists *record.ExistsError
	if errors.As(err, &exists) {
		if old, bad := s.Read(exists.ID); bad == nil && old.Session == a.Session && old.Body == p.body {
			return old, nil
		}
		made, err = create(s, r)
	}
	return made, err
}

// Asked adds to the record of a subagent's answer what it was asked and the files it read, unless a person did or there
// is no such record any more. Errors: those of record.Store but for that; the record is as it was then.
func Asked(s record.Store, id, task string, files []string) error {
	_, err := s.Update(id, "", "added what was asked", func(r *record.Record) error {
		if _, ok := markdown.Text(r.Body, "Task"); ok || r.Status != schema.Active {
			return nil
		}
		p := page{r.Body}
		task, _ := text.Cut(strings.TrimSpace(text.Private(task)), 2000)
		p.text("Task", task)
		if _, ok := markdown.Text(r.Body, "Files Analyzed"); !ok {
			p.list("Files Analyzed", files)
		}
		r.Body = p.body
		return nil
	})
	if errors.Is(err, record.ErrNotFound) {
		return nil
	}
	return err
}

// tags are those of a record, without the ones that cannot be.
func tags(all ...string) (out []string) {
	for _, t := range all {
		t, _ = text.Cut(text.Line(t), schema.MaxTag)
		out = add(out, strings.ToLower(t))
	}
	return out
}

// opening is the first line of words that says something, without the marks of a heading.
func opening(words string) string {
	for l := range strings.SplitSeq(words, "\n") {
		if l = strings.Trim(text.Line(l), "#*->` "); l != "" {
			return l
		}
	}
	return ""
}

// summary is the first paragraph of words that is no heading.
func summary(words string) string {
	for _, par := range paragraphs(words) {
		if !strings.HasPrefix(par, "#") || strings.Contains(par, "\n") {
			par, _ = text.Cut(par, 1000)
			return par
		}
	}
	return ""
}

// paragraphs takes words apart at blank lines.
func paragraphs(words string) (out []string) {
	for par := range strings.SplitSeq(strings.ReplaceAll(words, "\r\n", "\n"), "\n\n") {
		if par = strings.Trim(par, "\n"); strings.TrimSpace(par) != "" {
			out = append(out, par)
		}
	}
	return out
}

// capped is words cut at a paragraph, else at a line or a word, to maxAnswer bytes; the ellipsis tells how much is
// missing.
func capped(words string) string {
	if len(words) <= maxAnswer {
		return words
	}
	head := strings.ToValidUTF8(words[:maxAnswer], "")
	for _, end := range [...]string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(head, end); at > maxAnswer/2 {
			head = head[:at]
			break
		}
	}
	return head + "\n\n" + missing(len(words)-len(head))
}
