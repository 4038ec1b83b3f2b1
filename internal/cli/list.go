package cli

import (
	"cmp"
	"flag"
	"fmt"
	"path"
	"slices"
	"strconv"
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
		name: "list", json: true, args: "['PATTERN']", most: 1, apart: "all project",
		short: "list the records of this project, the one updated last first",
		long: `PATTERN is matched with their names, * for any letters. The records of sessions and subagents are only counted, unless
a PATTERN or --kind asks for them.

  memento list 'auth*'
  memento list --kind decision,constraint --tag auth --since 7d
  memento list --all --status all
`,
		flags: sc.flags,
		run:   func(c *call) error { return runList(c, sc) },
	}
}

// scope holds the flags that say which records list and search look at.
type scope struct {
	all                               bool
	project, kind, status, tag, since string
}

func (s *scope) flags(fs *flag.FlagSet) {
	fs.BoolVar(&s.all, "all", false, "all projects")
	nameFlag(fs, &s.project, "project", "the project with this `NAME` instead of the folder's; user for your own")
	nameFlag(fs, &s.kind, "kind", "only this `KIND`; several with commas")
	nameFlag(fs, &s.status, "status", "only this `STATUS`: active (the default), completed, retired, archived or all")
	nameFlag(fs, &s.tag, "tag", "only with this `TAG`; several with commas")
	nameFlag(fs, &s.since, "since", "updated since `TIME`: 12h, 7d or 2w ago, or a day as 2026-03-14")
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
		return c.printJSON(members{
			{"project", f.Project}, {"records", out}, {"hidden", more}, {"problems", unreadables(problems)},
		})
	}
	unread(c.output, problems)
	if len(list) == 0 && more == 0 {
		return c.foundNothing(sc, f.Project)
	}
	printList(c.output, list)
	if more > 0 {
		fmt.Fprintf(c.Out, "%s of sessions and subagents: add --kind session, or --kind subagent\n",
			count(more, "record"))
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
	return c.say("Nothing found in %s; --all looks through all projects, --status all also at what was put away.",
		cmp.Or(project, "any project"))
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
	return members{{"id", r.ID}, {"kind", r.Kind}, {"title", r.Title}, {"project", r.Project}, {"status", r.Status},
		{"stage", r.Stage}, {"created", text.Moment(r.Created)}, {"updated", text.Moment(r.Updated)},
		{"tags", array(r.Tags)}, {"path", r.Path}, {"hash", r.Hash()}, {"shared", r.Shared != ""}}
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

// filter turns the flags of list and search into a filter. Without --all and --project it takes the shelf's project;
// without --kind and --status it leaves Kinds and Status nil. Errors: *hintError, which lists the valid values.
func (s *shelf) filter(sc scope, now time.Time) (f record.Filter, err error) {
	f.Project = s.project
	switch {
	case sc.all:
		f.Project = ""
	case sc.project != "":
		if f.Project, err = recordProject(s.workspace(), sc.project); err != nil {
			return f, err
		}
	}
	if f.Kinds, err = choice("kind", sc.kind, schema.Names()); err != nil {
		return f, err
	}
	if f.Status, err = choice("status", sc.status, append(schema.Statuses(), "all")); err != nil {
		return f, err
	}
	if slices.Contains(f.Status, "all") {
		f.Status = schema.Statuses()
	}
	if f.Tags = commas(sc.tag); sc.tag != "" && f.Tags == nil {
		return f, usage("memento list shows what there is", "--tag: it is empty")
	}
	if sc.since != "" {
		f.Since, err = pastTime("since", sc.since, now)
	}
	return f, err
}

// commas splits s at commas and drops empty parts.
func commas(s string) (out []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// choice splits the value of a flag at commas. Each part, in lower case, must be in known.
func choice(flag, s string, known []string) ([]string, error) {
	out := commas(strings.ToLower(s))
	for _, v := range out {
		if !slices.Contains(known, v) {
			return nil, usage(oneOf(v, known), "--%s: %q is not known", flag, v)
		}
	}
	if s != "" && out == nil {
		return nil, usage(oneOf("", known), "--%s: it is empty", flag)
	}
	return out, nil
}

// pastTime reads the value of a flag, a time in the past: 12h, 7d or 2w before now, or a day, which begins at midnight
// of now's time zone.
func pastTime(flag, s string, now time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseUint(s[:max(0, len(s)-1)], 10, 16); err == nil {
		switch s[len(s)-1] {
		case 'h':
			return now.Add(-time.Duration(n) * time.Hour), nil
		case 'd':
			return now.AddDate(0, 0, -int(n)), nil
		case 'w':
			return now.AddDate(0, 0, -7*int(n)), nil
		}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, time.DateTime} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usage("7d, 12h, 2w, or a day as 2026-03-14", "--%s: %q is no time", flag, s)
}
