package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/text"
)

const maxSnippet = 200 // characters of a record that search shows

func searchCommand() command {
	var in scope
	limit := 10
	return command{
		name: "search", args: `"QUERY"`, short: "find records by what they say, best first",
		long: `Looks through this project's records and your own, and through what you said that outlives its
session; nothing in a query has a special meaning, but
that words in double quotes count more where they stand together. What is completed, retired or
archived is left out without --status, and what subagents returned without --kind subagent.

  memento search "why PASETO and not JWT"
  memento search "connection pool" --kind runbook,debt --all
  memento search deploy --status all --since 30d --json
`,
		flags: func(fs *flag.FlagSet, c *call) {
			in.flags(fs)
			fs.IntVar(&limit, "limit", 10, "at most `N` records")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error { return runSearch(c, in, limit) },
	}
}

func runSearch(c *call, in scope, limit int) error {
	debug.SetGCPercent(400) // the search ends in milliseconds: to collect more often costs more than it frees
	query := strings.Join(c.args, " ")
	if strings.TrimSpace(query) == "" {
		return usage("memento list shows what there is", "search: there is no query")
	}
	if limit < 1 {
		return usage("memento help search", "search: --limit %d: at least 1 is expected", limit)
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	filter, err := s.filter(in, c.Now())
	if err != nil {
		return err
	}
	found, problems, err := retrieve.Search(s.store, retrieve.Query{
		Words: query, Filter: filter, Own: in.project == "", Shown: c.shown, Limit: limit, Said: c.progress("indexing"),
	})
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	rules := c.findRules(in, query, limit)
	if c.json {
		c.foundJSON(found, problems, rules)
		return nil
	}
	c.unread(problems)
	for _, r := range rules {
		fmt.Fprintf(c.Out, "rule · %s · %s (memento rules)\n", text.Quote(r.Text), howOften(r))
	}
	for _, f := range found {
		fmt.Fprintf(c.Out, "%s · %s%s · %s\n", text.Line(f.Kind), text.Line(f.Title), stands(" ", f.Status, f.Stage),
			f.ID)
		if s := snippet(f.Snippet); s != "" {
			fmt.Fprintf(c.Out, "    %s\n", s)
		}
	}
	if len(found)+len(rules) == 0 {
		if in.project != "" {
			c.unseen(filter.Project)
		}
		where := "in any project"
		if filter.Project != "" {
			where = "in " + filter.Project + "; --all looks through all projects"
		}
		fmt.Fprintf(c.Out, "Nothing found %s.\n", where)
	}
	return nil
}

// shown reports whether a search without --kind shows records of this kind.
func (c *call) shown(kind string) bool { return c.config.Kind(kind).Enabled }

// foundJSON prints the answer of search as JSON.
func (c *call) foundJSON(found []retrieve.Found, problems []record.Problem, rules []ruleAnswer) {
	type result struct {
		ID      string `json:"id"`
		Kind    string `json:"kind"`
		Title   string `json:"title"`
		Project string `json:"project"`
		standing
		Path    string      `json:"path"`
		Score   json.Number `json:"score"`
		Snippet string      `json:"snippet"`
	}
	results := []result{}
	for _, f := range found {
		score := json.Number(strconv.FormatFloat(f.Score, 'f', 4, 64))
		results = append(results, result{f.ID, text.Line(f.Kind), text.Line(f.Title), f.Project,
			standingOf(f.Status, f.Stage), f.Path, score, snippet(f.Snippet)})
	}
	answer := members{{"results", results}}
	if len(rules) > 0 {
		answer = append(answer, member{"rules", rules})
	}
	c.printJSON(append(answer, member{"problems", unreadables(problems)}))
}

// whyNot says why a file could not be read, without its path.
func whyNot(p record.Problem) string {
	return strings.TrimPrefix(strings.TrimPrefix(worded(p.Err), "opening "), p.Path+": ")
}

// unread prints the files that could not be read.
func (c *call) unread(problems []record.Problem) {
	for _, p := range problems {
		fmt.Fprintf(c.Err, "memento: %s is left out: %s\n", text.Line(p.Path), text.Line(whyNot(p)))
	}
}

// snippet puts a passage of a record on one line.
func snippet(passage string) string {
	var b strings.Builder
	for line := range strings.Lines(passage) {
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			line = strings.TrimSpace(heading) + ": "
		}
		b.WriteString(line)
	}
	s, _ := text.Cut(text.Line(b.String()), maxSnippet)
	return s
}
