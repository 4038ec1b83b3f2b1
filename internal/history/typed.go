package history

import (
	"cmp"
	"strings"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// byUser is the value of By in a line that the person wrote at a terminal.
const byUser = "user"

// WholeMission returns the user's whole words for mission, which a journal may hold cut short. ref is the transcript
// uuid of the prompt that opened it, "" for none. It returns an error of the disk only when the mission stays cut.
func WholeMission(lane project.Lane, mission, ref string) (string, error) {
	whole := mission
	unshown := map[string]string{} // prompts kept before the transcript showed them, by session and time
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

// Typed returns the user's prompts, each once, oldest first. rewound reports which of them were rewound.
func Typed(lane project.Lane) (typed []Line, rewound Rewinds, err error) {
	return TypedBeside(lane, func(Line) {})
}

// TypedBeside is Typed that calls each with every line it reads.
func TypedBeside(lane project.Lane, each func(Line)) (typed []Line, rewound Rewinds, err error) {
	seen := map[string]bool{}
	err = Read(lane, func(l Line) bool {
		each(l)
		if rewound.Note(l) || l.Kind != "said" || l.By != "" && l.By != byUser || l.Ref != "" && seen[l.Ref] {
			return true
		}
		seen[l.Ref] = true
		l.Raw = "" // do not hold long prompts in memory twice
		typed = append(typed, l)
		return true
	})
	return typed, rewound, err
}
