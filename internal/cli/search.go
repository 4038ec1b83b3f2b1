package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/text"
)

const maxSnippet = 200 // characters of a record that search shows

// How many results search shows without --limit: to a person, and to Claude, for whom each line costs context.
const (
	mostFound       = 10
	mostFoundClaude = 5
)

// searchFlags are the flags of search besides those of list.
type searchFlags struct {
	scope
	limit   int // 0: --limit is not given
	rebuild bool
	only    string
}

func searchCommand() command {
	var f searchFlags
	return command{
		name: "search", json: true, args: `"QUERY"`, apart: "all project",
		short: "find records, and what was said in earlier sessions, best first",
		long: `It looks through this project's records and your own, and through everything that you and Claude said in this project's
sessions. Records that were put away need --status, those of sessions and subagents --kind. With --kind, --status or
--tag it looks through records alone.

  memento search "why PASETO and not JWT"
  memento search '"half cents" rounding'     words in double quotes stand together, in this order
  memento search '"src/cart.go"'             what concerns a file
  memento search deploy --only said --since 30d
  memento search "connection pool" --kind runbook,debt --all
`,
		flags: func(fs *flag.FlagSet) {
			f.flags(fs)
			numberFlag(fs, &f.limit, "limit", "at most `N` results; without it 10, and 5 for Claude")
			nameFlag(fs, &f.only, "only", "only `WHAT`: records, said (what you typed) or answers; several with commas")
			fs.BoolVar(&f.rebuild, "rebuild", false, "make the search index again, from all files")
		},
		run: func(c *call) error { return runSearch(c, f) },
	}
}

// query returns the query that words and the flags make. Errors: *hintError.
func (f searchFlags) query(c *call, s *shelf, words string) (q retrieve.Query, err error) {
	if strings.TrimSpace(words) == "" {
		return q, usage("memento list shows what there is", "there is no query")
	}
	isShown := func(kind string) bool { return c.config.Kind(kind).Enabled }
	q = retrieve.Query{Words: words, Own: f.project == "", Shown: isShown, Limit: f.limit, Said: c.progress("indexing")}
	only, err := choice("only", f.only, []string{"records", "said", "answers"})
	if err != nil {
		return q, err
	}
	for _, name := range only {
		q.Types = append(q.Types, map[string]string{"records": search.Record, "said": search.Said,
			"answers": search.Answer}[name])
	}
	if q.Filter, err = s.filter(f.scope, c.Now()); err != nil {
		return q, err
	}
	if about := q.Filter; q.Types != nil && !slices.Contains(q.Types, search.Record) &&
		(about.Kinds != nil || about.Status != nil || about.Tags != nil) {
		return q, usage("leave them out, or add --only records",
			"--kind, --status and --tag are of records; what was said has none")
	}
	return q, nil
}

func runSearch(c *call, f searchFlags) error {
	debug.SetGCPercent(400) // the search ends in milliseconds: to collect more often costs more than it frees
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if f.rebuild {
		n, err := retrieve.Reindex(s.store, true, c.progress("indexing"))
		if err != nil {
			return err
		}
		if len(c.args) == 0 {
			return c.printAnswer(members{{"indexed", n}}, "the index is built anew from %s", count(n, "record"))
		}
	}
	if f.limit == 0 {
		f.limit = mostFound
		if c.by == journal.ByClaude {
			f.limit = mostFoundClaude
		}
	}
	q, err := f.query(c, s, strings.Join(c.args, " "))
	if err != nil {
		return err
	}
	answer, err := retrieve.Search(s.store, q)
	if err != nil {
		return err
	}
	if c.json {
		results := []members{}
		for _, one := range answer.Found {
			results = append(results, resultFields(c.folder, one, s.project))
		}
		return c.printJSON(members{{"results", results}, {"problems", unreadables(answer.Problems)},
			{"loose", answer.Loose}})
	}
	unread(c.output, answer.Problems)
	if answer.Loose {
		fmt.Fprintln(c.Out, "Nothing has the quoted words as they stand; these have them apart:")
	}
	printFound(c, s.project, answer.Found, q.Filter.Project == "")
	if len(answer.Found) == 0 {
		return c.foundNothing(f.scope, q.Filter.Project)
	}
	return nil
}

