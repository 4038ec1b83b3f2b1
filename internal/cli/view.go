package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

type viewFlags struct {
	project, out string
	all, noOpen  bool
}

func viewCommand() command {
	var f viewFlags
	return command{
		name: "view", short: "make a page of all that memento keeps here, and open it in your browser",
		long: `One HTML file: where the work stands, with the block exactly as Claude would get it; every session with
what its compactions lost and memento carried; rules, records, suggestions and other machines; and a search
over all of it. It needs no network and loads nothing. At a terminal it opens in your browser.

  memento view
  memento view --no-open             only write it, and print where
  memento view --out memento.html    a copy of yours
  memento view --all                 every project on one page

Without --out the page is in memento's folder, memento view writes it anew, and memento forget removes it. A
file of --out is yours: memento never touches it again. A browser from snap or Flatpak cannot read memento's
folder. It gets the page in your downloads until you press Enter.
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			nameFlag(fs, &f.out, "out", "write the page to this `FILE`; - for standard output")
			fs.BoolVar(&f.noOpen, "no-open", false, "do not open it in a browser")
			fs.BoolVar(&f.all, "all", false, "all projects")
			nameFlag(fs, &f.project, "project", "the project with this `NAME` instead of the folder's")
		},
		run: func(c *call) error { return c.view(f) },
	}
}

func (c *call) view(f viewFlags) error {
	if f.all && f.project != "" {
		return usage("leave one of them out", "view: --all is every project; --project names one")
	}
	if err := noArgs(c); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	if c.unborn() {
		return hinted("it begins with the first task of a session; memento help backfill takes in earlier ones",
			"view: memento keeps nothing yet")
	}
	out, err := c.pageAt(f.out)
	if err != nil {
		return err
	}
	page, slug, err := c.gatherPage(f)
	if err != nil {
		return err
	}
	if f.out == "-" {
		return page.Write(c.asItIs())
	}
	opens := !f.noOpen && c.Terminal && c.by == journal.ByUser && c.Browse != nil
	if opens && out == "" && c.Confined != nil && c.Confined(c.home(), c.Getenv) {
		return c.viewOutside(page, slug)
	}
	if out != "" {
		err = page.Save(out)
	} else {
		out, err = page.SaveIn(c.config.Dir, slug)
	}
	switch {
	case f.out != "" && errors.Is(err, fs.ErrNotExist):
		return hinted("mkdir -p "+safefile.ShellWord(filepath.Dir(out)), "view: %w", err)
	case err != nil:
		return fmt.Errorf("view: %w", err)
	}
	if opens {
		c.browse(out)
	}
	fmt.Fprintln(c.Out, out)
	return nil
}

// pageAt returns the path of the file that a person names for the page, "" for none and for standard output. It has to
// be outside memento's folder, and overwrites nothing but a page.
func (c *call) pageAt(file string) (string, error) {
	const hint = "name another file with --out"
	if file == "" || file == "-" {
		return "", nil
	}
	path := c.absolute(file)
	if rel, err := filepath.Rel(c.config.Dir, path); err == nil && filepath.IsLocal(rel) {
		return "", usage(hint, "view: %s is in memento's own folder", text.Line(file))
	}
	if _, err := safefile.Stat(path); err == nil && !view.IsPage(path) {
		return "", usage(hint, "view: %s is there already, and is no page of memento's", text.Line(file))
	}
	return path, nil
}

// browse opens the file at path in the person's browser. When that is not possible it says so.
func (c *call) browse(path string) bool {
	err := c.Browse(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprintln(c.Err, "memento: note: no browser can be opened here; open the file yourself")
	case err != nil:
		fmt.Fprintf(c.Err, "memento: note: the browser does not start: %s\n", text.Line(worded(err)))
	}
	return err == nil
}

// viewOutside shows the page where a packaged browser can read it, until the person has seen it.
func (c *call) viewOutside(page *view.Page, slug string) error {
	path, err := page.SaveOutside(c.config.Dir, slug, c.OpenFolder(c.home(), c.Getenv))
	if err != nil {
		return fmt.Errorf("view: %w", err)
	}
	c.browse(path)
	fmt.Fprintf(c.Out, "%s\nYour browser is a packaged one and cannot read memento's folder, so the page is here.\n"+
		"Press Enter when you are done: the file is removed then. ", path)
	_, _ = bufio.NewReader(c.In).ReadString('\n') // also at the end of the input
	if err := view.RemoveOutside(c.config.Dir, slug); err != nil {
		return fmt.Errorf("view: %w", err)
	}
	fmt.Fprintln(c.Out, "removed")
	return nil
}

// gatherPage gathers the page that f chooses. slug names its file.
func (c *call) gatherPage(f viewFlags) (page *view.Page, slug string, err error) {
	at, err := openPlace(c, false)
	if err != nil {
		return nil, "", err
	}
	own := at.store.Lane.Slug
	slugs := []string{own}
	switch {
	case f.all:
		slug = view.All
		if slugs, err = c.allSlugs(own); err != nil {
			return nil, "", fmt.Errorf("view: %w", err)
		}
	case f.project != "":
		if err := knownProject(c, f.project); err != nil {
			return nil, "", err
		}
		slug, slugs = f.project, []string{f.project}
	default:
		slug = own
	}
	page = &view.Page{Version: Version, Written: text.Moment(c.Now())}
	from := view.Source{Dir: c.config.Dir, Records: c.records(), Now: c.Now(), Wait: wait}
	show := c.doing()
	if show != nil {
		from.Doing = func(turns int) { show("reading what was said, in turns", turns, 0) }
	}
	for _, one := range slugs {
		store := at.store
		if one != own {
			store.Lane = project.NewLane(c.config.Dir, one, "", c.config.Tag)
		}
		c.addWork(page, store)
		if err := from.Gather(page, one); err != nil {
			fmt.Fprintf(c.Err, "memento: note: the page lacks a part of %s: %s\n", naming.ProjectOrUser(one),
				text.Line(worded(err)))
		}
	}
	if show != nil {
		show("writing the page", 0, 0)
	}
	page.Sort()
	return page, slug, nil
}

// addWork adds to the page where the work of a lane stands.
func (c *call) addWork(page *view.Page, store journal.Store) {
	j, err := store.Read()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(c.Err, "memento: note: the page lacks the journal of %s: %s\n",
				naming.ProjectOrUser(store.Lane.Slug), text.Line(worded(err)))
		}
		j = nil
	}
	memory := doctor.SessionMemory(c.config.Dir, "", j)
	block, after := hook.Preview(store, j, memory, c.Now())
	tasks, failing := capture.Open(&memory)
	page.AddProject(store.Lane.Slug, j, tasks, failing, block, after)
}

// allSlugs lists the slugs of all projects, own first.
func (c *call) allSlugs(own string) ([]string, error) {
	slugs := []string{own}
	for _, k := range c.workspace().Known {
		slugs = append(slugs, k.Slug)
	}
	more, err := past.Store{Dir: c.config.Dir, Wait: wait}.Projects()
	if err != nil {
		return nil, err
	}
	slugs = append(slugs, more...)
	out := slugs[:0:0]
	for _, slug := range slugs {
		if !slices.Contains(out, slug) {
			out = append(out, slug)
		}
	}
	return out, c.workspace().Err
}
