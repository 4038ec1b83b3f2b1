package cli

import (
	"cmp"
	"errors"
	"flag"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

type viewFlags struct {
	out         string
	all, noOpen bool
}

func viewCommand() command {
	var f viewFlags
	return command{
		name: "view", short: "make a page of all that memento keeps here, and open it in your browser",
		long: `One HTML file: where the work stands, with the block exactly as Claude would get it; every session; rules, records and
other machines; and a search over all of it. It loads nothing from elsewhere. The page is in memento's folder, and
memento forget removes it. A browser from snap or Flatpak, which cannot read that folder, needs --out.

  memento view --out memento.html
`,
		flags: func(fs *flag.FlagSet) {
			nameFlag(fs, &f.out, "out", "write the page to this `FILE`; - for standard output")
			fs.BoolVar(&f.noOpen, "no-open", false, "do not open it in a browser")
			fs.BoolVar(&f.all, "all", false, "all projects")
		},
		run: func(c *call) error { return runView(c, f) },
	}
}

func runView(c *call, f viewFlags) error {
	if c.unborn() {
		return hinted("it begins with the first task of a session; memento backfill takes in earlier ones",
			"memento keeps nothing yet")
	}
	out := ""
	if f.out != "" && f.out != "-" {
		out = c.absolute(f.out)
		if c.isOwn(out) {
			return usage("name another file with --out", "%s is in memento's own folder", text.Line(f.out))
		}
		if _, err := safefile.Stat(out); err == nil && !view.IsPage(out) {
			return usage("name another file with --out", "%s is there already, and is no page of memento's",
				text.Line(f.out))
		}
	}
	page, slug, err := gatherPage(c, f)
	if err != nil {
		return err
	}
	opens := !f.noOpen && c.Terminal && c.by == journal.ByUser && c.Browse != nil
	switch {
	case f.out == "-":
		return page.Write(c.asItIs())
	case out == "":
		out, err = page.SaveIn(c.config.Dir, slug)
	default:
		err = page.Save(out)
	}
	if f.out != "" && errors.Is(err, fs.ErrNotExist) {
		return hinted("mkdir -p "+safefile.ShellWord(filepath.Dir(out)), "%w", err)
	}
	if err != nil {
		return err
	}
	if opens {
		browse(c.output, out)
	}
	return c.say("%s", out)
}

// browse opens the file at path in the person's browser. When that is not possible it says so.
func browse(o *output, path string) {
	err := o.Browse(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.note("no browser can be opened here; open the file yourself")
	case err != nil:
		o.note("the browser does not start: %s", text.Line(text.Reason(err)))
	}
}

// gatherPage gathers the page that f chooses. slug names its file.
func gatherPage(c *call, f viewFlags) (page *view.Page, slug string, err error) {
	at, err := openPlace(c, false)
	if err != nil {
		return nil, "", err
	}
	own := at.store.Lane.Slug
	slug, slugs := own, []string{own}
	if f.all {
		slug = view.All
		for _, k := range c.workspace().Known {
			slugs = append(slugs, k.Slug)
		}
		more, err := log.Store{Dir: c.config.Dir, Wait: wait}.Projects()
		if err = cmp.Or(err, c.workspace().Err); err != nil {
			return nil, "", err
		}
		slugs = append(slugs, more...)
	}
	page = &view.Page{Version: Version, Written: text.Moment(c.Now())}
	from := view.Source{Store: c.records()}
	show := c.doing()
	from.Doing = func(turns int) { show("reading what was said, in turns", turns, 0) }
	for i, one := range slugs {
		if slices.Contains(slugs[:i], one) {
			continue
		}
		store := at.store
		if one != own {
			store.Lane = project.NewLane(c.config.Dir, one, "", c.config.Tag)
		}
		err := addWork(page, store)
		if err = errors.Join(err, from.Gather(page, one)); err != nil {
			c.note("the page lacks a part of %s: %s", naming.ProjectOrUser(one), text.Line(text.Reason(err)))
		}
	}
	show("writing the page", 0, 0)
	page.Sort()
	return page, slug, nil
}

// addWork adds to the page where the work of a lane stands. It returns why its journal could not be read.
func addWork(page *view.Page, store journal.Store) error {
	j, err := store.Read() // nil on an error
	memory := sessionMemory(store.Config.Dir, "", j)
	block, after := hook.Preview(store, j, memory, store.Now)
	tasks, failing := capture.Open(&memory)
	var said []string
	if j != nil {
		for _, m := range saidLately(store.Lane, j) {
			said = append(said, m.Text)
		}
	}
	page.AddProject(store.Lane.Slug, j, said, tasks, failing, block, after)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}
