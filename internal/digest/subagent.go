package digest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// maxAnswer is how much of a subagent's answer its record holds, in bytes. The history holds more.
const maxAnswer = 16 << 10

// Answer is a subagent's task and its answer.
type Answer struct {
	Session string
	Agent   string // the subagent's type
	Task    string // "" when the task is not known
	Parent  string // the mission of the session that started the subagent
	Words   string
	Files   []string // the files that the subagent read
}

// Subagent writes the record of a subagent's answer. It writes the same answer of the same agent once. It returns nil
// when there is nothing to write. It returns errors of record.Store; nothing was written then.
func Subagent(s record.Store, project string, a Answer) (*record.Record, error) {
	// The answer alone: a tag without an end would hide all that follows.
	words := strings.TrimSpace(text.Private(a.Words))
	if words == "" {
		return nil, nil
	}
	var p page
	p.addText("Agent", text.OneLine(a.Agent))
	task, _ := text.Cut(strings.TrimSpace(text.Private(a.Task)), 2000)
	p.addText("Task", task)
	p.addText("Parent Context", text.OneLine(a.Parent))
	said := map[string]string{"Summary": firstParagraph(words), "Details": words}
	if own := sectionsOf(words); own["Summary"] != "" && own["Details"] != "" { // the answer has a record's form
		said = own
	}
	p.addText("Summary", said["Summary"])
	p.addText("Details", cutAnswer(said["Details"]))
	p.addList("Files Analyzed", addItems(markdown.Items(said["Files Analyzed"]), a.Files...))
	p.addText("Recommendations", said["Recommendations"])
	about := cmp.Or(a.Task, words)
	tag, _ := text.Cut(strings.ToLower(text.OneLine(a.Agent)), schema.MaxTag)
	r := record.Record{
		Kind: "subagent", Title: titleOf(text.OneLine(a.Agent) + ": " + firstLine(about)), Project: project,
		Tags: addItems([]string{"subagent"}, tag), Session: a.Session, Source: "SubagentStop", Body: p.body,
	}
	made, err := s.Create(r)
	if !errors.As(err, new(*record.ExistsError)) { // one that a person removed stays away
		return made, err
	}
	return create(s, r, func(old *record.Record) bool { return old.Session == a.Session && old.Body == p.body })
}

// sectionsOf returns the sections of words, nil where one does not belong into a subagent's record.
func sectionsOf(words string) map[string]string {
	all := map[string]string{}
	for _, s := range markdown.Sections(words) {
		if !text.OneOf(s.Heading, "Summary", "Details", "Files Analyzed", "Recommendations") {
			return nil
		}
		all[s.Heading] = strings.TrimSpace(words[s.Text:s.End])
	}
	return all
}

// firstLine returns the first line of words that is not empty, without the marks of a heading, a list or emphasis.
func firstLine(words string) string {
	for l := range strings.SplitSeq(words, "\n") {
		if l = strings.Trim(text.OneLine(l), "#*->` "); l != "" {
			return l
		}
	}
	return ""
}

// firstParagraph returns the first paragraph of words that is no heading, at most 1,000 characters.
func firstParagraph(words string) string {
	for _, par := range paragraphs(words) {
		if !strings.HasPrefix(par, "#") || strings.Contains(par, "\n") {
			par, _ = text.Cut(par, 1000)
			return par
		}
	}
	return ""
}

// paragraphs splits words at blank lines.
func paragraphs(words string) (out []string) {
	for par := range strings.SplitSeq(strings.ReplaceAll(words, "\r\n", "\n"), "\n\n") {
		if par = strings.Trim(par, "\n"); strings.TrimSpace(par) != "" {
			out = append(out, par)
		}
	}
	return out
}

// cutAnswer cuts words to maxAnswer bytes, at the end of a paragraph, a line or a word, and notes how much is missing.
func cutAnswer(words string) string {
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
	return fmt.Sprintf("%s\n\n%s (%d more bytes: memento show --history)", head, text.Ellipsis, len(words)-len(head))
}
