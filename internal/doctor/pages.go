package doctor

import (
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

// checkPages says how many pages memento view has left, and where one is that a packaged browser was shown.
func (x *exam) checkPages() {
	pages, notes, err := view.Files(x.Config.Dir)
	if err != nil {
		x.add(Bad, "", "the pages of memento view cannot be listed: %s", text.Reason(err))
		return
	}
	if len(pages) > 0 {
		x.ok("%s of memento view with what was there then; memento forget removes every page",
			text.Count(len(pages), "page"))
	}
	for _, note := range notes {
		if path := view.Noted(note); path != "" {
			x.add(Note, "memento view removes it when you are done there",
				"a page of memento view is outside its folder: %s",
				path)
		}
	}
}
