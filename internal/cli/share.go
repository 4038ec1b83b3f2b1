package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// shareFlags are the flags of share.
type shareFlags struct {
	undo, rules, replace bool
}

func shareCommand() command {
	var f shareFlags
	return command{
		name: "share", args: "RECORD... | --rules [N...]",
		short: "put a copy of records into the repository, for the team",
		long: `Each record becomes a Markdown file in .memento/ at the top of the repository, and README.md there lists
them. You commit it: memento runs no git. The copy has no session, no branch, no names and no paths of this
machine, and secrets are taken out once more. Whoever clones the repository is asked before memento reads
it: memento help trust. Share a changed record again to update its copy; without a RECORD it only brings
README.md up to date.

  memento share use-paseto
  memento share use-paseto --undo                take the copy away
  memento share --rules                          this project's standing rules, as one record
  memento share --rules 310877 665020            only those; memento rules lists them

A file that somebody else changed is left alone, unless --replace is given.
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&f.undo, "undo", false, "delete the copies")
			fs.BoolVar(&f.rules, "rules", false, "share standing rules instead of records")
			fs.BoolVar(&f.replace, "replace", false, "also overwrite or delete what somebody else wrote")
		},
		run: func(c *call) error { return c.share(f) },
	}
}

// repository returns the working tree of the shelf: the folder's, if it belongs to the shelf's project, else the
// session's.
func (c *call) repository(s *shelf) shared.Repository {
	p := shared.Repository{Project: s.project, Store: s.store, Now: c.Now(), Wait: wait}
	if s.project == naming.User {
		return p
	}
	if here := c.here(); naming.Project(c.workspace().Slug(here)) == s.project {
		p.Root = here.Root
	} else {
		p.Root = s.root
	}
	return p
}

// repositoryOf returns the working tree of a lane's project where the command runs. Outside the project it has none.
func (c *call) repositoryOf(lane project.Lane) shared.Repository {
	return c.repository(&shelf{project: naming.ProjectOrUser(lane.Slug), store: c.records()})
}

// waitingHere returns how many files of the repository wait for the person.
func (c *call) waitingHere(at *place) int {
	p := c.repositoryOf(at.store.Lane)
	if c.unborn() || !p.Exists() {
		return 0
	}
	n, _ := p.Refresh(shared.Files) // doctor reports the error
	return n
}

// followBranch brings the records that came from the repository in line with its working tree. What fails is done
// later: the records then stay as they are.
func (c *call) followBranch(s *shelf) {
	if p := c.repository(s); p.Root != "" && !c.unborn() {
		_, _ = p.Refresh(shared.Files)
	}
}

func (c *call) share(f shareFlags) error {
	s, err := c.openShelf(f.rules || len(c.args) > 0)
	if err != nil {
		return err
	}
	p := c.repository(s)
	if !f.rules && len(c.args) == 0 {
		if f != (shareFlags{}) {
			return usage("memento list", "share: which record?")
		}
		return c.sharedPage(p)
	}
	if f.rules {
		r, err := c.rulesRecord(s, f.undo)
		if err != nil {
			return err
		}
		c.args = []string{r.Slug}
		return c.shareEach(p, f, func(string) (*record.Record, error) { return r, nil })
	}
	return c.shareEach(p, f, s.find)
}

// shareEach shares or withdraws each record that the arguments name.
func (c *call) shareEach(p shared.Repository, f shareFlags, find func(string) (*record.Record, error)) error {
	done := false
	err := c.each(func(name string) (string, error) {
		r, err := find(name)
		if f.undo && errors.Is(err, record.ErrNotFound) && naming.CheckSlug(name) == nil { // the record is gone
			r, err = &record.Record{Slug: name}, nil
		}
		if err != nil {
			return "", err
		}
		if f.undo {
			path, had, err := p.Withdraw(strings.TrimPrefix(r.Slug, sharedPrefixOf(r)), f.replace)
			if err != nil {
				return "", shareError(err)
			}
			if !had {
				return path + " is not there", nil
			}
			done = true
			return "removed " + path, nil
		}
		w, err := p.Share(*r, f.replace, c.home())
		if err != nil {
			return "", shareError(err)
		}
		done = done || w.Changed
		line := "wrote " + w.Path
		if !w.Changed {
			line = w.Path + " is up to date"
		}
		if w.Secrets != nil {
			line += " (" + redact.Notice(w.Secrets) + ")"
		}
		return line, nil
	})
	if done {
		fmt.Fprintln(c.Out, "commit it: git add -A "+shared.Folder)
	}
	return err
}

// sharedPrefixOf returns what stands before the name of the file in the slug of a copy of it, "" for other records.
func sharedPrefixOf(r *record.Record) string {
	if r.Shared == "" {
		return ""
	}
	return naming.SharedPrefix
}

// sharedPage brings the page in the repository up to date.
func (c *call) sharedPage(p shared.Repository) error {
	if !p.Exists() {
		return usage("memento list", "share: which record? Nothing is shared here yet")
	}
	if err := p.WritePage(); err != nil {
		return shareError(err)
	}
	fmt.Fprintf(c.Out, "%s/README.md is up to date\n", shared.Folder)
	return nil
}

// shareError adds a hint to an error of package shared.
func shareError(err error) error {
	hint := ""
	switch {
	case errors.Is(err, shared.ErrNoRepository):
		hint = "cd into the working tree of the project's repository"
	case errors.Is(err, shared.ErrForeign):
		hint = "memento leaves it alone; it shares records only through a folder " + shared.Folder + " of its own"
	case errors.Is(err, shared.ErrTheirs):
		hint = "read it; then edit it by hand, or add --replace to put yours in its place"
	case errors.Is(err, shared.ErrUnshareable):
		hint = "memento help share"
	case errors.Is(err, shared.ErrUnreadable):
		hint = "memento doctor"
	case errors.Is(err, safefile.ErrTooLarge):
		hint = "memento reads no folder of more than 1000 files or 4 MB"
	case errors.Is(err, fs.ErrNotExist):
		return err
	default:
		return recordError(err)
	}
	return &hintError{err: err, hint: hint}
}

// chosenRules returns the standing rules with these numbers, or without numbers those of the project. It fails when
// there are none.
func (c *call) chosenRules(command string, words []string) ([]rule.Rule, error) {
	numbers, err := numbersIn(words, "rules", "a rule")
	if err != nil {
		return nil, err
	}
	store, slug, err := c.ruleStore()
	if err != nil {
		return nil, err
	}
	all, _ := store.Rules(slug)
	if numbers != nil {
		return numberedRules(all, numbers, "memento rules")
	}
	all = slices.DeleteFunc(all, func(r rule.Rule) bool { return r.User })
	if len(all) == 0 {
		return nil, hinted("memento rules", "%s: this project has no standing rule yet", command)
	}
	return all, nil
}

// rulesRecord returns the record that holds the chosen rules. To withdraw it, no rule is needed.
func (c *call) rulesRecord(s *shelf, withdraw bool) (*record.Record, error) {
	r := &record.Record{Project: s.project, Slug: "standing-rules", Kind: "constraint", Title: "Standing rules",
		Status: schema.Active, Tags: []string{"rules"}}
	r.ID = naming.Prefix(r.Project) + r.Slug
	if withdraw {
		return r, nil
	}
	rules, err := c.chosenRules("share", c.args)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, one := range rules {
		lines = append(lines, text.Line(one.Text))
		if first := ruleTime(one.First); r.Created.IsZero() || !first.IsZero() && first.Before(r.Created) {
			r.Created = first
		}
		if last := ruleTime(one.Last); last.After(r.Updated) {
			r.Updated = last
		}
	}
	r.Body = "## Kind\n\npolicy\n\n## Rule\n\n" + strings.TrimSpace(markdown.List(lines)) + "\n"
	return r, nil
}

func ruleTime(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s)
	return t
}
