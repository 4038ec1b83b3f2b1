package history

import (
	"cmp"
	"strings"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// byUser is what a line says that the person made, typed or at a terminal.
const byUser = "user"

// WholeMission returns the mission that a journal holds, perhaps cut short, as the user put it. ref is the id of the
// line it came from, "" for none. The error is the disk's, where the rest stands in what could not be read.
func WholeMission(lane project.Lane, mission, ref string) (string, error) {
	whole := mission
	unshown := map[string]string{} // what was typed before the transcript showed it, by session and time
	err := Read(lane, func(l Line) bool {
		ours := ref != "" && l.Ref == ref
		begins := strings.HasPrefix(l.Text, strings.TrimSuffix(mission, text.Ellipsis))
		switch {
		case l.Kind == "confirmed" && ours:
			whole = cmp.Or(unshown[l.Session+l.TS], whole)
		case (l.Kind == "opened" || l.Kind == "said") && ours, l.Kind == "opened" && ref == "" && begins:
			whole = l.Text
		case l.Kind == "said" && l.Ref == "":
			unshown[l.Session+l.TS] = l.Text
		}
		return true
	})
	if !strings.HasSuffix(whole, text.Ellipsis) {
		err = nil
	}
	return whole, err
}

// Typed returns what the user typed, each prompt once, oldest first, and what tells which of it was rewound.
func Typed(lane project.Lane) (typed []Line, rewound Rewinds, err error) {
	seen := map[string]bool{}
	err = Read(lane, func(l Line) bool {
		if rewound.Note(l) || l.Kind != "said" || l.By != "" && l.By != byUser || l.Ref != "" && seen[l.Ref] {
			return true
		}
		seen[l.Ref] = true
		l.Raw = "" // long prompts need not stand in memory twice
		typed = append(typed, l)
		return true
	})
	return typed, rewound, err
}