// printFound prints what a search found, with the project of each turn if named is true.
func printFound(c *call, project string, found []retrieve.Found, named bool) {
	for _, one := range found {
		words := snippet(one.Snippet)
		if one.Type == search.Record {
			printEntry(c.output, text.Line(one.Kind), text.Line(one.Title), words,
				stands(one.Record), c.since(one.Updated), one.ID)
			continue
		}
		who, where, open := one.Turn.Model()+" answered", "", one.Turn
		if one.Type == search.Said {
			if who, words = "you said", text.Quote(words); open.Client != "" {
				who += " to " + open.Model()
			}
		}
		if named {
			where = text.Line(naming.ProjectOrUser(open.Project))
		}
		printEntry(c.output, who, words, "", c.when(open.Time), where,
			prefixed("on ", text.Line(machineOf(c.folder, open))), openTurn(open, project))
	}
}

// printEntry prints an entry of a list: its title, then its kind and what else there is to know, the last of which is
// typed, then words from inside.
func printEntry(o *output, kind, title, inside string, notes ...string) {
	last := len(notes) - 1
	about := joined(" · ", append([]string{kind}, notes[:last]...)...)
	o.printLine(0, o.screen.Strong(title))
	o.printLine(2, "  "+o.screen.Quiet(about+" · ")+notes[last])
	if inside != "" {
		o.printLine(2, "  "+inside)
	}
}

// machineOf returns the name of the other machine on which a turn was said, "" for this one.
func machineOf(f *folder, t past.Turn) string {
	if t.On == "" {
		return ""
	}
	return pace.LoadOthers(f.config.Dir, t.Project).Names[t.On]
}

// openTurn returns the command that shows a turn to somebody who works in project.
func openTurn(t past.Turn, project string) string {
	all := map[bool]string{true: " --all"}[naming.ProjectOrUser(t.Project) != project]
	return fmt.Sprintf("memento show %s --turn %d%s", text.Line(t.Session), t.N, all)
}

// resultFields is a result in the JSON answer of a search.
func resultFields(f *folder, one retrieve.Found, project string) members {
	score := json.Number(strconv.FormatFloat(one.Score, 'f', 4, 64))
	words, passage := strings.TrimSpace(readable(one.Text)), snippet(one.Snippet)
	if r := one.Record; one.Type == search.Record {
		return members{{"id", r.ID}, {"kind", text.Line(r.Kind)}, {"title", text.Line(r.Title)}, {"project", r.Project},
			{"status", r.Status}, {"stage", r.Stage}, {"path", r.Path}, {"score", score}, {"snippet", passage},
			{"type", "record"}, {"session", r.Session}, {"time", text.Moment(r.Updated)}, {"text", words},
			{"open", "memento show " + r.ID}, {"shared", r.Shared != ""}}
	}
	t := one.Turn
	title, _ := text.Cut(text.Line(t.Prompt), maxTitle)
	return members{{"id", fmt.Sprintf("%s#%d", t.Session, t.N)}, {"kind", one.Type}, {"title", title},
		{"project", naming.ProjectOrUser(t.Project)}, {"path", ""}, {"score", score}, {"snippet", passage},
		{"type", one.Type}, {"session", t.Session}, {"turn", t.N}, {"time", text.Moment(t.Time)}, {"text", words},
		{"open", openTurn(t, project)}, {"machine", machineOf(f, t)}}
}

// maxTitle is how many characters of a prompt stand for its turn.
const maxTitle = 80

// whyNot says why a file could not be read, without its path.
func whyNot(p record.Problem) string {
	return strings.TrimPrefix(strings.TrimPrefix(text.Reason(p.Err), "opening "), p.Path+": ")
}

// unread prints the files that could not be read.
func unread(o *output, problems []record.Problem) {
	for _, p := range problems {
		fmt.Fprintf(o.Err, "memento: %s is left out: %s\n", text.Line(p.Path), text.Line(whyNot(p)))
	}
}

// snippet puts a passage of a record on one line, a colon behind its headings.
func snippet(passage string) string {
	var words []string
	for line := range strings.Lines(passage) {
		if marks, title, ok := strings.Cut(line, " "); ok && marks != "" && strings.Trim(marks, "#") == "" {
			line = strings.TrimSpace(title) + ": "
		}
		words = append(words, line)
	}
	s, _ := text.Cut(text.Line(strings.Join(words, "")), maxSnippet)
	return s
}
