package doctor

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

const maxNamed = 5 // files listed for one trouble; the others are counted

// checkRecords checks that each record can be read. Claude is told of those of this project and the user's own alone.
func (x *exam) checkRecords() {
	archive := filepath.Join(x.Config.Dir, naming.Archive)
	if err := safefile.CheckDir(archive); err != nil {
		x.add(Bad, folderHint(archive, err), "the folder %s cannot be used: %v", naming.Archive, err)
		return
	}
	projects := []string{""}
	if x.Claude {
		projects = []string{naming.User}
		if own := naming.ProjectOrUser(x.lane.Slug); own != naming.User {
			projects = append(projects, own)
		}
	}
	store := record.Store{Dir: x.Config.Dir}
	var unread []record.Problem
	for _, project := range projects {
		list, problems, err := store.List(record.Filter{Project: project, Status: schema.Statuses()})
		if err != nil {
			x.add(Bad, safefile.Step(err), "the records cannot be listed: %s", text.Reason(err))
		}
		unread = append(unread, problems...)
		for _, r := range list {
			x.checkRecord(r)
		}
	}
	for _, p := range unread[:min(len(unread), maxNamed)] {
		x.add(Bad, text.Line(recordHint(p)), "a record is not used: %s", text.Line(p.Err.Error()))
	}
	if n := len(unread) - maxNamed; n > 0 {
		x.add(Note, "", "records that are not used: %d more", n)
	}
	names, _ := safefile.Names(x.Config.Dir, naming.Ending) // List has returned an error
	for _, name := range names {
		id, _ := naming.Stem(name)
		if _, _, err := naming.Split(id); err != nil && !x.Claude && !safefile.Temporary(name) {
			x.add(Note, "rename it: PROJECT--NAME.md", "%s is not read as a record: %s",
				text.Line(filepath.Join(x.Config.Dir, name)), text.Line(err.Error()))
		}
	}
}

// checkRecord tells what a record that somebody edited by hand lacks.
func (x *exam) checkRecord(r *record.Record) {
	problems, hint := r.Problems(), "memento edit "+r.ID
	if !slices.Contains(schema.Statuses(), r.Status) {
		hint = "memento restore " + r.ID
	}
	if len(problems) > 0 {
		x.add(Note, hint, "record %s: %s", r.ID, text.Line(problems[0]))
	}
}

// recordHint says what helps where a record cannot be read.
func recordHint(p record.Problem) string {
	var front *markdown.FrontError
	switch {
	case errors.As(p.Err, &front):
		return fmt.Sprintf("mend line %d by hand: memento neither reads nor writes the file until then", front.Line)
	case errors.Is(p.Err, safefile.ErrTooLarge):
		return "make two of it: a record has at most 100 KB"
	}
	return hintAt(p.Path, p.Err)
}
