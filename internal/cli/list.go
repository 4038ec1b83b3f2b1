package cli

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

func listCommand() command {
	var sc scope
	return command{
		name: "list", json: true, args: "['PATTERN']", most: 1, apart: "all project", short: "list the records of this project, the one updated last first",
		long: `PATTERN is matched with their names, * for any letters. What sessions came to and subagents returned is only counted
without a PATTERN, --kind session or --kind subagent.

  memento list 'auth*'
  memento list --kind decision,constraint --tag auth --since 7d
  memento list --all --status all
`,
		flags: sc.flags,
		run:   func(c *call) error { return runList(c, sc) },
	}
}

func runList(c *call, sc scope) error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	f, err := s.matching(sc, c.args, c.Now())
	if err != nil {
		return err
	}
	list, problems, err := s.store.List(f)
	if err != nil {
		return err
	}
	list, more := visible(list, f)
	if c.json {
		out := []members{}
		for _, r := range list {
			out = append(out, listed(r))
		}
		c.printJSON(members{
			{"project", f.Project}, {"records", out}, {"hidden", more}, {"problems", unreadables(problems)},
		})
		return nil
	}
	unread(c.output, problems)
	if len(list) == 0 && more == 0 {
		return c.foundNothing(sc, f.Project)
	}
	printList(c.output, list)
	if more > 0 {
		fmt.Fprintf(c.Out, "%s of sessions and subagents: add --kind session, or --kind subagent\n", count(more, "record"))
	}
	return nil
}

// foundNothing says that a list or a search in project, "" for all, has no result, and what looks further.
func (c *call) foundNothing(sc scope, project string) error {
	if sc.project != "" && project != naming.User {
		if err := knownProject(c, project); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.Out, "Nothing found in %s; --all looks through all projects, --status all also at what was put away.\n",
		cmp.Or(project, "any project"))
	return nil
}

// matching returns the filter that sc makes, with the pattern that may be in args. Errors: *hintError.
func (s *shelf) matching(sc scope, args []string, now time.Time) (record.Filter, error) {
	f, err := s.filter(sc, now)
	if err != nil || len(args) == 0 {
		return f, err
	}
	f.Match = strings.TrimSuffix(args[0], naming.Ending)
	if _, bad := path.Match(f.Match, ""); bad != nil || strings.TrimSpace(f.Match) == "" {
		return f, usage("memento list 'auth*'", "%s is no pattern", text.Quote(f.Match))
	}
	return f, nil
}

// printList prints a line for each record, two at a terminal.
func printList(o *output, list []*record.Record) {
	for _, r := range list {
		title, kind, about := text.Line(r.Title), text.Line(r.Kind), stands(r)
		if o.screen.Wide > 0 {
			printEntry(o, kind, title, "", about, o.since(r.Updated), r.ID)
		} else {
			fmt.Fprintln(o.Out, joined("  ", r.ID, kind, o.since(r.Updated), title, about))
		}
	}
}

// joined joins the words that are not empty.
func joined(between string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), between)
}

// listed is a record in the JSON answer of list.
func listed(r *record.Record) members {
	out := members{{"id", r.ID}, {"kind", r.Kind}, {"title", r.Title}, {"project", r.Project}, {"status", r.Status},
		{"stage", r.Stage}, {"created", text.Moment(r.Created)}, {"updated", text.Moment(r.Updated)},
		{"tags", array(r.Tags)}, {"path", r.Path}, {"hash", r.Hash()}}
	if r.Shared != "" { // the repository has it
		out = append(out, member{"shared", true})
	}
	return out
}

// stands returns in brackets whether the repository has a record, its status and its stage; "" for an active
// record of one's own without a stage.
func stands(r *record.Record) string {
	words := []string{map[bool]string{true: "shared"}[r.Shared != ""], text.Line(r.Status), text.Line(r.Stage)}
	if r.Status == schema.Active {
		words[1] = ""
	}
	if all := joined(", ", words...); all != "" {
		return "[" + all + "]"
	}
	return ""
}

// visible returns the list without the records of hidden kinds, and their number. A filter by kind or name shows them.
func visible(list []*record.Record, f record.Filter) ([]*record.Record, int) {
	if f.Kinds != nil || f.Match != "" {
		return list, 0
	}
	shown := slices.DeleteFunc(slices.Clone(list), func(r *record.Record) bool {
		k, _ := schema.Named(r.Kind)
		return k.Hidden
	})
	return shown, len(list) - len(shown)
}
